"""Read the address of a server out of a spec."""

import re
from urllib.parse import urlsplit

from models.errors import SpecError
from models.specs.forms import LLAMACPP_URL

LOOKS_LIKE_ONE = re.compile(r"\w+://|localhost\b|[\w.-]+:\d+|[\w-]+(\.[\w-]+)*/|\d+(\.\d+){3}")
"""How an address begins, told from a model's name."""


def server_url(address: str, *, spec: str) -> str:
    """Return the address as `scheme://host[:port][/path]`, without a trailing slash or `/v1`."""
    url = address if "://" in address else f"http://{address}"
    if not _is_address(url):
        raise SpecError(
            f"The model spec {spec!r} needs the address of a llama.cpp server, "
            f"for example llamacpp:{LLAMACPP_URL}."
        )
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


def compatible_url(target: str, *, spec: str) -> str:
    """Return `url#name` of a compatible server, `/v1` added where the address has no path."""
    address, _, name = target.partition("#")
    address = address.strip()
    if not LOOKS_LIKE_ONE.match(address):
        raise SpecError(
            f"The model spec {spec!r} needs the address of a server, for example "
            f"openai:http://127.0.0.1:8000/v1#name. Did you mean langchain:openai/{target}?"
        )
    url = (address if "://" in address else f"http://{address}").rstrip("/")
    if not _is_address(url):
        raise SpecError(
            f"The model spec {spec!r} needs an address that begins with http:// or https://, "
            "for example openai:http://127.0.0.1:8000/v1#name."
        )
    url = url if urlsplit(url).path else f"{url}/v1"
    return f"{url}#{name.strip()}" if name.strip() else url


def _is_address(url: str) -> bool:
    """Return True for an address that a client can use."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    plain = not parts.query and not parts.fragment
    return usable and plain and url.isprintable() and " " not in url
