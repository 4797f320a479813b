"""Arguments and options that several commands share, each written once."""

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
    Path,
    typer.Option("--runs", metavar="DIR", envvar="SMOLVILLE_RUNS", help="Where the runs live."),
]


def runs_dir(context: typer.Context) -> Path:
    """Return the folder of runs that this call of the command is about."""
    folder = context.find_root().obj
    return folder if isinstance(folder, Path) else DEFAULT_RUNS


def command(runs: Path, *words: str) -> str:
    """Return a command line to copy: `smolville run amber-otter --resume`."""
    import shlex

    where = () if runs == DEFAULT_RUNS else ("--runs", str(runs))
    return shlex.join(["smolville", *words, *where])
