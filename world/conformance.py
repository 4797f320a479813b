"""A conformance test for any world: `check_world` checks the promises of `world.adapter`.

A world is run tick by tick with given intents, without any mind or model.
"""

from collections.abc import Mapping, Sequence

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.persona import Persona
from smolville.graphs.context import Intent, Senses, Stimulus, StimulusKind
from smolville.history.records import ObjectState
from smolville.world.adapter import Changes, Grant, World

NOWHERE = "Nowhere: at all: a thing that is not there"
NOBODY = "Nobody Atall"
TURNS = (1201, 1800, 2399)
"""Durations in seconds of the actions in a trial's future."""
LONG = 4 * 3600
"""Seconds within which anybody can walk anywhere."""


def check_world(world: World, personas: Sequence[Persona]) -> None:
    """Raise AssertionError with a sentence for the first promise that `world` breaks.

    `world` must be new: it holds these people, at least three, and nobody has acted yet. The check
    changes it, so it cannot be used afterwards. Also run the check with a length of a tick
    that does not divide an hour, because an action can then end in the middle of a tick.
    """
    promise(len(personas) >= 3, "three people at least are needed to see who may talk with whom")
    expected = sorted(persona.name for persona in personas)
    promise(sorted(world.names) == expected, f"`names` are {world.names}, not {expected}")
    for persona in personas:
        promise(bool(world.known_at_start(persona)), f"{persona.name} knows no place at the start")
    trial = TickRunner(world)
    _check_first_tick(trial)
    _check_gathering(trial)
    _check_refusals(trial)
    _check_talk(trial)
    _check_restoring(trial, personas)


def promise(is_kept: bool, sentence: str) -> None:
    """Raise AssertionError with a sentence if a promise is broken, even under `python -O`."""
    if not is_kept:
        raise AssertionError(sentence)


class TickRunner:
    """Runs the phases of a tick as the engine does, with thoughts that only take note."""

    def __init__(
        self, world: World, tick: int = 0, seen: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.world = world
        self.names = tuple(world.names)
        self.tick = tick
        self.objects: dict[str, ObjectState] = {}
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
        """Run the tick: arrivals, a thought for each person with a stimulus, then the intents."""
        world, tick, done = self.world, self.tick, Changes()
        arrived = world.arrivals(tick, self.names)
        due = world.stimuli(tick, self.names)
        self._check_clusters({*arrived, *due, *intents})
        for name, why in due.items():
            percepts = world.surroundings(name, tick, why).percepts
            promise(all(each.subject != name for each in percepts), f"{name} perceives itself")
            self.seen[name].update(percept.key for percept in percepts)
        for name in due:
            world.settle(name, tick, frozenset(self.seen[name]))
        for changes in arrived.values():
            done.add(changes)
        done.add(world.resolve(tick, tuple(order) or tuple(sorted(intents)), intents))
        self.objects.update((state.address, state) for state in done.objects)
        return done

    def agents_with(self, kind: StimulusKind) -> list[str]:
        """Return the names of the people with a stimulus of this kind at this tick, sorted."""
        due = self.world.stimuli(self.tick, self.names)
        return sorted(name for name, why in due.items() if kind in {each.kind for each in why})

    def around(self, name: str) -> Senses:
        """Return the surroundings that a person would be shown for a thought at this tick."""
        why = self.world.stimuli(self.tick, self.names).get(name, ())
        return self.world.surroundings(name, self.tick, why)

    def doing(self, place: str, seconds: int) -> Intent:
        """Return an intent to do something at a place from now on."""
        action = Action(
            kind="do", activity="standing about", place=place, start=self.at, end=self.at + seconds
        )
        return Intent(action=action, reason="on trial")

    def hold(self, grant: Grant) -> tuple[Talk, Changes]:
        """Hold a granted talk of one line and two minutes, rounded up to a tick."""
        clock, speaker = self.world.clock, grant.participants[0]
        talk = Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self.at,
            end=clock.at(clock.tick_at(grant.begins + 120)),
            lines=(TalkLine(speaker=speaker, text="Well, well.", at=grant.begins),),
            ended_by=speaker,
        )
        return talk, self.world.hold(self.tick, talk)

    def future(self, places: Mapping[str, Sequence[str]], seconds: int) -> list[str]:
        """Run for some town seconds, and return everything that happened: one text for each event.

        Everybody goes from place to place, and talks to anybody who comes into sight.
        """
        until, story = self.at + seconds, []
        self.stride()
        while self.at < until:
            due = self.world.stimuli(self.tick, self.names)
            wanted = {name: self._choose(name, why, places[name]) for name, why in due.items()}
            done = self.live({name: each for name, each in wanted.items() if each is not None})
            for grant in tuple(done.granted):
                done.add(self.hold(grant)[1])
            if due or done != Changes():
                story.append(f"tick {self.tick}: {due}, {done}")
            self.stride()
        return story

    def _choose(self, name: str, why: tuple[Stimulus, ...], places: Sequence[str]) -> Intent | None:
        percepts = self.world.surroundings(name, self.tick, why).percepts
        others = [percept.subject for percept in percepts if percept.can_talk]
        if others and draw("talk", name, self.tick) % 3 == 0:
            return Intent(start_talk=pick(others, name, self.tick), reason="on trial")
        if not {"action_ended", "refused"} & {each.kind for each in why}:
            return None
        return self.doing(pick(places, name, self.tick), pick(TURNS, name, self.tick))

    def _check_clusters(self, active: set[str]) -> None:
        """Check that each active person is in one group, with everybody whom its members see."""
        groups = self.world.clusters(self.tick, self.names, active)
        members = [name for group in groups for name in group]
        is_sound = len(members) == len(set(members)) and active <= set(members) <= set(self.names)
        promise(is_sound, f"{sorted(active)} are active, and the groups are {groups}")
        for group in groups:
            for name in group:
                near = {percept.subject for percept in self.around(name).percepts}
                apart = near.intersection(self.names).difference(group)
                promise(not apart, f"{name} perceives {apart}, who are in no group with {name}")


def _check_first_tick(trial: TickRunner) -> None:
    """Check that everybody has the stimulus to plan at tick 0, until a thought has settled it."""
    for _ in range(2):
        planning = trial.agents_with("new_day")
        promise(planning == sorted(trial.names), f"of the new day only {planning} are told")
    place = trial.around(trial.names[0]).body.place
    trial.live({name: trial.doing(place, LONG + 1) for name in trial.names})
    again = trial.agents_with("new_day")
    promise(not again, f"{again} hear of the new day again after `settle`")


def _check_gathering(trial: TickRunner) -> None:
    """Check that actions end at their town second, and bring everybody to their place."""
    actions = [trial.around(name).body.action for name in trial.names]
    begun = [action for action in actions if action is not None]
    promise(len(begun) == len(actions), f"an intended action does not begin: {actions}")
    last = trial.world.clock.tick_at(begun[0].end)
    while trial.tick < last:
        trial.stride()
        promise(trial.tick <= last, f"`next_tick` strides past tick {last}, where actions end")
        ended = trial.agents_with("action_ended")
        if trial.tick < last:
            promise(not ended, f"the action of {ended} ends before its time")
            trial.live({})
    promise(ended == sorted(trial.names), f"at its end, the action ends for {ended} only")
    for name in trial.names:
        body = trial.around(name).body
        is_there = body.arrived and body.place == begun[0].place
        promise(is_there, f"{name} set out for {begun[0].place!r} and stands in {body.place!r}")


def _check_refusals(trial: TickRunner) -> None:
    """Check that impossible intents are refused with a reason, which is told once."""
    name, *others = trial.names
    intents = {each: trial.doing(trial.around(each).body.place, LONG) for each in others}
    for wish in (Intent(start_talk=NOBODY, reason="to see"), trial.doing(NOWHERE, LONG)):
        done = trial.live({name: wish, **intents})
        outcomes = [(deed.outcome, bool(deed.reason)) for deed in done.deeds if deed.agent == name]
        promise(outcomes == [("refused", True)] and not done.granted, f"{wish} is not refused")
        intents = {}
        trial.stride()
    promise(trial.around(name).body.refused != "", "`body` does not say why it was refused")
    trial.live({name: trial.doing(trial.around(name).body.place, LONG)})
    promise(name not in trial.agents_with("refused"), "a refusal is told again after `settle`")


def _check_talk(trial: TickRunner) -> None:
    """Check that a talk keeps both people busy until its end, which both notice once."""
    first, second, third = trial.names[:3]
    both = sorted((first, second))
    trial.stride()
    wishes = {
        name: Intent(start_talk=other, reason="to see")
        for name, other in ((first, second), (second, first))
    }
    done = trial.live(wishes, order=(first, second))
    promise(len(done.granted) == 1, f"two wishes for each other are {len(done.granted)} talks")
    grant = done.granted[0]
    promise(grant.participants == (first, second), f"who asks first begins: {grant.participants}")
    talk, held = trial.hold(grant)
    times = {(deed.agent, deed.action.kind, deed.action.end) for deed in held.deeds}
    expected = {(name, "talk", talk.end) for name in both}
    promise(times == expected, f"a talk until {talk.end} s is held as {times}")
    last = trial.world.clock.tick_at(talk.end)
    while trial.tick < last:
        trial.stride()
        promise(trial.tick <= last, f"`next_tick` strides past tick {last}, where a talk ends")
        if trial.tick < last:
            called = list(trial.world.stimuli(trial.tick, both))
            promise(not called, f"{called} must think in the middle of a talk")
            done = trial.live({third: Intent(start_talk=first, reason="to see")})
            promise(not done.granted, f"{third} is granted a talk with {first}, who is in another")
    ended = trial.agents_with("talk_ended")
    promise(ended == both, f"of a talk's end {ended} are told, not {both}")
    for name in both:
        promise(trial.around(name).body.ended_talk == talk, f"{name} does not know the talk")
    trial.live({name: trial.doing(trial.around(name).body.place, LONG) for name in trial.names})
    promise(not trial.agents_with("talk_ended"), "a talk's end is told again after `settle`")


def _check_restoring(trial: TickRunner, personas: Sequence[Persona]) -> None:
    """Check that a restored world goes on exactly as the saved one did."""
    world, names, tick = trial.world, trial.names, trial.tick
    known = {persona.name: list(world.known_at_start(persona)) for persona in personas}
    bodies, objects = world.bodies(names), dict(trial.objects)
    seen = {name: tuple(keys) for name, keys in trial.seen.items()}
    first = trial.future(known, LONG)
    world.restore(tick, bodies, objects, seen)
    promise(world.bodies(names) == bodies, "bodies are not the same after `restore`")
    second = TickRunner(world, tick, seen).future(known, LONG)
    for one, other in zip(first, second, strict=False):
        promise(one == other, f"after `restore` {other} happens; before, it was {one}")
    promise(len(first) == len(second), "after `restore` the future is longer or shorter")
