"""Open a page in the default browser, without showing its address to other accounts.

Every account on a machine can read the command lines of all processes. An address that holds a
token is therefore never passed to a browser: the browser opens a file that leads to the address and
that only its owner can read.
"""

import atexit
import os
import tempfile
import threading
import webbrowser
from html import escape
from pathlib import Path

from smolville.cli.screen import say

NO_BROWSER = "No browser could be opened here; open the address yourself."
TEXT_BROWSERS = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Text browsers, which are never opened: they would take over the terminal and cannot draw the
town."""
LINK = """<!DOCTYPE html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Smolville</title><a href="{address}">Smolville</a>
"""


def open_browser(address: str, folder: Path) -> threading.Thread:
    """Open an address in the default browser, in a thread that is returned.

    The file that leads to the address lies in `folder`, because some browsers cannot read a
    system's folder for temporary files; it is deleted when the process ends.
    """
    opening = threading.Thread(target=_open, args=(address, folder), daemon=True)
    opening.start()
    return opening


def _open(address: str, folder: Path) -> None:
    try:
        is_open = can_open() and webbrowser.open(_link_to(address, folder).as_uri())
    except OSError:
        is_open = False
    if not is_open:
        say(NO_BROWSER, "dim", on_stderr=True)


def can_open() -> bool:
    """Return whether the default browser is a graphical one."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return getattr(found, "name", "") not in TEXT_BROWSERS


def _link_to(address: str, folder: Path) -> Path:
    """Write the file that leads to an address, readable by its owner only, and return its path."""
    place = folder.absolute() if os.access(folder, os.W_OK | os.X_OK) else None
    number, name = tempfile.mkstemp(".html", ".open-", place)
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(LINK.format(address=escape(address)))
    return path
