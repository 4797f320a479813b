"""The `smolville` command; it starts at once and loads what a command needs when it runs."""

import sys


def main() -> None:
    """Run the command line."""
    from cli.rooms import foreign_room

    complaint = foreign_room()
    if complaint:
        sys.stderr.write(complaint + "\n")
        sys.exit(1)
    from cli.app import app

    app(prog_name="smolville")


if __name__ == "__main__":
    main()
