"""`smolville keywords`: the keywords of a text in one line."""

import sys
from typing import Annotated

import typer

from agents.errors import RunError
from cli.options import AsJson

Words = Annotated[str, typer.Argument(metavar="TEXT", help="The text in quotes, or - for stdin.")]


def keywords(text: Words, as_json: AsJson = False) -> None:
    """Print the keywords of a text in one line, names whole.

    They are separated by commas, and found by rule: no model is asked. English
    words without a meaning of their own are left out.
    """
    from agents.keywords import keywords_of
    from agents.wording import one_line
    from cli.screen import write, write_json
    from world.town.town import Town, shipped_town

    whole = sys.stdin.read() if text == "-" else text
    if not whole.strip():
        raise RunError("Give a text in quotes: smolville keywords 'Nadia plans a party.'")
    found = keywords_of(whole, Town.load(shipped_town()).personas)
    if as_json:
        write_json(list(found))
    else:
        write(one_line(", ".join(found)))
