"""Who waits for a model's answer, in words: the one who has waited longest, and how many more."""

import pytest

from smolville.graphs.loop.ledger import AskEvent, Call, CallKey
from smolville.history.progress_file import OpenQuestions


class Clock:
    """The clock of questions, which a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("smolville.history.progress_file.time", made)
    return made


def asks(agent: str, step: str = "plan_day", attempt: int = 0, ordinal: int = 0) -> AskEvent:
    return AskEvent(agent=agent, step=step, attempt=attempt, ordinal=ordinal)


def answer(
    owner: str, step: str = "plan_day", attempt: int = 0, ordinal: int = 0, tick: int = 7
) -> Call:
    key = CallKey(owner=owner, tick=tick, step=step, ordinal=ordinal, attempt=attempt)
    return Call(
        key=key,
        agent=owner,
        inputs="{}",
        recalled="[]",
        template="",
        messages="[]",
        messages_hash="",
        model="",
        tier="fast",
        temperature=0.0,
        max_tokens=1,
        seed=0,
        schema="",
        reply="",
        finish="stop",
    )


def test_the_one_who_has_waited_longest_is_named(clock: Clock) -> None:
    questions = OpenQuestions()
    assert questions.describe() == ""
    questions.put("Ada Brook", asks("Ada Brook"))
    assert questions.describe() == "Ada Brook, plan_day"
    clock.now += 3
    questions.put("Ben Hollis", asks("Ben Hollis", "react"))
    questions.put("talk/1", asks("Cora Lind", "say", 1))
    clock.now += 9
    assert questions.describe() == "Ada Brook, plan_day, 12 s · 2 more thinking"
    assert [tuple(each.values()) for each in questions.plain()] == [
        ("Ada Brook", "plan_day", "", 12),
        ("Ben Hollis", "react", "", 9),
        ("Cora Lind", "say", "second try", 9),
    ]
    # Who asks again has waited from then on.
    questions.put("Ada Brook", asks("Ada Brook", attempt=1))
    assert questions.describe() == "Ben Hollis, react, 9 s · 2 more thinking"
    questions.put("Ben Hollis", None)
    assert questions.describe() == "Cora Lind, say, second try, 9 s · 1 more thinking"
    questions.put("talk/1", None)
    clock.now += 100
    assert questions.describe() == "Ada Brook, plan_day, second try, 100 s"
    questions.put("Ada Brook", None)
    questions.put("Ada Brook", None)
    assert questions.describe() == ""


def test_what_is_answered_is_open_no_longer(clock: Clock) -> None:
    questions = OpenQuestions()
    questions.put("Ada Brook", asks("Ada Brook", attempt=1))
    for other in (
        answer("Ben Hollis", attempt=1),
        answer("Ada Brook", "react", 1),
        answer("Ada Brook", attempt=1, ordinal=1),
    ):
        questions.remove_answered(other)
    questions.remove_answered(answer("Ada Brook"))
    assert questions.describe() == "Ada Brook, plan_day, second try"
    questions.remove_answered(answer("Ada Brook", attempt=1))
    assert questions.describe() == ""
