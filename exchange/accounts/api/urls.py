from exchange.api.routing import Router, route

from .views import (
    AuthViewSet,
    InvitationViewSet,
    MemberViewSet,
    OrganizationViewSet,
    PersonViewSet,
    ProfileViewSet,
    SessionViewSet,
    TokenViewSet,
)

router = Router()
router.register("auth", AuthViewSet, basename="auth")
router.register("tokens", TokenViewSet, basename="token")
router.register("organizations", OrganizationViewSet, basename="organization")
members = "organizations/<organization_id>/members"
invitations = "organizations/<organization_id>/invitations"
by_username = "users/username/<username>"
urlpatterns = [
    *router.urls,
    route("users/me", ProfileViewSet, "profile", get="retrieve", put="update", patch="update"),
    route("users/me/password", AuthViewSet, "password", post="change_password"),
    route("users/me/email", AuthViewSet, "email", post="change_email"),
    route("users/me/sessions", SessionViewSet, "sessions", get="list"),
    route("users/me/sessions/end", SessionViewSet, "end-sessions", post="end"),
    route("users/me/invitations", InvitationViewSet, "received-invitations", get="list_received"),
    route(by_username, PersonViewSet, "person-by-username", get="retrieve_by_username"),
    route("users/<id>", PersonViewSet, "person", get="retrieve"),
    route("users/<id>/role", PersonViewSet, "person-role", patch="grant_role"),
    route(members, MemberViewSet, "members", get="list", post="add"),
    route(f"{members}/<user_id>", MemberViewSet, "member", patch="change_role", delete="remove"),
    route(invitations, InvitationViewSet, "invitations", get="list", post="invite"),
    route("invitations/accept", InvitationViewSet, "accept-invitation", post="accept"),
    route("invitations/decline", InvitationViewSet, "decline-invitation", post="decline"),
    route("invitations/<id>/revoke", InvitationViewSet, "revoke-invitation", post="revoke"),
]
