"""Decide whether API keys may go to a server that a run's folder names, and hide keys in texts.

Keys may go to servers that the user named: in the settings, in the environment, or at the start of
a run on this machine, which is remembered outside of any run.

Keys are removed from texts that are stored, because a server may repeat the key that it was sent.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

import typer

from smolville.agents.text_files import read_text
from smolville.cli.screen import say
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.models.embedding.embedder import parse_embedder
from smolville.models.keys import (
    KEYS,
    KeysToSend,
    MaySend,
    hide,
    is_host,
    origin,
    sending_of,
)
from smolville.models.spec import Spec, parse_spec

ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
"""Environment variables that name a server to which keys may go."""


def key_hosts(chosen: ResolvedSettings) -> MaySend:
    """Return a function that allows keys for the servers named in these settings."""
    env = chosen.surroundings
    named = {origin(env[name]) for name in ADDRESSES if is_host(env.get(name, ""))}
    values = chosen.values
    texts = {*filter(None, (values.fast, values.strong)), *chain(*chosen.servers.values())}
    specs = [parse_spec(text) for text in texts]
    specs += [parse_embedder(values.embedder)] if values.embedder else []
    named |= {origin(spec.target) if spec.kind in KEYS else str(spec) for spec in specs}
    named.update(map(origin, values.key_hosts))

    def may_send(sending: KeysToSend) -> bool:
        return sending.where in named or sending.where in read_remembered_hosts()

    return may_send


def remember_servers(models: Iterable[str | None], embedder: str, env: Mapping[str, str]) -> None:
    """Remember the servers that the user has just named, if keys are sent to them.

    Prints a message if that fails.
    """
    specs: list[Spec] = [parse_spec(each) for each in models if each is not None]
    specs.append(parse_embedder(embedder))
    sent = (sending_of(spec, env) for spec in specs)
    places = {each.where for each in sent if each is not None and each.where.isprintable()}
    new = sorted(places - read_remembered_hosts())
    if not new:
        return
    file = _file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        with file.open("a", encoding="utf-8") as stream:
            stream.writelines(f"{place}\n" for place in new)
    except OSError as error:
        why = error.strerror or error
        say(f"{', '.join(new)} cannot be remembered ({file}: {why}).", "dim", on_stderr=True)


def read_remembered_hosts() -> frozenset[str]:
    """Return the servers stored for earlier runs; empty if their file cannot be read."""
    try:
        lines = read_text(_file()).splitlines()
    except OSError:
        return frozenset()
    return frozenset(line.strip() for line in lines if line.strip())


def _file() -> Path:
    return Path(typer.get_app_dir("smolville")) / "key_hosts"


KEY_ENDINGS = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
"""Endings of the names of variables that hold keys."""


def keys_in(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys in an environment, the longest first."""
    found = {value for name, value in env.items() if name.upper().endswith(KEY_ENDINGS)}
    return tuple(sorted(found, key=lambda key: (-len(key), key)))


def without_keys(text: str, keys: Iterable[str]) -> str:
    """Return a text with the keys, and anything that looks like a key, replaced."""
    for key in keys:
        text = hide(text, key)
    return hide(text)
