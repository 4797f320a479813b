"""Arguments and options shared by several commands, and the functions that read their values."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from smolville.cli.settings.default_files import is_anything_set

if TYPE_CHECKING:
    from smolville.cli.settings.choosing import ResolvedSettings

Value = TypeVar("Value")
DEFAULT_RUNS = Path("runs")
EVERYBODY = "everybody"
"""Stands for all people of a run where a command takes the name of one."""

RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's name; see `smolville runs`.")]
AgentName = Annotated[
    str, typer.Argument(metavar="AGENT", help="A full name, or a first name that is unique.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
RunsDir = Annotated[
    Path | None,
    typer.Option(
        "--runs",
        metavar="DIR",
        envvar="SMOLVILLE_RUNS",
        readable=False,
        help="The folder of the runs; default ./runs.",
    ),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        envvar="SMOLVILLE_SETTINGS",
        help="The settings file; default ./smolville.toml.",
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
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any setting for this command alone, such as repairs=0 or steps.say.tier=strong.",
    ),
]


@dataclass(frozen=True)
class SharedOptions:
    """Values of the options shared by all commands; None for those not given."""

    runs: Path | None = None
    settings: Path | None = None
    prompts: tuple[Path, ...] = ()
    """Folders of templates, in the order in which they were given."""
    pairs: tuple[str, ...] = ()
    """Settings, each as `NAME=VALUE`."""


def runs_dir(context: typer.Context) -> Path:
    """Return the runs folder to use in this call; raise SettingError if it cannot hold runs."""
    runs = _runs_asked(context)
    why_not = _why_no_folder(runs)
    if why_not:
        from smolville.agents.errors import SettingError

        raise SettingError(why_not)
    return runs


def _why_no_folder(runs: Path) -> str:
    """Return why a folder cannot hold runs; empty if it can. The folder need not exist yet."""
    for path in (runs, *runs.parents):
        # Unlike Path.is_dir, this takes a path in a closed folder for none that is there.
        if os.path.isdir(path):  # noqa: PTH112
            needed = os.R_OK | os.X_OK if path == runs else os.X_OK
            if os.access(path, needed, effective_ids=True):
                return ""
            return f"{str(path)!r} may not be read; allow it, or name another folder with --runs."
        if os.path.lexists(path) and (path == runs or not path.is_symlink()):
            return f"{str(path)!r} is no folder, so no runs can live there; name a folder."
    return ""


def _runs_asked(context: typer.Context) -> Path:
    """Return the runs folder from the command line or the settings, or else the default one."""
    around = _read_shared_options(context)
    if around.runs is not None:
        return around.runs
    if not around.pairs and not is_anything_set(around.settings):
        return DEFAULT_RUNS
    return settings_of(context).values.runs


def settings_of(
    context: typer.Context, said: Mapping[str, Any] | None = None
) -> "ResolvedSettings":
    """Return every setting for this call; `said` holds the command's own flags, None if not given.

    Raises SettingError for an unknown name or an invalid value.
    """
    from smolville.cli.settings.choosing import choose, read_pairs

    around = _read_shared_options(context)
    return choose({**(said or {}), **read_pairs(around.pairs)}, around.settings)


def settings_file(context: typer.Context) -> Path | None:
    """Return the settings file given on the command line, or None for the default one."""
    return _read_shared_options(context).settings


def pairs_said(context: typer.Context) -> tuple[str, ...]:
    """Return the settings given by --set, each as `NAME=VALUE`."""
    return _read_shared_options(context).pairs


def prompts_said(context: typer.Context) -> tuple[Path, ...]:
    """Return the folders of templates given on the command line."""
    return _read_shared_options(context).prompts


def _read_shared_options(context: typer.Context) -> SharedOptions:
    values = context.find_root().obj
    return values if isinstance(values, SharedOptions) else SharedOptions()


def command(runs: Path, *words: str) -> str:
    """Return a command line to copy: `smolville run amber-otter --resume`."""
    import shlex

    return shlex.join(["smolville", *words, *where(runs)])


def where(runs: Path) -> tuple[str, ...]:
    """Return the options that name a folder of runs in a command; none for the default one."""
    return () if runs == DEFAULT_RUNS else ("--runs", str(runs))


def prompts_flag(context: typer.Context) -> Path | None:
    """Return the value of --prompts, None if not given; raise SettingError for several."""
    return only_value("--prompts", prompts_said(context), "`smolville prompt eval` takes several")


def only_value(option: str, given: Sequence[Value] | None, several: str) -> Value | None:
    """Return an option's value, or None if it was not given.

    Raises SettingError if it was given more than once; the message names `several`, an option that
    may be repeated.
    """
    if given and len(given) > 1:
        from smolville.agents.errors import SettingError

        raise SettingError(
            f"{option} was given {len(given)} times; only {several}, leave all but one out."
        )
    return given[0] if given else None
