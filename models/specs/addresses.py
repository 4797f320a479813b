"""Read the address of a server out of a spec."""

import re
from urllib.parse import urlsplit

from models.errors import SpecError

LOOKS_LIKE_ONE = re.compile(
    r"\w+://|localhost\b|\[[0-9A-Fa-f:.]+\]|[\w.-]+:\d+|[\w-]+(\.[\w-]+)*/|\d+(\.\d+){3}"
)
"""How an address begins, told from a model's name."""
LLAMACPP_URL = "http://127.0.0.1:8080"
"""Where llama.cpp's server listens unless told otherwise."""
LLAMACPP_PORT = 8080
ROUTE = "/chat/completions"
"""Stands at the end of addresses that people copy out of an example with curl."""


def server_url(address: str, *, spec: str) -> str:
    """Return the address of a llama.cpp server as `llamacpp_address` has it, or say what it is."""
    url = llamacpp_address(address)
    if url is None:
        raise SpecError(
            f"The model spec {spec!r} needs the address of a llama.cpp server and nothing else, "
            f"for example llamacpp:{LLAMACPP_URL}; of a server with several models, "
            f"openai:{LLAMACPP_URL}/v1#<name> names one."
        )
    return url


def compatible_url(target: str, *, spec: str) -> str:
    """Return `url#name` of a compatible server, the address as `compatible_address` has it."""
    address, _, name = target.partition("#")
    address = address.strip()
    if not LOOKS_LIKE_ONE.match(address):
        raise SpecError(
            f"The model spec {spec!r} needs the address of a server, for example "
            f"openai:http://127.0.0.1:8000/v1#name. Did you mean langchain:openai/{target}?"
        )
    url = compatible_address(address)
    if url is None:
        raise SpecError(
            f"The model spec {spec!r} needs an address that begins with http:// or https://, "
            "for example openai:http://127.0.0.1:8000/v1#name."
        )
    return f"{url}#{name.strip()}" if name.strip() else url


def llamacpp_address(address: str) -> str | None:
    """Return `scheme://host[:port][/path]`, without a trailing slash or `/v1`; None if it is none.

    A port alone is one of this machine; a host alone listens where llama.cpp's server usually does.
    """
    url = address if "://" in address else f"http://{_with_port(address)}"
    return _trimmed(url).removesuffix("/v1").rstrip("/") if _is_address(url) else None


def compatible_address(address: str) -> str | None:
    """Return `scheme://host[:port]/path`, with `/v1` where no path is given; None if it is none."""
    url = _trimmed(address if "://" in address else f"http://{address}")
    if not _is_address(url):
        return None
    return url if urlsplit(url).path else f"{url}/v1"


def _with_port(address: str) -> str:
    """Return `host[:port][/path]` as it was meant where only a port or only a host is given."""
    if address.isdecimal():
        return f"127.0.0.1:{address}"
    is_host = re.fullmatch(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]", address)
    return f"{address}:{LLAMACPP_PORT}" if is_host else address


def _trimmed(url: str) -> str:
    """Return an address without a trailing slash, or the route of a chat."""
    return url.rstrip("/").removesuffix(ROUTE).rstrip("/")


def _is_address(url: str) -> bool:
    """Return True for an address that a client can use."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    plain = not parts.query and not parts.fragment
    return usable and plain and url.isprintable() and " " not in url
