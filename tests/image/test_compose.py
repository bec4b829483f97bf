"""docker/compose.yaml against the programs it starts. What the specification says is for `make image`."""

import os
import subprocess
import sys

import pytest
import yaml

from exchange import processes
from exchange.settings.rest import VERSION
from exchange.settings.variables import FILE, VARIABLES

from . import looks

COMPOSE = looks.compose()
SERVICES = COMPOSE["services"]
OURS = (*processes.NAMES, "migrate")
KNOWN = {variable.name for variable in VARIABLES} | {one.name + FILE for one in VARIABLES if one.secret}
AMAZONS = {"AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_SHARED_CREDENTIALS_FILE"}


@pytest.fixture(params=SERVICES)
def service(request):
    return SERVICES[request.param]


@pytest.fixture(params=OURS)
def process(request):
    return request.param, SERVICES[request.param]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "secrets"
    make(folder)
    return folder


def make(folder):
    argv = ["sh", looks.DOCKER / "secrets.sh", folder]
    return subprocess.run(argv, check=True, capture_output=True, text=True)


class TestEveryProcess:
    def test_is_started_by_its_name(self, process):
        name, service = process
        assert service["command"] == [name]

    def test_has_the_image_of_this_version_with_what_it_needs(self, process):
        name, service = process
        target = "measure" if name == "measure" else "server"
        image = "llm-benchmark-exchange" + ("-measure" if name == "measure" else "")
        assert (service["image"], service["build"]["target"]) == (f"{image}:{VERSION}", target)
        assert service["build"]["args"] == {"VERSION": VERSION}

    def test_gets_variables_that_are_read(self, process):
        _, service = process
        assert set(service["environment"]) <= KNOWN | AMAZONS

    def test_gets_all_that_production_needs(self, process):
        _, service = process
        given = {name.removesuffix(FILE) for name in service["environment"]}
        assert {variable.name for variable in VARIABLES if variable.needed} <= given

    def test_finds_each_file_that_it_is_told_of(self, process):
        _, service = process
        told = {path for name, path in service["environment"].items() if name.endswith(FILE)}
        assert told == {f"/run/secrets/{secret}" for secret in service["secrets"]}

    def test_has_no_secret_in_its_environment(self, process):
        _, service = process
        assert not {variable.name for variable in VARIABLES if variable.secret} & set(service["environment"])

    def test_begins_after_the_migrations(self, process):
        name, service = process
        expected = None if name == "migrate" else {"condition": "service_completed_successfully"}
        assert service["depends_on"].get("migrate") == expected

    def test_may_write_where_the_program_does(self, process):
        _, service = process
        written = [*service["tmpfs"], *service.get("volumes", [])]
        for folder in ("/tmp", "/var/lib/exchange"):
            assert any(folder in place.split(":") for place in written), folder


class TestOwner:
    def test_is_known_to_migrate_alone(self):
        for name, service in SERVICES.items():
            knows = {"database_owner_url", "database_admin_url"} & set(service.get("secrets", ()))
            assert bool(knows) is (name == "migrate"), name


class TestEveryService:
    def test_has_no_rights_that_it_does_not_need(self, service):
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert set(service.get("cap_add", ())) <= {"NET_BIND_SERVICE"}

    def test_stays_within_bounds(self, service):
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
        assert service["stop_grace_period"] == "60s"
        assert service["restart"] in {"unless-stopped", "on-failure"}

    def test_names_the_version_of_its_image(self, service):
        tag = service["image"].rpartition(":")[2]
        assert tag != "latest"
        assert any(letter.isdigit() for letter in tag)

    def test_waits_for_services_that_can_say_so(self, service):
        for name, wanted in service.get("depends_on", {}).items():
            by_itself = name == "web"  # by the image's own health check
            if wanted["condition"] == "service_healthy":
                assert by_itself or "test" in SERVICES[name]["healthcheck"], name

    def test_is_seen_from_this_machine_alone(self, service):
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))


class TestTheDatabase:
    def test_cannot_be_reached_from_outside(self):
        assert COMPOSE["networks"]["inside"]["internal"] is True
        for name in ("postgres", "valkey", "s3"):
            assert SERVICES[name]["networks"] == ["inside"]


class TestSecrets:
    def test_are_made_for_all_that_is_declared(self, folder):
        declared = {name: f"./secrets/{name}" for name in sorted(path.name for path in folder.iterdir())}
        assert {name: secret["file"] for name, secret in COMPOSE["secrets"].items()} == declared

    def test_are_used_where_they_are_declared(self):
        used = {secret for service in SERVICES.values() for secret in service.get("secrets", ())}
        assert used == set(COMPOSE["secrets"])

    def test_are_closed_to_others_by_their_folder(self, folder):
        assert folder.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o644}

    def test_stay_when_they_are_asked_for_again(self, folder):
        before = {path.name: path.read_text() for path in folder.iterdir()}
        assert "nothing is changed" in make(folder).stderr
        assert {path.name: path.read_text() for path in folder.iterdir()} == before

    def test_fit_each_other(self, folder):
        text = {path.name: path.read_text().strip() for path in folder.iterdir()}
        password = text["postgres_password"]
        assert text["database_admin_url"] == f"postgresql://postgres:{password}@postgres:5432/postgres"
        assert text["valkey_conf"].split()[1] in text["redis_url"]
        [identity] = yaml.safe_load(text["s3_json"])["identities"]
        [pair] = identity["credentials"]
        assert pair["accessKey"] in text["aws_credentials"]
        assert pair["secretKey"] in text["aws_credentials"]

    @pytest.mark.sockets
    def test_start_production_as_each_process_is_started(self, folder, process):
        _, service = process
        given = {
            name: value.replace("/run/secrets", str(folder)) for name, value in service["environment"].items()
        }
        env = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "exchange.settings.prod", **given}
        argv = [sys.executable, "-m", "exchange", "manage", "check", "--deploy", "--fail-level", "WARNING"]
        done = subprocess.run(argv, env=env, cwd=looks.CHECKOUT, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
