"""`smolville doctor`: which model can be used here, how well, and with which settings."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.screen import print_problem, say, say_waiting, show_view, write, write_json
from smolville.cli.templates import step_named, templates_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.lab.doctor.findings import Advice, DoctorFinding, Findings, Mark
    from smolville.lab.trial import TrialReport

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
        "--write",
        metavar="FILE",
        help="Write the settings to FILE; if it exists, add the model's profile at its end.",
    ),
]
Try = Annotated[
    bool, typer.Option("--try", help="Ask it the fixed moments of every step instead; a table.")
]
Steps = Annotated[
    str, typer.Option("--steps", metavar="A,B", help="With --try: only these steps, by name.")
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
    write_to: Write = None,
    tries: Try = False,
    steps: Steps = "",
) -> None:
    """Check Ollama, llama.cpp and a model before a run.

    Reports what works, how fast, which settings to use and what to do next, within 90 seconds on
    any machine. A server that is busy or still loading is asked again. Exits with 0 when a model
    can be used, else with 1, and then writes no settings. With --try it asks the model the
    questions of a run and counts how well it did, as a Markdown table that can be pasted.
    """
    from smolville.lab.doctor.findings import settings_text, share_calls

    chosen = settings_of(context, {"model": model or None, "prompts": prompts_flag(context)})
    spec = chosen.values.fast
    if tries:
        _try(chosen, spec, steps, as_json=as_json)
        return
    old = None if write_to is None else _read_old(write_to)
    found = [_examine(each, chosen) for each in (spec, *chosen.servers.get(spec or "", ()))]
    first, *others = found
    together = share_calls(found) if others else None
    usable = first.usable if together is None else together.mark == "good"
    if others and usable:
        first.settings = settings_text(first, [each.spec for each in others])
    show_view(DoctorView(found, together), as_json=as_json)
    if write_to is not None:
        _write_settings(first, write_to, old, on_stderr=as_json)
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
    found = asyncio.run(
        examine(
            spec,
            chosen.surroundings,
            chosen.of_model(None).models(),
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
    import tomllib

    from smolville.agents.text_files import read_text

    if not file.parent.is_dir():
        raise SettingError(f"{str(file.parent)!r} is no folder in which to write settings.")
    if not file.exists():
        return None
    try:
        text = read_text(file, newline="")
        tomllib.loads(text)
    except OSError as error:
        raise SettingError(f"{str(file)!r} cannot be read: {error.strerror}.") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{str(file)!r} cannot be added to: no valid TOML: {error}.") from error
    return text


def _write_settings(found: "Findings", file: Path, old: str | None, *, on_stderr: bool) -> None:
    """Write all recommended settings to a new file, or the model's profile into an existing one."""
    from smolville.lab.doctor.findings import add_profile
    from smolville.lab.safe_files import written_whole

    text: str | None = found.settings
    problem = found.problem or ("" if found.usable else "no model can be used")
    if old is not None and not problem:
        text = None if found.is_standin else add_profile(old, found)
        problem = "" if text else f"it has settings for {found.spec}; change them there"
    if problem or not text:
        print_problem(f"Nothing was written to {file}: {problem}")
        raise typer.Exit(1)
    with written_whole(file.resolve()) as draft:
        draft.write_bytes(text.encode("utf-8"))
    say(f"Written to {file}.", on_stderr=on_stderr)


def _try(chosen: "ResolvedSettings", spec: str | None, steps: str, *, as_json: bool) -> None:
    """Ask the fixed moments of every step; exit with 1 only when the model cannot be used."""
    import asyncio

    from smolville.cli.prompt.progress import AskingProgress
    from smolville.graphs.catalogue import STEPS
    from smolville.history.observers import untraced
    from smolville.lab.doctor.examine import REFUSED_SECONDS
    from smolville.lab.evaluation.summary import UNASKED
    from smolville.lab.trial import fixed_moments, markdown, report, try_model
    from smolville.models.keys import UserSpec
    from smolville.models.open import open_chat
    from smolville.models.pacing import Backoff, ask_blocking

    which = tuple(step_named(each.strip()) for each in steps.split(",") if each.strip()) or STEPS
    env, templates, patience = chosen.surroundings, templates_of(chosen), chosen.values.patience
    chat, _ = ask_blocking(
        lambda: open_chat(
            UserSpec(spec) if spec else None,
            settings=chosen.models(),
            seed=chosen.values.seed,
            env=env,
        ),
        patience_seconds=patience,
        refused_seconds=REFUSED_SECONDS,
        on_retry=say_waiting,
    )
    rules = chosen.rules(is_real=not chat.wants_inputs)
    total = len(fixed_moments(which))
    say(f"Trying {chat.spec} on {total} moments …", on_stderr=True)

    async def try_and_report() -> "TrialReport":
        try:
            trial = await try_model(
                chat,
                rules=rules,
                steps=which,
                templates=templates,
                progress=progress.count,
                waiting=progress.waiting,
                backoff=Backoff(patience_seconds=patience),
            )
        finally:
            await chat.aclose()
        return report(trial, chat, rules, templates)

    with AskingProgress(total) as progress:
        results = asyncio.run(untraced(try_and_report()))
    if as_json:
        write_json(results.plain())
    else:
        write(markdown(results))
    if results.total.ends[UNASKED] == results.total.asked:
        raise typer.Exit(1)


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
