from django.urls import path

from . import email, invitations, mail, members, passwords, people, profile, views

one = "organizations/<slug:slug>"
urlpatterns = [
    path("login", views.log_in, name="login"),
    path("logout", views.log_out, name="logout"),
    path("register", views.register, name="register"),
    path("confirm-email", mail.send_confirmation, name="send-confirmation"),
    path("confirm-email/<str:key>", mail.confirm_email, name="confirm-email"),
    path("password/reset", passwords.request_reset, name="request-password-reset"),
    path("password/reset/<str:key>", passwords.reset, name="reset-password"),
    path("password/new", passwords.set_new, name="new-password"),
    path("profile", profile.profile, name="profile"),
    path("profile/password", passwords.change, name="change-password"),
    path("profile/email", email.change, name="change-email"),
    path("profile/sessions/end", profile.end_sessions, name="end-sessions"),
    path("tokens", profile.create_token, name="create-token"),
    path("tokens/<uuid:token_id>/revoke", profile.revoke_token, name="revoke-token"),
    path("people/<str:username>", people.person, name="person"),
    path("invitations/<str:secret>", invitations.invitation, name="invitation"),
    path("invitations/<str:secret>/accept", invitations.accept, name="accept-invitation"),
    path("invitations/<str:secret>/decline", invitations.decline, name="decline-invitation"),
    path("organizations", views.organizations, name="organizations"),
    path(f"{one}/edit", members.edit, name="edit-organization"),
    path(f"{one}/members", members.members, name="members"),
    path(f"{one}/invitations", members.invite, name="invite-member"),
    path(f"{one}/invitations/<uuid:invitation_id>/revoke", members.revoke, name="revoke-invitation"),
    path(f"{one}/members/<uuid:user_id>/role", members.change_role, name="change-member-role"),
    path(f"{one}/members/<uuid:user_id>/remove", members.remove, name="remove-member"),
]
