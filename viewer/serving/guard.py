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
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

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
        # No foreign host name can imitate an IP address.
        is_own = _ip_address(name) is not None or name == socket.gethostname().lower()
        return self.host in EVERYWHERE and is_own


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached from this machine only."""
    address = _ip_address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _ip_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    with suppress(ValueError):
        return ipaddress.ip_address(name)
    return None


def split_host(host: str) -> tuple[str, int]:
    """Return a Host header's name and port; the port is -1 when it is not a number."""
    text = host.strip().lower()
    name, _, port = text.rpartition(":")
    if not name or text.endswith("]"):
        name, port = text, "80"
    is_plain = port.isascii() and port.isdecimal() and len(port) <= 5
    return name.removeprefix("[").removesuffix("]"), int(port) if is_plain else -1


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
        # Imported here: the address is printed before they are there.
        from starlette.requests import HTTPConnection
        from starlette.responses import PlainTextResponse

        asked = HTTPConnection(scope)
        asked_token = asked.query_params.get("token", "")
        tokens = (asked_token, asked.cookies.get(self._door.cookie, ""))
        # The values of a repeated header are joined, so that they match no valid value.
        headers = {name: ", ".join(asked.headers.getlist(name)) for name in asked.headers}
        why = NOT_HERE if self._is_foreign(headers, scope["type"]) else ""
        if not why and self._door.token and not any(map(self._door.opens_to, tokens)):
            why = TOKENLESS
        if why and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why})
        elif why:
            refusal = PlainTextResponse(why, 403, {"cache-control": "no-store"})
            await refusal(scope, receive, self._add_headers(send, "", is_new=False))
        else:
            is_new = bool(self._door.token) and self._door.opens_to(asked_token)
            nonce = scope[NONCE] = secrets.token_urlsafe(16)
            await self.app(scope, receive, self._add_headers(send, nonce, is_new=is_new))

    def _is_foreign(self, headers: dict[str, str], kind: str) -> bool:
        """Return whether a request names another app, or comes from another site's page."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._door.is_ours(host) or _is_from_elsewhere(headers):
            return True
        if origin is None:
            return kind == "websocket" and "sec-fetch-site" in headers
        return not self._door.is_own_page(origin, host)

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


def security_headers(own: Headers, nonce: str) -> list[tuple[bytes, bytes]]:
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
