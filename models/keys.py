"""API keys of servers: where they come from, where they may go, and how they are kept secret.

Keys go to servers that the user names, and elsewhere only if that is allowed. A run's folder may
come from somebody else, and the specs in it name servers. A spec that the user wrote is a
`UserSpec`; any other string counts as read from a run's folder, so a caller that does not say who
wrote a spec sends no key. Servers may repeat a rejected key in their answers.
"""

import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from smolville.models.errors import KeyRefused, SpecError
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.spec import Spec

KEYLIKE = re.compile(r"\bsk-[\w*-]{4,}|(?i:\bbearer\s+)\S+")
HIDDEN = "(a key, hidden)"
NO_KEY = "none"
"""The key that is sent if none is set: a server that needs no key accepts any."""
OWN = "SMOLVILLE_API_KEY"
"""Variable with a key for every kind of server; it takes precedence over the others."""
SHORTEST = 6
"""Minimum length of keys that are hidden. Shorter ones are no secret, and would match parts of
ordinary words."""
LONGEST_CUT = 11
"""Number of characters of a key that may remain visible at the place where a text was cut."""


def key_for(variable: str, env: Mapping[str, str]) -> str:
    """Return the server's key from the environment: from our own variable or the server's variable.

    Surrounding white space, such as a file's final newline, is ignored. Raises SpecError, without
    the key, for characters that a header cannot contain.
    """
    name = variable_of(variable, env)
    return env[name].strip() if name else NO_KEY


def variable_of(variable: str, env: Mapping[str, str]) -> str:
    """Return the variable that `key_for` takes the key from; empty if none is set."""
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


KEYS = {"openai": "OPENAI_API_KEY", "llamacpp": "LLAMA_API_KEY"}
"""The variable with the key of each kind of server, besides our own."""
OPENAI_HEADERS = ("OPENAI_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
"""Variables that OpenAI's client reads by itself and sends to whatever server it asks."""
OLLAMA_KEY = "OLLAMA_API_KEY"
"""Variable that Ollama's client reads by itself and sends to whatever server it asks."""
HOMES = frozenset(
    {
        ("OPENAI_API_KEY", "https://api.openai.com"),
        ("LLAMA_API_KEY", LLAMACPP_URL),
        (OWN, LLAMACPP_URL),
    }
)
"""Variables and the servers they belong to by default: a run's spec may name these servers too."""
PORTS = {"http": 80, "https": 443}


class UserSpec(str):
    """A spec that the user wrote: on the command line, in a variable or in a setting."""

    __slots__ = ()


@dataclass(frozen=True, kw_only=True)
class KeysToSend:
    """The keys that opening a spec would send, and their destination."""

    spec: str
    where: str
    """The server as `scheme://host[:port]`; the whole spec if its settings choose the server."""
    variables: tuple[str, ...] = ()
    """Variables whose values are sent; empty if only the spec's package knows them."""

    @property
    def is_server(self) -> bool:
        """Whether `where` is a server's address."""
        return self.where != self.spec

    def refusal(self) -> str:
        """Return a message that nothing was sent, why, and how to allow it."""
        keys = " and ".join(self.variables) or "keys from the environment"
        ways = [f"allow it with SMOLVILLE_KEY_HOSTS={self.where}"] if self.is_server else []
        if self.spec.isprintable():
            ways.append(f"name a model yourself with --model {shlex.quote(self.spec)}")
        return (
            f"This run names {self.spec!r}, which your own settings do not name, and it would be "
            f"sent {keys}: {', or '.join(ways)}."
        )


MaySend = Callable[[KeysToSend], bool]
"""Callback that decides whether keys may be sent for a spec that the user did not write."""


def forbid_all(_: KeysToSend) -> bool:
    """Forbid sending any keys."""
    return False


def check_keys(text: str, spec: Spec, env: Mapping[str, str], may_send: MaySend) -> None:
    """Raise KeyRefused if opening a spec would send keys to a server that may not get them."""
    if isinstance(text, UserSpec):
        return
    sending = sending_of(spec, env)
    if sending is not None and not may_send(sending):
        raise KeyRefused(sending.refusal())


def sending_of(spec: Spec, env: Mapping[str, str]) -> KeysToSend | None:
    """Return which keys opening a spec would send to a server that the spec itself chooses.

    Returns None if the spec chooses no server, or if no keys would be sent to it. The address of
    Ollama's server, if the spec names no host, and the addresses of hosted providers come from the
    environment and thus not from the spec.
    """
    if spec.kind == "langchain":
        # Some classes take the address from the model's name.
        return KeysToSend(spec=str(spec), where=str(spec)) if "//" in spec.target else None
    if spec.kind == "community":
        # Each class has a name of its own for its address, and for what it loads.
        return KeysToSend(spec=str(spec), where=str(spec)) if spec.options else None
    if spec.host and OLLAMA_KEY in os.environ:
        return KeysToSend(spec=str(spec), where=str(spec), variables=(OLLAMA_KEY,))
    if spec.kind not in KEYS:
        return None
    own = variable_of(KEYS[spec.kind], env)
    where = origin(spec.target)
    variables = tuple(filter(None, (own, *(name for name in OPENAI_HEADERS if name in os.environ))))
    if not variables or (own, where) in HOMES:
        return None
    return KeysToSend(spec=str(spec), where=where, variables=variables)


def origin(url: str) -> str:
    """Return the server of an address: `scheme://host`, with the port unless it is the default."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = parts.port if parts.port not in (None, PORTS.get(parts.scheme)) else None
    return f"{parts.scheme}://{host}" if port is None else f"{parts.scheme}://{host}:{port}"


def is_host(entry: str) -> bool:
    """Return whether a text is the address of a server, `scheme://host[:port]` with any path."""
    try:
        parts = urlsplit(entry)
        usable = parts.scheme in PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return usable and "@" not in entry and entry.isprintable() and " " not in entry
