from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "submissions.campaigns"
    label = "campaigns"
