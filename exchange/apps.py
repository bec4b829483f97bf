from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    name = "exchange"

    def ready(self) -> None:
        from exchange import celery, wiring  # noqa: F401, PLC0415  models must be loaded first
        from exchange.api import openapi  # noqa: F401, PLC0415  registers itself once apps are there

        wiring.connect()
