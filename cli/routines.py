"""`smolville routines`: learnt routines, and how similar activities must be to count as equal."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.cli.options import AsJson, runs_dir, settings_file

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from smolville.agents.routine_calibration import Calibration, ThresholdResult
    from smolville.agents.routines import Routines
    from smolville.history.spec import RunSpec

Run = Annotated[str, typer.Argument(metavar="RUN", help="The run's name.")]
Who = Annotated[str | None, typer.Argument(metavar="AGENT", help="Show only this person.")]
Spec = Annotated[
    str | None,
    typer.Option("--embedder", metavar="SPEC", help="The embedder to measure; default: wordllama."),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="FILE",
        help="A file of your own pairs, one per line: same or other, tab, activity, tab, activity.",
    ),
]
_SHOWN = (0.97, 0.95, 0.9, 0.85, 0.8)
"""Similarities that a calibration shows besides the chosen one."""


@dataclass(frozen=True)
class RoutinesView:
    """The routines that the people of a run have learnt."""

    spec: "RunSpec"
    people: "Mapping[str, Routines]"
    reused: Mapping[str, int]
    """How many times each person reused a routine."""
    seconds: int

    def plain(self) -> object:
        """Return each person's routines, by name."""
        from dataclasses import asdict

        return {
            "similarity": self.spec.settings.get("routine_similarity"),
            "embedder": self.spec.models.embedder,
            "people": {
                name: {**asdict(known), "reused": self.reused.get(name, 0)}
                for name, known in self.people.items()
            },
        }

    def render(self) -> "RenderableType":
        """Return a list per person: the activities with their tasks, then the places."""
        from rich.console import Group

        from smolville.agents.wording import format_count, visible_line
        from smolville.lab.styled import Text
        from smolville.world.routine_library import count_routines

        lines: list[Text] = []
        for name, known in self.people.items():
            times = format_count(self.reused.get(name, 0), "reuse")
            lines.append(
                Text.assemble((visible_line(name), "bold"), f": {count_routines([known])}, {times}")
            )
            for each in known.tasks:
                parts = ", ".join(f"{activity} ({minutes})" for activity, minutes in each.tasks)
                told = f"  {self._when(each.start, each.tick)}  {each.activity}: {parts}"
                lines.append(Text(visible_line(told)))
            for spot in known.spots:
                told = f"  {self._when(spot.start, spot.tick)}  {spot.activity} @ {spot.place}"
                lines.append(Text(visible_line(told), style="dim"))
        return Group(*lines)

    def _when(self, start: int, tick: int) -> str:
        """Return the time of day of a routine, and the day on which it was learnt."""
        from smolville.agents.routines import BROUGHT
        from smolville.agents.times import clock, day_of

        day = "another run" if tick == BROUGHT else f"day {day_of(tick * self.seconds)}"
        return f"{clock(start)} ({day})"


def list_routines(
    context: typer.Context, run: Run, agent: Who = None, as_json: AsJson = False
) -> None:
    """List what people have learnt: how activities are split, and where tasks are done.

    A learnt activity is repeated at about the same time of day without asking a model. A run begun
    with --without routines learns nothing.
    """
    from collections import Counter

    from smolville.cli.screen import show_view
    from smolville.history.folder import RunFolder
    from smolville.history.reader import RunReader
    from smolville.world.meaning import find_person
    from smolville.world.routine_library import learnt

    folder = RunFolder.open(runs_dir(context), run)
    people = learnt(folder)
    if agent is not None:
        name = find_person(agent, list(people), f"the run {run!r}")
        people = {name: people[name]}
    with RunReader(folder) as reader:
        reused = Counter(each.agent for each in reader.reuses())
    show_view(RoutinesView(folder.spec, people, reused, folder.spec.tick_seconds), as_json=as_json)


@dataclass(frozen=True)
class CalibrationView:
    """Accuracy with which an embedder tells labelled pairs of activities apart."""

    embedder: str
    found: "Calibration"

    def plain(self) -> object:
        """Return the chosen similarity, with precision and recall at it and at other values."""
        chosen = self.found.chosen
        return {
            "embedder": self.embedder,
            "pairs": self.found.pairs,
            "same": chosen.same,
            "similarity": chosen.similarity,
            "cuts": [
                {
                    "similarity": cut.similarity,
                    "reused": cut.reused,
                    "precision": round(cut.precision, 4),
                    "recall": round(cut.recall, 4),
                }
                for cut in self._cuts()
            ],
        }

    def render(self) -> "RenderableType":
        """Return a sentence and a table."""
        from rich.console import Group

        from smolville.agents.routine_calibration import PRECISE
        from smolville.agents.wording import format_count, visible_line
        from smolville.lab.styled import Text

        chosen = self.found.chosen
        told = (
            f"{self.embedder}: a routine is reused from a similarity of {chosen.similarity:.3f} "
            f"up, the one that finds most with a precision of at least {PRECISE:.0%}."
        )
        of = f"{format_count(self.found.pairs, 'pair')}, {chosen.same} of them the same."
        return Group(Text(visible_line(told), style="bold"), Text(of), self._table())

    def _table(self) -> "Table":
        """Return a row per similarity; the chosen one is marked."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for heading in ("similarity", "reused", "precision", "recall", ""):
            table.add_column(heading, justify="left" if not heading else "right")
        for cut in self._cuts():
            table.add_row(
                f"{cut.similarity:.3f}",
                str(cut.reused),
                f"{cut.precision:.1%}",
                f"{cut.recall:.1%}",
                "chosen" if cut == self.found.chosen else "",
            )
        return table

    def _cuts(self) -> list["ThresholdResult"]:
        """Return the chosen similarity threshold and some others, strictest first."""
        chosen = self.found.chosen
        others = [self.found.at(each) for each in _SHOWN if each != chosen.similarity]
        return sorted([chosen, *others], key=lambda cut: -cut.similarity)


def calibrate_routines(
    context: typer.Context,
    embedder: Spec = None,
    pairs: Pairs = None,
    as_json: AsJson = False,
) -> None:
    """Measure the similarity from which an embedder's activities count as alike.

    Prints precision and recall on labelled pairs of activities: the shipped
    ones, or those of --pairs. A new run measures its embedder in the same way;
    --routine-similarity sets another value.
    """
    from smolville.agents.routine_calibration import calibrate, read_pairs
    from smolville.cli.screen import show_view
    from smolville.cli.settings.choosing import choose
    from smolville.models.embedding.embedder import BUILT_IN, open_embedder
    from smolville.models.keys import UserSpec
    from smolville.models.pacing import ask_blocking

    labelled = read_pairs(pairs)
    chosen = choose({"embedder": embedder}, settings_file(context))
    spec = UserSpec(chosen.values.embedder or BUILT_IN)
    opened = open_embedder(spec, env=chosen.surroundings)
    found = ask_blocking(lambda: calibrate(opened.embed, labelled))
    show_view(CalibrationView(opened.name, found), as_json=as_json)
