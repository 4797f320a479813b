"""Signs of growth: too many memories of a day, and prompts that hardly fit the context."""

from smolville.agents.times import DAY_SECONDS
from smolville.reports.drift.growth import (
    MemoryCount,
    PromptSize,
    find_full_prompts,
    find_memory_growth,
)

ANN = "Ann Moss"
HOUR = 3600


def counted(**kinds: int) -> list[MemoryCount]:
    """Ann's new memories of day 2."""
    return [MemoryCount(agent=ANN, day=2, kind=kind, number=n) for kind, n in kinds.items()]


def test_too_many_memories_and_more_thought_than_seen_are_told() -> None:
    assert list(find_memory_growth(counted(event=300, thought=90, talk=9))) == []
    assert list(find_memory_growth(counted(event=5, thought=39))) == []
    (many,) = find_memory_growth(counted(event=350, thought=90))
    assert many.sentence == "Ann Moss made 440 memories on day 2; 400 are many."
    (brooding,) = find_memory_growth(counted(event=30, talk=4, thought=60))
    assert brooding.sentence == "Ann Moss made 60 thoughts on day 2 from only 34 other memories."
    assert brooding.first == DAY_SECONDS


def sizes(full: int, shortened: int = 0) -> list[PromptSize]:
    """A hundred prompts of `say`, so many of them too long for 1,000 tokens or shortened."""
    return [
        PromptSize(
            step="say",
            model="m",
            at=HOUR + n,
            tokens=900 if n < full else 300,
            is_shortened=n >= 100 - shortened,
        )
        for n in range(100)
    ]


def test_prompts_that_fill_the_context_are_told_where_its_size_is_known() -> None:
    assert list(find_full_prompts(sizes(4), {"m": 1000})) == []
    assert list(find_full_prompts(sizes(50), {"other": 1000})) == []
    (alarm,) = find_full_prompts(sizes(5, shortened=3), {"m": 1000})
    assert (alarm.kind, alarm.who, alarm.count) == ("prompts", (), 8)
    assert alarm.sentence == (
        "8 prompts of say (8 %) hardly fit the context, 3 were shortened, first on day 1 at 01:00."
    )
