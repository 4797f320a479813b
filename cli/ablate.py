"""`smolville ablate`: compare whole minds with minds that lack components, per seed and cast."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.wording import format_count, percent, thousands
from smolville.cli.options import (
    AsJson,
    command,
    pairs_said,
    prompts_flag,
    prompts_said,
    runs_dir,
    settings_file,
)
from smolville.cli.screen import print_problem, say, show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.lab.ablation import CellFigures, SeedRange, Study, StudyRun

NONE = "·"
"""Shown for a figure that no run has."""
DEFAULTS = {"study": "paper", "seeds": "0,1", "casts": "1,3", "for": "1d"}

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The study's folder, in the folder of the runs.")
]
Shape = Annotated[
    str,
    typer.Option(
        "--study",
        metavar="paper|aga|each|'A,B;C'",
        help="Minds to compare with the whole mind. paper: as in Park et al. 2023. aga: as in "
        "Affordable Generative Agents. each: a mind without each component, and one without all. "
        "'A,B;C': a mind without A and B, and one without C.",
    ),
]
Seeds = Annotated[str, typer.Option(metavar="0,1", help="The random seeds.")]
Casts = Annotated[str, typer.Option(metavar="1,3", help="Sizes of the town's casts.")]
For = Annotated[
    str, typer.Option("--for", metavar="1d|6h|90m|300steps", help="Length of each run.")
]
TownDir = Annotated[Path | None, typer.Option("--town", metavar="DIR", help="A town's folder.")]
Model = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="The model: ollama:<name>, standin, ...; repeat it for its other servers.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the table.")]


def ablate(
    context: typer.Context,
    name: Name = "ablation",
    study: Shape = DEFAULTS["study"],
    seeds: Seeds = DEFAULTS["seeds"],
    casts: Casts = DEFAULTS["casts"],
    duration: For = DEFAULTS["for"],
    model: Model = None,
    town: TownDir = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare whole minds with minds that lack components.

    Carries out a run for each kind of mind, cast size and seed, and prints what each kind costs and
    does: calls, tokens, actions, distinct activities, talks, reflections, and how many answers are
    odd. All other settings are those of smolville run: in
    smolville.toml, or by --set workers=ray.

    Every run is an ordinary one, in the study's folder: smolville runs --runs runs/ablation lists
    them. The same command given again carries out only the missing runs; seeds and casts may be
    added.
    """
    from smolville.cli.run.settings import goal_of
    from smolville.cli.settings.choosing import choose, read_pairs
    from smolville.history.folder import check_name
    from smolville.lab.ablation import list_cells, read_numbers, read_study

    pairs, runs, file = pairs_said(context), runs_dir(context), settings_file(context)
    given = {"--study": study, "--seeds": seeds, "--casts": casts, "--for": duration}
    words = [(flag, each) for flag, each in given.items() if each != DEFAULTS[flag[2:]]]
    words += [("--town", str(town))] if town else []
    words += [("--settings", str(file))] if file else []
    words += [("--model", each) for each in model or ()]
    words += [("--prompts", str(each)) for each in prompts_said(context)]
    words += [("--set", each) for each in pairs]
    said = {"model": model or None, "prompts": prompts_flag(context), **read_pairs(pairs)}

    def choose_for(cell: "StudyRun") -> "ResolvedSettings":
        own = {"cast": cell.cast, "seed": cell.seed, "without": list(cell.without)}
        return choose({**said, **own, "headless": True}, file)

    cells = list_cells(
        read_study(study), read_numbers(casts, "--casts", 1), read_numbers(seeds, "--seeds", 0)
    )
    chosen = choose_for(cells[0])
    goal = goal_of(duration, None, 0, chosen.values.tick)
    assert goal is not None
    order = _Study(
        folder=runs / check_name(name),
        name=name,
        again=command(runs, "ablate", name, *(part for pair in words for part in pair)),
        cells=cells,
        choose=choose_for,
        settings=file,
        town=town,
        goal=goal,
        quiet=quiet,
    )
    _live_study(order, chosen, as_json=as_json)


@dataclass(frozen=True, kw_only=True)
class _Study:
    """What is compared, and what all runs of a study share."""

    folder: Path
    name: str
    again: str
    """The same command line, printed so that the user can copy it."""
    cells: "tuple[StudyRun, ...]"
    choose: "Callable[[StudyRun], ResolvedSettings]"
    """Returns the settings of one run of the study, called a cell."""
    settings: Path | None
    town: Path | None
    goal: int
    quiet: bool

    def read(self, cell: "StudyRun", templates: Mapping[str, str]) -> "CellFigures | None":
        """Return the figures of one run of the study; None if it has not reached the goal.

        Raises RunError if the run was begun under other conditions, or has gone beyond the goal.
        """
        from smolville.agents.times import moment
        from smolville.cli.run.settings import differences
        from smolville.lab.ablation import read_figures
        from smolville.reports.runs import opened_run
        from smolville.world.town.town import shipped_town, town_hash

        if not (self.folder / cell.name).exists():
            return None
        with opened_run(self.folder, cell.name) as run:
            spec = run.folder.spec
            found = differences(self.choose(cell), spec)
            if spec.town != (str(self.town.resolve()) if self.town else ""):
                own = self.town or "the shipped one"
                found.append(f"the town {spec.town or 'that is shipped'}, not {own}")
            elif spec.town_hash != town_hash(self.town or shipped_town()):
                found.append("other files of the town")
            names = sorted({*spec.prompts, *templates})
            changed = [each for each in names if spec.prompts.get(each) != templates.get(each)]
            if changed:
                found.append(f"other templates ({', '.join(changed)})")
            if found:
                raise RunError(
                    f"The run {cell.name!r} of the study {self.name!r} was begun with "
                    f"{'; '.join(found)}; a study compares like with like: give this one another "
                    f"name, such as {command(self.folder.parent, 'ablate', f'{self.name}-2')}"
                )
            if run.at - spec.tick_seconds >= self.goal:
                raise RunError(
                    f"The run {cell.name!r} of the study {self.name!r} has already reached "
                    f"{moment(run.at)}, beyond {moment(self.goal)}; ask for that length with "
                    "--for, or give this study another name."
                )
            return read_figures(run.reader) if run.at >= self.goal else None

    def live(self, cell: "StudyRun") -> BaseException | None:
        """Begin or resume one run of the study, up to the goal; return what stopped it."""
        from smolville.agents.times import moment
        from smolville.cli.run.execute import live_to_goal, progress_of, tracing, write_log
        from smolville.cli.run.prepare import begin, resume_run
        from smolville.cli.run.settings import RunOptions
        from smolville.cli.run.summary import format_failures
        from smolville.cli.settings.key_hosts import keys_in

        is_begun = (self.folder / cell.name).exists()
        options = RunOptions(
            name=cell.name,
            town=self.town,
            until=moment(self.goal),
            resume=is_begun,
            quiet=self.quiet,
            settings=self.settings,
        )
        chosen = self.choose(cell)
        with ExitStack() as open_until:
            prepare = resume_run if is_begun else begin
            begun = prepare(self.folder, options, chosen, open_until)
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

    def live_missing(self, lived: "dict[StudyRun, CellFigures]") -> BaseException | None:
        """Carry out the missing runs, add their figures, and return what stopped them."""
        from smolville.lab.ablation import describe_variant, read_figures
        from smolville.models.errors import ModelError
        from smolville.reports.runs import opened_run

        for number, cell in enumerate(self.cells, start=1):
            if cell in lived:
                continue
            if not self.quiet:
                who = format_count(cell.cast, "person", "people")
                mind = describe_variant(cell.without)
                text = f"Run {number} of {len(self.cells)}: {mind}, {who}, seed {cell.seed}"
                say(text, on_stderr=True)
            try:
                ended = self.live(cell)
                if ended is not None:
                    return ended
                with opened_run(self.folder, cell.name) as run:
                    lived[cell] = read_figures(run.reader)
            except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
                return error
        return None


def _live_study(study: _Study, chosen: "ResolvedSettings", *, as_json: bool) -> None:
    """Carry out the runs of a study and print its table; raise typer.Exit unless all end well."""
    from smolville.cli.prompt.again import exit_with
    from smolville.cli.templates import templates_of
    from smolville.graphs.catalogue import collect_templates
    from smolville.history.spec import SPEC_FILE
    from smolville.lab.ablation import Study
    from smolville.prompts.prompt import TemplateSet
    from smolville.world.town.town import Town, shipped_town

    if (study.folder / SPEC_FILE).exists():
        raise RunError(
            f"{study.name!r} is a run in {study.folder.parent}, and a study needs a folder of its "
            "own; give the study another name."
        )
    cells = study.cells
    town = Town.load(study.town or shipped_town())
    for cell in cells:
        town.cast(cell.cast)
    texts = collect_templates(templates_of(chosen) or TemplateSet())
    templates = {name: each.version for name, each in texts.items()}
    found = {cell: study.read(cell, templates) for cell in cells}
    lived = {cell: each for cell, each in found.items() if each is not None}
    if not study.quiet:
        parts = [
            format_count(len({cell.without for cell in cells}), "kind of mind", "kinds of mind"),
            format_count(len({cell.cast for cell in cells}), "cast"),
            format_count(len({cell.seed for cell in cells}), "seed"),
        ]
        done = f"; {len(lived)} complete already" if lived else ""
        runs = format_count(len(cells), "run")
        say(f"{runs} in {study.folder}: {', '.join(parts)}{done}.", on_stderr=True)
    ended = study.live_missing(lived)
    if lived or as_json:
        show_view(StudyTable(Study(cells=cells, lived=lived), study.goal), as_json=as_json)
    if ended is not None:
        exit_with(
            ended,
            f"{len(lived)} of {len(cells)} runs are complete, and everything up to the last commit "
            f"is saved. Go on with: {study.again}",
        )
    if not study.quiet:
        say(f"Every run is in {study.folder}: {command(study.folder, 'runs')}", on_stderr=True)


def _number(value: float) -> str:
    """Return a number with as many digits as it needs: `4.5`, `213`."""
    return f"{value:.1f}" if value < 10 and not float(value).is_integer() else f"{value:,.0f}"


def _tokens(value: float) -> str:
    return thousands(round(value))


COLUMNS: Mapping[str, tuple[str, "Callable[[float], str]"]] = {
    "calls": ("calls", _number),
    "prompt_tokens": ("tokens\nin", _tokens),
    "reply_tokens": ("tokens\nout", _tokens),
    "model_seconds": ("model\ntime", lambda seconds: f"{_number(seconds)} s"),
    "actions": ("actions", _number),
    "activities": ("activities", _number),
    "talks": ("talks", _number),
    "reflections": ("insights", _number),
    "odd": ("odd", lambda share: percent(share, 1, 0)),
    "failed_thoughts": ("failed", _number),
}
"""Heading and format of each figure."""


@dataclass(frozen=True)
class StudyTable:
    """A study as tables, one per size of the cast, with a row per kind of mind."""

    study: "Study"
    goal: int

    def plain(self) -> object:
        """Return the study as plain data."""
        from smolville.agents.times import moment

        return {"until": moment(self.goal), **self.study.plain()}

    def render(self) -> "RenderableType":
        """Return the tables, with the range over seeds below each mean."""
        from rich.console import Group

        from smolville.agents.times import moment
        from smolville.lab.ablation import describe_variant
        from smolville.lab.styled import Text, plain_table

        has_failed = any(each.failed_thoughts for each in self.study.lived.values())
        shown = [name for name in COLUMNS if has_failed or name != "failed_thoughts"]
        asked = len({cell.seed for cell in self.study.cells})
        rows: dict[int, list[list[str]]] = {}
        for row in self.study.rows():
            some = f" ({len(row.seeds)} of {asked} seeds)" if len(row.seeds) < asked else ""
            cells = [_cell(COLUMNS[name][1], row.figures[name]) for name in shown]
            rows.setdefault(row.cast, []).append([f"{describe_variant(row.without)}{some}", *cells])
        headings = [COLUMNS[name][0] for name in shown]
        tables = [
            plain_table((format_count(cast, "person", "people"), *headings), found)
            for cast, found in rows.items()
        ]
        means = f", mean and range of {format_count(asked, 'seed')}" if asked > 1 else ""
        caption = (
            f"Up to {moment(self.goal)}, per person{means}. Activities: distinct ones, told apart "
            "without their digits. Odd: the share of steps objected to."
        )
        return Group(*tables, Text(caption, style="dim"))


def _cell(show: "Callable[[float], str]", found: "SeedRange | None") -> str:
    """Return the mean, and below it the range if the seeds differ."""
    if found is None:
        return NONE
    least, most = show(found.least), show(found.most)
    return show(found.mean) + ("" if least == most else f"\n{least}–{most}")
