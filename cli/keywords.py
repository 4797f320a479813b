"""`smolville keywords`: the keywords of a text in one line."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from smolville.agents.errors import RunError, StoppedError
from smolville.cli.options import AsJson
from smolville.cli.screen import say, say_waiting, write, write_json

Words = Annotated[str, typer.Argument(metavar="TEXT", help="The text in quotes, or - for stdin.")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="Let this model choose the keywords: ollama:<name>, llamacpp:<url>, standin, ...",
    ),
]


def keywords(
    context: typer.Context, text: Words, model: Model = None, as_json: AsJson = False
) -> None:
    """Print the keywords of a text in one line, keeping names whole.

    They are separated by commas. Names and words are found by rule, and English words such as
    articles and prepositions are left out. With --model, a model chooses at most six of the words;
    names are kept.
    """
    from smolville.agents.keywords import keywords_of
    from smolville.agents.wording import one_line
    from smolville.world.town.town import Town, shipped_town

    whole = sys.stdin.read() if text == "-" else text
    if not whole.strip():
        raise RunError("Give a text in quotes: smolville keywords 'Nadia plans a party.'")
    names = Town.load(shipped_town()).personas
    found = _choose(context, whole, tuple(names), model) if model else keywords_of(whole, names)
    if as_json:
        write_json(list(found))
    else:
        write(one_line(", ".join(found)))


def _choose(context: typer.Context, text: str, names: Sequence[str], model: str) -> tuple[str, ...]:
    """Return the names of a text and the words that a model chooses.

    If the model gives no usable answer, all words are returned, and a line is printed about it.
    """
    import asyncio

    from smolville.cli.prompt.again import means
    from smolville.history.observers import untraced
    from smolville.lab.extract_keywords import ChosenKeywords, choose_keywords, keyword_templates
    from smolville.lab.single_step import client_for, reason_of
    from smolville.models.pacing import Backoff

    how = means(context, [model])
    (chat,) = how.open_chats(0)
    patience = how.chosen.values.patience
    client = client_for(
        chat,
        keyword_templates(),
        how.rules,
        waiting=say_waiting,
        backoff=Backoff(patience_seconds=patience),
    )

    async def ask_and_close() -> ChosenKeywords:
        try:
            return await choose_keywords(text, names, client)
        finally:
            await chat.aclose()

    try:
        chosen = asyncio.run(untraced(ask_and_close()))
    except StoppedError as error:
        raise reason_of(error) from None
    if chosen.is_by_rule:
        say("The model chose none of the words; these are found by rule.", "yellow", on_stderr=True)
    return chosen.keywords
