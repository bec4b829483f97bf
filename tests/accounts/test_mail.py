"""Letters, and the links that they carry."""

import re
from datetime import timedelta

import pytest
from django.core import mail

from exchange.accounts import confirming, errors, mailing, passwords, readdressing, selectors, services
from exchange.accounts.models import Letter, LetterKind, Token, User
from exchange.core import clock
from exchange.core.actors import ANONYMOUS
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from tests.factories.accounts import PASSWORD, InvitationFactory, UserFactory, link_key

pytestmark = pytest.mark.django_db
NEW = {"username": "ada", "email": "Ada@Example.org", "password": PASSWORD}
OTHER = f"another {PASSWORD}"


@pytest.fixture
def ada():
    return services.register(**NEW)


def key_in(message):
    """What the link in a mail ends in."""
    return re.search(r"https?://\S+/([\w:.-]+)\n", message.body)[1]


def sent():
    mailing.send_letters()
    return mail.outbox[-1]


def facts(kind):
    return list(AuditEntry.objects.filter(kind=kind).values_list("subject_id", flat=True))


class TestLetters:
    def test_are_sent_once(self, ada):
        assert [mailing.send_letters(), mailing.send_letters()] == [1, 0]
        assert [message.to for message in mail.outbox] == [["Ada@Example.org"]]

    def test_wait_longer_after_each_try_and_are_given_up_at_last(self, ada, monkeypatch):
        monkeypatch.setattr(mailing, "send_mail", lambda *_: 1 / 0)
        waits = []
        for _ in range(mailing.TRIES + 1):
            before = clock.now()
            mailing.send_letters()
            letter = Letter.objects.get()
            waits.append((letter.not_before - before).total_seconds())
            Letter.objects.update(not_before=before - timedelta(seconds=1))

        assert [round(wait) for wait in waits[: mailing.TRIES]] == [15 * 2**n for n in range(mailing.TRIES)]
        assert (letter.attempts, letter.error, letter.sent_at) == (mailing.TRIES, "ZeroDivisionError", None)

    def test_that_fail_do_not_keep_others(self, monkeypatch):
        for name in ("ada", "eve"):
            mailing.post(LetterKind.PASSWORD_CHANGED, user=UserFactory(username=name))
        real = mailing.send_mail
        monkeypatch.setattr(mailing, "send_mail", lambda *args: 1 / 0 if "ada" in args[1] else real(*args))

        assert mailing.send_letters() == 1

    def test_take_nothing_from_a_name_into_their_headers(self):
        invitation = InvitationFactory(organization__name="Evil\nBcc: all@example.org")
        mailing.post(LetterKind.INVITATION, invitation=invitation)

        message = sent()
        assert "\n" not in message.subject
        assert message.recipients() == [invitation.email]

    def test_are_not_sent_for_an_invitation_that_was_closed_meanwhile(self):
        invitation = InvitationFactory(status="revoked")
        mailing.post(LetterKind.INVITATION, invitation=invitation)
        assert (mailing.send_letters(), mail.outbox) == (0, [])

    @pytest.mark.parametrize("kind", [kind for kind in LetterKind if kind != "invitation"])
    def test_have_words_and_a_link_for_each_kind(self, ada, kind):
        Letter.objects.all().delete()
        mailing.post(kind, user=ada)

        message = sent()
        assert message.subject
        assert "http://127.0.0.1:8000/" in message.body
        assert "{" not in message.body


class TestConfirmEmail:
    def test_believes_the_mailed_link(self, ada):
        confirming.confirm_email(actor=ANONYMOUS, key=key_in(sent()))

        assert User.objects.get().email_verified
        assert facts("email.verified") == [ada.pk]

    def test_takes_a_link_once(self, ada):
        key = key_in(sent())
        confirming.confirm_email(actor=ANONYMOUS, key=key)

        with pytest.raises(errors.ConfirmationLinkInvalid) as refused:
            confirming.confirm_email(actor=ANONYMOUS, key=key)
        assert [error.field for error in refused.value.errors] == ["key"]

    @pytest.mark.parametrize("key", ["", "x", "MQ:1:x", "\u00e9", "a" * 200])
    def test_refuses_what_was_never_mailed(self, ada, key):
        with pytest.raises(errors.ConfirmationLinkInvalid):
            confirming.confirm_email(actor=ANONYMOUS, key=key)

    def test_refuses_an_old_link(self, ada, settings):
        key = key_in(sent())
        settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = -1

        with pytest.raises(errors.ConfirmationLinkInvalid):
            confirming.confirm_email(actor=ANONYMOUS, key=key)


class TestSendConfirmation:
    def test_counts_mails(self, ada, settings):
        settings.MAILS_AN_HOUR = 1
        actor = selectors.actor_for_user(ada)
        confirming.send_confirmation(actor=actor)

        with pytest.raises(errors.TooManyMails) as refused:
            confirming.send_confirmation(actor=actor)
        assert refused.value.retry_after_seconds > 0

    def test_refuses_who_has_confirmed(self):
        actor = selectors.actor_for_user(UserFactory(email_verified=True))
        with pytest.raises(errors.AlreadyConfirmed):
            confirming.send_confirmation(actor=actor)


class TestRequestPasswordReset:
    def test_mails_a_link_that_works_once(self, ada):
        mailing.send_letters()
        passwords.request_password_reset(actor=ANONYMOUS, email=" ada@example.ORG")
        key = key_in(sent())

        passwords.reset_password(actor=ANONYMOUS, key=key, password=OTHER)

        assert services.authenticate(email_or_username="ada", password=OTHER) == ada
        with pytest.raises(errors.ResetLinkInvalid):
            passwords.reset_password(actor=ANONYMOUS, key=key, password=PASSWORD)

    @pytest.mark.parametrize("active", [True, False])
    def test_answers_alike_whoever_has_the_address(self, active):
        user = UserFactory(is_active=active)
        known = passwords.request_password_reset(actor=ANONYMOUS, email=user.email)
        unknown = passwords.request_password_reset(actor=ANONYMOUS, email="nobody@example.org")

        assert known is unknown is None
        assert Letter.objects.count() == active
        assert len(facts("password_reset.requested")) == 2

    def test_counts_mails_to_an_address_and_from_one(self, settings):
        settings.MAILS_AN_HOUR = 1
        ask = {"actor": ANONYMOUS, "address": "192.0.2.1"}
        for number in range(5):
            passwords.request_password_reset(**ask, email=f"{number}@example.org")

        for again in ("0@example.org", "6@example.org"):
            with pytest.raises(errors.TooManyMails):
                passwords.request_password_reset(**ask, email=again)


class TestResetPassword:
    @pytest.mark.parametrize("key", ["", "-", "x-y", "g" * 32 + "-x", "0" * 32 + "-abc-def"])
    def test_refuses_what_was_never_mailed(self, key):
        with pytest.raises(errors.ResetLinkInvalid):
            passwords.reset_password(actor=ANONYMOUS, key=key, password=OTHER)

    def test_refuses_an_old_link(self, ada, settings):
        key = link_key("reset_password", ada)
        settings.PASSWORD_RESET_TIMEOUT = -1

        with pytest.raises(errors.ResetLinkInvalid):
            passwords.reset_password(actor=ANONYMOUS, key=key, password=OTHER)

    def test_keeps_the_link_when_the_password_is_too_weak(self, ada):
        key = link_key("reset_password", ada)
        with pytest.raises(InvalidInput) as refused:
            passwords.reset_password(actor=ANONYMOUS, key=key, password="password1234")

        assert refused.value.errors[0].field == "password"
        assert passwords.is_reset_key(key=key)

    def test_ends_every_session(self, ada):
        secret, _ = services.open_session(user=ada)
        passwords.reset_password(actor=ANONYMOUS, key=link_key("reset_password", ada), password=OTHER)

        with pytest.raises(errors.TokenRevoked):
            selectors.actor_for_token(secret=secret)

    @pytest.mark.parametrize("confirmed", [True, False])
    def test_ends_api_tokens_that_may_be_of_whoever_took_the_address_first(self, ada, confirmed):
        User.objects.update(email_verified=confirmed)
        actor = selectors.actor_for_user(ada)
        services.create_api_token(actor=actor, name="ci", scopes=["profile:read"])
        passwords.reset_password(actor=ANONYMOUS, key=link_key("reset_password", ada), password=OTHER)

        assert Token.objects.filter(revoked_at=None).exists() == confirmed


class TestChangePassword:
    @pytest.fixture
    def actor(self, ada):
        return selectors.actor_for_user(ada)

    def change(self, actor, **changes):
        form = {"current_password": PASSWORD, "password": OTHER} | changes
        return passwords.change_password(actor=actor, **form)

    def test_ends_other_sessions_and_keeps_api_tokens(self, ada, actor):
        mine, other = (services.open_session(user=ada)[0] for _ in range(2))
        pat, _ = services.create_api_token(actor=actor, name="ci", scopes=["profile:read"])
        self.change(actor, keep_secret=mine)

        assert selectors.actor_for_token(secret=mine).user_id == ada.pk
        assert selectors.actor_for_token(secret=pat).user_id == ada.pk
        with pytest.raises(errors.TokenRevoked):
            selectors.actor_for_token(secret=other)

    def test_tells_the_person_by_mail(self, actor):
        self.change(actor)
        assert Letter.objects.filter(kind=LetterKind.PASSWORD_CHANGED).exists()

    def test_refuses_a_wrong_password_and_counts_it(self, actor, settings):
        settings.LOGIN_TRIES = 1
        with pytest.raises(InvalidInput) as refused:
            self.change(actor, current_password="wrong")
        assert [error.code for error in refused.value.errors] == ["wrong_password"]
        with pytest.raises(errors.TooManyLogins):
            self.change(actor)

    def test_does_not_count_what_succeeds(self, actor, settings):
        settings.LOGIN_TRIES = 1
        self.change(actor)
        self.change(actor, current_password=OTHER, password=PASSWORD)

    def test_checks_the_new_password(self, actor):
        with pytest.raises(InvalidInput) as refused:
            self.change(actor, password="short")
        assert refused.value.errors[0].field == "password"


class TestChangeEmail:
    @pytest.fixture
    def actor(self, ada):
        confirming.confirm_email(actor=ANONYMOUS, key=key_in(sent()))
        mail.outbox.clear()
        return selectors.actor_for_user(ada)

    def change(self, actor, email="New@Example.org", password=PASSWORD):
        """What the mailed link ends in."""
        readdressing.change_email(actor=actor, email=email, current_password=password)
        mailing.send_letters()
        return key_in(next(message for message in reversed(mail.outbox) if message.to == [email.lower()]))

    def confirm(self, key):
        return confirming.confirm_email(actor=ANONYMOUS, key=key)

    def test_waits_for_the_new_address_and_tells_the_present_one(self, ada, actor):
        key = self.change(actor)

        told = next(message for message in mail.outbox if message.to == ["Ada@Example.org"])
        assert key not in told.body
        assert User.objects.get().email == "Ada@Example.org"
        user = self.confirm(key)
        assert (user.email, user.email_verified) == ("new@example.org", True)
        assert services.authenticate(email_or_username="NEW@example.org", password=PASSWORD) == ada
        for kind in ("email.change_requested", "email.changed", "email.verified"):
            assert facts(kind) == [ada.pk]

    def test_tells_the_address_from_before_even_when_the_mail_goes_late(self, actor):
        readdressing.change_email(actor=actor, email="new@example.org", current_password=PASSWORD)
        User.objects.update(email="new@example.org")
        mailing.send_letters()

        assert {message.to[0] for message in mail.outbox} == {"Ada@Example.org", "new@example.org"}

    def test_works_once(self, actor):
        key = self.change(actor)
        self.confirm(key)

        with pytest.raises(errors.ConfirmationLinkInvalid):
            self.confirm(key)

    def test_leaves_the_address_from_before_to_others(self, actor):
        self.confirm(self.change(actor))

        assert services.register(**{**NEW, "username": "ada-2"}).email == NEW["email"]

    def test_confirms_an_account_whose_first_address_was_mistyped(self, ada):
        user = self.confirm(self.change(selectors.actor_for_user(ada)))

        assert (user.email, user.email_verified) == ("new@example.org", True)
        assert facts("email.verified") == [ada.pk]

    def test_says_nothing_of_who_has_the_address_until_it_is_confirmed(self, actor):
        other = UserFactory(email="Taken@example.org")
        key = self.change(actor, "taken@example.org")

        with pytest.raises(errors.EmailTaken):
            self.confirm(key)
        assert set(User.objects.values_list("email", flat=True)) == {"Ada@Example.org", other.email}

    def test_takes_the_newest_link_alone(self, actor):
        first = self.change(actor, "first@example.org")
        second = self.change(actor, "second@example.org")

        with pytest.raises(errors.ConfirmationLinkInvalid):
            self.confirm(first)
        assert self.confirm(second).email == "second@example.org"

    def test_mails_no_link_that_is_void_already(self, actor):
        for email in ("first@example.org", "second@example.org"):
            readdressing.change_email(actor=actor, email=email, current_password=PASSWORD)
        mailing.send_letters()

        assert "first@example.org" not in {message.to[0] for message in mail.outbox}

    @pytest.mark.parametrize("by", ["change", "reset"])
    def test_is_called_off_by_a_new_password(self, ada, actor, by):
        key = self.change(actor)
        if by == "change":
            passwords.change_password(actor=actor, current_password=PASSWORD, password=OTHER)
        else:
            reset = link_key("reset_password", User.objects.get())
            passwords.reset_password(actor=ANONYMOUS, key=reset, password=OTHER)

        with pytest.raises(errors.ConfirmationLinkInvalid):
            self.confirm(key)
        assert User.objects.get().email == "Ada@Example.org"

    def test_refuses_a_wrong_password_and_counts_it(self, actor, settings):
        settings.LOGIN_TRIES = 1
        with pytest.raises(InvalidInput) as refused:
            self.change(actor, password="wrong")
        assert [error.field for error in refused.value.errors] == ["current_password"]
        with pytest.raises(errors.TooManyLogins):
            self.change(actor)

    def test_refuses_the_present_address(self, actor):
        with pytest.raises(InvalidInput) as refused:
            self.change(actor, "ada@example.org")
        assert [error.field for error in refused.value.errors] == ["email"]

    @pytest.mark.parametrize("email", ["x@example.org", "new@example.org"])
    def test_counts_mails_of_a_person_and_to_an_address(self, actor, settings, email):
        settings.MAILS_AN_HOUR = 1
        self.change(actor, "new@example.org")
        who = actor if email == "x@example.org" else selectors.actor_for_user(UserFactory(password=PASSWORD))

        with pytest.raises(errors.TooManyMails):
            self.change(who, email)


class TestEndSessions:
    def test_ends_browsers_and_programs(self, ada, client):
        client.force_login(ada)
        services.open_session(user=ada)
        passwords.end_sessions(actor=selectors.actor_for_user(ada))

        assert client.get("/profile").status_code == 302
        assert not Token.objects.filter(kind="ses", revoked_at=None).exists()
