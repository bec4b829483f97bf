from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exchange.accounts import errors, secrets, selectors, services
from exchange.accounts.models import Membership, Organization, Token
from exchange.core import clock
from exchange.core.actors import ALL_SCOPES, ANONYMOUS, Scope
from exchange.core.errors import InvalidInput, Unauthenticated
from exchange.core.models import AuditEntry
from tests.factories.accounts import (
    PASSWORD,
    MembershipFactory,
    OrganizationFactory,
    UserFactory,
    token_for,
)

pytestmark = pytest.mark.django_db
NEW = {"username": "ada", "email": "ada@example.org", "password": PASSWORD}


class TestRegister:
    def test_opens_an_account_with_a_hashed_password(self):
        user = services.register(**NEW)
        assert PASSWORD not in user.password
        assert services.authenticate(email_or_username="ADA@example.org", password=PASSWORD) == user

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("username", "1ada"),
            ("username", "ad"),
            ("password", "short"),
            ("password", "password1234"),
            ("password", "ada@example.org"),
            ("display_name", "Ada\nOpen http://evil.example/"),
        ],
    )
    def test_names_the_field_that_is_wrong(self, field, value):
        with pytest.raises(InvalidInput) as refusal:
            services.register(**{**NEW, field: value})
        assert refusal.value.errors[0].field == field

    @pytest.mark.parametrize(
        "change", [{"email": "Ada@Example.org", "username": "eve"}, {"email": "b@example.org"}]
    )
    def test_refuses_a_name_or_address_that_is_taken(self, change):
        services.register(**NEW)
        with pytest.raises(errors.NameTaken):
            services.register(**{**NEW, **change})


class TestAuthenticate:
    def test_refuses_a_wrong_password_and_an_unknown_name_alike(self):
        services.register(**NEW)
        for name in ("ada", "nobody"):
            with pytest.raises(errors.LoginFailed):
                services.authenticate(email_or_username=name, password="wrong")

    def test_stops_hashing_after_too_many_tries(self, settings, monkeypatch):
        settings.LOGIN_TRIES = 3
        services.register(**NEW)
        for _ in range(3):
            with pytest.raises(errors.LoginFailed):
                services.authenticate(email_or_username="ada", password="wrong")
        monkeypatch.setattr(services, "check_password", lambda *_: pytest.fail("hashed all the same"))

        with pytest.raises(errors.TooManyLogins) as refusal:
            services.authenticate(email_or_username="ada", password=PASSWORD)
        assert refusal.value.retry_after_seconds > 0


class TestTokens:
    def test_only_the_digest_is_stored(self):
        secret = token_for(UserFactory())
        row = Token.objects.get()
        assert row.digest == secrets.digest_of(secret)
        assert secret not in str(vars(row))

    def test_a_token_carries_only_its_scopes(self):
        actor = selectors.actor_for_token(secret=token_for(UserFactory(), Scope.BENCHMARKS_READ))
        assert actor.scopes == {Scope.BENCHMARKS_READ}

    def test_cannot_be_given_a_scope_its_maker_lacks(self):
        weak = selectors.actor_for_token(
            secret=token_for(UserFactory(), Scope.PROFILE_WRITE, Scope.PROFILE_READ)
        )
        with pytest.raises(InvalidInput) as refusal:
            services.create_api_token(actor=weak, name="x", scopes=[Scope.BENCHMARKS_WRITE])
        assert refusal.value.errors[0].code == "beyond_your_own"

    @pytest.mark.parametrize(
        "secret", ["", "x", "lbx_pat_short", secrets.new_secret("pat")], ids=["none", "short", "cut", "new"]
    )
    def test_an_unknown_secret_is_refused(self, secret):
        with pytest.raises(errors.TokenInvalid):
            selectors.actor_for_token(secret=secret)

    def test_a_mistyped_secret_fails_its_checksum(self):
        secret = secrets.new_secret("pat")
        swapped = secret[:20] + ("a" if secret[20] != "a" else "b") + secret[21:]
        assert secrets.is_well_formed(secret)
        assert not secrets.is_well_formed(swapped)

    def test_says_whether_it_expired_or_was_revoked(self):
        user = UserFactory()
        secret = token_for(user)
        Token.objects.update(expires_at=clock.now() - timedelta(seconds=1))
        with pytest.raises(errors.TokenExpired):
            selectors.actor_for_token(secret=secret)
        Token.objects.update(expires_at=None)
        actor = selectors.actor_for_user(user)
        services.revoke_api_token(actor=actor, token_id=Token.objects.get().id)
        with pytest.raises(errors.TokenRevoked):
            selectors.actor_for_token(secret=secret)

    def test_another_persons_token_is_not_found(self):
        token_for(UserFactory())
        with pytest.raises(errors.TokenNotFound):
            services.revoke_api_token(
                actor=selectors.actor_for_user(UserFactory()), token_id=Token.objects.get().id
            )

    def test_made_with_a_token_ends_no_later_than_that_one(self):
        user = UserFactory()
        person = selectors.actor_for_user(user)
        secret, first = services.create_api_token(
            actor=person, name="ci", scopes=["profile:write"], expires_in_days=7
        )
        program = selectors.actor_for_token(secret=secret)

        for days in (None, 90):
            _secret, second = services.create_api_token(
                actor=program, name="more", scopes=["profile:read"], expires_in_days=days
            )
            assert second.expires_at == first.expires_at
        _secret, shorter = services.create_api_token(
            actor=program, name="less", scopes=["profile:read"], expires_in_days=1
        )
        assert shorter.expires_at < first.expires_at

    def test_an_api_token_is_not_logged_out(self):
        secret = token_for(UserFactory())
        with pytest.raises(errors.NoSession):
            services.log_out(actor=selectors.actor_for_token(secret=secret), secret=secret)
        assert not AuditEntry.objects.filter(kind="session.closed").exists()

    def test_logging_out_ends_the_session(self):
        user = UserFactory()
        secret, _token = services.open_session(user=user)
        services.log_out(actor=selectors.actor_for_token(secret=secret), secret=secret)
        with pytest.raises(errors.TokenRevoked):
            selectors.actor_for_token(secret=secret)


class TestMembers:
    @pytest.fixture
    def organization(self):
        return OrganizationFactory()

    def test_the_founder_is_the_first_owner(self, actor_of):
        actor = actor_of()
        made = services.create_organization(actor=actor, slug="acme", name="Acme", type="enterprise")
        assert Membership.objects.get(organization=made).role == "owner"

    @pytest.mark.parametrize(("role", "new", "allowed"), [
        ("owner", "owner", True), ("owner", "member", True), ("admin", "member", True),
        ("admin", "admin", False), ("admin", "owner", False), ("member", "viewer", False),
        ("viewer", "viewer", False),
    ])  # fmt: skip
    def test_who_may_add_whom(self, actor_of, organization, role, new, allowed):
        actor, person = actor_of(organization, role=role), UserFactory()

        def add():
            return services.add_member(
                actor=actor, organization_id=organization.id, username=person.username, role=new
            )

        if allowed:
            assert add().role == new
        else:
            with pytest.raises(errors.NotYourOrganization):
                add()

    def change(self, actor, member, role):
        return services.change_member_role(
            actor=actor, organization_id=member.organization_id, user_id=member.user_id, role=role
        )

    def test_only_owners_change_roles(self, actor_of, organization):
        member = MembershipFactory(organization=organization, role="member")
        with pytest.raises(errors.NotYourOrganization):
            self.change(actor_of(organization, role="admin"), member, "admin")
        assert self.change(actor_of(organization), member, "admin").role == "admin"

    def test_nobody_changes_their_own_role(self, actor_of, organization):
        actor = actor_of(organization)
        with pytest.raises(errors.OwnRole):
            self.change(actor, Membership.objects.get(user_id=actor.user_id), "member")

    def test_the_last_owner_stays(self, actor_of, organization):
        actor = actor_of(organization)
        with pytest.raises(errors.LastOwner):
            services.remove_member(actor=actor, organization_id=organization.id, user_id=actor.user_id)

    def test_everybody_may_leave(self, actor_of, organization):
        MembershipFactory(organization=organization)
        viewer = actor_of(organization, role="viewer")
        services.remove_member(actor=viewer, organization_id=organization.id, user_id=viewer.user_id)
        assert not Membership.objects.filter(user_id=viewer.user_id).exists()

    def test_strangers_see_no_members(self, actor_of, organization):
        with pytest.raises(errors.OrganizationNotFound):
            selectors.list_members(actor=actor_of(), organization_id=organization.id)

    def test_a_removed_members_token_stops_working_for_the_organization_at_once(self, actor_of, organization):
        MembershipFactory(organization=organization)
        person = UserFactory()
        MembershipFactory(user=person, organization=organization, role="member")
        secret = token_for(person)
        Membership.objects.filter(user=person).delete()
        assert not selectors.actor_for_token(secret=secret).belongs_to(organization.id)


READ_ONLY = frozenset(scope for scope in ALL_SCOPES if scope.endswith(":read"))


def test_reading_tokens_and_anonymous_write_nothing(actor_of):
    organization = OrganizationFactory()
    person = UserFactory()
    reader = actor_of(organization, scopes=READ_ONLY)
    ids = {"organization_id": organization.id}
    writes = [
        lambda actor: services.create_organization(actor=actor, slug="x", name="X", type="individual"),
        lambda actor: services.update_organization(actor=actor, **ids, name="Y"),
        lambda actor: services.add_member(actor=actor, **ids, username=person.username, role="viewer"),
        lambda actor: services.change_member_role(actor=actor, **ids, user_id=person.id, role="viewer"),
        lambda actor: services.remove_member(actor=actor, **ids, user_id=reader.user_id),
        lambda actor: services.create_api_token(actor=actor, name="x", scopes=[Scope.PROFILE_READ]),
        lambda actor: services.update_profile(actor=actor, display_name="x"),
    ]
    for write in writes:
        with pytest.raises(errors.ScopeMissing):
            write(reader)
        with pytest.raises(Unauthenticated):
            write(ANONYMOUS)


class TestUpdateProfile:
    def test_is_a_fact_when_something_changed(self):
        actor = selectors.actor_for_user(UserFactory(display_name="Ada"))
        for name in ("Ada", "Ada L."):
            services.update_profile(actor=actor, display_name=name)
        [entry] = AuditEntry.objects.filter(kind="user.profile_updated")
        assert entry.subject_id == actor.user_id

    @pytest.mark.parametrize("field", ["display_name", "affiliation"])
    def test_refuses_what_is_no_line_of_text(self, field):
        with pytest.raises(InvalidInput) as refusal:
            services.update_profile(actor=selectors.actor_for_user(UserFactory()), **{field: "a\u202eb"})
        assert refusal.value.errors[0].field == field


class TestNamesOfOrganizations:
    def test_stand_on_one_line(self):
        member = MembershipFactory(role="owner")
        actor, wrong = selectors.actor_for_user(member.user), {"name": "Acme\nOpen http://evil.example/"}
        for write in (
            lambda: services.create_organization(actor=actor, slug="acme", type="enterprise", **wrong),
            lambda: services.update_organization(
                actor=actor, organization_id=member.organization_id, **wrong
            ),
        ):
            with pytest.raises(InvalidInput) as refusal:
                write()
            assert refusal.value.errors[0].field == "name"
        assert not Organization.objects.filter(slug="acme").exists()


class TestMarkDemo:
    def test_marks_an_organization_and_says_so_once(self):
        slug = OrganizationFactory().slug
        for _ in range(2):
            call_command("mark_demo", slug, stdout=StringIO())
        assert Organization.objects.get(slug=slug).is_demo
        assert AuditEntry.objects.filter(kind="organization.marked_demo").count() == 1

    def test_says_that_there_is_no_such_organization(self):
        with pytest.raises(CommandError, match="no organization"):
            call_command("mark_demo", "nobody")
