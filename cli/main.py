"""The `smolville` command; it starts at once and loads what a command needs when it runs."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        _run()
    except KeyboardInterrupt:
        # While the commands were still being loaded: later on they say it themselves.
        sys.stderr.write("Interrupted.\n")
        sys.exit(130)


def _run() -> None:
    from cli.rooms import foreign_room

    complaint = foreign_room()
    if complaint:
        sys.stderr.write(complaint + "\n")
        sys.exit(1)
    from cli.app import app
    from cli.streams import clean_for_good

    clean_for_good()

    app(prog_name="smolville")


if __name__ == "__main__":
    main()
