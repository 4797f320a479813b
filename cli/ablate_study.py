"""Carry out the runs of an ablation study, and print its table."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.cli.ablate_table import StudyTable
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import command
from smolville.cli.run.execute import live_to_goal, progress_of, write_log
from smolville.cli.run.langsmith import tracing
from smolville.cli.run.options import RunOptions, goal_of
from smolville.cli.run.prepare import begin, resume_run
from smolville.cli.run.settings import differences
from smolville.cli.run.summary import format_failures
from smolville.cli.screen import print_problem, say, show_view
from smolville.cli.settings.choosing import ResolvedSettings, choose
from smolville.cli.settings.key_hosts import keys_in
from smolville.cli.templates import overlay_of
from smolville.graphs.catalogue import collect_templates
from smolville.history.folder import check_name
from smolville.history.spec import SPEC_FILE, RunSpec
from smolville.lab.ablation import (
    CellFigures,
    Study,
    StudyRun,
    describe_variant,
    list_cells,
    read_figures,
    read_numbers,
    read_study,
)
from smolville.models.errors import ModelError
from smolville.prompts.prompt import TemplateSet
from smolville.reports.runs import opened_run
from smolville.world.town.town import Town, shipped_town, town_hash


@dataclass(frozen=True, kw_only=True)
class StudyOrder:
    """The command line of `smolville ablate`."""

    runs: Path
    name: str
    study: str
    seeds: str
    casts: str
    duration: str
    town: Path | None
    settings: Path | None
    said: Mapping[str, Any]
    """The value of each flag that is a setting, by the setting's name; None if it was not given."""
    quiet: bool
    as_json: bool
    again: str
    """The same command line, printed so that the user can copy it."""

    @property
    def folder(self) -> Path:
        """The folder of the study's runs."""
        return self.runs / check_name(self.name)

    def settings_of(self, cell: StudyRun) -> ResolvedSettings:
        """Return the settings of one run of the study, called a cell."""
        own = {"cast": cell.cast, "seed": cell.seed, "without": list(cell.without)}
        return choose({**self.said, **own, "headless": True}, self.settings)

    def options_of(self, cell: StudyRun, goal: int, *, resume: bool) -> RunOptions:
        """Return the options with which `smolville run` carries out one run of the study."""
        return RunOptions(
            name=cell.name,
            town=self.town,
            until=moment(goal),
            resume=resume,
            quiet=self.quiet,
            settings=self.settings,
        )


@dataclass(frozen=True, kw_only=True)
class _Conditions:
    """The conditions that all runs of a study share."""

    goal: int
    town: Town
    folder: str
    """The town's folder, as a run stores it; empty for the shipped town."""
    templates: Mapping[str, str]
    """Version of each template, by name."""


def live_study(order: StudyOrder) -> None:
    """Carry out `smolville ablate`; raise typer.Exit unless every run reaches the goal."""
    cells = list_cells(
        read_study(order.study),
        read_numbers(order.casts, "--casts", 1),
        read_numbers(order.seeds, "--seeds", 0),
    )
    if (order.folder / SPEC_FILE).exists():
        raise RunError(
            f"{order.name!r} is a run in {order.runs}, and a study needs a folder of its own; "
            "give the study another name."
        )
    conditions = _read_conditions(order, cells)
    lived: dict[StudyRun, CellFigures] = {}
    for cell in cells:
        found = _read_cell(order, cell, conditions)
        if found is not None:
            lived[cell] = found
    if not order.quiet:
        say(_format_begin(order, cells, lived), on_stderr=True)
    ended = _live_missing(order, cells, conditions, lived)
    if lived or order.as_json:
        show_view(
            StudyTable(Study(cells=cells, lived=lived), conditions.goal), as_json=order.as_json
        )
    if ended is not None:
        _say_how_it_ended(order, len(lived), len(cells), ended)
    if not order.quiet:
        say(f"Every run is in {order.folder}: {command(order.folder, 'runs')}", on_stderr=True)


def _read_conditions(order: StudyOrder, cells: Sequence[StudyRun]) -> _Conditions:
    """Return the conditions that all runs of the study share.

    Raises an error for an impossible cast, or for a town or length of time that cannot be read.
    """
    chosen = order.settings_of(cells[0])
    town = Town.load(order.town or shipped_town())
    for cell in cells:
        town.cast(cell.cast)
    goal = goal_of(order.duration, None, 0, chosen.values.tick)
    assert goal is not None
    texts = collect_templates(TemplateSet(overlay_of(chosen).texts))
    return _Conditions(
        goal=goal,
        town=town,
        folder=str(order.town.resolve()) if order.town else "",
        templates={name: each.version for name, each in texts.items()},
    )


def _read_cell(order: StudyOrder, cell: StudyRun, conditions: _Conditions) -> CellFigures | None:
    """Return the figures of one run of the study; None if it has not reached the goal.

    Raises RunError if the run was begun under other conditions, or has gone beyond the goal.
    """
    path = order.folder / cell.name
    if not path.exists():
        return None
    with opened_run(order.folder, cell.name) as run:
        wrong = _find_difference(order.settings_of(cell), run.folder.spec, conditions)
        if wrong:
            raise RunError(
                f"The run {cell.name!r} of the study {order.name!r} was begun with {wrong}; a "
                f"study compares like with like: give this one another name, such as "
                f"{command(order.runs, 'ablate', f'{order.name}-2')}"
            )
        if run.at - run.folder.spec.tick_seconds >= conditions.goal:
            raise RunError(
                f"The run {cell.name!r} of the study {order.name!r} has already reached "
                f"{moment(run.at)}, beyond {moment(conditions.goal)}; ask for that length with "
                "--for, or give this study another name."
            )
        return read_figures(run.reader) if run.at >= conditions.goal else None


def _find_difference(chosen: ResolvedSettings, spec: RunSpec, conditions: _Conditions) -> str:
    """Return how a run's settings differ from those chosen now; "" if they do not."""
    found = differences(chosen, spec)
    if spec.town != conditions.folder:
        found.append(f"the town {spec.town or 'that is shipped'}, not {conditions.town.folder}")
    elif spec.town_hash != town_hash(conditions.town.folder):
        found.append("other files of the town")
    changed = [
        name
        for name in sorted({*spec.prompts, *conditions.templates})
        if spec.prompts.get(name) != conditions.templates.get(name)
    ]
    if changed:
        found.append(f"other templates ({', '.join(changed)})")
    return "; ".join(found)


def _format_begin(
    order: StudyOrder, cells: Sequence[StudyRun], lived: Mapping[StudyRun, object]
) -> str:
    """Return a line on what the study consists of."""
    minds = format_count(len({cell.without for cell in cells}), "kind of mind", "kinds of mind")
    casts = format_count(len({cell.cast for cell in cells}), "cast")
    seeds = format_count(len({cell.seed for cell in cells}), "seed")
    done = f"; {len(lived)} complete already" if lived else ""
    return f"{format_count(len(cells), 'run')} in {order.folder}: {minds}, {casts}, {seeds}{done}."


def _live_missing(
    order: StudyOrder,
    cells: Sequence[StudyRun],
    conditions: _Conditions,
    lived: dict[StudyRun, CellFigures],
) -> BaseException | None:
    """Carry out the missing runs; return the error that stopped them.

    The figures of completed runs are added to `lived`.
    """
    for number, cell in enumerate(cells, start=1):
        if cell in lived:
            continue
        if not order.quiet:
            who = format_count(cell.cast, "person", "people")
            mind = describe_variant(cell.without)
            say(f"Run {number} of {len(cells)}: {mind}, {who}, seed {cell.seed}", on_stderr=True)
        try:
            ended = _live_cell(order, cell, conditions.goal)
            if ended is not None:
                return ended
            with opened_run(order.folder, cell.name) as run:
                lived[cell] = read_figures(run.reader)
        except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
            return error
    return None


def _live_cell(order: StudyOrder, cell: StudyRun, goal: int) -> BaseException | None:
    """Begin or resume one run of the study, up to the goal; return the error that stopped it."""
    path = order.folder / cell.name
    is_begun = path.exists()
    options = order.options_of(cell, goal, resume=is_begun)
    chosen = order.settings_of(cell)
    with ExitStack() as open_until:
        prepare = resume_run if is_begun else begin
        begun = prepare(order.folder, options, chosen, open_until)
        if begun.chats is None:
            return None
        progress = progress_of(begun, options, begun.chats)
        with write_log(begun.folder, keys_in(begun.means.env or {})):
            ended = live_to_goal(begun, begun.chats, options, progress, tracing(chosen))
    if progress.failures:
        print_problem(format_failures(progress.failures, begun.folder))
        if ended is None and len(progress.failures) == progress.thoughts:
            return RunError(f"every thought of the run {cell.name!r} failed")
    return ended


def _say_how_it_ended(order: StudyOrder, lived: int, cells: int, ended: BaseException) -> None:
    """Print what stopped the study and how to go on; raises typer.Exit."""
    done = f"{lived} of {cells} runs are complete, and everything up to the last commit is saved"
    if isinstance(ended, KeyboardInterrupt):
        print_problem(f"Interrupted; {done}. Go on with: {order.again}")
        raise typer.Exit(INTERRUPTED)
    print_problem(f"{str(ended).rstrip('.')}. {done}. Go on with: {order.again}")
    code = getattr(ended, "exit_code", 1)
    raise typer.Exit(code if isinstance(code, int) else 1)
