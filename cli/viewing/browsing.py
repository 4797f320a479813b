"""Open the operator's browser, if there is one."""

import threading
import webbrowser

from cli.screen import say

NONE = "No browser could be opened here; open the address yourself."
TEXT_BROWSERS = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Browsers not to open: they would take over the terminal, and cannot draw the town."""


def open_browser(address: str) -> threading.Thread:
    """Open an address in the default browser, in a thread that is returned."""
    opening = threading.Thread(target=_open, args=(address,), daemon=True)
    opening.start()
    return opening


def _open(address: str) -> None:
    if not can_open() or not webbrowser.open(address):
        say(NONE, "dim", on_stderr=True)


def can_open() -> bool:
    """Return whether the default browser has a window of its own."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return getattr(found, "name", "") not in TEXT_BROWSERS
