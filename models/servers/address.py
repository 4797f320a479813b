"""Addresses of servers, in the forms that people and specs use, and the proxies on the way."""

import ipaddress
import os
import re
import ssl
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from smolville.models.errors import SpecError

OLLAMA_PORT, LLAMACPP_PORT = 11434, 8080
LLAMACPP_URL = f"http://127.0.0.1:{LLAMACPP_PORT}"
"""Default address of llama.cpp's server."""
PROXIED = ("http", "https", "all")
"""Kinds of traffic for which the environment may name a proxy."""
PROXIES = ("http", "https", "socks5", "socks5h")
"""Schemes of proxies that httpx can use."""
LOOKS_LIKE_ONE = re.compile(
    r"\w+://|localhost\b|\[[0-9A-Fa-f:.]+\]|[\w.-]+:\d+|[\w-]+(\.[\w-]+)*/|\d+(\.\d+){3}"
)
"""Beginnings of addresses that model names do not have."""
ROUTE = "/chat/completions"
"""End of addresses that people copy from an example with curl."""


def ollama_url(host: str | None) -> str:
    """Return the URL in `OLLAMA_HOST`, read as Ollama reads it, without surrounding quotes.

    A server that listens everywhere (0.0.0.0) is addressed by the loopback address. Raises
    SpecError.
    """
    given = (host or "").strip().strip("\"'").rstrip("/")
    scheme, _, rest = given.rpartition("://")
    scheme = scheme.lower() or "http"
    is_ipv6 = rest.count(":") > 1 and _ip(rest) is not None
    try:
        parts = urlsplit(f"//[{rest}]" if is_ipv6 else f"//{rest}")
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
    digits = parts.netloc.rpartition(":")[2]
    port = int(digits) if digits.isdecimal() and 0 < int(digits) < 65536 else None
    usual = {"http": 80, "https": 443}[scheme] if "://" in given else OLLAMA_PORT
    return f"{scheme}://{name}:{port or usual}{parts.path}"


def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def is_loopback(url: str) -> bool:
    """Return True for an address on this machine, which is never reached through a proxy."""
    name = urlsplit(url).hostname or ""
    address = _ip(name)
    return name == "localhost" if address is None else address.is_loopback


def trust_settings(url: str) -> dict[str, Any]:
    """Return arguments for an httpx client: the environment's proxy, and TLS.

    This machine is never reached through a proxy. Reading the machine's certificates takes tens of
    milliseconds for each client, so a client that uses plain HTTP with this machine reads none.
    The proxy is chosen here, because httpx would also open those that this address does not need.
    Raises SpecError for a proxy that cannot be used.
    """
    parts = urlsplit(url)
    if is_loopback(url):
        plain = parts.scheme == "http"
        verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True
        return {"trust_env": False, "verify": verify}
    from urllib.request import getproxies, proxy_bypass

    proxies = {name: proxy for name, proxy in getproxies().items() if name in PROXIED}
    if not proxies:
        return {"trust_env": True, "verify": True}
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if proxy is None or proxy_bypass(parts.netloc.rpartition("@")[2]):
        from httpx import create_ssl_context

        return {"trust_env": False, "verify": create_ssl_context()}
    return {"trust_env": True, "verify": True, "proxy": _usable_proxy(proxy, parts.hostname or "")}


def _usable_proxy(proxy: str, host: str) -> str:
    """Return a proxy's URL. Raises SpecError, without the password that it may hold."""
    url = proxy if "://" in proxy else f"http://{proxy}"
    variable = next((name for name, value in os.environ.items() if value == proxy), "The proxy")
    otherwise = f"or name {host} in NO_PROXY to reach it directly."
    if not _is_usable(url, PROXIES):
        raise SpecError(
            f"{variable} is no address of a proxy that can be used: write http://host:port, "
            f"{otherwise}"
        )
    if url.startswith("socks") and find_spec("socksio") is None:
        raise SpecError(
            f"{variable} names a SOCKS proxy, for which the package socksio is missing: install it "
            f"(pip install socksio), {otherwise}"
        )
    return url


def server_url(address: str, *, spec: str) -> str:
    """Return the address of a llama.cpp server (`llamacpp_address`). Raises SpecError otherwise."""
    url = llamacpp_address(address)
    if url is None:
        raise SpecError(
            f"The model spec {spec!r} needs the address of a llama.cpp server and nothing else, "
            f"for example llamacpp:{LLAMACPP_URL}; of a server with several models, "
            f"openai:{LLAMACPP_URL}/v1#<name> names one."
        )
    return url


def compatible_url(target: str, *, spec: str) -> str:
    """Return `url#name` of a compatible server, with the address from `compatible_address`."""
    address, _, name = target.partition("#")
    url = compatible_address(address.strip())
    if url is None or not LOOKS_LIKE_ONE.match(address.strip()):
        hint = "" if "://" in address else f" Did you mean langchain:openai/{target}?"
        raise SpecError(
            f"The model spec {spec!r} needs the address of a server that begins with http:// or "
            f"https://, for example openai:http://127.0.0.1:8000/v1#name.{hint}"
        )
    return f"{url}#{name.strip()}" if name.strip() else url


def llamacpp_address(address: str) -> str | None:
    """Return `scheme://host[:port][/path]`, without trailing slash or `/v1`; None if invalid.

    A port alone means this machine; a host alone means llama.cpp's default port.
    """
    if address.isdecimal():
        address = f"127.0.0.1:{address}"
    elif re.fullmatch(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]", address):
        address = f"{address}:{LLAMACPP_PORT}"
    url = address if "://" in address else f"http://{address}"
    return _trim_address(url).removesuffix("/v1").rstrip("/") if _is_address(url) else None


def compatible_address(address: str) -> str | None:
    """Return `scheme://host[:port]/path`, with `/v1` if no path is given; None if invalid."""
    url = _trim_address(address if "://" in address else f"http://{address}")
    if not _is_address(url):
        return None
    return url if urlsplit(url).path else f"{url}/v1"


def _trim_address(url: str) -> str:
    return url.rstrip("/").removesuffix(ROUTE).rstrip("/")


def _is_address(url: str) -> bool:
    is_plain = "?" not in url and "#" not in url and url.isprintable() and " " not in url
    return is_plain and _is_usable(url, ("http", "https"))


def _is_usable(url: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
