from django.apps import AppConfig


class RunsConfig(AppConfig):
    name = "submissions.runs"
    label = "runs"
