"""What the fuzzers know of the world they send requests to."""

import json
import re
from dataclasses import asdict, dataclass, field

ENDING = re.compile("archive|deprecate|withdraw|revoke|remove|cancel|take_?back|visibility")
REVIEWER, PLAIN, OWNER = "reviewer", "plain", "owner"


@dataclass
class World:
    base_url: str
    grpc_address: str
    tokens: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    """The ids of those tokens, which nobody may revoke under the fuzzers' hands."""
    ids: dict[str, list[str]] = field(default_factory=dict)
    """Kind of thing → what there is of it."""
    lasting: list[str] = field(default_factory=list)
    """Of those, what must stay as it is for others to be found by it."""
    words: dict[str, list[str]] = field(default_factory=dict)
    """Name of a field → what else means something there."""

    def found(self, kind, verb):
        """The ids that a request called `verb` may name."""
        ids = self.ids.get(kind, [])
        return [known for known in ids if known not in self.lasting] if ENDING.search(verb.lower()) else ids

    def meant(self, name, verb):
        """What a field of that name may hold in the request of the RPC `verb`."""
        if name == "id":
            kinds = [kind for kind in self.ids if kind in verb.lower()] or list(self.ids)
            return [known for kind in kinds for known in self.found(kind, verb)]
        kind = kind_of(name)
        return self.words.get(name, []) if name == kind else self.found(kind, verb)

    def write(self, path):
        path.write_text(json.dumps(asdict(self)))


def kind_of(name):
    """`submission` for `submission_ids` and for `submission_id`."""
    return name.removesuffix("s").removesuffix("_id")


def read(path):
    return World(**json.loads(path.read_text()))
