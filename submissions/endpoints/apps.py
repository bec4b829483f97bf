from django.apps import AppConfig


class EndpointsConfig(AppConfig):
    name = "submissions.endpoints"
    label = "endpoints"
