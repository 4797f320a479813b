"""What the tests of the parsers share: every answer type, by the name of its step."""

import pytest

from parsers.answer import Answer
from parsers.answer_interview import InterviewAnswer
from parsers.choose_place import SectorChoice
from parsers.conclude_talk import TalkConclusion
from parsers.decompose import Subtasks
from parsers.ground_block import Grounding
from parsers.heed_inner_voice import InnerThought
from parsers.plan_day import DayOutline
from parsers.plan_hours import HourlyPlan
from parsers.rate_importance import Ratings
from parsers.react import Reaction
from parsers.reflect_insights import Insights
from parsers.reflect_questions import Questions
from parsers.replan import NewTasks
from parsers.revise_identity import NewIdentity
from parsers.say import Utterance

ANSWERS: dict[str, type[Answer]] = {
    "plan_day": DayOutline,
    "revise_identity": NewIdentity,
    "plan_hours": HourlyPlan,
    "decompose": Subtasks,
    "ground_block": Grounding,
    "choose_place": SectorChoice,
    "rate_importance": Ratings,
    "react": Reaction,
    "say": Utterance,
    "conclude_talk": TalkConclusion,
    "replan": NewTasks,
    "reflect_questions": Questions,
    "reflect_insights": Insights,
    "heed_inner_voice": InnerThought,
    "answer_interview": InterviewAnswer,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a `step` once for every step that has an answer."""
    if "step" in metafunc.fixturenames:
        metafunc.parametrize("step", list(ANSWERS))


@pytest.fixture
def answer(step: str) -> type[Answer]:
    """The answer type of the step under test."""
    return ANSWERS[step]


@pytest.fixture(scope="session")
def answers() -> dict[str, type[Answer]]:
    """Every answer type, by the name of its step."""
    return ANSWERS
