from exchange.core.errors import Conflict, NotFound


class EntryNotFound(NotFound):
    """There is no such row on a board, or you may not know of it. Take the ids from the board."""

    code = "entry_not_found"


class NotComparable(Conflict):
    """These rows were not measured alike, so a difference would not be the models’. Choose rows that were."""

    code = "not_comparable"
