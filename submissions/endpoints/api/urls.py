from exchange.api.routing import Router, route

from .views import DeploymentViewSet, DiscoveryViewSet, EndpointViewSet, ModelViewSet

router = Router()
router.register("endpoints", EndpointViewSet, basename="endpoint")
router.register("deployments", DeploymentViewSet, basename="deployment")
router.register("models", ModelViewSet, basename="model")
urlpatterns = [
    *router.urls,
    route("endpoints/<pk>/discover", DiscoveryViewSet, "discovery", post="discover"),
]
