"""`smolville trace`: list thoughts and talks, show one of them as a tree, or send them away."""

from pathlib import Path
from threading import TIMEOUT_MAX
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.errors import SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.options import AsJson, RunName, runs_dir, settings_of
from smolville.cli.screen import say, show_view, write_json

if TYPE_CHECKING:
    from smolville.lab.tracing.listing import TraceRow
    from smolville.reports.runs import OpenRun

Thought = Annotated[
    str | None,
    typer.Argument(
        metavar="THOUGHT", help="The id of a thought, talk or moment; or latest. All by default."
    ),
]
Agent = Annotated[
    str | None,
    typer.Option("--agent", "-a", metavar="A", help="Only this person's thoughts and talks."),
]
OutcomeOf = Annotated[
    Literal["clean", "mended", "repaired", "escalated", "fallback", "failed"] | None,
    typer.Option("--outcome", help="Only thoughts and talks whose worst step ended this way."),
]
All = Annotated[bool, typer.Option("--all", help="Also thoughts that asked no model.")]
Messages = Annotated[
    bool, typer.Option("--messages", help="Show each attempt's messages and reply.")
]
Otlp = Annotated[
    Path | None,
    typer.Option(
        "--otlp", metavar="FILE", help="Write what would be shown to FILE for OpenTelemetry."
    ),
]
Langsmith = Annotated[
    bool, typer.Option("--langsmith", help="Send what would be shown to LangSmith.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace FILE if it exists.")]


def trace(
    context: typer.Context,
    run: RunName,
    thought: Thought = None,
    agent: Agent = None,
    outcome: OutcomeOf = None,
    everything: All = False,
    messages: Messages = False,
    otlp: Otlp = None,
    overwrite: Overwrite = False,
    langsmith: Langsmith = False,
    as_json: AsJson = False,
) -> None:
    """List thoughts and talks, or show one as a tree.

    A tree shows each step, its attempts and calls, with times, tokens, and what was wrong.
    """
    from smolville.cli.trace_views import list_page, tree_page
    from smolville.lab.safe_files import check_free
    from smolville.lab.tracing.listing import find_thought, list_traces
    from smolville.lab.tracing.tree import tree_of
    from smolville.reports.runs import opened_run
    from smolville.world.meaning import find_thinker

    if otlp is not None:
        check_free(otlp, overwrite=overwrite)
    with opened_run(runs_dir(context), run) as opened:
        reader, silent = opened.reader, 0
        if thought:
            rows = [find_thought(reader, thought, opened.tick)]
        else:
            who = agent and find_thinker(agent, reader.agents(), f"the run {run!r}")
            found = list_traces(reader, who, opened.tick)
            found = [each for each in found if outcome in (None, each.outcome)]
            rows = [each for each in found if everything or not each.is_silent]
            silent = len(found) - len(rows)
        if otlp is not None:
            _write(opened, rows, otlp, as_json=as_json)
        elif langsmith:
            _send(context, opened, rows, as_json=as_json)
        elif thought:
            tree = tree_of(reader, rows[0].key)
            assert tree is not None
            show_view(tree_page(tree, opened.format_time(rows[0].at), messages), as_json=as_json)
        else:
            show_view(list_page(opened.folder, rows, silent), as_json=as_json)


def _write(run: "OpenRun", rows: "list[TraceRow]", file: Path, *, as_json: bool) -> None:
    from smolville.lab.tracing.otlp import write_otlp
    from smolville.lab.tracing.tree import tree_of

    trees = [tree for row in rows if (tree := tree_of(run.reader, row.key))]
    count = write_otlp(trees, run.folder.name, file)
    if as_json:
        write_json({"file": str(file), "traces": len(trees), "spans": count})
    else:
        said = f"{format_count(len(trees), 'trace')}, {format_count(count, 'span')}"
        say(f"Written to {file}: {said}.")


def _send(context: typer.Context, run: "OpenRun", rows: "list[TraceRow]", *, as_json: bool) -> None:
    """Send traces to LangSmith; SettingError without a key, SmolvilleError if not all arrived."""
    from smolville.lab.langsmith_target import target_in
    from smolville.lab.tracing.langsmith import TraceSender

    target = target_in(settings_of(context).surroundings)
    if target is None:
        raise SettingError("There is no LANGSMITH_API_KEY in the environment or .env.")
    sender = TraceSender(run.folder, target, "thoughts")
    sender.take(rows)
    taken, why = sender.finish(TIMEOUT_MAX)
    if why:
        raise SmolvilleError(f"Not all traces arrived in LangSmith: {why}.")
    if as_json:
        write_json({"project": target.project, "traces": taken})
    else:
        say(f"{format_count(taken, 'trace')} sent to LangSmith, project {target.project}.")
