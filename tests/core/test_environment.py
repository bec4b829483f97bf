"""How the environment is read, and what of it is refused."""

import base64
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from exchange.settings.environment import Environment
from exchange.settings.keyring import keyring
from exchange.settings.references import key_references
from exchange.settings.table import table
from exchange.settings.variables import VARIABLES

DOCUMENT = Path(settings.BASE_DIR, "docs", "configuration.md")
READ_BY_DEVELOPMENT = {"EXCHANGE_DEBUG"}


class TestUnknownVariables:
    def test_are_refused_with_what_was_meant(self):
        with pytest.raises(ImproperlyConfigured, match=r"EGRES_ALLOW is no .* mean EXCHANGE_EGRESS"):
            Environment({"EXCHANGE_EGRES_ALLOW": "127.0.0.1:1"})

    def test_are_refused_without_their_prefix_where_that_is_unsafe(self):
        with pytest.raises(ImproperlyConfigured, match=r"^EGRESS_REFUSE is not read: its name is EXCHANGE"):
            Environment({"EGRESS_REFUSE": "10.0.0.1:80"})

    def test_of_others_are_theirs(self):
        Environment({"LOG_LEVEL": "loud", "EXCHANGED": "1"})

    def test_that_no_secret_is_in_a_file(self):
        with pytest.raises(ImproperlyConfigured, match="EXCHANGE_LOG_LEVEL_FILE is no variable"):
            Environment({"EXCHANGE_LOG_LEVEL_FILE": "/run/level"})


class TestReaders:
    @pytest.mark.parametrize(
        ("reader", "name", "text", "value"),
        [
            ("text", "EXCHANGE_LOG_LEVEL", "", "INFO"),
            ("number", "EXCHANGE_STATEMENT_SECONDS", "1.5", 1.5),
            ("count", "EXCHANGE_WEB_WORKERS", "3", 3),
            ("flag", "EXCHANGE_MEASURE_ALONE", "no", False),
            ("words", "EXCHANGE_ALLOWED_HOSTS", "a.org, b.org,", {"a.org", "b.org"}),
            ("addresses", "EXCHANGE_EGRESS_ALLOW", "10.0.0.1:80,[::1]:81", {"10.0.0.1:80", "[::1]:81"}),
            ("address", "EXCHANGE_GRPC_ADDRESS", "[::]:1", ("::", 1)),
            ("web_address", "EXCHANGE_SITE_URL", "https://a.org/", "https://a.org"),
            ("bounds", "EXCHANGE_GOVERNANCE_EXPIRY_SECONDS", "1,2,3", (1, 2, 3)),
            ("mapping", "EXCHANGE_KEYRING", '{"a": "b"}', {"a": "b"}),
        ],
    )
    def test_read(self, reader, name, text, value):
        assert getattr(Environment({name: text}), reader)(name) == value

    @pytest.mark.parametrize(
        ("reader", "name", "text"),
        [
            ("number", "EXCHANGE_STATEMENT_SECONDS", "soon"),
            ("number", "EXCHANGE_STATEMENT_SECONDS", "nan"),
            ("number", "EXCHANGE_STATEMENT_SECONDS", "inf"),
            ("number", "EXCHANGE_STATEMENT_SECONDS", "-1"),
            ("count", "EXCHANGE_WEB_WORKERS", "1.5"),
            ("count", "EXCHANGE_WEB_WORKERS", "٣"),
            ("flag", "EXCHANGE_MEASURE_ALONE", "maybe"),
            ("addresses", "EXCHANGE_EGRESS_ALLOW", "10.0.0.1"),
            ("addresses", "EXCHANGE_EGRESS_ALLOW", "http://10.0.0.1:80"),
            ("addresses", "EXCHANGE_EGRESS_ALLOW", "10.0.0.1:99999"),
            ("address", "EXCHANGE_GRPC_ADDRESS", "50051"),
            ("web_address", "EXCHANGE_SITE_URL", "exchange.example.org"),
            ("bounds", "EXCHANGE_GOVERNANCE_EXPIRY_SECONDS", "3,2,1"),
            ("bounds", "EXCHANGE_GOVERNANCE_EXPIRY_SECONDS", "1,2"),
            ("mapping", "EXCHANGE_KEYRING", "[1]"),
            ("mapping", "EXCHANGE_KEYRING", '{"a": 1}'),
            ("mapping", "EXCHANGE_KEYRING", '{"a": "b", "a": "c"}'),
            ("mapping", "EXCHANGE_KEYRING", '{"a": "b"} {"c": "d"}'),
        ],
    )
    def test_name_the_variable_they_refuse(self, reader, name, text):
        with pytest.raises(ImproperlyConfigured, match=name):
            getattr(Environment({name: text}), reader)(name)

    def test_do_not_show_a_keyring(self):
        with pytest.raises(ImproperlyConfigured) as refusal:
            Environment({"EXCHANGE_KEYRING": "hush"}).mapping("EXCHANGE_KEYRING")
        assert "hush" not in str(refusal.value)

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("DATABASE_URL", "mysql://u:hush@h/n"),
            ("DATABASE_OWNER_URL", "postgresql:///n"),
            ("DATABASE_ADMIN_URL", "postgresql://u:hush@h:x/n"),
            ("REDIS_URL", "hush"),
            ("REDIS_URL", "redis://:hu/sh@h:1/0"),
            ("EXCHANGE_EMAIL_URL", "mail.example.org:587"),
            ("EXCHANGE_EMAIL_URL", "smtp://:587"),
            ("EXCHANGE_EMAIL_URL", "http://u:hush@mail.example.org"),
        ],
    )
    def test_name_the_servers_address_they_refuse_and_do_not_show_it(self, name, text):
        with pytest.raises(ImproperlyConfigured, match=f"^{name} is not ") as refusal:
            Environment({name: text}).text(name)
        assert text not in str(refusal.value)

    @pytest.mark.parametrize("host", ["https://a.org", "a.org:443", "a.org/x"])
    def test_take_a_host_by_its_name_alone(self, host):
        with pytest.raises(ImproperlyConfigured, match=f"EXCHANGE_ALLOWED_HOSTS is '{host}'; it must be"):
            Environment({"EXCHANGE_ALLOWED_HOSTS": f"b.org,{host}"}).hosts("EXCHANGE_ALLOWED_HOSTS")

    def test_take_the_name_of_every_host(self):
        env = Environment({"EXCHANGE_ALLOWED_HOSTS": "b.org, *, [::1], .a.org"})
        assert env.hosts("EXCHANGE_ALLOWED_HOSTS") == ["*", ".a.org", "[::1]", "b.org"]

    def test_take_only_what_is_offered(self):
        with pytest.raises(
            ImproperlyConfigured, match="EXCHANGE_LOG_LEVEL is 'loud'; it must be one of DEBUG, INFO"
        ):
            Environment({"EXCHANGE_LOG_LEVEL": "loud"}).choice("EXCHANGE_LOG_LEVEL", "DEBUG", "INFO")


class TestKeyring:
    KEY = base64.b64encode(b"k" * 32).decode()

    def test_seals_with_its_first_key_unless_another_is_named(self):
        ring = {"EXCHANGE_KEYRING": json.dumps({"old": self.KEY, "new": self.KEY})}
        assert keyring(Environment(ring))[1] == "old"
        assert keyring(Environment({**ring, "EXCHANGE_KEYRING_ACTIVE": "new"}))[1] == "new"

    def test_has_a_key_where_it_is_given(self):
        assert keyring(Environment({})) == ({}, "")
        with pytest.raises(ImproperlyConfigured, match="EXCHANGE_KEYRING has no key"):
            keyring(Environment({"EXCHANGE_KEYRING": "{}"}))

    def test_has_the_key_that_seals(self):
        env = {"EXCHANGE_KEYRING": json.dumps({"old": self.KEY}), "EXCHANGE_KEYRING_ACTIVE": "new"}
        with pytest.raises(
            ImproperlyConfigured, match="ACTIVE is 'new', which EXCHANGE_KEYRING does not have: old"
        ):
            keyring(Environment(env))

    @pytest.mark.parametrize("key", ["", "short", "a2tra2tr", "*" * 44])
    def test_has_no_key_of_another_length(self, key):
        with pytest.raises(ImproperlyConfigured, match="the key 'old' is not base64 of 32 bytes"):
            keyring(Environment({"EXCHANGE_KEYRING": json.dumps({"old": key})}))


class TestSecretsInFiles:
    def test_are_read_without_the_line_end(self, tmp_path):
        (tmp_path / "url").write_text("redis://h/0\n")
        assert Environment({"REDIS_URL_FILE": str(tmp_path / "url")}).text("REDIS_URL") == "redis://h/0"

    def test_are_not_given_twice(self, tmp_path):
        env = Environment({"REDIS_URL_FILE": str(tmp_path), "REDIS_URL": "redis://h/0"})
        with pytest.raises(ImproperlyConfigured, match="both set"):
            env.text("REDIS_URL")

    def test_that_cannot_be_read_are_named(self, tmp_path):
        env = Environment({"REDIS_URL_FILE": str(tmp_path / "none")})
        with pytest.raises(ImproperlyConfigured, match=r"REDIS_URL_FILE: .*none cannot be read"):
            env.text("REDIS_URL")

    @pytest.mark.parametrize("path", ["/dev/zero", "/tmp"])
    def test_that_are_no_secret_are_refused(self, path):
        env = Environment({"REDIS_URL_FILE": path})
        with pytest.raises(ImproperlyConfigured, match=f"REDIS_URL_FILE: {path} cannot be read"):
            env.text("REDIS_URL")


class TestTable:
    def test_is_what_the_document_shows(self):
        assert table() in DOCUMENT.read_text(encoding="utf-8"), (
            "put there what `python -m exchange.settings.table` prints"
        )

    def test_names_nothing_that_nobody_reads(self):
        code = "".join(
            path.read_text(encoding="utf-8")
            for path in Path(settings.BASE_DIR, "exchange").rglob("*.py")
            if path.name != "variables.py"
        )
        code = code.replace("EXCHANGE_WEB_{name}", '"EXCHANGE_WEB_WORKERS" "EXCHANGE_WEB_THREADS"')
        named = set(re.findall(r'"((?:EXCHANGE|DATABASE|REDIS)_\w+)"', code))
        assert {variable.name for variable in VARIABLES} <= named


class TestKeyReferences:
    TRIPLE = "acme/ACME_KEY@https://api.example.com:443"

    def references(self, text, **environ):
        return key_references(Environment({"EXCHANGE_KEY_REFERENCES": text}), environ)

    def test_lead_to_the_variable_of_this_triple_alone(self):
        found = self.references(f"{self.TRIPLE}, b/B@http://[::1]:81", ACME_KEY="sk-1", B="sk-2")
        place = {"organization": "acme", "origin": "https://api.example.com:443"}

        assert found.value("ACME_KEY", **place) == "sk-1"
        assert found.value("B", **place) is None
        assert found.value("ACME_KEY", **{**place, "organization": "b"}) is None
        assert found.value("ACME_KEY", **{**place, "origin": "https://api.example.com:8443"}) is None

    def test_do_not_show_the_environment(self):
        assert "sk-1" not in repr(self.references(self.TRIPLE, ACME_KEY="sk-1"))

    @pytest.mark.parametrize(
        "text",
        [
            "ACME_KEY",
            "acme/ACME_KEY",
            "acme/ACME_KEY@api.example.com:443",
            "acme/ACME_KEY@https://api.example.com",
            "acme/ACME_KEY@https://api.example.com:443/v1",
            "acme/acme_key@https://api.example.com:443",
            "*/ACME_KEY@https://api.example.com:443",
        ],
    )
    def test_are_refused_without_all_three_parts(self, text):
        with pytest.raises(ImproperlyConfigured, match=r"^EXCHANGE_KEY_REFERENCES: .* with the port"):
            self.references(text)

    @pytest.mark.parametrize("variable", ["DATABASE_URL", "EXCHANGE_KEYRING", "AWS_SECRET_ACCESS_KEY"])
    def test_never_lead_to_a_secret_of_the_exchange_itself(self, variable):
        with pytest.raises(ImproperlyConfigured, match=f"{variable} is not a key of an endpoint"):
            self.references(f"acme/{variable}@https://api.example.com:443")
