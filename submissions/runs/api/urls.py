from exchange.api.routing import Router

from .views import RunViewSet

router = Router()
router.register("runs", RunViewSet, basename="run")
urlpatterns = router.urls
