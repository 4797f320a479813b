"""`smolville doctor`: which model can be used here, how well, and with which settings."""

import json
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.screen import say, say_waiting, show_view, write, write_json
from smolville.cli.templates import step_named, templates_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.cli.tables import Page
    from smolville.lab.doctor.findings import Advice, Findings, Mark
    from smolville.lab.evaluation.results import Evaluation

Model = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC", help="The model to check, by default the one this machine offers."
    ),
]
Write = Annotated[
    Path | None,
    typer.Option(
        "--write", metavar="FILE", help="Write the settings to FILE, a new one; - prints them only."
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
    import asyncio

    from smolville.lab.doctor.examine import ProbeLimits, examine
    from smolville.lab.doctor.findings import advise
    from smolville.lab.safe_files import written_whole
    from smolville.prompts.prompt import shipped_templates

    chosen = settings_of(context, {"model": model, "prompts": prompts_flag(context)})
    spec = chosen.values.fast
    if tries:
        _try(chosen, spec, steps, as_json=as_json)
        return
    is_printed = str(write_to) == "-"
    if write_to is not None and (write_to.exists() or not write_to.parent.is_dir()):
        what = "exists (--write - prints them)" if write_to.exists() else "is in no folder"
        raise SettingError(f"{str(write_to)!r} {what}: name another file for the settings.")
    limits = ProbeLimits(
        patience=chosen.values.patience, templates=templates_of(chosen) or shipped_templates()
    )
    found = asyncio.run(
        examine(
            spec,
            chosen.surroundings,
            # Profiles may be from an earlier version of the model or of its server.
            chosen.of_model(None).models(),
            probes=limits,
            progress=lambda doing: say(f"{doing} …", "dim", on_stderr=True),
            on_retry=say_waiting,
        )
    )
    if write_to is not None and not is_printed:
        found.advice = advise(found, is_kept=True)
    if is_printed and found.usable and not as_json:
        write(found.settings)
    else:
        show_view(doctor_page(found), as_json=as_json)
    if not found.usable:
        raise typer.Exit(1)
    if write_to is not None and not is_printed:
        with written_whole(write_to.resolve()) as draft:
            draft.write_bytes(found.settings.encode("utf-8"))
        say(f"Written to {write_to}.", on_stderr=as_json)


def _try(chosen: "ResolvedSettings", spec: str | None, steps: str, *, as_json: bool) -> None:
    """Ask the fixed moments of every step; exit with 1 only when the model cannot be used."""
    import asyncio

    from smolville.cli.prompt.progress import AskingProgress
    from smolville.graphs.catalogue import STEPS
    from smolville.history.observers import untraced
    from smolville.lab.doctor.examine import REFUSED_SECONDS
    from smolville.lab.trial import fixed_moments, markdown, plain, setup_of, try_model
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

    async def ask() -> "Evaluation":
        try:
            return await try_model(
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

    with AskingProgress(total) as progress:
        trial = asyncio.run(untraced(ask()))
    setup = setup_of(chat, rules, templates)
    if as_json:
        write_json(plain(trial, setup))
    else:
        write(markdown(trial, setup))
    if all(each.outcome is None for each in trial.results):
        raise typer.Exit(1)


def doctor_page(found: "Findings") -> "Page":
    """Return the findings by probe, the settings in a line, and what to try next."""
    from smolville.cli.tables import Page
    from smolville.lab.styled import Text

    parts: list[RenderableType] = [_table(found)]
    if found.advice:
        parts += [Text(""), Text("Next", style="bold"), *_advice(found.advice)]
    return Page(found.plain(), parts)


def _settings_in_a_line(found: "Findings") -> str:
    values = tomllib.loads(found.settings)
    (profile,) = values.pop("profiles", {"": {}}).values()
    shown = {name: each for name, each in values.items() if name not in ("model", "embedder")}
    return ", ".join(f"{name} {json.dumps(each)}" for name, each in (shown | profile).items())


def _table(found: "Findings") -> "RenderableType":
    from rich.table import Table

    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for probe, several in groupby(found.findings, key=lambda each: each.probe):
        for number, each in enumerate(several):
            word, style = STYLES[each.mark]
            table.add_row("" if number else probe, Text(word, style=style), Text(each.text))
    if found.settings and (shown := _settings_in_a_line(found)):
        table.add_row("settings", "", Text(shown.replace('"', "")))
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
