"""What the habits of a persona file put into a day, in English and in another language."""

from typing import Any

from smolville.agents.persona import Habits, Persona
from smolville.agents.plan import Block
from smolville.graphs import plan_day
from smolville.graphs.frame import Life, life_of
from tests.agents.days import covers_day
from tests.fixtures.scripted import Scripted
from tests.graphs.minds import ADA, context_for, mind_of, take
from tests.graphs.replies import good

MONDAY, SATURDAY = "Monday 6 May", "Saturday 11 May"
BAKING = {"start": "07:00", "end": "11:00", "activity": "baking in the bakehouse"}
FIELDS: dict[str, Any] = {
    "wake": "05:30",
    "bed": "21:30",
    "meals": {"breakfast": "06:00", "lunch": "never", "dinner": "18:00"},
    "work": [BAKING | {"days": ["Monday", "Tuesday"]}],
}


def with_fields(persona: Persona = ADA, **fields: Any) -> Persona:
    return persona.model_copy(update={"habits": Habits.model_validate(fields)})


def life(persona: Persona, date: str = MONDAY, **more: Any) -> Life:
    return life_of(persona.habits, date, **more)


def told(lived: Life) -> list[tuple[int, str]]:
    return [(each.start, each.activity) for each in (*lived.meals, *lived.duties)]


def test_a_day_has_what_the_fields_say_and_else_what_is_usual():
    lived = life(with_fields(**FIELDS))
    assert (lived.wake, lived.bed) == (330, 1290)
    meals = [(360, "having breakfast"), (1080, "having dinner")]
    assert told(lived) == [*meals, (420, "baking in the bakehouse")]
    usual = life(with_fields(wake="08:00"))
    assert (usual.wake, usual.bed, usual.duties) == (480, 1350, ())
    assert [each.start for each in usual.meals] == [510, 750, 1110]
    lunch = {"start": "12:00", "end": "12:30", "activity": "having lunch at the bakery"}
    assert "lunch" not in [each.meal for each in life(with_fields(work=[lunch])).meals]


def test_work_stands_on_its_own_days_only():
    baker = with_fields(**FIELDS)
    assert [each.activity for each in life(baker).duties] == ["baking in the bakehouse"]
    assert life(baker, SATURDAY).duties == ()


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
