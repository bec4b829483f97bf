from exchange.core.errors import NotFound


class NoBoard(NotFound):
    """This benchmark has no published version yet, so there is no board. Publish a version first."""

    code = "no_board"
