"""The `smolville` command; it starts at once and loads what a command needs when it runs."""

import sys
from typing import NoReturn


def main() -> None:
    """Run the command line."""
    try:
        _run()
    except KeyboardInterrupt:
        # While the commands were still being loaded: later on they say it themselves.
        _end("Interrupted.", 130)


def _run() -> None:
    from cli.rooms import foreign_room

    complaint = foreign_room()
    if complaint:
        _end(complaint, 1)
    from cli.app import app
    from cli.streams import clean_for_good

    clean_for_good()

    app(prog_name="smolville")


def _end(told: str, code: int) -> NoReturn:
    """Say why there is nothing more to do, before any of our rooms may be imported."""
    sys.stderr.write(f"{told}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
