from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class OperateConfig(AppConfig):
    """Before Django's admin in the list of apps: its templates come first."""

    name = "exchange.operate"
    label = "operate"

    def ready(self) -> None:
        """The lists are ours alone: nothing that a library would like to show is looked for."""
        from . import lists  # noqa: F401, PLC0415  models are there only now


class SiteConfig(SimpleAdminConfig):
    default_site = "exchange.operate.site.OperatorSite"
