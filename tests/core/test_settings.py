"""What happens at the start when a value is missing, in processes of their own."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = pytest.mark.sockets
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "exchange.settings.prod",
    "EXCHANGE_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_",
    "EXCHANGE_ALLOWED_HOSTS": "exchange.example.org",
    "DATABASE_URL": "postgresql://none:none@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "EXCHANGE_KEYRING": '{"k1": "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s="}',
    "EXCHANGE_EMAIL_URL": "smtp+tls://mail.example.org:587",
    "EXCHANGE_MAIL_FROM": "exchange@example.org",
    "EXCHANGE_SITE_URL": "https://exchange.example.org",
    "EXCHANGE_EVIDENCE_URL": "file:///evidence",
}
NEEDED = [name for name in PRODUCTION if name != "DJANGO_SETTINGS_MODULE"]


def manage(*arguments, **environment):
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments],
        env=kept | environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


class TestProduction:
    def test_has_nothing_for_the_deployment_check_to_say(self):
        done = manage("check", "--deploy", "--fail-level", "DEBUG", **PRODUCTION)

        assert done.returncode == 0, done.stderr
        assert "no issues" in done.stdout

    @pytest.mark.parametrize("missing", NEEDED)
    @pytest.mark.parametrize("empty", [True, False])
    def test_does_not_start_without(self, missing, empty):
        environment = {name: value for name, value in PRODUCTION.items() if name != missing}
        if empty:
            environment[missing] = ""

        done = manage("check", **environment)

        assert done.returncode == 1
        assert done.stderr.startswith("Production has no default for these; set them:")
        assert f"  {missing}: " in done.stderr
        assert "Traceback" not in done.stderr

    def test_says_plainly_that_the_database_cannot_be_reached(self):
        done = manage("showmigrations", **PRODUCTION)

        assert done.returncode == 1
        assert done.stderr.startswith("The database cannot be reached: connection failed: ")
        assert "Traceback" not in done.stderr

    def test_lets_whoever_watches_it_in_without_tls_and_nobody_else(self):
        show = (
            "from django.test import Client; from django.conf import settings; "
            "from exchange.inside import urlpatterns; "
            "settings.ALLOWED_HOSTS.append('testserver'); "
            "ask = Client(HTTP_HOST='10.1.2.3'); "
            "inside = [str(route.pattern).strip('^$').removesuffix('/?') for route in urlpatterns]; "
            "print(sorted({ask.get(f'/{path}{end}').status_code for path in inside for end in ('', '/')}), "
            "[Client().get(path).status_code for path in ('/live/x', '/login')])"
        )
        done = manage("shell", "--no-imports", "-c", show, **PRODUCTION)
        # Without servers what is not /live says 503, and without a token the figures are nobody's.
        assert done.stdout.strip() == "[200, 404, 503] [301, 301]", done.stderr

    def test_never_measures_its_own_servers(self):
        show = "from django.conf import settings; print(sorted(settings.EGRESS_REFUSE))"
        environment = {
            **PRODUCTION,
            "DATABASE_URL": "postgresql://none:none@db.internal/none",
            "DATABASE_OWNER_URL": "postgresql://none:none@db.internal:6000/none",
            "REDIS_URL": "rediss://cache.internal/0",
            "EXCHANGE_GRPC_ADDRESS": "127.0.0.1:50052",
            "AWS_ENDPOINT_URL_S3": "https://s3.internal",
            "EXCHANGE_EGRESS_REFUSE": "10.0.0.1:80",
        }
        expected = [
            "10.0.0.1:80",
            "127.0.0.1:50052",
            "cache.internal:6379",
            "db.internal:5432",
            "db.internal:6000",
            "exchange.example.org:443",
            "s3.internal:443",
        ]
        assert manage("shell", "--no-imports", "-c", show, **environment).stdout.strip() == str(expected)


class TestDevelopment:
    def test_says_how_to_start_the_servers(self, tmp_path):
        done = manage("check", EXCHANGE_STATE_DIR=str(tmp_path / "none"))

        assert done.returncode == 1
        assert "make up" in done.stderr
        assert "Traceback" not in done.stderr

    def test_wants_both_addresses(self):
        done = manage("check", DATABASE_URL=PRODUCTION["DATABASE_URL"])

        assert done.returncode == 1
        assert "REDIS_URL" in done.stderr
        assert "Traceback" not in done.stderr


class TestReflection:
    @pytest.mark.parametrize(
        ("environment", "is_on"),
        [
            ({}, False),
            ({"EXCHANGE_GRPC_REFLECTION": "1"}, True),
            ({"DJANGO_SETTINGS_MODULE": "exchange.settings.dev"}, True),
            ({"DJANGO_SETTINGS_MODULE": "exchange.settings.dev", "EXCHANGE_GRPC_REFLECTION": "0"}, False),
        ],
        ids=["in production", "in production, by setting", "at home", "at home, by setting"],
    )
    def test_is_offered(self, tmp_path, environment, is_on):
        show = "from django.conf import settings; print(settings.GRPC_REFLECTION)"
        known = {**PRODUCTION, "EXCHANGE_STATE_DIR": str(tmp_path), **environment}
        assert manage("shell", "--no-imports", "-c", show, **known).stdout.strip() == str(is_on)
