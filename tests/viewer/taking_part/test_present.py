"""A card that stays open knows how far the run is by now; what it proposes works in its town."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.viewer.config import AppConfig
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions
from smolville.viewer.taking_part.forking import propose_change
from smolville.viewer.taking_part.panel import CardContext
from smolville.viewer.taking_part.reactions import find_reaction, find_thought, not_yet
from smolville.world.town.town import Town, shipped_town
from smolville.world.visiting import wishes
from tests.fixtures.viewing import copied
from tests.viewer.taking_part.test_interview_room import reluctant


def test_a_card_that_was_opened_while_the_run_lived_learns_its_present_end(
    lived_runs: Path, tmp_path: Path
) -> None:
    acts = RunActions(AppConfig(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")

    async def nothing(_: object) -> None:
        """Let nothing go on."""

    noon = 12 * 3600
    scene = CardContext(acts=acts, go_on=nothing, names=(), lived=noon, lived_told="noon")
    told: list[str] = []
    scene.on_moved(lambda: told.append(f"{scene.at}, {scene.lived_told}"))
    asyncio.run(scene.look_again())
    asyncio.run(scene.look_again())
    assert (scene.lived, told) == (86_400, ["None, Tuesday 7 May, 00:00"])
    # It also hears of another moment on the map.
    for _ in range(2):
        scene.show(noon)
    assert told[1:] == ["43200, Tuesday 7 May, 00:00"]


def test_a_whisper_in_the_middle_of_a_talk_leads_to_the_thought_after_it(lived_runs: Path) -> None:
    acts = RunActions(AppConfig(runs=lived_runs, minds=reluctant), "town")
    with acts.open_run() as run:
        talk = next(each for each in run.reader.talks() if each.end - each.start > 40)
        middle = (talk.start + talk.end) // 2 // run.folder.spec.tick_seconds
        who = talk.participants[1]
        assert run.reader.thought(who, middle) is None
        after = next(each for each in run.reader.thoughts(who) if each.tick >= middle)
        # A run that is lived only up to there has no such thought yet.
        assert find_thought(replace(run, done=middle), who, middle) == (None, True)
    heard = AcceptedRequest(at=0, when="", kind="whisper", target=who, text="", tick=middle)
    assert find_reaction(acts, heard).tick == after.tick
    assert not_yet(who, is_talking=True) == f"{who} thinks of it when their talk is over."


def test_a_change_says_that_nobody_has_noticed_it_or_who_did_first_and_leads_to_their_thought(
    lived_runs: Path,
) -> None:
    acts = RunActions(AppConfig(runs=lived_runs, minds=reluctant), "town")
    with acts.open_run() as run:
        memories = [each for name in run.reader.agents() for each in run.reader.memories(name)]
        seen = [each for each in memories if each.kind == "event" and each.object]
        first = min(seen, key=lambda each: each.tick)
        when = run.format_time(first.tick * run.folder.spec.tick_seconds)
    changed = AcceptedRequest(
        at=0, when="", kind="object_state", target=first.subject, text=first.object, tick=0
    )
    found = find_reaction(acts, changed)
    assert found.told == f"{first.agent} noticed it first, {when}."
    assert (found.agent, found.tick) == (first.agent, first.tick)
    unseen = find_reaction(acts, replace(changed, text="upside down"))
    assert (unseen.told, unseen.tick) == ("Nobody has noticed it yet.", None)


def test_the_change_that_a_fork_proposes_is_understood_with_nobody_near() -> None:
    town_map = Town.load(shipped_town()).map
    proposed = propose_change(town_map)
    wish = wishes.object_state(proposed, town_map=town_map)
    assert wish.target in town_map.objects
    assert "stove" in wish.target
    assert wish.text == "on fire"


def test_the_change_that_is_proposed_beside_somebody_is_of_a_thing_in_their_room() -> None:
    town_map = Town.load(shipped_town()).map
    for room in town_map.arenas:
        things = [each.address for each in town_map.objects_in(room)]
        tile = town_map.tiles_of(room)[0]
        proposed = propose_change(town_map, tile)
        wish = wishes.object_state(proposed, town_map=town_map, near=tile)
        assert not things or wish.target in things


def test_what_is_near_is_said_where_a_change_names_something_else(
    lived_runs: Path, tmp_path: Path
) -> None:
    acts = RunActions(AppConfig(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")
    with acts.open_run() as run:
        name = run.reader.agents()[0]
    with pytest.raises(RunError, match=rf"names no object .* Near {name}: \w+"):
        acts.change("the flying carpet is torn", name)
