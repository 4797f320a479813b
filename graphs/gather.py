"""From what a thought knows to what its prompts show."""

from collections.abc import Iterable, Sequence

from agents.memory import Memory
from agents.mind import Mind
from agents.plan import Block
from agents.recall import Recollection
from agents.times import clock, date_text, day_of, long_text, minute_of
from graphs.cards import PlannedCard, Recalled, Who
from graphs.context import Thinker


def who(me: Thinker, mind: Mind) -> Who:
    """Return the persona as its own prompts show it now."""
    return Who.of(me.persona, mind.currently)


def now(me: Thinker) -> str:
    """Return date and clock of the thought."""
    return long_text(me.surroundings.start_date, me.surroundings.at)


def today(me: Thinker) -> str:
    """Return the date of the thought."""
    return date_text(me.surroundings.start_date, day_of(me.surroundings.at))


def when(me: Thinker, at: int) -> str:
    """Return a past moment as people say it: `today 07:40`, `yesterday 18:05`, else the date."""
    ago = day_of(me.surroundings.at) - day_of(at)
    if ago <= 1:
        return f"{('today', 'yesterday')[ago]} {clock(minute_of(at))}"
    return long_text(me.surroundings.start_date, at)


def recalled(me: Thinker, memories: Iterable[Memory | Recollection]) -> tuple[Recalled, ...]:
    """Return memories numbered from 1, in the order given."""
    plain = [each.memory if isinstance(each, Recollection) else each for each in memories]
    return tuple(
        Recalled(number=number, when=when(me, memory.created), text=memory.text)
        for number, memory in enumerate(plain, 1)
    )


def planned(blocks: Sequence[Block]) -> tuple[PlannedCard, ...]:
    """Return blocks with their spans."""
    return tuple(PlannedCard(time=block.span(), activity=block.activity) for block in blocks)


def relation(me: Thinker, mind: Mind, name: str, about: str = "") -> str:
    """Return what `name` is to this agent: as lived, else as the persona file says.

    Of a stranger from outside of the town, `about` is all that is known.
    """
    impression = mind.impressions.get(name)
    if impression is not None:
        return impression.relationship
    unknown = f"They say that they are {about}: a stranger." if about else "You do not know them."
    return me.persona.relationships.get(name, unknown)
