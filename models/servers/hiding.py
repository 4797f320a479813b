"""Keep keys out of what is shown: servers repeat a key they do not like in their answers."""

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
