"""`smolville export html`: a run as one file that plays anywhere."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AsJson, RunName, runs_dir

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The page to write: town.html. A folder that is missing is made."
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
    """Write a run as one page that replays the town anywhere, offline, with everybody in it.

    It needs a browser only: no model, no server, no internet.
    """
    from cli.screen import present
    from viewer.exporting.take import take
    from world.runs.folder import RunFolder

    folder = RunFolder.open(runs_dir(context), run)
    present(take(folder, file, overwrite=overwrite), as_json=as_json)
