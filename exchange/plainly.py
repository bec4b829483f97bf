"""What an operator can mend is said by its reason, without a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError


@contextmanager
def refused_plainly() -> Iterator[None]:
    """End the process with 1 and the reason when the settings or the database's address will not do."""
    try:
        yield
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        if not is_unreachable(error):
            raise
        sys.exit(unreachable(error))


def is_unreachable(error: OperationalError) -> bool:
    """There is no connection; PostgreSQL gives what goes wrong in one a code."""
    return getattr(error.__cause__, "sqlstate", "") is None


def unreachable(error: OperationalError) -> str:
    return f"The database cannot be reached: {str(error).strip()}"
