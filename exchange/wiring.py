"""What follows each fact. The whole of it, in two tables.

A projection runs in the fact's own transaction; a reaction is a Celery task, rung after commit.
"""

from exchange.core import audit, events

PROJECTIONS = {
    "*": (audit.append,),
}
REACTIONS = {}


def connect() -> None:
    events.connect(projections=PROJECTIONS, reactions=REACTIONS)
