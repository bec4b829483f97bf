"""How much one gRPC message carries; REST streams what is larger."""

from django.utils.translation import gettext as _

from exchange.core.errors import TooLarge

LARGEST_BUNDLE = 100 * 1024 * 1024


class TooLargeForMessage(TooLarge):
    """This is larger than one message may be. REST streams it."""

    code = "too_large_for_message"


def check_message_size(size: int, limit: int, rest: str) -> None:
    if size > limit:
        message = _("This has %(size)d bytes; one message carries %(limit)d. Get it by REST: GET %(rest)s")
        raise TooLargeForMessage(message % {"size": size, "limit": limit, "rest": rest})
