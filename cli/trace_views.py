"""Thoughts and talks as a table, and one of them as a tree in the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.tree import Tree

from smolville.agents.times import moment
from smolville.agents.wording import format_count, format_seconds, percent, visible_line
from smolville.cli.options import command
from smolville.cli.tables import Page, to_the_minute
from smolville.history.folder import RunFolder
from smolville.lab.styled import Text
from smolville.lab.tracing.listing import TraceRow
from smolville.lab.tracing.tree import Span

STYLES = {
    "clean": "green",
    "mended": "green",
    "repaired": "cyan",
    "escalated": "cyan",
    "fallback": "yellow",
    "failed": "red",
}
"""Style of each outcome."""


def list_page(run: RunFolder, rows: Sequence[TraceRow], silent: int) -> Page:
    """Return thoughts and talks in order of time; `silent` others asked no model."""
    data = [
        {"id": row.digits, **row.key._asdict(), "time": moment(row.at), "name": row.name}
        | {key: value for key, value in asdict(row).items() if key not in ("key", "at", "did")}
        for row in rows
    ]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("time", style="cyan", no_wrap=True, justify="right")
    table.add_column("who", overflow="fold", min_width=8)
    table.add_column("did", overflow="fold", min_width=len("reflect_questions,"))
    table.add_column("outcome", no_wrap=True)
    for heading in ("calls", "tokens", "s"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("id", no_wrap=True)
    for row in rows:
        known = [each for each in (row.prompt_tokens, row.completion_tokens) if each]
        table.add_row(
            to_the_minute(row.at),
            " & ".join(name.split()[0] for name in row.people),
            row.did,
            Text(row.outcome, STYLES.get(row.outcome, "")),
            str(row.calls or ""),
            f"{sum(known):,}" if known else "",
            f"{row.milliseconds / 1000:.1f}",
            row.digits,
            style="dim" if row.is_silent else "",
        )
    talks = sum(row.key.kind == "talk" for row in rows)
    thoughts = format_count(len(rows) - talks, "thought")
    head = f" · {thoughts}, {format_count(talks, 'talk')}"
    parts: list[RenderableType] = [Text.assemble((run.name, "bold"), head)]
    if rows:
        look = command(run.path.parent, "trace", run.name, rows[-1].digits)
        parts += [table, Text(f"One as a tree: {look}", "dim")]
    if silent:
        more = f"{format_count(silent, 'thought')} asked nothing; --all lists them, too."
        parts.append(Text(more, "dim"))
    return Page(data, parts)


def tree_page(root: Span, when: str, messages: bool) -> Page:
    """Return one thought or talk at a town time, with the attempts' `messages` if wanted."""
    tree = Tree(_head(root, when), guide_style="dim")
    for child in root.children:
        _grow(tree, root, child, messages)
    return Page(root.plain(), [tree])


def _head(root: Span, when: str) -> Text:
    fields = root.metadata
    head = Text(visible_line(root.name), "bold")
    calls = format_count(fields["calls"], "call") if fields["calls"] else "no model was asked"
    took = format_seconds(root.milliseconds)
    facts = [fields["outcome"], calls, tokens(fields), took, when, fields["thought"]]
    head.append("\n" + " · ".join(filter(None, facts)), "not bold")
    if fields["odd_kinds"]:
        head.append(f"\nodd: {', '.join(fields['odd_kinds'])}", "not bold yellow")
    for words in _causes(root):
        head.append(f"\n{visible_line(words)}", "not bold dim")
    if root.error:
        head.append(f"\n{visible_line(root.error)}", "not bold red")
    return head


def _grow(tree: Tree, root: Span, span: Span, messages: bool) -> None:
    """Add a span and its descendants to the tree; nodes without content are left out."""
    if span.kind == "node":
        for child in span.children:
            _grow(tree, root, child, messages)
        return
    line = Text(visible_line(span.name), "bold" if span.kind == "step" else "")
    if "line" in span.metadata and span.kind == "step":
        speaker, *to = (
            name.split()[0] for name in (span.metadata["speaker"], *span.metadata["to"])
        )
        line.append(f"  {speaker} to {' & '.join(to)}", "not bold cyan")
    line.append(f"  {format_seconds(span.milliseconds)}", "not bold dim")
    for words, style in _facts(span):
        line.append("  ").append(visible_line(words), f"not bold {style}")
    branch = tree.add(line)
    if messages and span.kind == "model":
        names = ("temperature", "max_tokens", "seed")
        branch.add(Text("  ".join(f"{name} {span.metadata[name]}" for name in names), "dim"))
        for message in (*span.inputs["messages"], span.outputs["message"]):
            text = "\n".join(visible_line(each) for each in message["content"].split("\n"))
            branch.add(Text.assemble((f"{message['role']}\n", "bold magenta"), text))
    for child in span.children:
        _grow(branch, root, child, messages)


def _causes(root: Span) -> Iterator[str]:
    """Yield lines on the cause of a thought or talk, and on its result."""
    fields = root.metadata
    yield fields["why"]
    if planned := fields.get("planned_by") or fields.get("begun_by"):
        yield f"{'planned' if 'planned_by' in fields else 'begun'} by {planned}"
    if root.kind == "talk":
        lines = format_count(fields["lines"], "line")
        yield f"at {fields['place']}: {lines}, ended by {fields['ended_by'] or 'the cap'}"
        return
    yield from (*fields["felt"], *fields["reused"], *fields["came_up"])
    yield " → ".join(fields["nodes"])
    yield f"it leads to: {root.outputs['intent'] or 'nothing new'}"


def _facts(span: Span) -> Iterator[tuple[str, str]]:
    """Yield what is told of a span behind its name, with styles."""
    fields = span.metadata
    if span.kind == "step":
        yield fields["outcome"], STYLES.get(fields["outcome"], "")
        yield from ((f"odd: {sentence}", "yellow") for sentence in fields["odd"])
    if span.kind == "recall":
        yield format_count(len(span.outputs["documents"]), "memory", "memories"), "dim"
    if span.kind in ("step", "model"):
        yield tokens(fields), "dim"
    names = {"step": ("moment",), "prompt": ("template", "examples", "dropped")}
    names |= {"model": ("source", "tier", "finish", "retries", "cuts")}
    usual = ("model", "fast", "stop", 0)
    told = ((name, fields[name]) for name in names.get(span.kind, ()) if name in fields)
    yield from ((f"{name} {value}", "dim") for name, value in told if value not in usual)
    if span.kind == "ask" and fields["waited_ms"] >= 100:
        yield f"waited {format_seconds(fields['waited_ms'])}", "dim"
    if span.kind == "parse":
        yield ("accepted" if fields["accepted"] else ""), "green"
        yield from ((mend, "dim") for mend in fields["mends"])
        yield from ((problem, "red") for problem in fields["problems"])


def tokens(counts: Mapping[str, Any]) -> str:
    """Return the token counts: `715 → 55 tokens, 97 % cached`; empty if unknown."""
    prompt, completion = counts.get("prompt_tokens"), counts.get("completion_tokens")
    if prompt is None or completion is None:
        return ""
    cached = counts.get("cached_tokens")
    share = f", {percent(cached, prompt, digits=0)} cached" if cached and prompt else ""
    return f"{prompt:,} → {completion:,} tokens{share}"
