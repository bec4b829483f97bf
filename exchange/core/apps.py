from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "exchange.core"
    label = "core"
