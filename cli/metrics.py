"""`smolville metrics`: a run's calls and actions as files for other programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from cli.options import RunName, runs_dir

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder to write to; empty, or not existing yet.")
]
Overwrite = Annotated[
    bool,
    typer.Option("--overwrite", help="Write even where the folder holds files; other files stay."),
]


def metrics(
    context: typer.Context, run: RunName, folder: Folder, overwrite: Overwrite = False
) -> None:
    """Write a run's metrics, for tools that compare towns.

    They are in the file format of Affordable Generative Agents.
    """
    from cli.screen import say
    from reports.metrics import metrics as metrics_of
    from reports.opening import opened_run

    _check(folder, overwrite)
    with opened_run(runs_dir(context), run) as opened:
        files = metrics_of(opened.reader, opened.start_date)
    _write(folder, files)
    say(f"{len(files)} files written to {folder}.")


def _check(folder: Path, overwrite: bool) -> None:
    """Raise RunError when the files cannot be written to this folder."""
    from agents.errors import RunError

    try:
        if folder.is_dir() and not overwrite and any(folder.iterdir()):
            raise RunError(
                f"{str(folder)!r} is not empty; name another folder, or add --overwrite."
            )
    except OSError as error:
        raise RunError(f"{str(folder)!r} cannot be read: {error.strerror}.") from error
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{str(folder)!r} is a file; name a folder.")


def _write(folder: Path, files: Mapping[str, object]) -> None:
    """Write the files; raise RunError when one cannot be written."""
    import json

    from agents.errors import RunError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            text = json.dumps(content, ensure_ascii=False, indent=2)
            (folder / name).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise RunError(f"{str(folder)!r} cannot be written: {error.strerror}.") from error
