"""`smolville doctor`: which model can be used here, how well, and with which settings."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.screen import print_problem, say, say_waiting, show_view
from smolville.cli.templates import templates_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.lab.doctor.findings import Advice, DoctorFinding, Findings, Mark

Model = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="The model to check, by default the one this machine offers; repeat it for the "
        "model's other servers.",
    ),
]
Write = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the settings to FILE; if it exists, only add the model's profile.",
    ),
]
STYLES: "dict[Mark, tuple[str, str]]" = {
    "good": ("ok", "green"),
    "note": ("", "cyan"),
    "bad": ("!!", "red"),
    "unknown": ("?", "yellow"),
}
"""Text and colour of each mark; the text is for readers who cannot see colours."""


def doctor(
    context: typer.Context,
    model: Model = None,
    as_json: AsJson = False,
    write: Write = None,
) -> None:
    """Check Ollama, llama.cpp and a model before a run.

    Reports what works, how fast, and which settings to use, within 90 seconds on any machine, and
    says what could not be determined by then. A server that is busy or still loading is asked
    again. Exits with 0 when a model can be used. When none can, it writes no settings and exits
    with 1. Advice is given in both cases. Several servers of one model are checked one after the
    other, and it exits with 0 when a run can use all of them.
    """
    from smolville.lab.doctor.findings import share_calls
    from smolville.lab.doctor.profile import settings_text

    chosen = settings_of(context, {"model": model or None, "prompts": prompts_flag(context)})
    spec = chosen.values.fast
    old = None if write is None else _read_old(write)
    found = [_examine(each, chosen) for each in (spec, *chosen.servers.get(spec or "", ()))]
    first, *others = found
    together = share_calls(found) if others else None
    usable = first.usable if together is None else together.mark == "good"
    if others and usable:
        first.settings = settings_text(first, [each.spec for each in others])
    show_view(DoctorView(found, together), as_json=as_json)
    if write is not None:
        _write_settings(first, write, old, on_stderr=as_json)
    if not usable:
        raise typer.Exit(1)


def _examine(spec: str | None, chosen: "ResolvedSettings") -> "Findings":
    """Return the findings, and store how long a call takes for later runs.

    Profiles are ignored: they may be from an earlier version of the model or of its server.
    """
    import asyncio

    from smolville.lab.doctor.examine import ProbeLimits, examine
    from smolville.lab.duration import remember_seconds
    from smolville.prompts.prompt import shipped_templates

    limits = ProbeLimits(
        patience=chosen.values.patience, templates=templates_of(chosen) or shipped_templates()
    )
    settings = chosen.of_model(None).models()
    found = asyncio.run(
        examine(
            spec,
            chosen.surroundings,
            settings,
            probes=limits,
            progress=lambda doing: say(f"{doing} …", "dim", on_stderr=True),
            on_retry=say_waiting,
        )
    )
    remember_seconds(found.spec, found.seconds_a_call)
    return found


def _read_old(file: Path) -> str | None:
    """Return the settings to which a profile is added; None if the file is not there yet.

    Raises SettingError if nothing can be written there; called before the examination.
    """
    from smolville.agents.text_files import read_text
    from smolville.lab.doctor.profile import read_toml

    if not file.parent.is_dir():
        raise SettingError(f"{str(file.parent)!r} is no folder in which to write settings.")
    if file.is_dir():
        raise SettingError(f"{str(file)!r} is a folder; name a file.")
    if not file.exists():
        return None
    try:
        text = read_text(file, newline="")
        read_toml(text)
    except OSError as error:
        raise SettingError(f"{str(file)!r} cannot be read: {error.strerror}.") from error
    except SettingError as error:
        raise SettingError(f"{str(file)!r} cannot be added to: {error}") from error
    return text


def _write_settings(found: "Findings", file: Path, old: str | None, *, on_stderr: bool) -> None:
    """Write all recommended settings to a new file, or the model's profile into an existing one."""
    from smolville.lab.doctor.profile import merge_profile, recommend_profile
    from smolville.lab.safe_files import written_whole

    profile = recommend_profile(found)
    if not found.usable or (old is not None and not profile):
        why = found.problem or "the stand-in has no profile that could be added"
        print_problem(f"Nothing was written to {file}: {why}")
        raise typer.Exit(1)
    text, told = found.settings, [f"Written to {file}."]
    if old is not None:
        merged = merge_profile(old, found.spec, profile)
        text = merged.text
        told = [f"The profile of {found.spec} is in {file}; everything else stayed as it was."]
        told += [f"{name} stays as you set it there." for name in merged.kept]
    with written_whole(file.resolve()) as draft:
        draft.write_bytes(text.encode("utf-8"))
    for line in told:
        say(line, on_stderr=on_stderr)


@dataclass(frozen=True)
class DoctorView:
    """All findings, advice and settings, for each server of the model."""

    found: "list[Findings]"
    together: "DoctorFinding | None" = None

    def plain(self) -> object:
        """Return plain data with stable keys."""
        servers = [each.plain() for each in self.found]
        if self.together is None:
            return servers[0]
        usable = self.together.mark == "good"
        return {"usable": usable, "servers": servers, "together": self.together.text}

    def render(self) -> "RenderableType":
        """Return the findings by probe, what to do, and the settings to copy."""
        from rich.console import Group

        from smolville.lab.styled import Text

        parts: list[RenderableType] = []
        for each in self.found:
            if self.together is not None:
                parts.append(Text(each.spec or str(each.asked), style="bold cyan"))
            parts += [_table(each.findings), Text("")]
            if each.advice:
                parts += [Text("What to do", style="bold"), *_advice(each.advice), Text("")]
        if self.together is not None:
            parts += [_table([self.together]), Text("")]
        if settings := self.found[0].settings:
            parts.append(
                Text("Settings for this machine (to keep them: --write smolville.toml)", "bold")
            )
            # Never wrapped: half a comment on a line of its own is not valid TOML.
            parts.append(Text(settings.rstrip(), "dim", no_wrap=True, overflow="ignore"))
        return Group(*parts)


def _table(findings: "list[DoctorFinding]") -> "RenderableType":
    from rich.table import Table

    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for probe, several in groupby(findings, key=lambda each: each.probe):
        for number, each in enumerate(several):
            word, style = STYLES[each.mark]
            table.add_row("" if number else probe, Text(word, style=style), Text(each.text))
    return table


def _advice(advice: "tuple[Advice, ...]") -> "Iterator[RenderableType]":
    """Yield each piece of advice; its command has a line of its own, to be copied whole."""
    from rich.table import Table

    from smolville.lab.styled import Text

    for each in advice:
        bullet = Table.grid(padding=(0, 1, 0, 0))
        bullet.add_row(" -", Text(each.text))
        yield bullet
        if each.command:
            # Indented with spaces, because padding would crop the command.
            yield Text(f"     {each.command}", "cyan", overflow="ignore", no_wrap=True)
