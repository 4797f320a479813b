"""A declared fallback is valid whatever the moment: nothing stands behind it that could help."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agents.plan import cover_day, covers_day, is_sleep
from agents.times import clock
from graphs import catalogue, decompose, heed_inner_voice, plan_day, plan_hours, replan
from graphs.cards import PlannedCard
from graphs.samples import OTHER_SAMPLES, SAMPLES

LENGTHS = st.integers(decompose.SHORTEST, decompose.LONGEST)


def _holds(step, inputs):
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
            _holds(step, OTHER_SAMPLES[step.name])


@given(LENGTHS)
def test_a_block_of_any_length_falls_back_to_pieces_that_fill_it(minutes):
    inputs = SAMPLES["decompose"].model_copy(update={"minutes": minutes})
    pieces = [task.minutes for task in _holds(decompose.STEP, inputs).subtasks]
    assert sum(pieces) == minutes and max(pieces) - min(pieces) <= 1


@given(st.integers(replan.SHORTEST, decompose.LONGEST))
def test_a_rest_of_any_length_falls_back_to_pieces_that_fill_it(minutes):
    inputs = SAMPLES["replan"].model_copy(update={"minutes": minutes})
    assert sum(task.minutes for task in _holds(replan.STEP, inputs).subtasks) == minutes


STROKES = st.lists(st.integers(0, 1439), min_size=4, max_size=8, unique=True).map(sorted)
WORDS = st.sampled_from(["having lunch", "reading", "going to bed", "sleeping"])


@given(st.integers(240, 719), STROKES, st.lists(WORDS, min_size=8, max_size=8))
def test_any_broad_strokes_fall_back_to_hours_that_end_in_sleep(wake, starts, words):
    late = [start for start in starts if start >= wake] or [wake]
    strokes = tuple(
        PlannedCard(time=clock(start), activity=word)
        for start, word in zip(late, words, strict=False)
    )
    inputs = SAMPLES["plan_hours"].model_copy(update={"wake": clock(wake), "strokes": strokes})
    answer = _holds(plan_hours.STEP, inputs)
    blocks = cover_day([(each.start, each.activity) for each in answer.activities])
    assert covers_day(blocks) and is_sleep(blocks[-1].activity)
    assert all(a.start < b.start for a, b in pairwise(answer.activities))


HOURS = st.integers(0, 30).map(lambda hour: f"She wakes up around {hour}am.")


@given(st.one_of(HOURS, st.text(max_size=60)), st.text(min_size=10, max_size=300).map("A".join))
def test_any_way_of_life_falls_back_to_a_plain_day(lifestyle, requirement):
    sample = SAMPLES["plan_day"]
    me = sample.me.model_copy(update={"lifestyle": lifestyle})
    requirement = "Work: " + "".join(c for c in requirement if c.isprintable())
    inputs = sample.model_copy(update={"me": me, "requirement": requirement})
    answer = _holds(plan_day.STEP, inputs)
    assert answer.strokes[0].start == answer.wake


def test_the_waking_hour_of_the_lifestyle_is_kept():
    sample = SAMPLES["plan_day"]
    for hour, wake in ((5, 300), (8, 480), (11, 540)):
        text = f"Rosa goes to bed around 9pm and wakes up around {hour}am."
        inputs = sample.model_copy(update={"me": sample.me.model_copy(update={"lifestyle": text})})
        assert plan_day.fallback(inputs).wake == wake


@given(st.text(alphabet=" aZ.é\n\t", max_size=400))
def test_any_whisper_falls_back_to_itself(whisper):
    inputs = SAMPLES["heed_inner_voice"].model_copy(update={"whisper": whisper})
    answer = _holds(heed_inner_voice.STEP, inputs)
    assert answer.thought.startswith(" ".join(whisper.split())[:200].strip())
