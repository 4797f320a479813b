"""`smolville doctor`: which model can be used here, how well, and with which settings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson, settings_file
from cli.templates import prompts_flag

if TYPE_CHECKING:
    from lab.doctor.findings import Findings

Model = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="The model to look at; what this machine offers otherwise."),
]
Pull = Annotated[
    bool, typer.Option("--pull", help="Let Ollama download the model first, or a small one.")
]
Write = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the recommended settings there (smolville.toml)."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Also where FILE exists.")]


def doctor(
    context: typer.Context,
    model: Model = None,
    as_json: AsJson = False,
    pull: Pull = False,
    write: Write = None,
    overwrite: Overwrite = False,
) -> None:
    """Look at Ollama, llama.cpp and a model before a run.

    Tells what works, how fast, and which settings to take. Ends with 0 when a model can be used,
    with 1 when none answers; advice is given in both cases.
    """
    import asyncio

    from cli.doctor.shown import Shown
    from cli.screen import present, say
    from cli.settings.choosing import choose
    from cli.templates import templates_of
    from lab.doctor.bounded import Probes
    from lab.doctor.examine import examine
    from lab.whole_file import check_free

    if write is not None:
        check_free(write, overwrite=overwrite)
    chosen = choose({"model": model, "prompts": prompts_flag(context)}, settings_file(context))
    spec, templates = chosen.values.fast, templates_of(chosen)
    probes = Probes() if templates is None else Probes(templates=templates)
    if pull:
        from cli.doctor.pulling import pull_model

        pull_model(spec, chosen.surroundings)

    def told(doing: str) -> None:
        say(f"{doing} …", "dim", on_stderr=True)

    found = asyncio.run(
        examine(spec, chosen.surroundings, chosen.models(), probes=probes, progress=told)
    )
    present(Shown(found), as_json=as_json)
    if write is not None:
        _write(found, write)
        say(f"Written to {write}.", on_stderr=as_json)
    if not found.usable:
        raise typer.Exit(1)


def _write(found: "Findings", file: Path) -> None:
    """Write the recommended settings."""
    from agents.errors import SettingError

    try:
        file.write_text(found.settings, encoding="utf-8")
    except OSError as error:
        raise SettingError(f"{str(file)!r} cannot be written: {error.strerror}.") from error
