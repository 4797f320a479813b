"""`smolville prompt eject`: templates copied out for editing."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson
from cli.prompt.named import templates_said

if TYPE_CHECKING:
    from lab.prompting.ejecting import EjectResult

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder to copy to; it is created.")
]
Steps = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STEP...", help="Only these steps, with the templates that they include."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")]


def eject_prompts(
    context: typer.Context,
    folder: Folder,
    steps: Steps = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Copy templates out for editing.

    Only the files in the folder replace the shipped ones: delete those that you do not change, so
    that they follow updates of the program. STEP may also be repair, _who, _examples or _macros.
    """
    from cli.screen import write_json
    from lab.prompting.ejecting import eject

    texts, _ = templates_said(context)
    done = eject(folder, steps or [], texts, overwrite=overwrite)
    if as_json:
        write_json(done.plain())
    else:
        _tell(done)


def _tell(done: "EjectResult") -> None:
    """Print what was copied, what was left as it was, and what to do next."""
    from shlex import quote

    from cli.screen import say

    if done.written:
        say(f"Written into {done.folder}: {', '.join(done.written)}")
    if done.same:
        say(f"There already, the same: {', '.join(done.same)}", "dim")
    if done.kept:
        kept = ", ".join(done.kept)
        say(f"There already and kept as edited: {kept} (--overwrite replaces them)", "yellow")
    where = quote(done.folder)
    files = (*done.written, *done.same, *done.kept)
    steps = [name.removesuffix(".jinja") for name in files if not name.startswith("_")]
    step = next((name for name in steps if name != "repair"), "say")
    say("\nEdit them, then:")
    say(f"  smolville prompt lint {where}")
    say(f"  smolville prompt render {step} --sample --diff {where}")
    say(f"  smolville run --prompts {where}")
