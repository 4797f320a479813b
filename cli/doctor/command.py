"""`smolville doctor`: which model can be used here, how well, and with which settings."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson, prompts_flag, settings_file

if TYPE_CHECKING:
    from lab.doctor.findings import Findings

Model = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="The model to check; by default what this machine offers."),
]
Pull = Annotated[
    bool,
    typer.Option("--pull", help="Let Ollama download the model first, a small one by default."),
]
Write = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the recommended settings there (smolville.toml)."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace FILE if it exists.")]


def doctor(
    context: typer.Context,
    model: Model = None,
    as_json: AsJson = False,
    pull: Pull = False,
    write: Write = None,
    overwrite: Overwrite = False,
) -> None:
    """Check Ollama, llama.cpp and a model before a run.

    Reports what works, how fast, and which settings to use, within 90 seconds on any machine, and
    says what could not be determined by then. A server that is busy or still loading is asked
    again. Exits with 0 when a model can be used, and with 1 when none can; no settings are
    written then. Advice is given in both cases.
    """
    import asyncio
    from dataclasses import replace

    from cli.doctor.view import DoctorView
    from cli.every_minute import EveryMinute
    from cli.options import templates_of
    from cli.paces import remember_pace
    from cli.screen import present, say, say_waiting
    from cli.settings.choosing import choose
    from lab.doctor.bounded import ProbeLimits
    from lab.doctor.estimate import pace_of
    from lab.doctor.examine import examine

    if write is not None:
        _check_place(write, overwrite=overwrite)
    chosen = choose({"model": model, "prompts": prompts_flag(context)}, settings_file(context))
    spec, templates = chosen.values.fast, templates_of(chosen)
    probes = ProbeLimits(patience=chosen.values.patience)
    if templates is not None:
        probes = replace(probes, templates=templates)
    if pull:
        from cli.doctor.pulling import pull_model

        pull_model(spec, chosen.surroundings)

    doing = _Doing()
    with EveryMinute(doing.waited, seconds=_Doing.SECONDS):
        found = asyncio.run(
            examine(
                spec,
                chosen.surroundings,
                chosen.models(),
                probes=probes,
                progress=doing,
                on_retry=say_waiting,
            )
        )
    pace = pace_of(found.context, found.speed, found.model.slots)
    if pace is not None:
        remember_pace(found.model.spec, pace)
    present(DoctorView(found), as_json=as_json)
    if write is not None:
        _write(found, write)
        say(f"Written to {write}.", on_stderr=as_json)
    if not found.usable:
        raise typer.Exit(1)


class _Doing:
    """Reports on standard error which probe is running, and for how long."""

    SECONDS = 15.0
    """Interval of the lines about a slow probe, in seconds."""

    def __init__(self) -> None:
        self._doing, self._since = "", time.monotonic()

    def __call__(self, doing: str) -> None:
        """Print which probe starts now."""
        from cli.screen import say

        self._doing, self._since = doing, time.monotonic()
        say(f"{doing} …", "dim", on_stderr=True)

    def waited(self) -> str:
        """Return a line on the running probe and its seconds so far; empty soon after its start."""
        seconds = time.monotonic() - self._since
        return f"still {self._doing}, {seconds:.0f} s …" if seconds >= self.SECONDS / 2 else ""


def _check_place(file: Path, *, overwrite: bool) -> None:
    """Raise SettingError if no settings can be written to `file`, before anything is examined."""
    from agents.errors import SettingError
    from lab.whole_file import check_free

    check_free(file, overwrite=overwrite)
    if not file.parent.is_dir():
        raise SettingError(f"{str(file.parent)!r} is no folder in which to write settings.")


def _write(found: "Findings", file: Path) -> None:
    """Write the recommended settings; where no model can be used, say why and exit with 1."""
    from cli.screen import complain
    from lab.doctor.told import model_finding
    from lab.whole_file import written_whole

    if not found.usable:
        complain(f"Nothing was written to {file}: {model_finding(found).text}")
        raise typer.Exit(1)
    with written_whole(file.resolve()) as draft:
        draft.write_text(found.settings, encoding="utf-8")
