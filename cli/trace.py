"""`smolville trace`: list thoughts and talks, or show one of them as a tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.errors import SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.options import AsJson, RunName, runs_dir, settings_of
from smolville.cli.screen import say, show_view, write_json

if TYPE_CHECKING:
    from smolville.lab.tracing.listing import Mode
    from smolville.lab.tracing.span import Span
    from smolville.reports.runs import OpenRun

NO_KEY = "There is no LANGSMITH_API_KEY in the environment or .env; LangSmith's settings make one."

Thought = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="THOUGHT",
        help='The id of a thought, talk or moment; "Nadia 07:40"; or latest. All by default.',
    ),
]
Agent = Annotated[
    str | None,
    typer.Option("--agent", "-a", metavar="A", help="List one person's thoughts and talks only."),
]
OutcomeOf = Annotated[
    str | None,
    typer.Option(
        "--outcome",
        metavar="O",
        help="List only thoughts and talks whose worst step had this outcome: "
        "clean, mended, repaired, escalated, fallback or failed.",
    ),
]
All = Annotated[bool, typer.Option("--all", help="Also list thoughts that asked no model.")]
Step = Annotated[
    str | None, typer.Option("--step", metavar="S", help="Show only this step of the thought.")
]
Messages = Annotated[
    bool, typer.Option("--messages", help="Show each attempt's messages and reply.")
]
Otlp = Annotated[
    Path | None,
    typer.Option(
        "--otlp",
        metavar="FILE",
        help="Write the thought to FILE as OpenTelemetry JSON (*.pb: binary); without THOUGHT, "
        "all that are listed.",
    ),
]
Langsmith = Annotated[
    Literal["thoughts", "hours", "failures"] | None,
    typer.Option(help="Send the whole run to LangSmith, as `run --trace` would have done."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace FILE if it exists.")]


@dataclass(frozen=True)
class TraceOptions:
    """Command-line options of `smolville trace`."""

    thought: str
    """The thought to show as a tree; empty to list thoughts."""
    agent: str | None
    outcome: str | None
    everything: bool
    step: str | None
    messages: bool

    def check(self) -> None:
        """Raise SettingError for options that do not fit together, or an unknown outcome."""
        from smolville.graphs.loop.ledger import OUTCOMES
        from smolville.lab.moments.finding import check_outcome

        of_lists = {"--agent": self.agent, "--outcome": self.outcome, "--all": self.everything}
        of_one = {"--step": self.step, "--messages": self.messages}
        wrong = [flag for flag, value in (of_lists if self.thought else of_one).items() if value]
        if wrong and self.thought:
            raise SettingError(f"{wrong[0]} is of the list; leave out {self.thought!r}, or it.")
        if wrong:
            raise SettingError(f"{wrong[0]} is of one thought; name it, or `latest`.")
        check_outcome(self.outcome, (*OUTCOMES, "failed"), "thought")

    def check_whole(self, otlp: Path | None) -> None:
        """Raise SettingError if --langsmith comes with a part of a run, or with --otlp."""
        values = {"--otlp": otlp, "--agent": self.agent, "--outcome": self.outcome}
        wrong = [repr(self.thought)] if self.thought else []
        wrong += [flag for flag, value in values.items() if value is not None]
        if wrong:
            raise SettingError(f"--langsmith sends a whole run; leave {wrong[0]} out.")


def trace(
    context: typer.Context,
    run: RunName,
    thought: Thought = None,
    agent: Agent = None,
    outcome: OutcomeOf = None,
    everything: All = False,
    step: Step = None,
    messages: Messages = False,
    otlp: Otlp = None,
    overwrite: Overwrite = False,
    langsmith: Langsmith = None,
    as_json: AsJson = False,
) -> None:
    """List thoughts and talks, or show one as a tree.

    A tree shows each step, its attempts and calls, with times, tokens, and what was wrong.
    """
    from smolville.cli.trace_tree import TraceTreeView
    from smolville.lab.safe_files import check_free
    from smolville.reports.runs import opened_run

    asked = TraceOptions(" ".join(thought or ()), agent, outcome, everything, step, messages)
    asked.check()
    if langsmith is not None:
        asked.check_whole(otlp)
        _send(context, run, langsmith, as_json=as_json)
        return
    if otlp is not None:
        check_free(otlp, overwrite=overwrite)
    with opened_run(runs_dir(context), run) as opened:
        if not asked.thought:
            _several(opened, asked, otlp, as_json=as_json)
            return
        span = _read_tree(opened, asked)
        if otlp is not None:
            _write([span], run, otlp, as_json=as_json)
            return
        at = span.metadata["tick"] * opened.folder.spec.tick_seconds
        view = TraceTreeView(span, opened.format_time(at), messages, _link(context, span))
        show_view(view, as_json=as_json)


def _read_tree(run: "OpenRun", asked: TraceOptions) -> "Span":
    """Return the requested thought as a tree, or only one of its steps if a step was named."""
    from smolville.lab.tracing.listing import find_thought
    from smolville.lab.tracing.tree import tree_of

    span = tree_of(run.reader, find_thought(run.reader, asked.thought, run.tick).key)
    assert span is not None
    return span if asked.step is None else span.select_step(asked.step)


def _several(run: "OpenRun", asked: TraceOptions, otlp: Path | None, *, as_json: bool) -> None:
    """List thoughts and talks, or write them all to a file."""
    from smolville.cli.trace_table import ListedView
    from smolville.lab.tracing.listing import list_traces
    from smolville.lab.tracing.tree import tree_of
    from smolville.world.meaning import find_thinker

    where = f"the run {run.folder.name!r}"
    who = None if asked.agent is None else find_thinker(asked.agent, run.reader.agents(), where)
    known = list_traces(run.reader, who, run.tick)
    found = [each for each in known if asked.outcome in (None, each.outcome)]
    kept = [each for each in found if asked.everything or not each.is_silent]
    if otlp is not None:
        spans = [tree for each in kept if (tree := tree_of(run.reader, each.key))]
        _write(spans, run.folder.name, otlp, as_json=as_json)
        return
    view = ListedView(run.folder, kept, len(found) - len(kept))
    show_view(view, as_json=as_json)


def _write(spans: "Sequence[Span]", run: str, file: Path, *, as_json: bool) -> None:
    """Write trees as OpenTelemetry JSON, and print how many were written."""
    from smolville.lab.tracing.otlp import write_otlp

    count = write_otlp(spans, run, file)
    if as_json:
        write_json({"file": str(file), "traces": len(spans), "spans": count})
    else:
        say(
            f"Written to {file}: {format_count(len(spans), 'trace')}, "
            f"{format_count(count, 'span')}."
        )


def _link(context: typer.Context, span: "Span") -> str:
    """Return a line with a thought's LangSmith link, or why it has none; "" if LangSmith is off."""
    from smolville.cli.run.langsmith import tracing

    target = tracing(settings_of(context)).target
    if target is None:
        return ""
    from smolville.lab.tracing.langsmith.sender import quiet
    from smolville.lab.tracing.langsmith.tree_sender import NotSent, TreeSender

    try:
        with quiet():
            return f"In LangSmith, if it was sent: {TreeSender(target).link(span)}"
    except NotSent as error:
        return f"LangSmith was asked for a link to it: {error}."


def _send(context: typer.Context, run: str, mode: "Mode", *, as_json: bool) -> None:
    """Send a run to LangSmith; SettingError without a key, SmolvilleError if not all arrived."""
    from smolville.lab.tracing.langsmith.sender import post_run
    from smolville.lab.tracing.langsmith.target import target_in
    from smolville.reports.runs import opened_run

    chosen = settings_of(context)
    target = target_in(chosen.surroundings, chosen.values.trace_mask)
    if target is None:
        raise SettingError(NO_KEY)
    with opened_run(runs_dir(context), run) as opened:
        sent = post_run(opened.folder, target, mode, opened.tick)
    result = sent.describe(target.project)
    if sent.missed:
        raise SmolvilleError(result)
    if as_json:
        write_json({"project": target.project, "traces": sent.sent})
    else:
        say(result or f"The run {run!r} holds nothing of that kind.")
