"""Keys on somebody's own machine: where they go, what opens them, and what they are never sent to."""

import json
import os
import stat

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from llm_benchmark import private_files
from llm_benchmark.credentials import Keys, errors, system, vault
from llm_benchmark.errors import InvalidInput

URL, ORIGIN = "https://api.example.com/v1", "https://api.example.com:443"
OTHER = "https://api.example.org/v1"
KEY, WORDS = "sk-home-0123456789", "correct horse battery"


class Ring(KeyringBackend):
    """A keyring in memory, in the place of the system's."""

    priority = 5
    __module__ = "keyring.backends.SecretService"

    def __init__(self):
        super().__init__()
        self.kept, self.is_locked = {}, False

    def get_password(self, service, username):
        if self.is_locked:
            raise KeyringLocked
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        if self.is_locked:
            raise KeyringLocked
        self.kept[service, username] = password

    def delete_password(self, service, username):
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError


class Plaintext(Ring):
    """What `keyrings.alt` offers where there is nothing better."""

    __module__ = "keyrings.alt.file"


class Unable(Ring):
    __module__ = "keyring.backends.kwallet"

    @property
    def priority(self):
        raise RuntimeError("no session bus")


@pytest.fixture(autouse=True)
def use(monkeypatch):
    """`use(backend)`: what `keyring` finds; none that is real, unless it is said."""
    monkeypatch.setattr(vault, "COST", 2**4)

    def make(backend):
        monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
        return backend

    make(fail.Keyring())
    return make


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "home" / "keys"


@pytest.fixture
def keys_with(folder):
    """`keys_with("a passphrase")`, and whether it was asked for a new one."""

    def make(words=WORDS, **environ):
        asked = []

        def passphrase(*, is_new):
            asked.append(is_new)
            return words

        keys = Keys(folder, passphrase=passphrase, environ=environ)
        keys.asked = asked
        return keys

    return make


@pytest.fixture
def keys(keys_with):
    return keys_with()


class TestKeyring:
    def test_is_taken_first(self, keys, use, folder):
        ring = use(Ring())

        kept = keys.keep("acme", URL, KEY)

        assert (kept.place, kept.origin, keys.asked) == ("keyring", ORIGIN, [])
        assert keys.key_for("acme", "https://API.example.com/other") == KEY
        assert KEY in str(ring.kept)
        assert KEY not in (folder / "keys.json").read_text()

    def test_binds_the_key_whatever_the_file_says(self, keys, use, folder):
        use(Ring())
        keys.keep("acme", URL, KEY)
        file = folder / "keys.json"
        file.write_text(file.read_text().replace("api.example.com", "api.example.org"))

        with pytest.raises(errors.KeyBoundElsewhere):
            keys.key_for("acme", OTHER)

    def test_that_is_locked_is_passed_over_for_the_vault(self, keys, use):
        use(Ring()).is_locked = True

        assert keys.keep("acme", URL, KEY).place == "vault"

    def test_that_was_locked_or_emptied_since_says_so(self, keys, use):
        ring = use(Ring())
        keys.keep("acme", URL, KEY)
        ring.is_locked = True

        with pytest.raises(errors.KeyGone):
            keys.key_for("acme", URL)
        ring.is_locked, ring.kept = False, {}
        with pytest.raises(errors.KeyGone):
            keys.key_for("acme", URL)

    def test_forgets_what_is_removed_or_goes_elsewhere(self, keys, use):
        ring = use(Ring())
        for name in ("one", "two"):
            keys.keep(name, URL, KEY)

        keys.remove("one")
        keys.refer("two", URL, "A_KEY")

        assert ring.kept == {}

    def test_is_real_for_a_systems_own_alone(self):
        chain = type("Chain", (Ring,), {"__module__": chainer.__name__, "backends": [Ring(), Plaintext()]})
        good = type("Chain", (Ring,), {"__module__": chainer.__name__, "backends": [Ring()]})
        empty = type("Chain", (Ring,), {"__module__": chainer.__name__, "backends": []})
        found = (Plaintext(), null.Keyring(), fail.Keyring(), Unable(), chain(), empty())

        assert not any(map(system.is_real, found))
        assert all(map(system.is_real, (Ring(), good())))

    def test_of_plain_text_is_never_used(self, keys, use):
        ring = use(Plaintext())

        assert keys.keep("acme", URL, KEY).place == "vault"
        assert ring.kept == {}


class TestVault:
    def test_opens_by_its_passphrase_for_the_address_alone(self, keys, keys_with, folder):
        keys.keep("acme", URL, KEY)

        assert KEY not in (folder / "keys.json").read_text()
        assert keys_with().key_for("acme", URL) == KEY
        with pytest.raises(errors.VaultShut):
            keys_with("another passphrase").key_for("acme", URL)
        with pytest.raises(errors.KeyBoundElsewhere, match=r"is for https://api\.example\.com:443"):
            keys_with().key_for("acme", OTHER)

    def test_asks_for_a_new_passphrase_once(self, keys):
        keys.keep("one", URL, KEY)
        keys.keep("two", OTHER, "sk-other-0123456789")

        assert keys.asked == [True, False]

    def test_takes_no_second_passphrase(self, keys, keys_with):
        keys.keep("one", URL, KEY)

        with pytest.raises(errors.VaultShut):
            keys_with("another passphrase").keep("two", URL, KEY)
        assert [kept.name for kept in keys.listed()] == ["one"]

    @pytest.mark.parametrize("change", ["origin", "name"])
    def test_does_not_open_under_another_origin_or_name(self, keys, folder, change):
        keys.keep("acme", URL, KEY)
        file = folder / "keys.json"
        book = json.loads(file.read_text())
        if change == "origin":
            book["keys"]["acme"]["origin"] = "https://api.example.org:443"
        else:
            book["keys"]["other"] = book["keys"].pop("acme")
        file.write_text(json.dumps(book))

        name, url = ("acme", OTHER) if change == "origin" else ("other", URL)
        with pytest.raises(errors.VaultShut):
            keys.key_for(name, url)

    def test_needs_no_passphrase_to_list_and_to_forget(self, keys, keys_with):
        keys.keep("acme", URL, KEY)
        others = keys_with("another passphrase")

        assert [kept.as_dict() for kept in others.listed()] == [
            {"name": "acme", "origin": ORIGIN, "place": "vault", "variable": ""}
        ]
        others.remove("acme")
        assert (others.listed(), others.asked) == ([], [])

    def test_says_what_it_needs_where_nothing_is_installed(self, keys, monkeypatch):
        monkeypatch.setattr(vault, "is_installed", lambda: False)

        with pytest.raises(errors.NoPlaceForKeys, match=r"exchange\[keys\]"):
            keys.keep("acme", URL, KEY)

    def test_costs_a_guess_as_much_as_it_should(self, monkeypatch):
        monkeypatch.undo()

        assert vault.COST >= 2**17


class TestReference:
    def test_leads_to_the_variable_at_each_use(self, keys_with):
        keys_with().refer("acme", URL, "ACME_KEY")

        assert keys_with(ACME_KEY=KEY).key_for("acme", URL) == KEY
        assert keys_with(ACME_KEY="sk-another").key_for("acme", URL) == "sk-another"

    def test_is_bound_to_its_address(self, keys_with):
        keys = keys_with(ACME_KEY=KEY)
        keys.refer("acme", URL, "ACME_KEY")

        with pytest.raises(errors.KeyBoundElsewhere):
            keys.key_for("acme", "http://api.example.com/v1")

    def test_that_leads_nowhere_says_so(self, keys):
        keys.refer("acme", URL, "ACME_KEY")

        with pytest.raises(errors.KeyGone):
            keys.key_for("acme", URL)


class TestNames:
    @pytest.mark.parametrize("name", ["", "env:X", "../x", "a b", "-x", "x" * 101])
    def test_are_plain_words(self, keys, name):
        with pytest.raises(InvalidInput):
            keys.refer(name, URL, "ACME_KEY")

    def test_that_are_not_kept_are_refused_with_those_that_are(self, keys):
        keys.refer("acme", URL, "ACME_KEY")

        for use in (lambda: keys.key_for("acne", URL), lambda: keys.remove("acne")):
            with pytest.raises(errors.KeyUnknown, match="acme"):
                use()

    @pytest.mark.parametrize("key", ["", "two words", "a\nb"])
    def test_lead_to_keys_that_fit_into_a_header(self, keys, key):
        with pytest.raises(InvalidInput):
            keys.keep("acme", URL, key)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
class TestFile:
    def test_is_its_owners_alone(self, keys, folder):
        os.umask(previous := os.umask(0))
        before = os.umask(0)
        try:
            keys.keep("acme", URL, KEY)
        finally:
            os.umask(before)

        assert previous == before
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "keys.json")]
        assert modes == [0o700, 0o600]
        assert sorted(path.name for path in folder.iterdir()) == ["keys.json", "lock"]

    def test_closes_a_folder_that_others_could_look_into(self, keys, folder):
        folder.mkdir(parents=True)
        folder.chmod(0o755)

        keys.keep("acme", URL, KEY)

        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    def test_is_not_read_where_others_may(self, keys, folder):
        keys.keep("acme", URL, KEY)
        (folder / "keys.json").chmod(0o640)

        with pytest.raises(private_files.UnsafeFile, match="chmod 600"):
            keys.key_for("acme", URL)

    @pytest.mark.parametrize("link", ["keys.json", "lock", ""])
    def test_is_never_a_link(self, keys, folder, tmp_path, link):
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        if link:
            folder.mkdir(parents=True, mode=0o700)
            (elsewhere / "file").write_text("{}")
            (folder / link).symlink_to(elsewhere / "file")
        else:
            folder.parent.mkdir()
            folder.symlink_to(elsewhere)

        with pytest.raises((private_files.UnsafeFile, OSError)):
            keys.keep("acme", URL, KEY)
        assert [path.read_text() for path in elsewhere.iterdir()] == (["{}"] if link else [])

    def test_stays_whole_when_a_write_fails(self, keys, folder, monkeypatch):
        keys.keep("acme", URL, KEY)
        monkeypatch.setattr(os, "fsync", lambda _handle: (_ for _ in ()).throw(OSError("disk full")))

        with pytest.raises(OSError, match="disk full"):
            keys.keep("other", URL, KEY)
        assert [kept.name for kept in keys.listed()] == ["acme"]
        assert sorted(path.name for path in folder.iterdir()) == ["keys.json", "lock"]

    @pytest.mark.parametrize("content", ["", "[]", '{"schema": "other", "keys": {}}'])
    def test_of_another_kind_is_refused(self, keys, folder, content):
        folder.mkdir(parents=True, mode=0o700)
        (folder / "keys.json").touch(mode=0o600)
        (folder / "keys.json").write_text(content)

        with pytest.raises(private_files.UnsafeFile, match=r"keys\.json cannot be read"):
            keys.listed()
