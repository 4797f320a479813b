"""`smolville timeline` and `health`: a run as a story, and how its models answered."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.errors import SettingError
from smolville.agents.wording import visible, visible_line
from smolville.cli.options import AsJson, RunName, command, runs_dir
from smolville.cli.screen import say, show_view, write

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.tables import Page
    from smolville.lab.judging.reading import ReaderTally

Agent = Annotated[
    str | None, typer.Option("--agent", "-a", metavar="A", help="Report only one person's days.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to FILE instead of printing."),
]


def timeline(
    context: typer.Context, run: RunName, agent: Agent = None, output: Output = None
) -> None:
    """Print a run as a readable story, in Markdown."""
    from smolville.lab.safe_files import written_whole
    from smolville.reports.runs import opened_run
    from smolville.reports.story import write_story

    with opened_run(runs_dir(context), run) as opened:
        who = None if agent is None else opened.person(agent)
        with opened.reader.snapshot():
            story = visible(write_story(opened.reader, opened.start_date, who))
    if output is None:
        write(story)
        return
    with written_whole(output) as draft:
        draft.write_text(story, encoding="utf-8")
    say(f"Written to {output}.")


By = Annotated[
    Literal["step", "agent", "model", "server", "reason"],
    typer.Option("--by", help="How to group the counts; `reason` lists what went wrong."),
]


ReadBy = Annotated[
    str | None,
    typer.Option(
        "--read-by",
        metavar="SPEC",
        help="Let this model read answers, and say how many make sense: ollama:<name>, ...",
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Number of the run's answers that --read-by reads; default 60."
    ),
]


def health(
    context: typer.Context,
    run: RunName,
    by: By = "step",
    read_by: ReadBy = None,
    sample: Sample = None,
    as_json: AsJson = False,
) -> None:
    """Show how the models answered.

    With --by reason: what went wrong, how often, and where to look.

    No count says whether answers make sense. With --read-by, a model that is
    better than the run's reads some of them blind, among labelled answers that
    show how well it reads; if it reads too badly, nothing is said of the run.
    """
    if read_by is not None:
        _read(context, run, read_by, sample, as_json=as_json)
        return
    if sample is not None:
        raise SettingError("--sample is a number of answers for --read-by SPEC; name a reader.")
    from smolville.cli.ledger import ledger_page, reasons_page
    from smolville.reports.analysis import analyse
    from smolville.reports.health import health as health_of
    from smolville.reports.runs import describe_recording, opened_run

    with opened_run(runs_dir(context), run) as opened, opened.reader.snapshot():
        folder, found = opened.folder, health_of(opened.reader)
        if by == "reason":
            reasons, spec = analyse(opened.reader), folder.spec
            page = reasons_page(found, reasons, runs_dir(context), spec.name, spec.tick_seconds)
        else:
            page = ledger_page(found, by)
    if folder.is_sample and not as_json:
        say(describe_recording(folder), "dim")
    show_view(page, as_json=as_json)


def _read(
    context: typer.Context, run: str, reader: str, sample: int | None, *, as_json: bool
) -> None:
    """Let a model read some of a run's answers among labelled ones, and show what it made of them.

    Every reading is saved at once, and old readings are used.
    """
    from smolville.cli.prompt.again import ask_model, means
    from smolville.lab.judging.reading import (
        READINGS,
        SAMPLE,
        ReaderTally,
        labelled_items,
        read_items,
        run_items,
    )
    from smolville.lab.judging.verdicts import verdicts_in
    from smolville.reports.health import format_answers
    from smolville.reports.health import health as health_of
    from smolville.reports.runs import opened_run

    how, runs = means(context, [reader]), runs_dir(context)
    with opened_run(runs, run) as opened, opened.reader.snapshot():
        name, found = opened.folder.spec.name, health_of(opened.reader)
        items = (*labelled_items(), *run_items(opened.reader, sample or SAMPLE))
    (chat,) = how.open_chats(0)
    with verdicts_in(runs / READINGS) as verdicts:
        ask_model(partial(read_items, items, verdicts), len(items), chat, how)
        known = dict(verdicts.of(chat.spec))
    tally = ReaderTally(reader=chat.spec, items=items, verdicts=known)
    if not as_json:
        say(format_answers(found.total), "bold")
    show_view(_readings_page(tally, runs, name), as_json=as_json)


def _readings_page(tally: "ReaderTally", runs: Path, run: str) -> "Page":
    from smolville.cli.tables import NONE, Page
    from smolville.lab.judging.reading import LABELS, WORDS
    from smolville.lab.judging.verdicts import NONE as UNREAD
    from smolville.lab.styled import Text, plain_table

    words = (*WORDS, UNREAD)
    rows = [[label, *(str(tally.count(label, word) or NONE) for word in words)] for label in LABELS]
    first, *rest = (Text(visible_line(each), style="bold") for each in tally.sentences)
    parts: list[RenderableType] = [first, plain_table(("labelled", *words), rows), *rest]
    for item in tally.senseless if tally.is_trusted else ():
        reason = tally.verdicts[item.key].reason
        told = visible_line(f"{item.time}  {item.agent}, {item.step}: {reason}")
        look = command(runs, "trace", run, item.thought)
        parts.append(Text(f"senseless: {told}", style="yellow"))
        # Never wrapped: these lines are meant to be copied.
        parts.append(Text(f"  {look}", "dim", no_wrap=True, overflow="ignore"))
    return Page(tally.plain(), parts)
