"""Why the stack cannot be started, in words for whoever started it."""


class StackError(RuntimeError):
    """The message says what is wrong and what to do."""
