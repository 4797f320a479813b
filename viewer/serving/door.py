"""Whom the app answers to: its own address alone, and on other hosts whoever has the token."""

import ipaddress
import secrets
import socket
from dataclasses import dataclass

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names by which this machine alone reaches itself."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound
"""Stand for all of a machine's addresses."""


@dataclass(frozen=True, kw_only=True)
class Door:
    """Where the app listens, and what a visitor must show."""

    host: str
    port: int
    token: str = ""
    """Empty where only this machine can come in."""

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token; each port has one of its own."""
        return f"smolville-{self.port}"

    @property
    def authority(self) -> str:
        """Host and port as they stand in an address."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == 80 else f"{name}:{self.port}"

    def is_ours(self, host: str) -> bool:
        """True when a Host header names this app.

        A page elsewhere whose name was made to lead here still says its own name.
        """
        name, port = split_host(host)
        return port == self.port and self._is_our_name(name)

    def is_own_page(self, origin: str, host: str) -> bool:
        """True when an Origin header is that of the very address that was asked."""
        return origin.lower() == f"http://{host.lower()}"

    def opens_to(self, shown: str) -> bool:
        """True when what a visitor shows is the token; takes as long for every wrong one."""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def _is_our_name(self, name: str) -> bool:
        if name in LOOPBACK or name == self.host.lower():
            return True
        return self.host in EVERYWHERE and (_is_number(name) or name == _own_name())


def is_loopback(host: str) -> bool:
    """True for a host that nobody but this machine reaches."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def split_host(host: str) -> tuple[str, int]:
    """Return a Host header's name and port; port -1 where it is no number."""
    text = host.strip().lower()
    name, _, port = text.rpartition(":")
    if not name or text.endswith("]"):
        name, port = text, "80"
    is_plain = port.isascii() and port.isdecimal() and len(port) <= 5
    return name.removeprefix("[").removesuffix("]"), int(port) if is_plain else -1


def _is_number(name: str) -> bool:
    """True for an address in numbers: no foreign name can be made to lead here as one."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _own_name() -> str:
    return socket.gethostname().lower()
