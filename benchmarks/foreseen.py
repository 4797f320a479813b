"""What the free schedule would gain if the end of a talk were known when the talk begins.

This is a bound, not a schedule. Each talk is answered at once with the record of an earlier run of
the same day, and committed. So all others know from its first tick on how long the talkers stay.
The lines of the talk are generated in parallel, and its participants think again only after the
last line.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smolville.graphs.surroundings import Stimulus
    from smolville.world.adapter import Grant
    from smolville.world.simulation import Simulation
    from smolville.world.thought_runner import ThoughtOutcome


class TalksNoted:
    """Stores the outcome of each talk of a simulation, by the talk's id."""

    def __init__(self, simulation: "Simulation") -> None:
        self.found: dict[str, ThoughtOutcome] = {}
        self._talk = simulation.engine.runner.thinkers.talk
        simulation.engine.runner.thinkers.talk = self.talk  # type: ignore[method-assign]

    async def talk(self, grant: "Grant", tick: int) -> "ThoughtOutcome":
        """Hold a talk, and store its outcome."""
        self.found[grant.id] = await self._talk(grant, tick)
        return self.found[grant.id]


class TalksForeseen:
    """Makes the outcome of each talk of a simulation known when the talk begins."""

    def __init__(self, simulation: "Simulation", known: "Mapping[str, ThoughtOutcome]") -> None:
        self._known = known
        self._held: dict[str, asyncio.Task[ThoughtOutcome]] = {}
        thinkers = simulation.engine.runner.thinkers
        self._think, self._talk = thinkers.think, thinkers.talk
        thinkers.think = self.think  # type: ignore[method-assign]
        thinkers.talk = self.talk  # type: ignore[method-assign]

    async def talk(self, grant: "Grant", tick: int) -> "ThoughtOutcome":
        """Return the talk of the earlier run, and hold the talk in parallel."""
        held = asyncio.create_task(self._talk(grant, tick))
        self._held |= dict.fromkeys(grant.participants, held)
        # It reads minds and memories as they are now, before the commit.
        await asyncio.sleep(0)
        return self._known[grant.id]

    async def think(
        self, agent: str, tick: int, stimuli: "tuple[Stimulus, ...]"
    ) -> "ThoughtOutcome":
        """Run a thought, once the last line of the agent's talk has been said."""
        if agent in self._held:
            await self._held.pop(agent)
        return await self._think(agent, tick, stimuli)

    async def end(self) -> None:
        """Wait for the talks whose participants have not thought again."""
        await asyncio.gather(*self._held.values())
