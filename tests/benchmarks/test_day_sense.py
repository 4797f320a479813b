"""What of a day makes sense: copies, repeated lines, hours; on made-up days."""

import pytest

from benchmarks.day_sense import (
    Kept,
    LivedDay,
    copies,
    hours_kept,
    meal_in,
    repeats_a_line,
    shown_examples,
)
from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.plan import Block
from smolville.graphs.catalogue import STEPS
from smolville.graphs.sense.words import words_of

HOUR = 3600
EARLY = "Ada wakes up around 6am, has breakfast at 7am, dinner around 6pm and goes to bed at 10pm."


def day(
    *actions: tuple[float, str], meals: tuple[tuple[int, str], ...] = (), number: int = 1
) -> LivedDay:
    """A day of Ada's: what she did, by the hour of the first day, and what her plan held."""
    starts = [round(hour * HOUR) for hour, _ in actions]
    ends = [*starts[1:], 48 * HOUR]
    return LivedDay(
        agent="Ada Brook",
        lifestyle=EARLY,
        day=number,
        actions=tuple(
            Action(
                kind="sleep" if activity == "sleeping" else "do",
                activity=activity,
                place="",
                start=start,
                end=end,
            )
            for (_, activity), start, end in zip(actions, starts, ends, strict=True)
        ),
        blocks=tuple(Block(start=at * 60, minutes=60, activity=what) for at, what in meals),
    )


def told(kept: dict[str, Kept]) -> dict[str, tuple[int, int]]:
    return {name: (each.at_its_hour, each.of) for name, each in kept.items()}


def test_a_day_by_the_habits_is_at_its_hours() -> None:
    lived = day(
        (0, "sleeping"),
        (6.5, "washing"),
        (22, "sleeping"),
        meals=((7, "having breakfast"), (18, "eating dinner at home")),
    )
    kept = hours_kept([lived])
    assert told(kept) == {"wake": (1, 1), "bed": (1, 1), "meals": (2, 2)}
    assert all(each.off == () for each in kept.values())


def test_what_is_off_is_told_with_its_habit() -> None:
    lived = day(
        (0, "sleeping"),
        (9, "washing"),
        (19, "sleeping"),
        meals=((13, "having dinner"), (18, "dinner"), (23, "supper")),
    )
    kept = hours_kept([lived])
    assert told(kept) == {"wake": (0, 1), "bed": (0, 1), "meals": (0, 4)}
    assert kept["wake"].off == ("Ada Brook, day 1: wake at 09:00, usually 06:00",)
    assert kept["meals"].off == (
        "Ada Brook, day 1: no breakfast, usually 07:00",
        "Ada Brook, day 1: dinner at 13:00, usually 18:00",
        "Ada Brook, day 1: dinner at 18:00, once more, usually 18:00",
        "Ada Brook, day 1: dinner at 23:00, once more, usually 18:00",
    )


def test_whoever_never_sleeps_is_never_in_bed_at_the_hour() -> None:
    kept = hours_kept([day((0, "sleeping"), (6, "washing"), (7, "working"))])
    assert kept["bed"].off == ("Ada Brook, day 1: bed never, usually 22:00",)


def test_a_bed_after_midnight_counts_for_the_day_before() -> None:
    kept = hours_kept([day((0, "sleeping"), (6, "working"), (24.5, "sleeping"))])
    assert kept["bed"].off == ("Ada Brook, day 1: bed at 00:30, usually 22:00",)


def test_a_talk_in_the_night_is_no_getting_up() -> None:
    asleep = day((0, "sleeping"), (6, "washing"), (22, "sleeping"))
    talk = Action(kind="talk", activity="talking", place="", start=4 * HOUR, end=5 * HOUR)
    lived = LivedDay(
        agent=asleep.agent,
        lifestyle=asleep.lifestyle,
        day=1,
        actions=tuple(sorted((*asleep.actions, talk), key=lambda each: each.start)),
        blocks=(),
    )
    assert told(hours_kept([lived]))["wake"] == (1, 1)


def test_parts_of_a_meal_are_one_meal() -> None:
    parts = (
        Block(start=1080, minutes=15, activity="cooking pasta", part_of="having dinner at home"),
        Block(start=1095, minutes=15, activity="eating dinner", part_of="having dinner at home"),
        Block(start=1110, minutes=15, activity="having dinner with a friend"),
    )
    lived = LivedDay(agent="Ada Brook", lifestyle="Dinner at 6pm.", day=1, actions=(), blocks=parts)
    assert told(hours_kept([lived]))["meals"] == (1, 1)


@pytest.mark.parametrize(
    ("activity", "meal"),
    [
        ("having a late supper", "dinner"),
        ("lunch at the cafe", "lunch"),
        ("chopping onions for dinner", ""),
        ("planning the lunch menu", ""),
        ("sitting in the park", ""),
    ],
)
def test_a_meal_is_eaten_or_only_made(activity: str, meal: str) -> None:
    assert meal_in(activity) == meal


def talk(*lines: str) -> Talk:
    return Talk(
        id="t",
        participants=("Ada", "Ben"),
        place="",
        start=0,
        end=60,
        lines=tuple(
            TalkLine(speaker=("Ada", "Ben")[n % 2], text=text, at=n) for n, text in enumerate(lines)
        ),
    )


def test_a_line_that_is_said_again_is_seen_and_a_greeting_is_none() -> None:
    long = "I would like to bake a lemon cake for the party"
    assert repeats_a_line(talk(long, "Do that!", f"{long} then."))
    assert not repeats_a_line(talk("Good morning!", "Good morning!", long))


def test_every_format_s_example_is_known_and_what_was_given_is_no_copy() -> None:
    examples = shown_examples()
    assert len(examples) > len(STEPS)
    example = next(iter(sorted(examples)))
    text = " ".join(example)
    assert copies([text, "something of my very own"], examples) == [text]
    assert copies([text], examples, given=f"Today: {text}, as ever.") == []
    assert all(len(words_of(" ".join(each))) >= 4 for each in examples)
