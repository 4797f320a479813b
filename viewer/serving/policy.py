"""The content security policy of every response, and nonces for the scripts of NiceGUI's pages.

A script runs only if it is one of the app's own files, or if it is written into a page with the
nonce of that page's request. NiceGUI's own pages need more: its templates of components are
compiled in the browser, and handlers are evaluated there, so these pages alone get `unsafe-eval`.
"""

import re
import secrets
from collections.abc import Iterable
from typing import Any

NONCE = "smolville_nonce"
"""Key of the nonce in a request's scope; the nonce is for the scripts of the requested page."""
Headers = Iterable[tuple[bytes, bytes]]
_MARK = (b"x-nicegui-content", b"page")
"""Header that NiceGUI puts on its pages."""
_SCRIPT = re.compile(r"<script\b")
_WITH_NONCE = f"<script nonce=\"{{{{ request.scope['{NONCE}'] }}}}\""
_POLICY = "; ".join(
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


def new_nonce() -> str:
    """Return a random nonce."""
    return secrets.token_urlsafe(16)


def security_headers(own: Headers, nonce: str = "") -> list[tuple[bytes, bytes]]:
    """Return the security headers to add to a response whose own headers are `own`."""
    is_nicegui = any((name.lower(), value) == _MARK for name, value in own)
    more = f" 'nonce-{nonce}' 'unsafe-eval'" if is_nicegui and nonce else ""
    policy = _POLICY.format(more=more)
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
