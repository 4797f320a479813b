"""What a persona's words say of a day: what opens and closes is one span of work."""

import pytest

from smolville.agents.persona import Persona
from smolville.graphs.context import who_of
from smolville.graphs.frame.life import life_of


def duties_of(requirement: str) -> list[tuple[str, str, str]]:
    somebody = Persona(
        name="Ada Holm",
        age=40,
        innate="calm",
        learned="Ada Holm keeps a shop.",
        currently="Ada is thinking of spring.",
        lifestyle="Ada wakes up at 6am and goes to bed at 10pm.",
        home="Mill House: attic",
        daily_requirement=requirement,
    )
    life = life_of(who_of(somebody, somebody.currently), requirement, "Monday 6 May")
    return [(clock(duty.start), clock(duty.end), duty.activity) for duty in life.duties]


def clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


@pytest.mark.parametrize(
    "requirement",
    [
        "Open the shop at 9am and close it at 6pm.",
        "Ada opens the shop at 9am and closes at 6pm.",
        "She opens the shop at 9 every day and closes up at 18:00.",
    ],
)
def test_what_opens_and_closes_is_worked_in_between(requirement):
    assert duties_of(requirement) == [
        ("09:00", "09:30", "opening the shop"),
        ("09:30", "18:00", "working at the shop"),
    ]


def test_a_lunch_between_does_not_end_the_work():
    assert duties_of("Ada opens the library at 9am, has lunch at noon and closes at 5pm.") == [
        ("09:00", "09:30", "opening the library"),
        ("09:30", "17:00", "working at the library"),
        ("12:00", "12:45", "having lunch"),
    ]


def test_work_that_is_finished_at_a_time_lasts_until_then():
    assert duties_of("Teach at the school from 9am and finish work at 3pm.") == [
        ("09:00", "15:00", "teaching at the school")
    ]


def test_what_is_only_closed_is_a_duty_of_its_own():
    assert [each[2] for each in duties_of("Close the shop at 6pm.")] == ["closing the shop"]
