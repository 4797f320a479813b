"""Where a server on this machine or another one is reached."""

import ipaddress
from urllib.parse import urlsplit

OLLAMA_PORT = 11434


def ollama_url(host: str | None) -> str:
    """Return the URL that `OLLAMA_HOST` names, read as Ollama reads it.

    A server told to listen everywhere (0.0.0.0) is asked on the loopback address.
    """
    given = (host or "").strip().rstrip("/")
    scheme, _, rest = given.rpartition("://")
    parts = urlsplit(f"//{rest}")
    name = parts.hostname or "127.0.0.1"
    if name in ("0.0.0.0", "::"):  # noqa: S104 - compared with, not bound to
        name = "127.0.0.1"
    if ":" in name:
        name = f"[{name}]"
    port = _port(parts.netloc) or {"http": 80, "https": 443}.get(scheme, OLLAMA_PORT)
    return f"{scheme or 'http'}://{name}:{port}{parts.path}"


def is_loopback(url: str) -> bool:
    """Return True for an address on this machine, to which no proxy leads."""
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _port(netloc: str) -> int | None:
    """Return the port at the end of a network location, None if there is none that can be used."""
    digits = netloc.rpartition(":")[2]
    return int(digits) if digits.isdecimal() and 0 < int(digits) < 65536 else None
