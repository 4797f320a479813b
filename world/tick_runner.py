"""Runs a world tick by tick with given intents, to test it without any mind or model."""

from collections.abc import Mapping, Sequence

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.places import join_address
from smolville.graphs.surroundings import Intent, Senses, Stimulus, StimulusKind
from smolville.history.records import Intervention, ObjectState, WishKind
from smolville.world.adapter import Changes, Grant, World

TURNS = (1201, 1800, 2399)
"""Durations in seconds of the actions in a trial's future."""
LONG = 4 * 3600
"""Seconds within which anybody can walk anywhere."""


def promise(is_kept: bool, sentence: str) -> None:
    """Raise AssertionError with a sentence if a promise is broken, even under `python -O`."""
    if not is_kept:
        raise AssertionError(sentence)


class TickRunner:
    """Runs the phases of a tick as the engine does, with all people in one cluster."""

    def __init__(
        self,
        world: World,
        *,
        tick: int = 0,
        seen: Mapping[str, Sequence[str]] | None = None,
        objects: Mapping[str, ObjectState] | None = None,
    ) -> None:
        self.world = world
        self.names = tuple(world.names)
        self.tick = tick
        self.objects = dict(objects or {})
        """The latest state of every object whose state was ever changed."""
        self.seen = {name: set((seen or {}).get(name, ())) for name in self.names}
        """The events that each mind has seen."""

    @property
    def at(self) -> int:
        """Town second at which the tick begins."""
        return self.world.clock.at(self.tick)

    def stride(self) -> None:
        """Move on to the next tick at which anything may happen."""
        following = self.world.next_tick(self.tick, self.names)
        promise(following > self.tick, f"after tick {self.tick}, `next_tick` is {following}")
        self.tick = following

    def live(self, intents: Mapping[str, Intent], order: Sequence[str] = ()) -> Changes:
        """Run the tick: arrivals, then a thought for each person with a stimulus, then the intents.

        The thoughts do nothing but handle the stimuli.
        """
        world, tick = self.world, self.tick
        arrived = world.arrivals(tick, self.names)
        due = world.stimuli(tick, self.names)
        self._check_clusters({*arrived, *due, *intents})
        for name, why in due.items():
            around = world.surroundings(name, tick, why)
            promise(around.stimuli() == why, f"{name}'s surroundings tell other stimuli: {why}")
            self.seen[name].update(percept.key for percept in around.percepts())
        for name in due:
            world.settle(name, tick, frozenset(self.seen[name]))
        done = Changes()
        for changes in arrived.values():
            done.add(changes)
        done.add(world.resolve(tick, tuple(order) or tuple(sorted(intents)), intents))
        self.note(done)
        return done

    def note(self, changes: Changes) -> None:
        """Store the states of objects, as a run's history does."""
        self.objects.update((state.address, state) for state in changes.objects)

    def agents_with(self, kind: StimulusKind) -> list[str]:
        """Return the names of the people with a stimulus of this kind at this tick, sorted."""
        due = self.world.stimuli(self.tick, self.names)
        return sorted(name for name, why in due.items() if kind in {each.kind for each in why})

    def around(self, name: str) -> Senses:
        """Return the surroundings that a person would be shown for a thought at this tick."""
        why = self.world.stimuli(self.tick, self.names).get(name, ())
        return self.world.surroundings(name, self.tick, why)

    def place(self, name: str) -> str:
        """Return the address of somebody's place."""
        return self.around(name).body().place

    def doing(self, place: str, seconds: int) -> Intent:
        """Return an intent to do something at a place from now on."""
        action = Action(
            kind="do", activity="standing about", place=place, start=self.at, end=self.at + seconds
        )
        return Intent(action=action, reason="on trial")

    def talk(self, grant: Grant) -> Talk:
        """Hold and return a granted talk of one line and two minutes, rounded up to a tick."""
        clock = self.world.clock
        return Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self.at,
            end=clock.at(clock.tick_at(grant.begins + 120)),
            lines=(TalkLine(speaker=grant.participants[0], text="Well, well.", at=grant.begins),),
            ended_by=grant.participants[0],
        )

    def wish(self, kind: WishKind, target: str, text: str) -> Intervention:
        """Return an operator's intervention at this tick."""
        return Intervention(
            id=f"{kind}/{self.tick}", tick=self.tick, kind=kind, target=target, text=text
        )

    def future(self, places: Mapping[str, Sequence[str]], seconds: int) -> list[str]:
        """Run for some town seconds, and return everything that happened: one text for each event.

        Everybody goes from place to place, and talks to anybody who comes into sight.
        """
        until, story = self.at + seconds, []
        self.stride()
        while self.at < until:
            due = self.world.stimuli(self.tick, self.names)
            intents = {
                name: self._choose_intent(name, why, places[name]) for name, why in due.items()
            }
            kept = {name: intent for name, intent in intents.items() if intent is not None}
            done = self.live(kept)
            for grant in tuple(done.granted):
                done.add(self.world.hold(self.tick, self.talk(grant)))
            self.note(done)
            if due or done != Changes():
                story.append(f"tick {self.tick}: {due}, {done}")
            self.stride()
        return story

    def _choose_intent(
        self, name: str, why: tuple[Stimulus, ...], places: Sequence[str]
    ) -> Intent | None:
        """Return somebody's intent: sometimes to talk, otherwise to move on when it is time."""
        percepts = self.world.surroundings(name, self.tick, why).percepts()
        others = [percept.subject for percept in percepts if percept.can_talk]
        if others and draw("talk", name, self.tick) % 3 == 0:
            return Intent(start_talk=pick(others, name, self.tick), reason="on trial")
        if not {"action_ended", "refused"} & {each.kind for each in why}:
            return None
        return self.doing(pick(places, name, self.tick), pick(TURNS, name, self.tick))

    def _check_clusters(self, active: set[str]) -> None:
        """Check that every active person is in exactly one group.

        Each group must also contain all people whom its members perceive.
        """
        groups = self.world.clusters(self.tick, self.names, active)
        members = [name for group in groups for name in group]
        promise(
            len(members) == len(set(members)) and active <= set(members) <= set(self.names),
            f"{sorted(active)} are active, and the groups are {groups}",
        )
        for group in groups:
            promise(not active.isdisjoint(group), f"nobody in the group {group} is active")
            for name in group:
                near = {percept.subject for percept in self.around(name).percepts()}
                apart = near.intersection(self.names).difference(group)
                promise(not apart, f"{name} perceives {apart}, who are in no group with {name}")


def objects_in_sight(around: Senses) -> list[str]:
    """Return the addresses of the objects within somebody's box and room."""
    sights = [sight for sight in around.sights() if not sight.is_elsewhere]
    return [join_address(sight.arena, thing) for sight in sights for thing in sight.objects]
