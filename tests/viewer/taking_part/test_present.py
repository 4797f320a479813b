"""A card that stays open knows how far the run is by now; what it proposes works in its town."""

import asyncio
from pathlib import Path

from tests.fixtures.viewing import copied
from tests.viewer.taking_part.test_interview_room import reluctant
from viewer.house import AppRuns
from viewer.taking_part.acts import RunActions
from viewer.taking_part.forking import propose_change
from viewer.taking_part.panel import CardContext
from world.town.town import Town, shipped_town
from world.visiting import wishes


def test_a_card_that_was_opened_while_the_run_lived_learns_its_present_end(
    lived_runs: Path, tmp_path: Path
) -> None:
    acts = RunActions(AppRuns(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")

    async def nothing(_: object) -> None:
        """Let nothing go on."""

    noon = 12 * 3600
    scene = CardContext(acts=acts, go_on=nothing, names=(), lived=noon, lived_told="noon")
    told: list[str] = []
    scene.on_lived(lambda: told.append(scene.lived_told))
    asyncio.run(scene.look_again())
    asyncio.run(scene.look_again())
    assert (scene.lived, told) == (86_400, ["Tuesday 7 May, 00:00"])


def test_the_change_that_a_fork_proposes_is_understood_with_nobody_near() -> None:
    town_map = Town.load(shipped_town()).map
    proposed = propose_change(town_map)
    wish = wishes.object_state(proposed, town_map=town_map)
    assert wish.target in town_map.objects
    assert "stove" in wish.target
    assert wish.text == "on fire"
