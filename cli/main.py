"""Entry point of `smolville`; it starts fast, as each command loads what it needs when run.

Only modules that Python has loaded anyway are imported at the top: an interruption before `main`
begins would end with a traceback.
"""

import os
import sys

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
_INTERRUPTED = 130
"""The exit code of `cli.guard`, which is not imported before the rooms are known to be ours."""
LOADING = (10_000, 10, 10)
"""Thresholds of the garbage collector. With the default of 700 objects, the collector would take a
tenth of the time in which a command loads, and find nothing."""


def foreign_room() -> str:
    """Return an error message if one of our packages is not the one beside this one, else "".

    Such generic package names are fine for an application in an environment of its own. If another
    package is called `agents` or `models` too, Python imports the one that comes first on its path.
    """
    from importlib.util import find_spec
    from pathlib import Path

    house = Path(__file__).resolve().parent.parent
    for room in ROOMS:
        loaded = sys.modules.get(room)
        spec = loaded.__spec__ if loaded is not None else find_spec(room)
        if spec is None or spec.origin is None:
            return (
                f"Smolville's room {room!r} cannot be found beside {str(house / 'cli')!r}; "
                "install smolville again."
            )
        found = Path(spec.origin).resolve()
        if found != house / room / "__init__.py":
            return (
                f"Another package called {room!r} is imported from {str(found)!r} instead of "
                f"Smolville's own in {str(house)!r}; run Smolville in an environment of its own, "
                "for example with `uv run smolville`."
            )
    return ""


def main() -> None:
    """Run the command line; whenever it is interrupted, it ends with code 130."""
    try:
        import atexit
        import signal

        # The first to be registered is the last to run. Afterwards Python gives up its handlers,
        # and an interruption would kill the process.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
        try:
            _run()
        finally:
            # Python's own end may wait for threads; interrupted, it would print a traceback.
            if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    except KeyboardInterrupt:
        # Interrupted while the commands were being loaded; later `CommandGroup` reports it.
        _say("Interrupted.")
        sys.exit(_INTERRUPTED)


def _run() -> None:
    complaint = foreign_room()
    if complaint:
        _say(complaint)
        sys.exit(1)
    import gc

    from cli.app import command
    from cli.guard import clean_for_good

    clean_for_good()
    gc.set_threshold(*LOADING)
    command()(prog_name="smolville")


def _say(message: str) -> None:
    """Print why the command ends, without importing any of our packages."""
    sys.stderr.write(f"{message}\n")


if __name__ == "__main__":
    main()
