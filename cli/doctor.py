"""`smolville doctor`: which model can be used here, how well, and with which settings."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.wording import visible
from smolville.cli.doctor_view import DoctorView, ServersView
from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.screen import (
    EveryMinute,
    View,
    console,
    print_problem,
    say,
    say_waiting,
    show_view,
)
from smolville.cli.templates import templates_of
from smolville.models.errors import ModelError

if TYPE_CHECKING:
    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.lab.doctor.findings import Findings
    from smolville.models.servers.ollama import OllamaServer
    from smolville.prompts.prompt import TemplateSet

Model = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="The model to check, by default the one this machine offers; repeat it for the "
        "model's other servers.",
    ),
]
Pull = Annotated[
    bool,
    typer.Option("--pull", help="Let Ollama download the model first, a small one by default."),
]
Write = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the settings to FILE; if it exists, only add the model's profile.",
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace FILE, but keep the profiles of other models.")
]
Measure = Annotated[
    bool,
    typer.Option(
        "--measure",
        help="Also measure day plans with and without anchors and an example; takes "
        "minutes to an hour.",
    ),
]


def doctor(
    context: typer.Context,
    model: Model = None,
    as_json: AsJson = False,
    pull: Pull = False,
    write: Write = None,
    overwrite: Overwrite = False,
    measure: Measure = False,
) -> None:
    """Check Ollama, llama.cpp and a model before a run.

    Reports what works, how fast, and which settings to use, within 90 seconds on any machine, and
    says what could not be determined by then; only --measure takes longer. A server that is busy or
    still loading is asked again. Exits with 0 when a model can be used. When none can, it writes no
    settings and exits with 1. Advice is given in both cases. Several servers of one model are
    checked one after the other, and it exits with 0 when a run can use all of them.
    """
    chosen = settings_of(context, {"model": model or None, "prompts": prompts_flag(context)})
    spec, templates = chosen.values.fast, templates_of(chosen)
    if write is not None:
        from smolville.cli.doctor_write import check_place

        check_place(write, spec, overwrite=overwrite)
    if pull:
        pull_model(spec, chosen.surroundings)
    specs = (spec, *chosen.servers.get(spec or "", ()))
    found, *others = [_examine(each, chosen, templates) for each in specs]
    view: View = DoctorView(found)
    usable = found.usable
    if others:
        from smolville.lab.doctor.together import find_together, with_servers

        together = find_together([found, *others])
        usable = together.usable
        found = with_servers(found, others) if usable else found
        view = ServersView(found, others, together)
    measures = measure and found.usable
    if not (measures and as_json):
        show_view(view, as_json=as_json)
    if write is not None:
        from smolville.cli.doctor_write import write_settings

        write_settings(found, write, overwrite=overwrite, on_stderr=as_json)
    if not usable:
        raise typer.Exit(1)
    if measures:
        _measure(found, chosen, templates, write, as_json=as_json)


def _examine(
    spec: str | None, chosen: "ResolvedSettings", templates: "TemplateSet | None"
) -> "Findings":
    """Return the findings, and store the model's speed for later runs.

    Profiles are ignored: they may be from an earlier version of the model or of its server.
    """
    import asyncio

    from smolville.lab.doctor.bounded import ProbeLimits
    from smolville.lab.doctor.examine import examine
    from smolville.lab.duration import remember_findings

    probes = ProbeLimits(patience=chosen.values.patience)
    if templates is not None:
        probes = replace(probes, templates=templates)
    doing = _Doing()
    with EveryMinute(doing.format_waiting, seconds=_Doing.SECONDS):
        found = asyncio.run(
            examine(
                spec,
                chosen.surroundings,
                chosen.of_models(None, None).models(),
                probes=probes,
                progress=doing,
                on_retry=say_waiting,
            )
        )
    remember_findings(found)
    return found


def _measure(
    found: "Findings",
    chosen: "ResolvedSettings",
    templates: "TemplateSet | None",
    write: Path | None,
    *,
    as_json: bool,
) -> None:
    """Measure the model's plans, show the result and write the settings; exit if interrupted."""
    from smolville.cli.doctor_measure import measure_plans
    from smolville.cli.doctor_write import write_settings

    found, code = measure_plans(found, chosen, templates)
    show_view(DoctorView(found, of=None if as_json else "measured"), as_json=as_json)
    if write is not None:
        write_settings(found, write, overwrite=False, on_stderr=as_json)
    if code:
        raise typer.Exit(code)


class _Doing:
    """Reports on standard error which probe is running, and for how long."""

    SECONDS = 15.0
    """Interval of the lines about a slow probe, in seconds."""

    def __init__(self) -> None:
        self._doing, self._since = "", time.monotonic()

    def __call__(self, doing: str) -> None:
        """Print which probe starts now."""
        self._doing, self._since = doing, time.monotonic()
        say(f"{doing} …", "dim", on_stderr=True)

    def format_waiting(self) -> str:
        """Return a line on the running probe and its seconds so far; empty soon after its start."""
        seconds = time.monotonic() - self._since
        return f"still {self._doing}, {seconds:.0f} s …" if seconds >= self.SECONDS / 2 else ""


def pull_model(spec: str | None, env: Mapping[str, str]) -> None:
    """Download the model of an `ollama:` spec, or the suggested one; print why if that fails."""
    from smolville.models.open import SUGGESTED
    from smolville.models.servers.ollama import OllamaServer
    from smolville.models.spec import parse_spec

    name, host = SUGGESTED, ""
    if spec is not None:
        asked = parse_spec(spec)
        if asked.kind != "ollama":
            print_problem(f"Only Ollama can download a model by its name, so {spec} is not pulled.")
            return
        name, host = asked.target, asked.host
    server = OllamaServer.of(env, host=host)
    try:
        if server.find(name) is not None:
            say(f"{server.name} has {name} already.", on_stderr=True)
            return
        _download_model(server, name)
    except ModelError as error:
        print_problem(f"{name} could not be pulled: {error}")


def _download_model(server: "OllamaServer", name: str) -> None:
    """Download a model, with a progress bar for the part being downloaded."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console(on_stderr=True)) as bar:
        task = bar.add_task(visible(f"ollama pull {name}"), total=None)
        for part in server.pull(name):
            bar.update(
                task,
                description=visible(part.status),
                completed=part.done,
                total=part.total or None,
            )
    say(f"{server.name} has {name} now.", on_stderr=True)
