"""A declared fallback is valid whatever the moment: nothing stands behind it that could help."""

from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.persona import Habits
from smolville.agents.plan import is_sleep
from smolville.graphs import catalogue, decompose, plan_day, plan_hours, replan
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES
from smolville.graphs.plan_day import DayRules
from tests.agents.days import covers_day


def _assert_holds(step, inputs):
    """The fallback, which must read as it is, without a mend."""
    answer = step.fallback(inputs)
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    read = step.parser.read(answer.model_dump_json(), context)
    assert (read.value, read.problems, read.mends) == (answer, (), ())
    return answer


def test_the_fallbacks_hold_for_somebody_of_whom_little_is_known():
    empty = {"rate_importance", "reflect_insights"}
    for step in catalogue.STEPS:
        if step.name not in empty:
            _assert_holds(step, OTHER_SAMPLES[step.name])


@given(st.integers(replan.SHORTEST, decompose.LONGEST))
def test_a_rest_of_any_length_falls_back_to_pieces_that_fill_it(minutes):
    inputs = SAMPLES["replan"].model_copy(update={"minutes": minutes})
    assert sum(task.minutes for task in _assert_holds(replan.STEP, inputs).subtasks) == minutes


CLOCKS = st.sampled_from([None, "06:00", "09:30", "11:30"])
DAYS = st.tuples(
    st.text(min_size=10, max_size=300),
    st.builds(
        DayRules,
        anchors=st.sampled_from(["on", "soft", "off"]),
        is_english=st.booleans(),
        habits=st.builds(Habits, wake=CLOCKS),
    ),
)


@given(DAYS)
def test_any_way_of_life_falls_back_to_a_whole_day(told):
    requirement, rules = told
    sample = SAMPLES["plan_day"]
    me = sample.me
    requirement = "Work: " + "".join(c for c in requirement if c.isprintable())
    inputs = plan_day.asked_about(me, sample.date, requirement, sample.memories, rules)
    blocks = plan_day.lay_out_day(inputs, _assert_holds(plan_day.STEP, inputs), rules)
    assert covers_day(blocks) and is_sleep(blocks[0].activity) and is_sleep(blocks[-1].activity)
    hours = plan_hours.asked_about(me, sample.date, requirement, (), blocks)
    assert len(hours.gaps) <= 5
    if hours.gaps:
        blocks = plan_hours.fill_gaps(blocks, _assert_holds(plan_hours.STEP, hours))
    assert covers_day(blocks) and "open" not in {block.source for block in blocks}
