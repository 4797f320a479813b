"""`smolville prompt list` and `show`: all templates as a table, or everything about one of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from smolville.cli.options import AsJson, runs_dir
from smolville.cli.screen import console, show_view
from smolville.cli.templates import StepName, named_templates, step_named

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.prompting.template_view import (
        AnswerFault,
        AnswerField,
        InputField,
        TemplateView,
    )
    from smolville.lab.prompting.templates import TemplateRow
    from smolville.lab.styled import Text


def list_prompts(context: typer.Context, as_json: AsJson = False) -> None:
    """List the templates: their variables, sizes, and results.

    Sizes are estimated token counts of the sample prompt in two parts: the beginning, which is the
    same for every agent and can be served from a server's cache, and the rest. Shares are counted
    over the latest runs that used exactly this template.
    """
    from smolville.lab.prompting.templates import list_templates

    texts, _ = named_templates(context)
    rows = list_templates(runs_dir(context), texts)
    show_view(ListView(rows), as_json=as_json)


SIZES = "Beneath: hash, variables. Sizes in tokens, estimated."
HEADINGS = (
    *("step", "tier", "stable", "volatile"),
    *("uses", "clean", "mended", "repaired", "fallback", "odd"),
)
WORDS = 2
"""Number of columns that hold words; the others hold numbers."""
INDENT = 2
"""Number of spaces before a template's hash and its variables."""


@dataclass(frozen=True)
class ListView:
    """All templates."""

    rows: "list[TemplateRow]"

    def plain(self) -> object:
        """Return a list with an object per template."""
        return [row.plain() for row in self.rows]

    def render(self) -> "RenderableType":
        """Return the table."""
        from rich.console import Group
        from rich.padding import Padding

        from smolville.lab.styled import Text

        cells = [_cells(row) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(HEADINGS, *cells, strict=True)]
        parts: list[RenderableType] = [_line(HEADINGS, widths, "bold")]
        for row, words in zip(self.rows, cells, strict=True):
            parts.append(_line(words, widths, ""))
            beneath = Text(f"{row.version}  {' '.join(row.variables)}", style="dim")
            parts.append(Padding(beneath, (0, 0, 0, INDENT), expand=False))
        return Group(*parts, Text(), Text(self._note(), style="dim"))

    def _note(self) -> str:
        """Return a note that explains the numbers."""
        from smolville.lab.prompting.templates import RUNS

        counted = max((row.runs for row in self.rows), default=0)
        if not counted:
            return f"{SIZES} No run has asked with these templates yet."
        latest = "the latest run" if counted == 1 else f"the latest {counted} runs"
        return (
            f"{SIZES} Shares of {latest} with the very template (at most {RUNS}); repaired counts "
            "what the strong model put right too."
        )


def _cells(row: "TemplateRow") -> tuple[str, ...]:
    """Return the cells of a template's row."""
    shares = (
        row.share("clean"),
        row.share("mended"),
        row.share("repaired", "escalated"),
        row.share("fallback"),
        row.odd / row.uses if row.uses else None,
    )
    return (
        *(row.step, row.tier, str(row.stable), str(row.volatile)),
        str(row.uses or ""),
        *("" if share is None else f"{share:.0%}" for share in shares),
    )


def _line(cells: tuple[str, ...], widths: list[int], style: str) -> "Text":
    from smolville.lab.styled import Text

    columns = [
        cell.ljust(width) if number < WORDS else cell.rjust(width)
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return Text(" ".join(columns).rstrip(), style=style, no_wrap=True)


def show_prompt(context: typer.Context, step: StepName, as_json: AsJson = False) -> None:
    """Show a template, its variables, and what its answer may be.

    Includes its partials, the input model, the format instructions it shows, the answer model, and
    the sentences that a model is told when its answer is wrong.
    """
    from smolville.lab.prompting.template_view import show_step

    texts, _ = named_templates(context)
    shown = show_step(step_named(step), texts)
    show_view(ShowView(shown), as_json=as_json)


ALIASES = 4
"""Maximum number of a field's other names shown."""


@dataclass(frozen=True)
class ShowView:
    """One step's template."""

    shown: "TemplateView"

    def plain(self) -> object:
        """Return everything as plain data."""
        return self.shown.plain()

    def render(self) -> "RenderableType":
        """Return the template, its variables and its answer, as printed."""
        from rich.console import Group

        from smolville.lab.styled import Text

        shown = self.shown
        head = Text.assemble(
            (shown.step, "bold"), (f" · {shown.version} · {self._format_settings()}", "dim")
        )
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
        parts += [
            _title("What the model is told when it is wrong"),
            _format_answer_faults(shown.messages),
        ]
        parts += [_title("When nothing helps, the fallback"), Text(shown.fallback)]
        return Group(*parts)

    def _format_settings(self) -> str:
        """Return how the step is asked: tier, temperature, and maximum tokens."""
        shown = self.shown
        sheds = f" · leaves out of {', '.join(shown.sheds)} first" if shown.sheds else ""
        return (
            f"{shown.tier} tier · temperature {shown.temperature:g} · "
            f"at most {shown.max_tokens} tokens{sheds}"
        )


def _title(text: str) -> "RenderableType":
    from smolville.lab.styled import Text

    return Text(f"\n{text}", style="bold cyan")


def _source(text: str) -> "RenderableType":
    """Return a template with coloured tags; without a terminal, its lines are not wrapped."""
    from smolville.cli.prompt.render import spelled_out
    from smolville.lab.styled import Text

    whole = spelled_out(text.rstrip("\n"))
    styled = Text(whole, no_wrap=not console().is_terminal, overflow="ignore")
    styled.highlight_regex(r"\{#.*?#\}", "dim")
    styled.highlight_regex(r"\{%.*?%\}", "magenta")
    styled.highlight_regex(r"\{\{.*?\}\}", "green")
    return styled


def _inputs(fields: "Iterable[InputField]") -> "RenderableType":
    return _grid((field.name, field.type, field.meaning) for field in fields)


def _answers(fields: "Iterable[AnswerField]") -> "RenderableType":
    return _grid((field.path, field.rule, _meaning(field)) for field in fields)


def _meaning(field: "AnswerField") -> str:
    """Return an answer field's meaning, whether it is optional, and its other names."""
    parts = [field.meaning] if field.meaning else []
    if not field.is_required:
        parts.append("may be left out")
    if field.aliases:
        parts.append(f"also read from {', '.join(field.aliases[:ALIASES])}")
    return "; ".join(parts)


def _format_answer_faults(messages: "Iterable[AnswerFault]") -> "RenderableType":
    """Return one example sentence per kind of fault; the JSON output has one per field, too."""
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
