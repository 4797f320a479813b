"""Access rules: middleware that refuses foreign requests and requests without the token.

The app answers at its own address only, and only to clients that have the token, because every
account on a machine can reach what listens on loopback.

Every response has a content security policy. A script runs only if it is one of the app's own
files, or if it is written into a page with the nonce of that page's request. NiceGUI's own pages
need more: its templates of components are compiled in the browser, and handlers are evaluated
there, so these pages alone get `unsafe-eval`.
"""

import ipaddress
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names by which a machine reaches itself, and by which no other machine reaches it."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound
"""Addresses that stand for all of a machine's addresses."""
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
NOT_HERE = "This town answers at its own address only."
POLICY_VIOLATION = 1008
"""Code with which a refused websocket is closed."""

TOKENLESS = "This page asks for a token: open the whole address that was printed at its start."
NONCE = "smolville_nonce"
"""Key of the nonce in a request's scope; the nonce is for the scripts of the requested page."""
Headers = Iterable[tuple[bytes, bytes]]
_MARK = (b"x-nicegui-content", b"page")
"""Header that NiceGUI puts on its pages."""
_SCRIPT = re.compile(r"<script\b")
_WITH_NONCE = f"<script nonce=\"{{{{ request.scope['{NONCE}'] }}}}\""
_RULES = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'{more}",
        # Vue and Quasar place and size elements by style attributes, which no nonce can allow.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
_OTHER_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


@dataclass(frozen=True, kw_only=True)
class AccessControl:
    """The app's address, and the token that clients must present."""

    host: str
    port: int
    token: str = ""
    """The token that a client must present; empty to accept everybody who reaches the address."""

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token; each port has its own."""
        return f"smolville-{self.port}"

    def is_ours(self, host: str) -> bool:
        """Return whether a Host header names this app.

        If somebody points a foreign host name at this machine, requests by that name have it in the
        Host header, and so can be told apart.
        """
        name, port = split_host(host)
        return port == self.port and self._is_our_name(name)

    def is_own_page(self, origin: str, host: str) -> bool:
        """Return whether an Origin header matches the address that was requested."""
        return origin.lower() == f"http://{host.lower()}"

    def opens_to(self, shown: str) -> bool:
        """Return whether `shown` is the token; comparing takes the same time for every text."""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def _is_our_name(self, name: str) -> bool:
        if name in LOOPBACK or name == self.host.lower():
            return True
        is_own = name == socket.gethostname().lower()
        return self.host in EVERYWHERE and (_is_number(name) or is_own)


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def split_host(host: str) -> tuple[str, int]:
    """Return a Host header's name and port; the port is -1 when it is not a number."""
    text = host.strip().lower()
    name, _, port = text.rpartition(":")
    if not name or text.endswith("]"):
        name, port = text, "80"
    is_plain = port.isascii() and port.isdecimal() and len(port) <= 5
    return name.removeprefix("[").removesuffix("]"), int(port) if is_plain else -1


def _is_number(name: str) -> bool:
    """Return whether a name is an IP address, which no foreign host name can imitate."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class OriginGuard:
    """Middleware that accepts requests from the app's own pages only."""

    def __init__(self, app: App, door: AccessControl) -> None:
        self.app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward or refuse a request or a websocket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = _read(scope["headers"])
        why = self._why_not(scope, headers)
        if why:
            await _refuse(scope, send, why)
            return
        is_new = bool(self._door.token) and self._door.opens_to(_asked_token(scope))
        nonce = scope[NONCE] = secrets.token_urlsafe(16)
        await self.app(scope, receive, self._add_headers(send, nonce, is_new=is_new))

    def _why_not(self, scope: Scope, headers: dict[str, str]) -> str:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._door.is_ours(host):
            return NOT_HERE
        if origin is not None and not self._door.is_own_page(origin, host):
            return NOT_HERE
        if scope["type"] == "websocket" and origin is None and "sec-fetch-site" in headers:
            return NOT_HERE
        if _is_from_elsewhere(headers):
            return NOT_HERE
        if self._door.token and not self._has_token(scope, headers):
            return TOKENLESS
        return ""

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        shown = (_asked_token(scope), _kept_token(headers.get("cookie", ""), self._door.cookie))
        return any(self._door.opens_to(each) for each in shown)

    def _add_headers(self, send: Send, nonce: str, *, is_new: bool) -> Send:
        """Return a `send` that adds the security headers to a response.

        If `is_new`, it also sets the cookie with the token.
        """
        more: list[tuple[bytes, bytes]] = []
        if is_new:
            # The page is served without a redirect: after following a link from another site, a
            # browser would not send this cookie to the address it is redirected to.
            kept = f"{self._door.cookie}={self._door.token}; Path=/; HttpOnly; SameSite=Strict"
            more.append((b"set-cookie", kept.encode()))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                message = {**message, "headers": [*own, *security_headers(own, nonce), *more]}
            await send(message)

        return send_with_headers


def _is_from_elsewhere(headers: dict[str, str]) -> bool:
    """Return whether another site made the request, as the browser reports.

    A request for a page by following a link does not count.
    """
    site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode", "")
    is_link = mode == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    return site not in ("none", "same-origin") and not is_link


def _read(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by name.

    If a header is repeated, its values are joined, so that they match no valid value. Repeated
    cookie headers are joined as cookies.
    """
    found: dict[str, str] = {}
    for name, value in headers:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        joint = "; " if key == "cookie" else ", "
        found[key] = f"{found[key]}{joint}{text}" if key in found else text
    return found


def _asked_token(scope: Scope) -> str:
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("token", [""])[-1]


def _kept_token(cookies: str, name: str) -> str:
    """Return the token in the cookie, skipping invalid cookies of other programs on this host."""
    for part in cookies.split(";"):
        try:
            found = SimpleCookie(part.strip())
        except CookieError:
            continue
        if name in found:
            return str(found[name].value)
    return ""


async def _refuse(scope: Scope, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why})
        return
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(why)).encode()),
        (b"cache-control", b"no-store"),
    ]
    headers += security_headers(headers)
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": why.encode()})


def security_headers(own: Headers, nonce: str = "") -> list[tuple[bytes, bytes]]:
    """Return the security headers to add to a response whose own headers are `own`."""
    is_nicegui = any((name.lower(), value) == _MARK for name, value in own)
    more = f" 'nonce-{nonce}' 'unsafe-eval'" if is_nicegui and nonce else ""
    policy = _RULES.format(more=more)
    return [*_OTHER_HEADERS, (b"content-security-policy", policy.encode())]


def give_nonces() -> None:
    """Make NiceGUI write the nonce of a page's request into the scripts of its page template.

    Only the template's own scripts get the nonce. Scripts that a page adds get none, because they
    are filled into the template later.
    """
    # Imported here: the address is printed before NiceGUI is there.
    from nicegui.client import templates

    loader: Any = templates.env.loader
    find = loader.get_source
    if getattr(find, "gives_nonces", False):
        return

    def get_source(environment: Any, name: str) -> tuple[str, Any, Any]:
        source, path, is_current = find(environment, name)
        return _SCRIPT.sub(_WITH_NONCE, source), path, is_current

    get_source.gives_nonces = True  # type: ignore[attr-defined]
    loader.get_source = get_source
