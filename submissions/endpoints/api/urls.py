from exchange.api.routing import Router, route

from .views import (
    DeploymentHistoryViewSet,
    DeploymentViewSet,
    DiscoveryViewSet,
    EndpointViewSet,
    ModelViewSet,
    PriceViewSet,
)

deployment = "deployments/<deployment_id>"
router = Router()
router.register("endpoints", EndpointViewSet, basename="endpoint")
router.register("deployments", DeploymentViewSet, basename="deployment")
router.register("models", ModelViewSet, basename="model")
urlpatterns = [
    *router.urls,
    route("endpoints/<pk>/discover", DiscoveryViewSet, "discovery", post="discover"),
    route(f"{deployment}/history", DeploymentHistoryViewSet, "deployment-history", get="list"),
    route(f"{deployment}/prices", PriceViewSet, "prices", get="list", post="create"),
]
