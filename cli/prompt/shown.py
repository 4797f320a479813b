"""A template with its input model and its answer model, as one page for the terminal."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab.prompting.faults import AnswerFault
from lab.prompting.template_view import AnswerField, InputField, TemplateView

if TYPE_CHECKING:
    from rich.console import RenderableType

ALIASES = 4
"""Maximum number of a field's other names shown."""


@dataclass(frozen=True)
class ShowView:
    """One step's template."""

    shown: TemplateView

    def plain(self) -> object:
        """Return everything as plain data."""
        return self.shown.plain()

    def render(self) -> "RenderableType":
        """Return the page."""
        from rich.console import Group

        from lab.styled import Text

        shown = self.shown
        head = Text.assemble((shown.step, "bold"), (f" · {shown.version} · {self._how()}", "dim"))
        parts: list[RenderableType] = [head]
        for name, text in shown.files.items():
            parts += [_title(name), _source(text)]
        for name, text in shown.formatters.items():
            parts += [_title(f"{name} (of _macros.jinja)"), _source(text)]
        parts += [_title(f"{shown.input_model}: its variables"), _inputs(shown.variables)]
        for card, fields in shown.cards.items():
            parts += [_title(f"{card}: what each has"), _inputs(fields)]
        parts += [_title("{{ format }}: written from the answer"), _source(shown.instructions)]
        parts += [_title(f"{shown.answer_model}: what is answered"), _answers(shown.fields)]
        parts += [_title("What the model is told when it is wrong"), _told(shown.messages)]
        parts += [_title("When nothing helps, the fallback"), Text(shown.fallback)]
        return Group(*parts)

    def _how(self) -> str:
        """Return how the step is asked: tier, temperature, and maximum tokens."""
        shown = self.shown
        sheds = f" · leaves out of {', '.join(shown.sheds)} first" if shown.sheds else ""
        return (
            f"{shown.tier} tier · temperature {shown.temperature:g} · "
            f"at most {shown.max_tokens} tokens{sheds}"
        )


def _title(text: str) -> "RenderableType":
    from lab.styled import Text

    return Text(f"\n{text}", style="bold cyan")


def _source(text: str) -> "RenderableType":
    """Return a template with coloured tags; without a terminal, its lines are not wrapped."""
    from cli.prompt.rendered import spelled_out
    from cli.screen import console
    from lab.styled import Text

    whole = spelled_out(text.rstrip("\n"))
    told = Text(whole, no_wrap=not console().is_terminal, overflow="ignore")
    told.highlight_regex(r"\{#.*?#\}", "dim")
    told.highlight_regex(r"\{%.*?%\}", "magenta")
    told.highlight_regex(r"\{\{.*?\}\}", "green")
    return told


def _inputs(fields: Iterable[InputField]) -> "RenderableType":
    return _grid((field.name, field.type, field.meaning) for field in fields)


def _answers(fields: Iterable[AnswerField]) -> "RenderableType":
    return _grid((field.path, field.rule, _meaning(field)) for field in fields)


def _meaning(field: AnswerField) -> str:
    """Return an answer field's meaning, whether it is optional, and its other names."""
    told = [field.meaning] if field.meaning else []
    if not field.is_required:
        told.append("may be left out")
    if field.aliases:
        told.append(f"also read from {', '.join(field.aliases[:ALIASES])}")
    return "; ".join(told)


def _told(messages: Iterable[AnswerFault]) -> "RenderableType":
    """Return one sentence of each kind; the JSON output has those of every field."""
    first: dict[str, AnswerFault] = {}
    for fault in messages:
        first.setdefault(fault.kind, fault)
    return _grid((fault.kind, fault.sentence) for fault in first.values())


def _grid(rows: Iterable[tuple[str, ...]]) -> "RenderableType":
    from rich.table import Table

    listed: Iterator[tuple[str, ...]] = iter(rows)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", overflow="fold")
    for row in listed:
        table.add_row(*row)
    return table
