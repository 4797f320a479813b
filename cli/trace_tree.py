"""A thought or a talk as a tree in the terminal, with its costs and its result."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smolville.agents.wording import format_count, percent, visible_line
from smolville.lab.tracing.span import Kind, Span

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from smolville.lab.styled import Text

STYLES = {
    "clean": "green",
    "mended": "green",
    "repaired": "cyan",
    "escalated": "cyan",
    "fallback": "yellow",
    "failed": "red",
}
"""Style of each outcome."""


@dataclass(frozen=True)
class TraceTreeView:
    """One thought or talk."""

    root: Span
    when: str
    """The town time with its date."""
    messages: bool = False
    """Whether to show the messages and the reply of each attempt."""
    langsmith: str = ""
    """A line with LangSmith's link, or why there is none; empty if LangSmith is not used."""

    def plain(self) -> object:
        """Return the tree as plain data, always including the messages."""
        return self.root.plain() | ({"langsmith": self.langsmith} if self.langsmith else {})

    def render(self) -> "RenderableType":
        """Return the tree, headed by lines on the name, the costs, the cause and the result."""
        from rich.console import Group
        from rich.tree import Tree

        from smolville.lab.styled import Text

        tree = Tree(_head(self.root, self.when), guide_style="dim")
        for child in self.root.children:
            self._grow(tree, child)
        return Group(tree, *([Text(self.langsmith, "dim")] if self.langsmith else []))

    def _grow(self, tree: "Tree", span: Span) -> None:
        """Add a span and its descendants to the tree."""
        from smolville.lab.styled import Text

        line = Text(visible_line(span.name), "bold" if span.kind == "step" else "")
        if span.kind == "step" and span.metadata["agent"] != self.root.metadata["agent"]:
            line.append(f"  {span.metadata['agent']}", "not bold cyan")
        for words, style in _LINES.get(span.kind, _format_duration_only)(span):
            if words:
                line.append("  ").append(visible_line(words), f"not bold {style}")
        branch = tree.add(line)
        if self.messages and span.kind == "model":
            for role, text in _read_messages(span):
                branch.add(Text.assemble((f"{role}\n", "bold magenta"), _lines(text)))
        for child in span.children:
            self._grow(branch, child)


Words = Iterator[tuple[str, str]]
"""Pairs of a text and its style."""


def _head(root: Span, when: str) -> "Text":
    """Return a thought's name, its costs, its cause, and its result."""
    from smolville.lab.styled import Text

    fields = root.metadata
    head = Text(visible_line(root.name), "bold")
    facts = [
        format_count(fields["calls"], "call") if fields["calls"] else "no model was asked",
        tokens(fields),
        duration(root.milliseconds),
        when,
        fields["thought"],
    ]
    head.append("\n").append(fields["outcome"], f"not bold {STYLES.get(fields['outcome'], '')}")
    if fields["odd_kinds"]:
        head.append(f", odd: {', '.join(fields['odd_kinds'])}", "not bold yellow")
    head.append(" · " if fields["outcome"] else "", "not bold")
    head.append(" · ".join(filter(None, facts)), "not bold")
    for words in _describe_cause(root):
        head.append(f"\n{visible_line(words)}", "not bold dim")
    if root.error:
        head.append(f"\n{visible_line(root.error)}", "not bold red")
    return head


def _describe_cause(root: Span) -> Iterator[str]:
    """Yield lines on the cause of a thought or talk, and on its result."""
    fields = root.metadata
    yield fields["why"]
    if planned := fields.get("planned_by") or fields.get("begun_by"):
        yield f"{'planned' if 'planned_by' in fields else 'begun'} by {planned}"
    if root.kind == "talk":
        yield f"at {fields['place']}" if fields["place"] else "somewhere"
        yield f"{format_count(fields['lines'], 'line')}, ended by {fields['ended_by'] or 'the cap'}"
        return
    yield from fields["felt"]
    yield from fields["reused"]
    yield from fields["came_up"]
    if fields["nodes"]:
        yield " → ".join(fields["nodes"])
    if not root.error:
        yield f"it leads to: {root.outputs['intent'] or 'nothing new'}"


def _step(span: Span) -> Words:
    fields = span.metadata
    yield fields["outcome"], STYLES.get(fields["outcome"], "")
    yield duration(span.milliseconds), "dim"
    yield tokens(fields), "dim"
    yield fields["moment"], "dim"
    for kind, sentence in zip(fields["odd_kinds"], fields["odd"], strict=True):
        yield f"odd ({kind}): {sentence}", "yellow"


def _recall(span: Span) -> Words:
    queries = format_count(len(span.inputs["queries"]), "query", "queries")
    found = format_count(len(span.outputs["documents"]), "memory", "memories")
    yield duration(span.milliseconds), "dim"
    yield f"{queries} → {found}", "dim"


def _render(span: Span) -> Words:
    fields = span.metadata
    yield duration(span.milliseconds), "dim"
    yield (f"template {fields['template']}" if "template" in fields else ""), "dim"
    yield (format_count(fields["examples"], "example") if fields.get("examples") else ""), "dim"
    yield (f"{fields['dropped']} left out" if fields.get("dropped") else ""), "yellow"


def _attempt(span: Span) -> Words:
    yield duration(span.milliseconds), "dim"
    waited = span.metadata["waited_ms"]
    is_long = waited > 0.5 * span.milliseconds and waited >= 100.0
    yield (f"{duration(waited)} of it waiting" if is_long else ""), "dim"


def _model(span: Span) -> Words:
    fields = span.metadata
    elsewhere = fields["source"] != "model"
    yield (f"out of the {fields['source']}" if elsewhere else duration(span.milliseconds)), "dim"
    yield tokens(fields), "dim"
    yield (f"tier {fields['tier']}" if fields["tier"] != "fast" else ""), "dim"
    yield ("cut off" if fields["finish"] == "length" else ""), "yellow"
    yield (
        (f"{format_count(fields['retries'], 'call')} lost before" if fields["retries"] else ""),
        "yellow",
    )
    yield (
        (f"{format_count(fields['cuts'], 'prompt')} too long before" if fields["cuts"] else ""),
        "yellow",
    )


def _parse(span: Span) -> Words:
    fields = span.metadata
    yield duration(span.milliseconds), "dim"
    if fields["accepted"]:
        yield "accepted", "green"
    for mend in fields["mends"]:
        yield mend, "dim"
    for problem in fields["problems"]:
        yield problem, "red"


def _format_duration_only(span: Span) -> Words:
    yield duration(span.milliseconds), "dim"


_LINES: dict[Kind, Callable[[Span], Words]] = {
    "step": _step,
    "recall": _recall,
    "render": _render,
    "attempt": _attempt,
    "model": _model,
    "parse": _parse,
}


def _read_messages(span: Span) -> Iterator[tuple[str, str]]:
    """Yield the role and the text of each message of a call, and of its reply."""
    message: dict[str, Any]
    for message in span.inputs["messages"]:
        yield message["role"], message["content"]
    reply = span.outputs["message"]
    if reply.get("thinking"):
        yield "thinking", reply["thinking"]
    yield "reply", reply["content"]


def _lines(text: str) -> str:
    """Return a text with its line breaks, but with other control characters as spaces."""
    return "\n".join(
        "".join(letter if letter.isprintable() else " " for letter in line)
        for line in text.strip("\n").split("\n")
    )


def duration(milliseconds: float) -> str:
    """Return a readable duration: `0.8 ms`, `46 ms`, `12.3 s`, `4 min 5 s`."""
    if milliseconds < 9.95:
        return f"{milliseconds:.1f} ms"
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000.0
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def tokens(counts: Mapping[str, Any]) -> str:
    """Return the token counts: `715 → 55 tokens, 97 % cached`; empty if unknown."""
    prompt, completion = counts.get("prompt_tokens"), counts.get("completion_tokens")
    if prompt is None and completion is None:
        return ""
    both = f"{_number(prompt)} → {_number(completion)} tokens"
    cached = counts.get("cached_tokens")
    if cached is None or not prompt:
        return both
    return f"{both}, {percent(cached, prompt, digits=0)} cached"


def _number(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"
