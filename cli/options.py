"""Arguments and options that several commands share, each written once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_RUNS = Path("runs")

RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's name; see `smolville runs`.")]
AgentName = Annotated[
    str, typer.Argument(metavar="AGENT", help="A full name, or a first name that is unique.")
]
MaybeAgent = Annotated[
    str | None,
    typer.Argument(metavar="AGENT", help="A full name, or a first name that is unique."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
RunsDir = Annotated[
    Path | None,
    typer.Option(
        "--runs", metavar="DIR", envvar="SMOLVILLE_RUNS", help="Where the runs live: ./runs."
    ),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        envvar="SMOLVILLE_SETTINGS",
        help="The settings file: ./smolville.toml.",
    ),
]
Prompts = Annotated[
    list[Path] | None,
    typer.Option(
        "--prompts",
        metavar="DIR",
        help="Templates laid over the shipped ones: a folder, or the name of a shipped overlay.",
    ),
]


@dataclass(frozen=True)
class Around:
    """What was said for all commands alike; None for what was not."""

    runs: Path | None = None
    settings: Path | None = None
    prompts: tuple[Path, ...] = ()
    """Folders of templates, in the order in which they were named."""


def runs_dir(context: typer.Context) -> Path:
    """Return the folder of runs that this call of the command is about."""
    runs = _runs_asked(context)
    if runs.exists() and not runs.is_dir():
        from agents.errors import SettingError

        raise SettingError(f"{str(runs)!r} is no folder, so no runs can live there; name a folder.")
    return runs


def _runs_asked(context: typer.Context) -> Path:
    """Return the folder that was named: on the command line, in the settings, or the usual one."""
    around = _around(context)
    if around.runs is not None:
        return around.runs
    from cli.settings.noticing import is_anything_set

    if not is_anything_set(around.settings):
        return DEFAULT_RUNS
    from cli.settings.choosing import choose

    return choose(file=around.settings).values.runs


def settings_file(context: typer.Context) -> Path | None:
    """Return the settings file that was named on the command line, None for the usual one."""
    return _around(context).settings


def prompts_said(context: typer.Context) -> tuple[Path, ...]:
    """Return the folders of templates that were named on the command line."""
    return _around(context).prompts


def _around(context: typer.Context) -> Around:
    said = context.find_root().obj
    return said if isinstance(said, Around) else Around()


def command(runs: Path, *words: str) -> str:
    """Return a command line to copy: `smolville run amber-otter --resume`."""
    import shlex

    where = () if runs == DEFAULT_RUNS else ("--runs", str(runs))
    return shlex.join(["smolville", *words, *where])
