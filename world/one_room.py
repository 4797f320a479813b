"""A world in one room, without a map: copy this file to make a world of your own.

`World` holds the bodies. This file defines what is specific to this world: where people are,
what they see, and what they may do. The minds that live in the world need no change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from smolville.agents.mind import KnownPlace
from smolville.agents.persona import Persona
from smolville.agents.times import Clock
from smolville.graphs.surroundings import Intent, Percept, Senses, Sight, Stimulus
from smolville.history.records import Deed
from smolville.world.adapter import Changes, World
from smolville.world.body_state import BodyState, introduce_visitors, refuse

ROOM = "Lodge: common room"
"""Address of the only place, which is therefore everybody's `home`."""


class OneRoom(World):
    """A world where all people see each other, nobody walks, and no object can be taken."""

    start_date = date(2024, 5, 6)

    def __init__(self, cast: Sequence[Persona], clock: Clock) -> None:
        # A body needs a tile; in a world without a map they all share one.
        super().__init__([BodyState(agent=persona.name, tile=(0, 0)) for persona in cast], clock)

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return the room for everybody: it is the only place that can be chosen."""
        return {ROOM: KnownPlace()}

    def percepts(self, agent: str, tick: int) -> tuple[Percept, ...]:
        """Return everybody else's actions as events in sight."""
        others = (figure for name, figure in self.figures.items() if name != agent)
        return tuple(
            figure.percept(ROOM, 1, self.clock.at(tick)) for figure in others if figure.action
        )

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
        """Return everything that a thought may know of this world, besides its memories."""
        figure = self.figures[agent]
        return Senses(
            tick=tick,
            at=self.clock.at(tick),
            start_date=self.start_date,
            stimuli=stimuli,
            body=figure.body(ROOM, tick, introduce_visitors(self.figures, agent)),
            percepts=() if figure.is_asleep() else self.percepts(agent, tick),
            sights=(Sight(arena=ROOM, objects=()),),
            used={},
        )

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Grant everything that is done here; nobody can go anywhere else."""
        changes = Changes()
        for name in order:
            action, figure = intents[name].action, self.figures[name]
            if action is None:
                continue
            if action.place == ROOM:
                self.figures[name] = replace(figure, action=action)
                changes.deeds.append(Deed(agent=name, tick=tick, action=action))
            else:
                changes.deeds.append(
                    refuse(self.figures, name, tick, action, "there is only this room")
                )
        changes.add(self.grant_talks(tick, order, intents))
        return changes

    def meeting(self, people: Sequence[str], tick: int) -> tuple[str, int]:
        """Return the room and the current time: a talk begins at once."""
        return ROOM, self.clock.at(tick)
