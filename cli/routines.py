"""`smolville routines`: what people have learnt to do again without asking."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.cli.options import AsJson, runs_dir

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.agents.routines import Routines
    from smolville.history.spec import RunSpec

Run = Annotated[str, typer.Argument(metavar="RUN", help="The run's name.")]
Who = Annotated[str | None, typer.Argument(metavar="AGENT", help="Show only this person.")]


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
