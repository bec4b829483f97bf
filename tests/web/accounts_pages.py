"""The pages of people and organizations, with contexts made of fixtures."""

from tests.web import fixtures as fx

FOLDER = "/srv/exchange/mail"
SECRET = "5f" * 24
SCOPES = ["benchmarks:read", "benchmarks:write", "endpoints:read", "endpoints:write", "governance:read",
          "governance:write", "submissions:read", "submissions:write", "organizations:read",
          "organizations:write", "profile:read", "profile:write"]  # fmt: skip


def person(**changes):
    return {
        "id": fx.uid(701), "username": "ada", "display_name": "Ada Lovelace",
        "bio": "Measures what engines do.\n\nLong notes on short programs.",
        "affiliation": "Analytical Society",
        "website": "https://ada.example", "github_username": "ada-l", "orcid": "0000-0002-1825-0097",
        "public_email": "hello@ada.example", "role": "contributor", "created_at": fx.TIME, **changes,
    }  # fmt: skip


def account(**changes):
    return {
        **person(), "email": "ada@example.org", "email_verified": True,
        "role_meaning": "Proposes changes and votes.", "organizations": [fx.membership()], **changes,
    }  # fmt: skip


def invitation(**changes):
    return {
        "id": fx.uid(702), "organization_id": fx.uid(2), "organization_slug": "exchange-demo",
        "organization_name": "Exchange Demo", "email": "ada@example.org", "role": "member",
        "status": "pending", "invited_by_name": "Grace Hopper", "expires_at": fx.TIME, "created_at": fx.TIME,
        "secret": SECRET, **changes,
    }  # fmt: skip


def session(**changes):
    return {
        "id": fx.uid(703), "prefix": "lbx_ses_4xQz", "expires_at": fx.TIME, "last_used_at": None,
        "created_at": fx.TIME, **changes,
    }  # fmt: skip


def profile(**changes):
    own = account()
    return {
        "profile": own, "values": own, "invitations": [], "sessions": [session()], "tokens": [fx.token()],
        "new_token": None, "new_email": "", "scopes": SCOPES, "token_values": {}, "mail_folder": "",
        "errors": [], **changes,
    }  # fmt: skip


def organization(**changes):
    return {
        "organization": fx.organization(), "is_member": True, "submissions": [fx.submission()],
        "has_endpoints": True, "states": {"active": 3, "failed": 1}, "may_write": True,
        "may_administer": True, **changes,
    }  # fmt: skip


def members(**changes):
    return {
        "organization": fx.organization(), "members": fx.members(), "invitations": [invitation()],
        "may_administer": True, "owns": True, "own_id": fx.members()[0]["user_id"],
        "values": {"email": "", "role": ""}, "errors": [], **changes,
    }  # fmt: skip


def asked(**changes):
    return {
        "invitation": invitation(), "is_open": True, "secret": SECRET, "profile": account(), "errors": [],
        **changes,
    }  # fmt: skip


def memberships(**changes):
    return {
        "memberships": [fx.membership()], "errors": [], "profile": account(), "invitations": [],
        "mail_folder": "",
        "values": {"slug": "", "name": "", "type": "", "description": "", "website": ""}, **changes,
    }  # fmt: skip


HERE = "/organizations/exchange-demo"
NEW_TOKEN = {"token": fx.token(), "secret": "lbx_pat_" + "4x" * 24}
EMPTY = {"bio": "", "affiliation": "", "website": "", "github_username": "", "orcid": "", "public_email": ""}
WRONG = [{"field": "orcid", "code": "checksum", "message": "The last character does not fit the others."}]
USED = [{"field": "key", "code": "confirmation_link_invalid", "message": "This link was used already."}]
SHORT = [{"field": "password", "code": "too_short", "message": "Use at least 12 characters."}]
PAGES = {
    "login": ("accounts/login.html", "/login", {
        "errors": [], "values": {"email_or_username": ""}, "next": "/models"}),
    "login-refused": ("accounts/login.html", "/login", {"errors": [
        {"field": "", "code": "invalid_credentials", "message": "Name or password do not match."}],
        "values": {"email_or_username": "demo"}, "next": ""}),
    "register": ("accounts/register.html", "/register", {"errors": SHORT, "next": "",
        "values": {"email": "a@b.example", "username": "ada", "display_name": ""}}),
    "confirm-email": ("accounts/confirm_email.html", "/confirm-email/x", {"errors": []}),
    "confirm-email-used": ("accounts/confirm_email.html", "/confirm-email/x", {"errors": USED}),
    "request-password-reset": ("accounts/request_password_reset.html", "/password/reset", {
        "asked": False, "errors": [], "values": {"email": ""}, "mail_folder": ""}),
    "password-reset-requested": ("accounts/request_password_reset.html", "/password/reset", {
        "asked": True, "errors": [], "values": {"email": "ada@example.org"}, "mail_folder": FOLDER}),
    "reset-password": ("accounts/reset_password.html", "/password/reset/x", {
        "usable": True, "errors": SHORT}),
    "reset-password-used": ("accounts/reset_password.html", "/password/reset/x", {
        "usable": False, "errors": []}),
    "profile": ("accounts/profile.html", "/profile", profile(new_token=NEW_TOKEN)),
    "profile-new": ("accounts/profile.html", "/profile", profile(
        profile=account(email_verified=False, role="registered", **EMPTY), values=account(**EMPTY),
        sessions=[],
        tokens=[], mail_folder=FOLDER)),
    "profile-refused": ("accounts/profile.html", "/profile", profile(
        errors=WRONG, values=account(orcid="0000-0002-1825-0098"), invitations=[invitation()])),
    "profile-email-refused": ("accounts/profile.html", "/profile", profile(
        new_email="ada@example.org", errors=[
            {"field": "email_password", "code": "wrong_password", "message": "This is not your password."}])),
    "person": ("accounts/person.html", "/people/ada", {
        "person": person(), "role_meaning": "Proposes changes and votes.", "is_own": True}),
    "person-silent": ("accounts/person.html", "/people/ada", {
        "person": person(display_name="", **EMPTY), "role_meaning": "Submits results.", "is_own": False}),
    "invitation": ("accounts/invitation.html", "/invitations/x", asked()),
    "invitation-stranger": ("accounts/invitation.html", "/invitations/x", asked(profile=None)),
    "invitation-for-another": ("accounts/invitation.html", "/invitations/x", asked(
        profile=account(email="eve@example.org"))),
    "invitation-unconfirmed": ("accounts/invitation.html", "/invitations/x", asked(
        profile=account(email_verified=False))),
    "invitation-closed": ("accounts/invitation.html", "/invitations/x", asked(is_open=False)),
    "organizations": ("accounts/organizations.html", "/organizations", memberships()),
    "organizations-none": ("accounts/organizations.html", "/organizations", memberships(
        memberships=[], profile=account(email_verified=False), mail_folder=FOLDER,
        invitations=[invitation()])),
    "organization": ("accounts/organization.html", HERE, organization()),
    "organization-stranger": ("accounts/organization.html", HERE, organization(
        is_member=False, may_write=False, may_administer=False, has_endpoints=False, states={})),
    "organization-new": ("accounts/organization.html", HERE, organization(
        has_endpoints=False, states={}, submissions=[])),
    "organization-not-asked": ("accounts/organization.html", HERE, organization(states={})),
    "members": ("accounts/members.html", f"{HERE}/members", members()),
    "members-member": ("accounts/members.html", f"{HERE}/members", members(
        may_administer=False, owns=False, invitations=[])),
    "edit-organization": ("accounts/edit_organization.html", f"{HERE}/edit", {
        "organization": fx.organization(), "may_administer": True, "errors": [],
        "values": {"name": "Exchange Demo", "description": "Shows the exchange.", "website": ""}}),
}  # fmt: skip
