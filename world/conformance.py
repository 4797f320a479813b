"""A conformance test for any world: `check_world` checks the promises of `world.adapter`."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import dumps, loads

from smolville.agents.action import Action, Talk
from smolville.agents.mind import Appointment
from smolville.agents.persona import Persona
from smolville.agents.places import join_address
from smolville.graphs.surroundings import Intent, Percept
from smolville.history.records import Intervention
from smolville.world.adapter import World
from smolville.world.tick_runner import LONG, TickRunner, objects_in_sight, promise

NOWHERE = "Nowhere: at all: a thing that is not there"
NOBODY = "Nobody Atall"
A_YEAR = 365 * 86_400
ROSA = "Rosa Lind"
ABOUT = "a reporter from the county paper"


def check_world(world: World, personas: Sequence[Persona]) -> None:
    """Raise AssertionError with a sentence for the first promise that `world` breaks.

    `world` must be new: it holds these people, at least three, and nobody has acted yet. The check
    changes it, so it cannot be used afterwards. Also run the check with a length of a tick
    that does not divide an hour, because an action can then end in the middle of a tick.
    """
    promise(len(personas) >= 3, "three people at least are needed to see who may talk with whom")
    _check_people(world, personas)
    trial = TickRunner(world)
    _check_first_tick(trial, personas)
    _check_gathering(trial)
    _check_refusals(trial)
    _check_talk(trial)
    _check_interventions(trial)
    _check_need(trial)
    _check_excuse(trial)
    _check_announcement(trial)
    _check_visitor(trial)
    _check_restoring(trial, personas)


def _check_people(world: World, personas: Sequence[Persona]) -> None:
    """Check that everybody is present and knows some place from the start."""
    expected = sorted(persona.name for persona in personas)
    promise(sorted(world.names) == expected, f"`names` are {world.names}, not {expected}")
    promise(world.clock.tick_seconds >= 1, "a tick lasts at least one second")
    for persona in personas:
        promise(bool(world.known_at_start(persona)), f"{persona.name} knows no place at the start")


def _check_first_tick(trial: TickRunner, personas: Sequence[Persona]) -> None:
    """Check that everybody has the stimulus to plan at tick 0, and again only on another day."""
    known = [thing for each in personas for thing in _known_objects(trial, each)]
    world, names = trial.world, trial.names
    promise(world.arrivals(0, names) == {}, "somebody arrives before anybody has set out")
    due = world.stimuli(0, names)
    for name in names:
        kinds = [stimulus.kind for stimulus in due.get(name, ())]
        promise("new_day" in kinds, f"{name} is not told of the new day at tick 0, only {kinds}")
        asked = world.stimuli(0, [name])
        promise(list(asked) == [name], f"asked for {name}, `stimuli` tells of {list(asked)}")
        promise(
            any(each.kind == "new_day" for each in world.stimuli(0, names)[name]),
            f"{name}'s new day is forgotten before `settle` takes note of it",
        )
        _check_window(trial, name, known)
    place = world.surroundings(names[0], 0, due[names[0]]).body().place
    trial.live({name: trial.doing(place, LONG + 1) for name in names})
    again = [name for name, why in world.stimuli(0, names).items() if why[0].kind == "new_day"]
    promise(not again, f"{again} hear of the new day again after `settle`")


def _known_objects(trial: TickRunner, persona: Persona) -> list[str]:
    """Return the addresses of the objects that somebody knows from the start."""
    places = trial.world.known_at_start(persona).items()
    return [join_address(arena, thing) for arena, place in places for thing in place.objects]


def _check_window(trial: TickRunner, name: str, known: Sequence[str]) -> None:
    """Check the surroundings of an agent: the current tick, and only objects within sight.

    The agent must not be among its own percepts. `known` are addresses of objects.
    """
    around = trial.around(name)
    tick = trial.tick
    promise(around.tick == tick, f"surroundings of tick {around.tick} are given at tick {tick}")
    promise(around.at == trial.at, f"tick {tick} begins at {around.at} s, not {trial.at}")
    promise(around.start_date == trial.world.start_date, "surroundings have another start date")
    promise(bool(around.body().place), f"{name} stands nowhere")
    promise(
        all(percept.subject != name for percept in around.percepts()), f"{name} perceives itself"
    )
    sights = objects_in_sight(around)
    for address in sights:
        around.is_taken(address)
    for address in {NOWHERE, *known}.difference(sights):
        try:
            around.is_taken(address)
        except LookupError:
            continue
        raise AssertionError(f"`is_taken` answers {name} about {address!r}, which is out of sight")


def _check_gathering(trial: TickRunner) -> None:
    """Check actions that everybody has just begun, all with the same end.

    Each action must be under way at once, end at its town second and not before, and bring the
    person to its place.
    """
    world = trial.world
    actions = {name: trial.around(name).body().action for name in trial.names}
    ends = {action.end for action in actions.values() if action is not None}
    promise(
        None not in actions.values() and len(ends) == 1,
        f"an intended action is not what `body` tells after `resolve`: {actions}",
    )
    places = {action.place for action in actions.values() if action is not None}
    last = world.clock.tick_at(ends.pop())
    while trial.tick < last:
        trial.stride()
        promise(trial.tick <= last, f"`next_tick` strides past tick {last}, where actions end")
        ended = trial.agents_with("action_ended")
        if trial.tick < last:
            promise(not ended, f"the action of {ended} ends before its time")
            trial.live({})
    promise(ended == sorted(trial.names), f"at its end, the action ends for {ended} only")
    for name in trial.names:
        body = trial.around(name).body()
        promise(body.arrived, f"{name} has not arrived after {LONG} seconds")
        promise(body.place in places, f"{name} set out for {places} and stands in {body.place!r}")


def _check_refusals(trial: TickRunner) -> None:
    """Check that impossible intents are refused with a reason: no such person, no such place."""
    name = trial.names[0]
    intents = {each: trial.doing(trial.place(each), LONG) for each in trial.names[1:]}
    done = trial.live({name: Intent(start_talk=NOBODY, reason="to see"), **intents})
    refused = [deed for deed in done.deeds if deed.agent == name and deed.outcome == "refused"]
    promise(
        len(refused) == 1 and not done.granted,
        f"a wish to talk to {NOBODY!r} is not refused: {done.deeds}",
    )
    promise(bool(refused[0].reason), "a refusal says no reason")
    trial.stride()
    done = trial.live({name: trial.doing(NOWHERE, LONG)})
    outcomes = [deed.outcome for deed in done.deeds if deed.agent == name]
    promise(outcomes == ["refused"], f"going to {NOWHERE!r} is not refused but {outcomes}")
    trial.stride()
    promise(name in trial.agents_with("refused"), "whom something was refused is not told so")
    promise(trial.around(name).body().refused != "", "`body` does not say why it was refused")
    trial.live({name: trial.doing(trial.place(name), LONG)})
    promise(name not in trial.agents_with("refused"), "a refusal is told again after `settle`")


def _check_talk(trial: TickRunner) -> None:
    """Check that a talk occupies both people equally, and that nobody else can talk to them."""
    first, second, third = trial.names[:3]
    trial.stride()
    before = trial.around(second).body().action
    wishes = {
        first: Intent(start_talk=second, reason="to see"),
        second: Intent(start_talk=first, reason="to see"),
    }
    done = trial.live(wishes, order=(first, second))
    promise(len(done.granted) == 1, f"two wishes for each other are {len(done.granted)} talks")
    grant = done.granted[0]
    promise(grant.participants == (first, second), f"who asks first begins: {grant.participants}")
    promise(grant.begins >= trial.at, f"a talk granted at {trial.at} s begins at {grant.begins}")
    refused = [deed.agent for deed in done.deeds if deed.outcome == "refused"]
    promise(not refused, f"two who want each other are refused: {refused}")
    talk = trial.talk(grant)
    held = trial.world.hold(trial.tick, talk)
    times = {
        (deed.agent, deed.action.kind, deed.action.start, deed.action.end) for deed in held.deeds
    }
    expected = {(name, "talk", talk.start, talk.end) for name in talk.participants}
    promise(times == expected, f"a talk from {talk.start} to {talk.end} s is held as {times}")
    _check_held(trial, talk, third)
    for name in talk.participants:
        body = trial.around(name).body()
        promise(body.ended_talk == talk, f"{name}'s body does not know the talk that has ended")
    now = trial.around(second).body().interrupted
    promise(now == before, f"the talk interrupted {before}, and `body` tells {now}")
    trial.live({name: trial.doing(trial.place(name), LONG) for name in trial.names})
    promise(not trial.agents_with("talk_ended"), "a talk's end is told again after `settle`")
    promise(trial.around(first).body().ended_talk is None, "an ended talk lasts past `settle`")
    _check_passed_on(trial, talk)


def _check_passed_on(trial: TickRunner, talk: Talk) -> None:
    """Check that what one person recorded of a talk is told to the other, until it is settled."""
    world, (first, second) = trial.world, talk.participants
    made = Appointment(day=2, start=None, partners=(), who=(second,), heard=talk.participants)
    world.pass_on(first, (made,), trial.names)
    told = {name: trial.around(name).body().claims for name in talk.participants}
    expected = {first: (), second: (made.told_to(second, first),)}
    promise(told == expected, f"what {first} recorded is told as {told}")
    world.settle(second, trial.tick, frozenset(trial.seen[second]))
    promise(not trial.around(second).body().claims, "an agreement is told again after `settle`")


def _check_held(trial: TickRunner, talk: Talk, third: str) -> None:
    """Check that two people in a talk get no other talk until its end, and both notice its end."""
    both, last = sorted(talk.participants), trial.world.clock.tick_at(talk.end)
    while trial.tick < last:
        trial.stride()
        promise(trial.tick <= last, f"`next_tick` strides past tick {last}, where a talk ends")
        ended = trial.agents_with("talk_ended")
        if trial.tick == last:
            promise(ended == both, f"of a talk's end {ended} are told, not {both}")
            return
        called = [name for name in both if name in trial.world.stimuli(trial.tick, both)]
        promise(not called, f"{called} must think in the middle of a talk")
        done = trial.live({third: Intent(start_talk=both[0], reason="to see")})
        promise(not done.granted, f"{third} is granted a talk with {both[0]}, who is in another")


def _check_interventions(trial: TickRunner) -> None:
    """Check that a whisper is heard until it is settled, and that an object's new state is seen."""
    trial.stride()
    name, world = trial.names[0], trial.world
    whisper = trial.wish("whisper", name, "look up")
    world.deliver(whisper)
    for _ in range(2):
        why = world.stimuli(trial.tick, trial.names).get(name, ())
        texts = [each.text for each in why if each.kind == "inner_voice"]
        promise(texts == ["look up"], f"{name} hears {texts} instead of the whisper")
    trial.live({})
    promise(name not in trial.agents_with("inner_voice"), "a whisper is heard again after `settle`")
    things = objects_in_sight(trial.around(name))
    if things:
        trial.stride()
        changes = world.deliver(trial.wish("object_state", things[0], "on fire"))
        trial.note(changes)
        states = [(each.address, each.state) for each in changes.objects]
        promise(states == [(things[0], "on fire")], f"a new state is told as {states}")
        trial.stride()
        shown = [state for sight in trial.around(name).sights() for state in sight.states]
        promise("on fire" in dict(shown).values(), f"{name} does not see what is on fire")
        trial.live({})


def _check_need(trial: TickRunner) -> None:
    """Check that a need is felt when it is due, and no longer once a thought has handled it."""
    world, name = trial.world, trial.names[0]
    trial.stride()
    trial.live({})
    last = trial.tick + 1
    world.settle(name, trial.tick, frozenset(trial.seen[name]), world.clock.at(last))
    promise(name not in trial.agents_with("need"), f"{name} feels a need before its time")
    trial.stride()
    promise(trial.tick == last, f"`next_tick` strides past tick {last}, where a need is felt")
    promise(name in trial.agents_with("need"), f"{name} feels no need at its time")
    trial.live({})
    promise(name not in trial.agents_with("need"), "a need is felt again after `settle`")


def _check_excuse(trial: TickRunner) -> None:
    """Check that an agent whose thought failed is left alone for a while, and then thinks again."""
    trial.stride()
    name, world = trial.names[0], trial.world
    world.deliver(trial.wish("whisper", name, "try again"))
    world.excuse(name, trial.tick)
    start = trial.at
    waited = False
    while name not in trial.agents_with("inner_voice"):
        promise(trial.at - start < 86_400, f"{name} is never asked again after a failed thought")
        waited = True
        trial.live({})
        trial.stride()
    promise(waited, f"{name} is asked again at the very tick at which its thought failed")
    trial.live({})


def _check_announcement(trial: TickRunner) -> None:
    """Check that people hear an announcement until it is settled, and sleepers hear it later."""
    trial.stride()
    world, (name, other) = trial.world, trial.names[:2]
    place = trial.place(other)
    bed = Action(
        kind="sleep", activity="sleeping", place=place, start=trial.at, end=trial.at + LONG
    )
    trial.live({other: Intent(action=bed)})
    trial.stride()
    for each in (name, other):
        world.deliver(trial.wish("announcement", each, "the fair is on Friday"))
    for _ in range(2):
        hearers = trial.agents_with("announcement")
        promise(
            hearers == [name], f"an announcement is heard by {hearers}, not by {name}, who is awake"
        )
    trial.live({})
    promise(not trial.agents_with("announcement"), "an announcement is heard again after `settle`")
    trial.live({other: trial.doing(place, LONG)})
    trial.stride()
    hearers = trial.agents_with("announcement")
    promise(hearers == [other], f"{other}, who has got up, does not hear what was announced")
    trial.live({})


def _check_visitor(trial: TickRunner) -> None:
    """Check that a visitor comes, is seen, talks, waits for a talk's end, and leaves for good."""
    trial.stride()
    name, world = trial.names[0], trial.world
    clash = _make_visitor_wish(trial, name)
    promise(bool(world.why_not(clash)), f"a visitor may be called {name!r}, as somebody is")
    _bring_visitor(trial)
    promise(ROSA not in world.names, f"{ROSA}, a visitor, is among `names`")
    percept = _read_visitor_percept(trial, name)
    promise(ABOUT in percept.text and percept.about == ABOUT, f"nobody sees who {ROSA} is")
    trial.world.deliver(trial.wish("visitor_acts", ROSA, "whistling"))
    percept = _read_visitor_percept(trial, name)
    promise(percept.activity == "whistling", f"{ROSA} whistles, and is {percept.activity!r}")
    _check_visitors_talk(trial, name)
    trial.world.deliver(trial.wish("visitor_leaves", ROSA, ""))
    start = trial.at
    while _sights(trial, name):
        promise(trial.at - start < LONG, f"{ROSA} does not leave")
        trial.live({})
        trial.stride()
    done = trial.live({name: Intent(start_talk=ROSA, reason="to see")})
    promise(not done.granted, f"{name} is granted a talk with {ROSA}, who has left")
    trial.stride()
    _bring_visitor(trial)
    _check_walk_to_person(trial, trial.names[1])
    trial.live({})


def _check_walk_to_person(trial: TickRunner, other: str) -> None:
    """Check that a visitor who wants to talk to somebody elsewhere walks there first."""
    world, start = trial.world, trial.at
    while world.why_not(wish := trial.wish("visitor_talks", ROSA, other)):
        why = f"{ROSA}, who wants to speak to {other}, never comes near"
        promise(trial.at - start < LONG, why)
        walk = world.walk_before(wish)
        if walk is not None:
            told = (walk.kind, walk.target, walk.text, walk.tick)
            promise(
                told == ("visitor_walks", ROSA, other, trial.tick), f"{ROSA} is to walk as {told}"
            )
            world.deliver(walk)
        trial.live({})
        trial.stride()


def _check_visitors_talk(trial: TickRunner, name: str) -> None:
    """Check that a visitor's talk is granted with the visitor as guest, and keeps both busy."""
    world = trial.world
    done = trial.live({name: Intent(start_talk=ROSA, reason="to see")})
    promise(len(done.granted) == 1, f"{name} is granted no talk with {ROSA}: {done.deeds}")
    grant = done.granted[0]
    promise(set(grant.guests) == {ROSA}, f"the guests of a talk with {ROSA} are {grant.guests}")
    talk = trial.talk(grant)
    held = world.hold(trial.tick, talk)
    times = {(deed.agent, deed.action.end) for deed in held.deeds}
    promise(times == {(name, talk.end), (ROSA, talk.end)}, f"the talk is held as {times}")
    trial.stride()
    last = world.clock.tick_at(talk.end)
    waits = world.must_wait(trial.wish("visitor_leaves", ROSA, ""))
    promise(waits or trial.tick >= last, f"{ROSA} may go away in the middle of a talk")
    while trial.tick < last:
        trial.live({})
        trial.stride()
    body = trial.around(name).body()
    promise(
        body.introduced == {ROSA: ABOUT}, f"{name} does not know with whom the talk was: {body}"
    )
    promise(not world.must_wait(trial.wish("visitor_leaves", ROSA, "")), "a talk never ends")
    trial.live({each: trial.doing(trial.place(each), LONG) for each in trial.names})
    trial.stride()


def _bring_visitor(trial: TickRunner) -> None:
    """Let the visitor come to the first agent's place, and wait until both are there."""
    name, world = trial.names[0], trial.world
    trial.live({name: trial.doing(trial.place(name), 2 * LONG)})
    trial.stride()
    start = trial.at
    # A visitor who is still on the way out cannot come in at the same time.
    while (
        why := world.why_not(coming := _make_visitor_wish(trial, ROSA))
    ) and trial.at - start < LONG:
        trial.live({})
        trial.stride()
    promise(not why, f"{ROSA} cannot come: {why}")
    moved = world.deliver(coming)
    tells = {move.agent for move in moved.moves} | {deed.agent for deed in moved.deeds}
    promise(tells == {ROSA}, f"that {ROSA} comes shows in rows of {tells}")
    holder = world.holder(coming, trial.names)
    promise(holder in trial.names, f"the commit of {holder!r} is to hold what {ROSA} does")
    promise(bool(world.why_not(coming)), f"{ROSA} may come twice")
    start = trial.at
    while not any(each.can_talk for each in _sights(trial, name)):
        promise(trial.at - start < LONG, f"{name} never sees {ROSA}, who has come")
        trial.live({})
        trial.stride()
    bodies = world.bodies([ROSA])
    promise(list(bodies) == [ROSA], f"the body of {ROSA} is not among `bodies`")


def _make_visitor_wish(trial: TickRunner, who: str) -> Intervention:
    """Return the request that lets a visitor come to the first agent's place."""
    fields = {"about": ABOUT, "place": trial.place(trial.names[0]), "doing": "looking around"}
    return trial.wish("visitor_enters", who, dumps(fields))


def _sights(trial: TickRunner, name: str) -> list[Percept]:
    """Return a person's percepts of the visitor."""
    return [each for each in trial.around(name).percepts() if each.subject == ROSA]


def _read_visitor_percept(trial: TickRunner, name: str) -> Percept:
    """Return a person's percept of the visitor, who must be in sight."""
    found = _sights(trial, name)
    promise(len(found) == 1, f"{name} perceives {len(found)} times {ROSA}, who is there")
    return found[0]


def _check_restoring(trial: TickRunner, personas: Sequence[Persona]) -> None:
    """Check that a world restored from saved bodies goes on exactly as the saved world did.

    The computer's time and date must make no difference.
    """
    world, names = trial.world, trial.names
    known = {persona.name: list(world.known_at_start(persona)) for persona in personas}
    bodies, seen, objects = (
        world.bodies((*names, ROSA)),
        {name: tuple(keys) for name, keys in trial.seen.items()},
        dict(trial.objects),
    )
    promise(sorted(bodies) == sorted((*names, ROSA)), f"`bodies` of {sorted(bodies)} are given")
    for body in bodies.values():
        loads(body)
    tick = trial.tick
    first = trial.future(known, LONG)
    world.restore(tick, bodies, objects, seen)
    promise(world.bodies((*names, ROSA)) == bodies, "bodies are not the same after `restore`")
    again = TickRunner(world, tick=tick, seen=seen, objects=objects)
    with _a_year_later():
        second = again.future(known, LONG)
    for one, other in zip(first, second, strict=False):
        promise(one == other, f"after `restore` {other} happens; before, it was {one}")
    promise(len(first) == len(second), "after `restore` the future is longer or shorter")


@contextmanager
def _a_year_later() -> Iterator[None]:
    """Set the wall clock forward during the block: a town's history must not depend on it."""
    now = time.time
    time.time = lambda: now() + A_YEAR
    try:
        yield
    finally:
        time.time = now
