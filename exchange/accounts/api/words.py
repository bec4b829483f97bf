"""What the roles on the whole site let a person do, and how one gets them."""

from django.utils.translation import gettext_lazy as _

ROLE_MEANINGS = {
    "anonymous": _("Reads what is public."),
    "registered": _(
        "Submits results and writes for organizations. A confirmed e-mail address and one accepted "
        "submission or published benchmark make a contributor; an administrator may also grant that role."
    ),
    "contributor": _(
        "Proposes changes and votes, because of a confirmed e-mail address and an accepted submission or "
        "published benchmark, or because an administrator said so."
    ),
    "reviewer": _("Reviews benchmarks and proposals of others, beside all that contributors do."),
    "admin": _("Runs the site: roles, accounts, verified organizations. What is private stays private."),
}
