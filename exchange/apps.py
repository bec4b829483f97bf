import logging

from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    name = "exchange"

    def ready(self) -> None:
        from exchange import celery, wiring  # noqa: F401, PLC0415  models must be loaded first
        from exchange.database import checks  # noqa: F401, PLC0415

        logging.captureWarnings(capture=True)
        wiring.connect()
