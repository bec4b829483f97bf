"""What can go wrong with the embedded servers, in words for whoever started them."""


class EmbeddedError(RuntimeError):
    """The embedded servers cannot be started; the message says why and what to do."""
