"""Checks of a world's promises about announcements and visitors; part of `world.conformance`."""

import orjson

from smolville.agents.action import Action
from smolville.graphs.surroundings import Intent, Percept
from smolville.history.records import Intervention
from smolville.world.tick_runner import LONG, TickRunner, promise

ROSA = "Rosa Lind"
ABOUT = "a reporter from the county paper"


def check_announcement(trial: TickRunner) -> None:
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


def check_visitor(trial: TickRunner) -> None:
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
    _check_talk(trial, name)
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


def _check_talk(trial: TickRunner, name: str) -> None:
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
    return trial.wish("visitor_enters", who, orjson.dumps(fields).decode())


def _sights(trial: TickRunner, name: str) -> list[Percept]:
    """Return a person's percepts of the visitor."""
    return [each for each in trial.around(name).percepts() if each.subject == ROSA]


def _read_visitor_percept(trial: TickRunner, name: str) -> Percept:
    """Return a person's percept of the visitor, who must be in sight."""
    found = _sights(trial, name)
    promise(len(found) == 1, f"{name} perceives {len(found)} times {ROSA}, who is there")
    return found[0]
