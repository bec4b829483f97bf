from django.urls import path

from . import campaigns, deployments, endpoints, starting

of = "organizations/<slug:slug>"
endpoint, deployment = "endpoints/<uuid:endpoint_id>", "deployments/<uuid:deployment_id>"
campaign = "campaigns/<uuid:campaign_id>"
urlpatterns = [
    path(f"{of}/endpoints", endpoints.endpoints, name="endpoints"),
    path(endpoint, endpoints.endpoint, name="endpoint"),
    path(f"{endpoint}/settings", endpoints.update_endpoint, name="update-endpoint"),
    path(f"{endpoint}/discover", endpoints.discover_models, name="discover-models"),
    path(deployment, deployments.deployment, name="deployment"),
    path(f"{deployment}/update", deployments.update_deployment, name="update-deployment"),
    path(f"{deployment}/prices", deployments.set_price, name="set-price"),
    path(f"{of}/campaigns", campaigns.campaigns, name="campaigns"),
    path(f"{of}/campaigns/start", starting.start_campaign, name="start-campaign"),
    path(campaign, campaigns.campaign, name="campaign"),
    path(f"{campaign}/progress", campaigns.progress, name="campaign-progress"),
    path(f"{campaign}/cancel", campaigns.cancel_campaign, name="cancel-campaign"),
]
