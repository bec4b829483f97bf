"""Why a key of this machine cannot be kept or used. None of them shows it."""

from llm_benchmark.errors import NotConfigured, NotFound


class KeyUnknown(NotFound):
    """No key has this name."""

    code = "key_unknown"


class KeyGone(NotFound):
    """The place that the key was kept in does not have it any more."""

    code = "key_gone"


class KeyBoundElsewhere(NotConfigured):
    """The key was kept for another address. It is not sent to this one."""

    code = "key_for_another_address"


class NoPlaceForKeys(NotConfigured):
    """There is neither a keyring nor what the vault needs."""

    code = "no_place_for_keys"


class VaultShut(NotConfigured):
    """The passphrase is wrong, or the vault was altered."""

    code = "vault_shut"
