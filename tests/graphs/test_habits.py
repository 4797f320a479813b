"""Fields win over words: what stands in a day, from where, in English and in another language."""

from typing import Any

import pytest

from smolville.agents.habits import Habits
from smolville.agents.persona import Persona
from smolville.agents.plan import Block, covers_day
from smolville.graphs import plan_day
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.context import who_of
from smolville.graphs.frame.habits import habits_of
from smolville.graphs.frame.life import Life, life_of
from smolville.graphs.frame.sources import fixed_points
from smolville.prompts.folder import LANGUAGE, shipped_texts
from smolville.prompts.prompt import TemplateBook, TemplateSet
from tests.fixtures.scripted import Around, Scripted
from tests.graphs.minds import ADA, context_for, mind_of, take, tick_at
from tests.graphs.replies import good
from tests.graphs.sense.judging import kinds

MONDAY, SATURDAY = "Monday 6 May", "Saturday 11 May"
BAKING = {"start": "07:00", "end": "11:00", "activity": "baking in the bakehouse"}
FIELDS: dict[str, Any] = {
    "wake": "05:30",
    "bed": "21:30",
    "meals": {"breakfast": "06:00", "lunch": "never", "dinner": "18:00"},
    "work": [BAKING | {"days": ["Monday", "Tuesday"]}],
}
GERMAN = TemplateSet({**shipped_texts(), LANGUAGE: "de\n"})
DEUTSCH = ADA.model_copy(
    update={
        "lifestyle": "Ada Brook steht früh auf und isst mittags nichts.",
        "daily_requirement": "Ada backt jeden Morgen Brot.",
    }
)


def with_fields(persona: Persona = ADA, **fields: Any) -> Persona:
    return persona.model_copy(update={"habits": Habits.model_validate(fields)})


def life(persona: Persona, date: str = MONDAY, **more: Any) -> Life:
    me = who_of(persona, persona.currently)
    return life_of(me, persona.daily_requirement, date, **more)


def told(lived: Life) -> list[tuple[int, str]]:
    return [(each.start, each.activity) for each in (*lived.meals, *lived.duties)]


def test_fields_win_over_words():
    lived = life(with_fields(**FIELDS))
    assert (lived.wake, lived.bed) == (330, 1290)
    assert told(lived) == [
        (360, "having breakfast"),
        (1080, "having dinner"),
        (420, "baking in the bakehouse"),
    ]


def test_what_no_field_tells_is_read_from_the_words():
    lived, plain = life(with_fields(wake="05:30")), life(ADA)
    assert lived.wake == 330 and plain.wake == 360
    assert (lived.bed, lived.duties) == (plain.bed, plain.duties)
    assert life(with_fields(work=[BAKING])).meals == plain.meals


def test_work_stands_on_its_own_days_only():
    baker = with_fields(**FIELDS)
    assert [each.activity for each in life(baker).duties] == ["baking in the bakehouse"]
    assert life(baker, SATURDAY).duties == ()
    assert life(with_fields(work=[])).duties == (), "no work is told, although the words know some"


def test_a_meals_time_is_a_fields_and_its_place_the_words():
    eats = ADA.model_copy(update={"lifestyle": "Ada has lunch at the café at 1pm."})
    assert (690, "having lunch at the café") in told(
        life(with_fields(eats, meals={"lunch": "11:30"}))
    )


def test_a_meal_of_the_requirement_yields_to_a_field():
    eats = ADA.model_copy(update={"daily_requirement": "Ada eats lunch in the café at 1pm."})
    assert (780, "eating lunch in the café") in told(life(eats))

    def lunches(start: str) -> list[int]:
        lived = life(with_fields(eats, meals={"lunch": start}))
        return [at for at, what in told(lived) if "lunch" in what]

    assert (lunches("11:30"), lunches("never")) == ([690], [])


def test_in_another_language_only_fields_count():
    lived = life(DEUTSCH, is_english=False)
    assert (lived.wake, lived.bed, lived.meals, lived.duties) == (420, 1350, (), ())
    own = {"start": "19:00", "activity": "zu Abend essen"}
    baker = with_fields(DEUTSCH, wake="05:30", meals={"dinner": own}, work=[BAKING])
    assert told(life(baker, is_english=False)) == [
        (1140, "zu Abend essen"),
        (420, "baking in the bakehouse"),
    ]


async def day_in_german(persona: Persona, day: int = 1, **rules: Any) -> tuple[Block, ...]:
    context = context_for(
        Scripted(otherwise=good),
        Around(tick=tick_at(0, day=day)),
        persona=persona,
        templates=TemplateBook(GERMAN),
        **rules,
    )
    mind = mind_of(requirement=persona.daily_requirement)
    plan = (await take(plan_day.STEP, context, mind)).mind.plan
    assert plan is not None and covers_day(plan.blocks)
    return plan.blocks


def standing(blocks: tuple[Block, ...]) -> dict[int, str]:
    return {
        block.start: block.activity for block in blocks[1:] if block.source in ("habit", "duty")
    }


async def test_a_day_in_german_is_laid_out_by_the_fields():
    german = FIELDS | {
        "meals": FIELDS["meals"] | {"dinner": {"start": "18:00", "activity": "Abendbrot essen"}},
        "work": [BAKING | {"activity": "Brot backen", "days": ["Monday"]}],
    }
    monday = standing(await day_in_german(with_fields(DEUTSCH, **german)))
    assert monday[360] == "having breakfast" and monday[420] == "Brot backen"
    assert monday[1080] == "Abendbrot essen" and monday[1290] == "sleeping"
    tuesday = standing(await day_in_german(with_fields(DEUTSCH, **german), day=2))
    assert "Brot backen" not in tuesday.values(), "two days of one person differ"


@pytest.mark.parametrize(("anchors", "stand"), [("on", {"meal", "work"}), ("soft", {"work"})])
async def test_a_run_without_fixed_meals_has_none_of_the_fields_either(anchors, stand):
    found = standing(await day_in_german(with_fields(DEUTSCH, **FIELDS), anchors=anchors))
    kinds_found = {"meal" for what in found.values() if "dinner" in what}
    assert kinds_found | {"work" for what in found.values() if "baking" in what} == stand


def dated(what: str, start: str, end: str | None) -> dict[str, Any]:
    thing = {"what": what, "start": start, "end": end, "place": None}
    return good("plan_day", {}) | {"dated": [thing]}


async def planned(answer: dict[str, Any], persona: Persona) -> tuple[Block, ...]:
    context = context_for(Scripted(replies={"plan_day": [answer]}), persona=persona)
    plan = (await take(plan_day.STEP, context, mind_of())).mind.plan
    assert plan is not None and covers_day(plan.blocks)
    return plan.blocks


async def test_what_has_a_date_beats_dinner_which_moves_to_the_nearest_gap_of_its_hours():
    answer = dated("going to the garden party", "18:00", "19:30")
    blocks = await planned(answer, with_fields(**FIELDS))
    party = [block for block in blocks if block.source == "promise"]
    assert [(block.start, block.end) for block in party] == [(1080, 1170)]
    dinner = [block.start for block in blocks if block.activity.startswith("having dinner")]
    assert dinner == [1020]
    assert blocks[-1].start == 1290, "bed is where the field puts it"


async def test_a_dinner_that_has_a_date_replaces_a_dinner_of_another_name():
    eats = {"dinner": {"start": "18:00", "activity": "eating soup at home"}}
    answer = dated("going to the dinner at the inn", "19:00", "20:00")
    blocks = await planned(answer, with_fields(meals=eats))
    assert "eating soup at home" not in [block.activity for block in blocks]


async def test_todays_requirement_is_shown_and_puts_no_hour_into_the_day():
    mind = mind_of(requirement="Open the café at 8am. Attend the afternoon to play at 17:00.")
    model = Scripted(otherwise=good)
    done = await take(plan_day.STEP, context_for(model), mind)
    assert "17:00" in model.asked[0].told["inputs"]["requirement"]
    plan = done.mind.plan
    assert plan is not None and "attend" not in str([each.activity for each in plan.blocks])


def test_checks_hold_a_day_to_the_same_hours():
    sample = SAMPLES["plan_hours"].model_dump()
    gap = next(each for each in sample["gaps"] if each["time"] > "12:30")
    lunch = {gap["letter"]: ["having lunch at the café"]}

    def held(lunch_at: str) -> list[str]:
        me = sample["me"] | {"habits": {"meals": {"lunch": lunch_at}}}
        gaps = [gap | {"time": "13:00-14:30"}]
        return kinds("plan_hours", lunch, me=me, gaps=gaps, stands=[])

    assert "hours" not in held("13:00")
    assert "hours" in held("10:30"), "more than two hours off"
    assert "hours" in held("never")


def test_every_fixed_point_says_where_it_was_read():
    me = who_of(with_fields(wake="05:30", meals={"lunch": "never"}), ADA.currently)
    points = fixed_points(me, ADA.daily_requirement, [MONDAY, SATURDAY])
    assert [(each.name, each.time, each.origin()) for each in points] == [
        ("wake", "05:30", "field habits.wake"),
        ("bed", "22:00", 'words "to bed around 10pm"'),
        ("breakfast", "06:00", "usual: no hour told"),
        ("lunch", "never", "field habits.meals.lunch"),
        ("dinner", "18:30", "usual: no hour told"),
        ("work", "08:00-08:30", 'words "Open the café at 8am"'),
        ("work", "08:30-17:00", 'words "close it at 5pm."'),
    ]


def test_work_of_some_days_is_told_with_its_days():
    me = who_of(with_fields(**FIELDS), ADA.currently)
    (work,) = (each for each in fixed_points(me, "", [MONDAY, SATURDAY]) if each.name == "work")
    assert (work.days, work.origin()) == (("Monday",), "field habits.work")


def test_cards_without_fields_are_written_as_ever():
    assert "habits" not in who_of(ADA, ADA.currently).model_dump()
    kept = who_of(with_fields(**FIELDS), ADA.currently)
    assert type(kept).model_validate_json(kept.model_dump_json()) == kept
    assert habits_of(kept)["lunch"].minute is None
