"""Opens the operator's browser, where there is one."""

import threading
import webbrowser

from cli.screen import say

NONE = "No browser could be opened here; open the address yourself."
TEXT_BROWSERS = ("www-browser", "links", "elinks", "lynx", "w3m")
"""They would take the terminal, and draw no town."""


def open_browser(address: str) -> threading.Thread:
    """Open an address in the default browser, without waiting for it; return who does it."""
    opening = threading.Thread(target=_open, args=(address,), daemon=True)
    opening.start()
    return opening


def _open(address: str) -> None:
    if not can_open() or not webbrowser.open(address):
        say(NONE, "dim", on_stderr=True)


def can_open() -> bool:
    """True when the default browser is one with a window of its own."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return getattr(found, "name", "") not in TEXT_BROWSERS
