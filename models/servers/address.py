"""Where a server on this machine or another one is reached."""

import ipaddress
from urllib.parse import urlsplit

from models.errors import SpecError

OLLAMA_PORT = 11434


def ollama_url(host: str | None) -> str:
    """Return the URL that `OLLAMA_HOST` names, read as Ollama reads it: without quotes around it.

    A server told to listen everywhere (0.0.0.0) is asked on the loopback address. Raises SpecError.
    """
    given = (host or "").strip().strip("\"'").rstrip("/")
    scheme, _, rest = given.rpartition("://")
    scheme = scheme.lower() or "http"
    try:
        parts = urlsplit(f"//[{rest}]" if _is_bare_ipv6(rest) else f"//{rest}")
    except ValueError:
        parts = None
    if parts is None or scheme not in ("http", "https"):
        raise SpecError(
            f"OLLAMA_HOST is {given!r}, which is no address: write host, host:port or a URL, for "
            f"example 127.0.0.1:{OLLAMA_PORT}."
        )
    name = parts.hostname or "127.0.0.1"
    if name in ("0.0.0.0", "::"):  # noqa: S104 - compared with, not bound to
        name = "127.0.0.1"
    if ":" in name:
        name = f"[{name}]"
    usual = {"http": 80, "https": 443}[scheme] if "://" in given else OLLAMA_PORT
    return f"{scheme}://{name}:{_port(parts.netloc) or usual}{parts.path}"


def is_loopback(url: str) -> bool:
    """Return True for an address on this machine, to which no proxy leads."""
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _is_bare_ipv6(text: str) -> bool:
    """Return True for an IPv6 address without brackets, whose last part is no port."""
    try:
        return ipaddress.ip_address(text).version == 6
    except ValueError:
        return False


def _port(netloc: str) -> int | None:
    """Return the port at the end of a network location, None if there is none that can be used."""
    digits = netloc.rpartition(":")[2]
    return int(digits) if digits.isdecimal() and 0 < int(digits) < 65536 else None
