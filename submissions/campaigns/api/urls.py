from exchange.api.routing import Router, route

from .views import CampaignRowViewSet, CampaignViewSet

ONE = "campaigns/<campaign_id>"
router = Router()
router.register("campaigns", CampaignViewSet, basename="campaign")
urlpatterns = [
    *router.urls,
    route(f"{ONE}/items", CampaignRowViewSet, "campaign-items", get="items"),
    route(f"{ONE}/results", CampaignRowViewSet, "campaign-results", get="results"),
]
