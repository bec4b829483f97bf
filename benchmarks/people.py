"""Who maintains a benchmark."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from exchange.accounts.models import Membership, User
from exchange.core.actors import Actor
from exchange.core.errors import FieldError, InvalidInput

from .models import Benchmark


def maker(actor: Actor) -> QuerySet[User]:
    """Whoever asks, if that is a person with an account."""
    return User.objects.filter(pk__in=[actor.user_id])


def members(benchmark: Benchmark, names: Sequence[str]) -> list[User]:
    """The people with these user names; each has to be of the benchmark's organization."""
    if not names:
        raise InvalidInput.of("maintainers", "required", _("Somebody maintains it: name one or more."))
    wanted = [name.strip().lower() for name in names]
    rows = Membership.objects.filter(organization=benchmark.organization, user__username__in=wanted)
    found = {row.user.username: row.user for row in rows.select_related("user")}
    text = _("This is no member of the organization.")
    if wrong := [
        FieldError(f"maintainers[{index}]", "not_a_member", text)
        for index, name in enumerate(wanted)
        if name not in found
    ]:
        raise InvalidInput(errors=wrong)
    return list(found.values())
