from exchange.api.routing import Router, route

from .views import AuthViewSet, MemberViewSet, OrganizationViewSet, ProfileViewSet, TokenViewSet

router = Router()
router.register("auth", AuthViewSet, basename="auth")
router.register("tokens", TokenViewSet, basename="token")
router.register("organizations", OrganizationViewSet, basename="organization")
members = "organizations/<organization_id>/members"
urlpatterns = [
    *router.urls,
    route("users/me", ProfileViewSet, "profile", get="retrieve", put="update", patch="update"),
    route(members, MemberViewSet, "members", get="list", post="add"),
    route(f"{members}/<user_id>", MemberViewSet, "member", patch="change_role", delete="remove"),
]
