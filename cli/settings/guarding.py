"""Keeps keys out of what is written down: a server may repeat the key that it was sent."""

from collections.abc import Iterable, Mapping

from models.servers.hiding import hide

ENDINGS = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
"""How variables that hold keys end."""


def keys_in(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys that an environment holds, the longest first."""
    found = {value for name, value in env.items() if name.upper().endswith(ENDINGS)}
    return tuple(sorted(found, key=lambda key: (-len(key), key)))


def without_keys(text: str, keys: Iterable[str]) -> str:
    """Return a text in which none of the keys stands, nor anything that looks like one."""
    for key in keys:
        text = hide(text, key)
    return hide(text)
