"""Keys of servers: where they come from, and how they are kept out of what is stored and shown.

Specs are stored with a run, and servers repeat a key that they do not like in their answers.
"""

import re
from collections.abc import Mapping

from models.errors import SpecError

KEYLIKE = re.compile(r"\bsk-[\w*-]{4,}|(?i:\bbearer\s+)\S+")
HIDDEN = "(a key, hidden)"
NO_KEY = "none"
"""Sent where no key is set: a server without a key takes any."""
OWN = "SMOLVILLE_API_KEY"
"""Serves every kind of server, and comes first: who sets it means this program."""
SHORTEST = 6
"""A shorter key is no secret, and would hide parts of ordinary words."""
LONGEST_CUT = 11
"""What of a longer key may be left where a sentence was cut: too little to be of use."""


def key_for(variable: str, env: Mapping[str, str]) -> str:
    """Return the key of a server from the environment, by our own variable or the server's.

    Blanks around it, as a file's last line leaves them, are no part of it. SpecError, without it,
    for what no header can carry.
    """
    name = variable_of(variable, env)
    return env[name].strip() if name else NO_KEY


def variable_of(variable: str, env: Mapping[str, str]) -> str:
    """Return which variable `key_for` takes the key from, empty where none is set."""
    for name in (OWN, variable):
        key = env.get(name, "").strip()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise SpecError(
                f"What {name} holds cannot be a key: it has a blank or a sign no key has."
            )
        if key:
            return name
    return ""


def hide(text: str, key: str = "") -> str:
    """Return the text without the key, and without anything that looks like one."""
    text = KEYLIKE.sub(HIDDEN, text)
    if len(key) < SHORTEST:
        return text
    for size in range(len(key), min(len(key), LONGEST_CUT), -1):
        text = text.replace(key[:size], HIDDEN)
    return text.replace(key, HIDDEN)


LOGIN = re.compile(
    r"//[^/?#\s]*@|:[^\s:/@?#]+:[^\s/@]+@(?!sha256:)|:[^\s:/@?#]+@(?!sha256:)[^\s:/@]+:\d"
)
"""`user:password@host`; a model's digest (`name:tag@sha256:...`) is none."""
KEY = re.compile(
    r"(?i)(?:key|token|secret|passwo?r?d|passphrase|bearer|credentials?|authorization)\s*="
    r"|\b(?:[spr]k-[\w-]{16,}|(?:hf|gsk|ghp)_\w{16,})"
)
"""A setting named like a key, or a text that looks like one; `max_tokens=` is not."""
VARIABLES = "OPENAI_API_KEY, LLAMA_API_KEY or SMOLVILLE_API_KEY"
"""Where the keys of servers come from; a class of a vendor reads its own variable."""


def refuse_secrets(text: str, what: str = "The model spec") -> None:
    """Raise SpecError when a spec holds a key or a password; the sentence does not repeat it."""
    if KEY.search(text) or LOGIN.search(text):
        raise SpecError(
            f"{what} holds a key or a password. Specs are stored and shown, so take it out "
            f"and set it in the environment ({VARIABLES})."
        )
