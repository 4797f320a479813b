"""`smolville export`: the commands that write a run for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from cli.exporting.moments import export_moments
from cli.grouping import group
from cli.options import AsJson, RunName, runs_dir

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The page to write: town.html. Missing folders are created."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file.")]


def export_html(
    context: typer.Context,
    run: RunName,
    file: File,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write a run as one HTML page that replays the whole town offline.

    The page needs only a browser: no model, no server, no internet.
    """
    from cli.screen import present
    from history.folder import RunFolder
    from viewer.exporting.take import take

    folder = RunFolder.open(runs_dir(context), run)
    present(take(folder, file, overwrite=overwrite), as_json=as_json)


export = group(
    "Write what a run holds for other programs.",
    "Begin with: smolville export html RUN town.html",
)
export.command("html")(export_html)
export.command("moments")(export_moments)
