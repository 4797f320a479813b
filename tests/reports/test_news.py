"""Who told whom, on histories made by hand."""

from smolville.agents.action import Talk, TalkLine
from smolville.agents.memory import Memory
from smolville.reports.news import (
    NewsPath,
    TownKnowledge,
    content_words,
    path_of_words,
    rumours,
    subject_of,
)

ANN, BEN, CAT, DAN = "Ann Moss", "Ben Hill", "Cat Fern", "Dan Reed"
HOUR = 3600
PARTY = "Ann Moss is planning a lantern party in the barn on Friday."


def memory(
    who: str,
    at: int,
    text: str,
    *,
    step: str = "conclude_talk",
    kind: str = "thought",
    subject: str = "",
    expires: int | None = None,
    n: int = 0,
) -> Memory:
    return Memory(
        id=f"{who}/{at // 10}/{step}/0/{n}",
        agent=who,
        kind=kind,
        text=text,  # type: ignore[arg-type]
        created=at,
        tick=at // 10,
        accessed=at,
        subject=subject,
        expires=expires,
    )


def talk(at: int, *said: tuple[str, str]) -> Talk:
    people = tuple(dict.fromkeys(name for name, _ in said))
    lines = tuple(
        TalkLine(speaker=name, text=text, at=at + 10 * n) for n, (name, text) in enumerate(said)
    )
    return Talk(
        id=f"talk/{at}",
        participants=people,
        place="",
        start=at,
        end=at + 10 * len(said),
        lines=lines,
    )


def known(memories: list[Memory], talks: list[Talk], at: int = 100 * HOUR) -> TownKnowledge:
    people = (ANN, BEN, CAT, DAN)
    return TownKnowledge(
        people=people,
        memories={name: [each for each in memories if each.agent == name] for name in people},
        talks=talks,
        at=at,
    )


def told(path: NewsPath) -> list[tuple[str, str, str]]:
    return [(each.name, each.how, each.by) for each in path.knowing]


def spread() -> TownKnowledge:
    """Ann tells Ben, Ben tells Cat; Dan sits beside Ben and Cat and keeps nothing."""
    first = talk(
        HOUR,
        (ANN, "I am planning a lantern party in the barn on Friday."),
        (BEN, "How lovely, count me in!"),
    )
    second = talk(
        5 * HOUR,
        (BEN, "Ann plans a lantern party in her barn. Coming?"),
        (CAT, "Gladly!"),
        (DAN, "Pass the salt, please."),
    )
    return known(
        [
            memory(
                ANN,
                0,
                "I am planning a lantern party in the barn on Friday.",
                step="heed_inner_voice",
            ),
            memory(BEN, first.end, PARTY),
            memory(CAT, second.end, "Ann Moss is planning a lantern party in her barn."),
            memory(DAN, second.end, "The soup wanted salt."),
        ],
        [first, second],
    )


def test_news_is_followed_from_mouth_to_mouth_with_the_line_that_told_it() -> None:
    path = path_of_words(spread(), "lantern party")
    assert told(path) == [(ANN, "given", ""), (BEN, "told", ANN), (CAT, "told", BEN)]
    assert [each.name for each in path.origins] == [ANN]
    line = path.knowing[2].telling
    assert line is not None and line.line.text.startswith("Ann plans a lantern party")
    assert path.knowing[2].at == 5 * HOUR
    assert set(path.heard) == {DAN}
    assert path.unknowing == ()


def test_the_last_talk_before_the_memory_is_its_source_and_a_later_one_is_not() -> None:
    talks = [
        talk(at, (who, "The old bridge is closed."), (CAT, "Oh."))
        for at, who in ((HOUR, ANN), (2 * HOUR, BEN), (9 * HOUR, DAN))
    ]
    town = known([memory(CAT, 2 * HOUR + 20, "The bridge is closed.")], talks)
    path = path_of_words(town, "bridge closed")
    assert (CAT, "told", BEN) in told(path)


def test_what_is_seen_is_told_from_what_is_heard_and_from_what_nobody_can_trace() -> None:
    town = known(
        [
            memory(
                ANN,
                HOUR,
                "Dan Reed is hanging lanterns",
                step="perceive",
                kind="event",
                subject=DAN,
            ),
            memory(BEN, 2 * HOUR, "Lanterns hang everywhere.", step="plan_day"),
            memory(
                CAT,
                3 * HOUR,
                "Announcement to the whole town: hanging lanterns is allowed",
                step="perceive",
                kind="event",
                subject="announcement",
            ),
            memory(DAN, 10, "I hang lanterns", step="act", kind="event", subject=DAN),
        ],
        [],
    )
    path = path_of_words(town, "hanging lanterns")
    assert told(path) == [
        (DAN, "seen", ""),
        (ANN, "seen", DAN),
        (BEN, "untraced", ""),
        (CAT, "announced", ""),
    ]


def test_a_memory_drawn_from_a_talk_whose_lines_do_not_tell_it_is_traced_to_the_talk() -> None:
    held = talk(HOUR, (ANN, "You know what? It is off!"), (BEN, "What a pity."))
    town = known(
        [
            memory(ANN, 0, "The regatta is cancelled.", step="heed_inner_voice"),
            memory(BEN, held.end, "The regatta is cancelled."),
        ],
        [held],
    )
    path = path_of_words(town, "regatta cancelled")
    assert told(path) == [(ANN, "given", ""), (BEN, "talk", ANN)]
    assert path.knowing[1].talk == held and path.knowing[1].telling is None


def test_facts_that_went_round_are_told_by_how_many_hold_them() -> None:
    town = spread()
    groups = rumours(town.every_memory)
    assert [sorted({each.agent for each in group}) for group in groups] == [[BEN, CAT]]


def test_words_lose_endings_and_what_says_little_and_names_in_any_script_stay() -> None:
    assert content_words("Lanterns and the parties' planning!") == {"lantern", "party", "plan"}
    assert content_words("Она любит 東京") == {"она", "любит", "東京"}
    subject = subject_of("lantern", {})
    assert subject.is_in("A LANTERN") and not subject.is_in("") and not subject.is_in("lanternfish")
