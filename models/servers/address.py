"""Addresses of servers, in the forms that people and specs use."""

import ipaddress
import re
from urllib.parse import urlsplit

from smolville.models.errors import SpecError

OLLAMA_PORT, LLAMACPP_PORT = 11434, 8080
LLAMACPP_URL = f"http://127.0.0.1:{LLAMACPP_PORT}"
"""Default address of llama.cpp's server."""
ROUTE = "/chat/completions"
"""End of addresses that people copy from an example with curl."""


def ollama_url(host: str | None) -> str:
    """Return the URL in `OLLAMA_HOST`, read as Ollama reads it.

    A server that listens everywhere (0.0.0.0) is addressed by the loopback address. Raises
    SpecError.
    """
    given = (host or "127.0.0.1").strip().rstrip("/")
    given = f"127.0.0.1{given}" if given.startswith(":") else given
    url = given if "://" in given else f"http://{given}"
    if not _is_address(url):
        raise SpecError(
            f"OLLAMA_HOST is {given!r}, which is no address: write host, host:port or a URL, for "
            f"example 127.0.0.1:{OLLAMA_PORT}."
        )
    parts = urlsplit(url)
    name = (parts.hostname or "").replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - not bound to
    usual = {"http": 80, "https": 443}[parts.scheme] if "://" in given else OLLAMA_PORT
    host = f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{host}:{parts.port or usual}{parts.path}"


def is_loopback(url: str) -> bool:
    """Return True for an address on this machine, which is never reached through a proxy."""
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def llamacpp_address(address: str) -> str | None:
    """Return `scheme://host[:port][/path]`, without trailing slash or `/v1`; None if invalid.

    A port alone means this machine; a host alone means llama.cpp's default port.
    """
    if address.isdecimal():
        address = f"127.0.0.1:{address}"
    elif re.fullmatch(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]", address):
        address = f"{address}:{LLAMACPP_PORT}"
    url = address if "://" in address else f"http://{address}"
    return _trim(url).removesuffix("/v1").rstrip("/") if _is_address(url) else None


def compatible_address(address: str) -> str | None:
    """Return `scheme://host[:port]/path`, with `/v1` if no path is given; None if invalid."""
    url = _trim(address if "://" in address else f"http://{address}")
    is_named = "://" in address or re.match(r"localhost\b|\[|[\w.-]+:\d+|\d+(\.\d+){3}", address)
    if not is_named or not _is_address(url):
        return None
    return url if urlsplit(url).path else f"{url}/v1"


def _trim(url: str) -> str:
    return url.rstrip("/").removesuffix(ROUTE).rstrip("/")


def _is_address(url: str) -> bool:
    if "?" in url or "#" in url or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
