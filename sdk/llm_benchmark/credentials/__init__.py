"""Keys of providers on this machine, each bound to the one address that it is sent to.

    keys = Keys(folder, passphrase=ask)
    keys.keep("acme", "https://api.example.com/v1", "sk-…")
    keys.key_for("acme", "https://api.example.com/v1")

A key goes into the system's keyring; where there is none, into an encrypted vault; or it stays in a variable
of the environment, of which the name is kept. The first two need the extra `keys`.
"""

from .errors import KeyBoundElsewhere, KeyGone, KeyUnknown, NoPlaceForKeys, VaultShut
from .keys import KeptKey, Keys

__all__ = [
    "KeptKey",
    "KeyBoundElsewhere",
    "KeyGone",
    "KeyUnknown",
    "Keys",
    "NoPlaceForKeys",
    "VaultShut",
]
