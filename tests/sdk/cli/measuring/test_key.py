import keyring
import pytest
from keyring.backends import fail

from exchange.core.actors import SYSTEM, OrganizationRole
from exchange.core.tenancy import acting_for
from llm_benchmark.cli.measuring.at_home import target_from
from llm_benchmark.credentials import errors, vault
from submissions.endpoints import credentials
from submissions.endpoints.models import Endpoint
from tests.factories.accounts import MembershipFactory

SECRET, WORDS = "sk-provider-0123456789", "correct horse battery"
URL = "https://api.example.com/v1"


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch):
    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)
    monkeypatch.setattr(vault, "COST", 2**4)
    monkeypatch.setenv("LLM_BENCHMARK_VAULT_PASSPHRASE", WORDS)


@pytest.fixture
def kept(call):
    ended = call("key", "set", "acme", "--for", URL, "-o", "json", piped=f"{SECRET}\n")
    assert ended.code == 0, ended.err
    return ended


class TestSet:
    def test_keeps_what_is_piped_and_shows_where(self, kept, machine):
        assert kept.json == {
            "name": "acme", "origin": "https://api.example.com:443", "place": "vault", "variable": "",
        }  # fmt: skip
        files = [path.read_bytes() for path in machine.rglob("*") if path.is_file()]
        assert SECRET.encode() not in kept.out.encode() + b"".join(files)

    def test_takes_no_key_as_an_argument(self, call):
        ended = call("key", "set", "acme", SECRET, "--for", URL)

        assert (ended.code, SECRET in ended.out) == (2, False)

    def test_keeps_the_name_of_a_variable_without_asking(self, call):
        ended = call("key", "set", "acme", "--for", URL, "--env", "ACME_KEY", "-o", "plain")

        assert "variable ACME_KEY" in ended.out

    def test_takes_the_address_from_a_name_that_is_a_host(self, call):
        assert (
            call("key", "set", "api.example.com", "--env", "X", "-o", "json").json["origin"].endswith(":443")
        )
        assert "--for" in call("key", "set", "acme", "--env", "X").err

    def test_says_where_the_passphrase_goes_when_nobody_can_type(self, call, monkeypatch):
        monkeypatch.delenv("LLM_BENCHMARK_VAULT_PASSPHRASE")

        ended = call("key", "set", "acme", "--for", URL, piped=SECRET)

        assert (ended.code, "LLM_BENCHMARK_VAULT_PASSPHRASE" in ended.err) == (2, True)

    def test_wants_a_passphrase_that_is_not_guessed_at_once(self, call, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_VAULT_PASSPHRASE", "short")

        assert call("key", "set", "acme", "--for", URL, piped=SECRET).code == 2


class TestList:
    def test_shows_names_and_addresses_and_never_a_key(self, kept, call):
        for output in ("plain", "table", "json"):
            ended = call("key", "list", "-o", output, "-v")
            assert "acme" in ended.out
            assert SECRET not in ended.out + ended.err

    def test_says_how_to_begin(self, call):
        assert "key set NAME" in call("key", "list", "-o", "table").out


class TestRemove:
    def test_forgets_it(self, kept, call):
        assert call("key", "remove", "acme").code == 0
        assert call("key", "remove", "acme").code == 5


class TestUse:
    """What `run` and `reproduce` send is what `target_from` finds."""

    def target(self, **changes):
        sources = {"key": None, "key_env": None, "key_file": None, "no_key": False}
        return target_from(**{"url": URL, "model": "m", "allow_local": False, **sources, **changes})

    def test_measures_with_the_key_of_this_address(self, kept):
        assert self.target(key="acme").api_key == SECRET

    def test_reads_a_variable_that_is_named(self, monkeypatch):
        monkeypatch.setenv("ACME_KEY", SECRET)

        assert self.target(key="env:ACME_KEY").api_key == SECRET

    def test_sends_it_to_no_other_address(self, kept):
        with pytest.raises(errors.KeyBoundElsewhere):
            self.target(key="acme", url="https://api.example.org/v1")

    @pytest.mark.django_db
    def test_registers_an_endpoint_and_moves_it_with_the_key_of_each_address(self, kept, call, exchange_as):
        program = exchange_as(MembershipFactory(role=OrganizationRole.MEMBER).user)
        refused = program("provider", "add", "--url", "https://api.example.org/v1", "--key", "acme")
        made = program("provider", "add", "--url", URL, "--name", "mine", "--key", "acme", "-o", "json")
        again = program("provider", "update", "mine", "--key", "acme", "-o", "json")

        assert (refused.code, SECRET in refused.err) == (2, False)
        assert [ended.json["credential_source"] for ended in (made, again)] == ["stored", "stored"]
        with acting_for(SYSTEM):
            assert credentials.open_key(Endpoint.objects.get()) == SECRET

    def test_wants_one_source(self, call):
        ended = call("provider", "add", "--url", URL, "--key", "acme", "--no-key")

        assert (ended.code, "--key" in ended.err) == (2, True)
