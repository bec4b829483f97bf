"""What several tools take."""

from typing import Annotated

from pydantic import Field

Limit = Annotated[int, Field(ge=1, le=100, description="At most this many; the result says how to get more.")]
PageToken = Annotated[
    str, Field(max_length=2000, description="`next_page_token` of the result before, for what follows it.")
]
# Narrow, so that a key that an agent puts into the wrong argument goes no further, into an address and a log.
Id = Annotated[str, Field(pattern="^[0-9a-f-]{36}$", description="An id, as other tools give it.")]
BenchmarkName = Annotated[
    str, Field(pattern="^[a-z0-9-]{1,80}$", description="A benchmark's slug, in lower case, or its id.")
]
Words = Annotated[str, Field(max_length=160, description="Words to look for; empty for all.")]
Version = Annotated[str, Field(max_length=64, description='Such as "1.0.0"; empty for the current one.')]
Several = Annotated[list[Id], Field(max_length=10, description="2 to 10 ids.")]
