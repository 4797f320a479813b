"""Entry point of `smolville`; it starts fast, as each command loads what it needs when run.

Only modules that Python has loaded anyway are imported at the top: an interruption before `main`
begins would end with a traceback.
"""

import os
import sys

_INTERRUPTED = 130
"""The exit code of `cli.guard`, which is not imported before an interruption is heeded."""
LOADING = (10_000, 10, 10)
"""Thresholds of the garbage collector. With the default of 700 objects, the collector would take a
tenth of the time in which a command loads, and find nothing."""


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
    import gc

    from smolville.cli.app import command
    from smolville.cli.guard import clean_for_good

    clean_for_good()
    gc.set_threshold(*LOADING)
    command()(prog_name="smolville")


def _say(message: str) -> None:
    """Print why the command ends, without importing any of our packages."""
    sys.stderr.write(f"{message}\n")


if __name__ == "__main__":
    main()
