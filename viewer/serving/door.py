"""Access rules: the app answers at its own address only, and on non-loopback hosts with a token."""

import ipaddress
import secrets
import socket
from dataclasses import dataclass

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names by which only this machine reaches itself."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound
"""Addresses that stand for all of a machine's addresses."""


@dataclass(frozen=True, kw_only=True)
class AccessControl:
    """Where the app listens, and the token that clients must present."""

    host: str
    port: int
    token: str = ""
    """Empty when only this machine can connect."""

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token; each port has its own."""
        return f"smolville-{self.port}"

    @property
    def authority(self) -> str:
        """Host and port as written in an address."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == 80 else f"{name}:{self.port}"

    def is_ours(self, host: str) -> bool:
        """Return whether a Host header names this app.

        A foreign host name that was pointed at this machine still appears in its Host header.
        """
        name, port = split_host(host)
        return port == self.port and self._is_our_name(name)

    def is_own_page(self, origin: str, host: str) -> bool:
        """Return whether an Origin header matches the address that was requested."""
        return origin.lower() == f"http://{host.lower()}"

    def opens_to(self, shown: str) -> bool:
        """Return whether `shown` is the token; the comparison takes constant time."""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def _is_our_name(self, name: str) -> bool:
        if name in LOOPBACK or name == self.host.lower():
            return True
        return self.host in EVERYWHERE and (_is_number(name) or name == _own_name())


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


def _own_name() -> str:
    return socket.gethostname().lower()
