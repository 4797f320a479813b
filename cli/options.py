"""Arguments and options shared by several commands, and the functions that read their values."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.settings.choosing import ResolvedSettings
    from prompts.folder import Texts
    from prompts.prompt import TemplateSet


DEFAULT_RUNS = Path("runs")
PROMPTS = "SMOLVILLE_PROMPTS"

RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's name; see `smolville runs`.")]
AgentName = Annotated[
    str, typer.Argument(metavar="AGENT", help="A full name, or a first name that is unique.")
]
MaybeAgent = Annotated[
    str | None,
    typer.Argument(metavar="AGENT", help="A full name, or a first name that is unique."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
RunsDir = Annotated[
    Path | None,
    typer.Option(
        "--runs",
        metavar="DIR",
        envvar="SMOLVILLE_RUNS",
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


@dataclass(frozen=True)
class SharedOptions:
    """Values of the options shared by all commands; None for those not given."""

    runs: Path | None = None
    settings: Path | None = None
    prompts: tuple[Path, ...] = ()
    """Folders of templates, in the order in which they were given."""


def runs_dir(context: typer.Context) -> Path:
    """Return the runs folder to use in this call; raise SettingError if it is not a folder."""
    runs = _runs_asked(context)
    if runs.exists() and not runs.is_dir():
        from agents.errors import SettingError

        raise SettingError(f"{str(runs)!r} is no folder, so no runs can live there; name a folder.")
    return runs


def _runs_asked(context: typer.Context) -> Path:
    """Return the runs folder from the command line or the settings, or else the default one."""
    around = _around(context)
    if around.runs is not None:
        return around.runs
    from cli.settings.noticing import is_anything_set

    if not is_anything_set(around.settings):
        return DEFAULT_RUNS
    from cli.settings.choosing import choose

    return choose(file=around.settings).values.runs


def settings_file(context: typer.Context) -> Path | None:
    """Return the settings file given on the command line, or None for the default one."""
    return _around(context).settings


def prompts_said(context: typer.Context) -> tuple[Path, ...]:
    """Return the folders of templates given on the command line."""
    return _around(context).prompts


def _around(context: typer.Context) -> SharedOptions:
    said = context.find_root().obj
    return said if isinstance(said, SharedOptions) else SharedOptions()


def command(runs: Path, *words: str) -> str:
    """Return a command line to copy: `smolville run amber-otter --resume`."""
    import shlex

    where = () if runs == DEFAULT_RUNS else ("--runs", str(runs))
    return shlex.join(["smolville", *words, *where])


def prompts_flag(context: typer.Context) -> Path | None:
    """Return the value of --prompts, None if not given; raise SettingError for several."""
    said = prompts_said(context)
    if len(said) > 1:
        from agents.errors import SettingError

        raise SettingError(
            f"--prompts was given {len(said)} times; only `smolville prompt eval` takes several, "
            "leave all but one out."
        )
    return said[0] if said else None


def chosen_templates(context: typer.Context) -> "Texts | None":
    """Return the chosen templates by file name, over the shipped ones; None if none were chosen.

    --prompts takes precedence over SMOLVILLE_PROMPTS, and that over `prompts` in smolville.toml.
    Raises SettingError or PromptFolderError. Does not check whether they fit their steps.
    """
    from cli.settings.noticing import is_anything_set

    flag, file = prompts_flag(context), settings_file(context)
    if flag is None and PROMPTS not in os.environ and not is_anything_set(file):
        return None
    from cli.settings.choosing import choose

    return _texts(choose({"prompts": flag}, file))


def templates_of(chosen: "ResolvedSettings") -> "TemplateSet | None":
    """Return the chosen templates, ready for use; None if none were chosen.

    Raises PromptError for an invalid folder and, with file and line, for a template that does not
    fit its step.
    """
    from graphs.checking import checked

    texts = _texts(chosen)
    return None if texts is None else checked(texts)


def templates_folder(chosen: "ResolvedSettings") -> Path | None:
    """Return the folder that the setting `prompts` names; None for the shipped templates."""
    from prompts.errors import PromptFolderError
    from prompts.folder import named

    try:
        return named(chosen.values.prompts) if chosen.values.prompts is not None else None
    except PromptFolderError as error:
        origin = chosen.origin("prompts")
        if origin.kind == "flag":
            raise
        raise PromptFolderError(f"{error}; it is set by {origin.of('prompts')}") from error


def _texts(chosen: "ResolvedSettings") -> "Texts | None":
    from prompts.folder import overlaid

    return None if chosen.values.prompts is None else overlaid(templates_folder(chosen))
