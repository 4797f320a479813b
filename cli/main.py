"""Entry point of `smolville`; it starts fast, as each command loads what it needs when run."""

import gc
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

ROOMS = (
    "agents",
    "prompts",
    "parsers",
    "models",
    "graphs",
    "history",
    "world",
    "reports",
    "lab",
    "viewer",
    "towns",
)
"""Packages that must lie in the same folder as the package `cli`."""
LOADING = (10_000, 10, 10)
"""Thresholds of the garbage collector. With the default of 700 objects, the collector would take a
tenth of the time in which a command loads, and find nothing."""


def foreign_room(house: Path | None = None) -> str:
    """Return an error message if one of our packages is not imported from `house`, else "".

    Such generic package names are fine for an application in an environment of its own. If another
    package is called `agents` or `models` too, Python imports the one that comes first on its path.
    """
    house = house or Path(__file__).resolve().parent.parent
    for room in ROOMS:
        found = _folder(room)
        if found is None:
            return (
                f"Smolville's room {room!r} cannot be found beside {str(house / 'cli')!r}; "
                "install smolville again."
            )
        if found.parent != house:
            return (
                f"Another package called {room!r} is imported from {str(found)!r} instead of "
                f"Smolville's own in {str(house)!r}; run Smolville in an environment of its own, "
                "for example with `uv run smolville`."
            )
    return ""


def _folder(room: str) -> Path | None:
    """Return the folder from which a package is, or would be, imported."""
    loaded = sys.modules.get(room)
    spec = loaded.__spec__ if loaded is not None else find_spec(room)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve().parent


def main() -> None:
    """Run the command line."""
    try:
        _run()
    except KeyboardInterrupt:
        # Interrupted while the commands were being loaded; later `CommandGroup` reports it.
        _end("Interrupted.", 130)


def _run() -> None:
    complaint = foreign_room()
    if complaint:
        _end(complaint, 1)
    from cli.app import command
    from cli.guard import clean_for_good

    clean_for_good()
    gc.set_threshold(*LOADING)
    command()(prog_name="smolville")


def _end(message: str, code: int) -> NoReturn:
    """Print why the command ends and exit, without importing any of our packages."""
    sys.stderr.write(f"{message}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
