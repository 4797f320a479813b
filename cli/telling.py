"""`smolville timeline` and `smolville digest`: a run as a story, and as one hash."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AsJson, RunName, runs_dir

Agent = Annotated[
    str | None, typer.Option("--agent", "-a", metavar="A", help="The days of one person only.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to FILE instead of printing."),
]


def timeline(
    context: typer.Context, run: RunName, agent: Agent = None, output: Output = None
) -> None:
    """Print a run as a readable story, in Markdown."""
    from agents.errors import RunError
    from agents.wording import visible
    from cli.screen import say, write
    from reports.opening import opened_run
    from reports.story import tell

    with opened_run(runs_dir(context), run) as opened:
        who = None if agent is None else opened.person(agent)
        with opened.reader.snapshot():
            story = visible(tell(opened.reader, opened.start_date, who))
    if output is None:
        write(story)
        return
    try:
        output.write_text(story, encoding="utf-8")
    except OSError as error:
        raise RunError(f"{str(output)!r} cannot be written: {error.strerror}.") from error
    say(f"Written to {output}.")


def digest(context: typer.Context, run: RunName, as_json: AsJson = False) -> None:
    """Print one hash of the whole history.

    Equal runs have equal digests.
    """
    from cli.screen import write, write_json
    from history.digest import digest as digest_of
    from history.digest import digest_parts
    from reports.opening import opened_run

    with opened_run(runs_dir(context), run) as opened:
        if as_json:
            parts = digest_parts(opened.reader)
            write_json({"digest": digest_of(opened.reader), "tables": parts})
        else:
            write(digest_of(opened.reader))
