"""Makes a person: asks a model who they are, and composes the persona from the answers.

A model is asked only what code cannot know, one small question at a time. Code sets the rest: the
bed, the places, the hours of work and sleep, and the order of the questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from smolville.agents.habits import Habits, Work
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.agents.times import DAY, clock, minute_at
from smolville.agents.wording import plain
from smolville.graphs.making.steps import (
    BATCH,
    INVENT_PERSON,
    NONE,
    TELL_BOND,
    TELL_MEMORIES,
    TELL_STORY,
)
from smolville.parsers.making import (
    BeginningCard,
    InventPersonInput,
    SketchCard,
    TellBondInput,
    TellMemoriesInput,
    TellStoryInput,
    TownCard,
    WorkCard,
)
from smolville.world.making.maker import Maker

LONGEST = 400
"""Maximum number of characters of a text in a persona file."""
FREE = ("10:00", "12:00")
"""Hours of the pastime of a person without work."""
READY = 45
"""Minutes between getting up and work, and between work and bed."""
COLLEAGUES = "colleagues"
"""The bond that is offered only to people who work at the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOffer:
    """A place where a new person may work."""

    place: str
    """`sector: arena`."""
    about: str
    task: str
    opens: str
    """Opening time as `HH:MM`."""
    closes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRequest:
    """A request for a new person, with the facts that code sets."""

    town: TownCard
    home: str
    offers: Sequence[WorkOffer]
    about: str
    name: str
    """The name that the person must have; empty for any name not in `taken`."""
    taken: tuple[str, ...]
    haunts: tuple[str, ...]
    """Places where the person may spend free hours."""
    known_places: tuple[str, ...]
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePerson:
    """A new person: the persona, their job in a few words, and their memories."""

    persona: Persona
    job: str
    memories: tuple[str, ...]


async def make_person(maker: Maker, wanted: PersonRequest) -> MadePerson:
    """Return a new person, without relationships yet."""
    work = [WorkCard(name=each.place, about=each.about) for each in wanted.offers]
    asked = InventPersonInput(
        town=wanted.town,
        about=wanted.about,
        name=wanted.name,
        work=(*work, WorkCard(name=NONE, about="without work, or retired")),
        taken=wanted.taken,
    )
    who = await maker.ask(INVENT_PERSON, asked)
    offer = next((each for each in wanted.offers if each.place == who.work), None)
    name = " ".join(plain(who.name, 60).split())
    card = SketchCard(
        name=name,
        first_name=name.split()[0],
        age=who.age,
        traits=", ".join(plain(trait, 30).strip(" ,.") for trait in who.traits),
        job=plain(who.job, 80).rstrip("."),
        work=sector_of(offer.place) if offer else NONE,
    )
    inputs = TellStoryInput(town=wanted.town, person=card, about=wanted.about, places=wanted.haunts)
    story = await maker.ask(TELL_STORY, inputs)
    memories = await _ask_memories(maker, wanted, card, f"{story.learned} {story.currently}")
    pastime = f"{plain(story.pastime, 60).rstrip('.')} at {story.place}"
    start, end = (offer.opens, offer.closes) if offer else FREE
    activity = f"{offer.task} at {sector_of(offer.place)}" if offer else pastime
    hours = f"from {_spoken(start)} to {_spoken(end)}"
    wake, bed = _wake_and_bed(maker, start, end)
    persona = Persona(
        name=card.name,
        age=who.age,
        innate=card.traits,
        learned=whole_sentences(story.learned),
        currently=whole_sentences(story.currently),
        lifestyle=f"{card.name} goes to bed around {_spoken(bed)}, wakes up around "
        f"{_spoken(wake)}, and has breakfast and dinner at home.",
        home=wanted.home,
        work=offer.place if offer else "",
        daily_requirement=f"{card.first_name} is {activity} {hours}. "
        + (f"In free hours {card.first_name} likes {pastime}." if offer else ""),
        habits=Habits(
            wake=wake, bed=bed, work=(Work(start=start, end=end, activity=activity[:120]),)
        ),
        known_places=wanted.known_places,
    )
    return MadePerson(persona=persona, job=card.job, memories=memories)


async def tie(
    maker: Maker, town: TownCard, person: MadePerson, other: Persona, ordinal: int
) -> tuple[str, str, str]:
    """Ask a model for the relationship of two people.

    Return its kind, the sentence for the new person's file, and the one for the other's.
    """
    me, them = _sketch(person.persona, person.job), _sketch(other)
    is_colleague = bool(other.work) and person.persona.work == other.work
    bonds = [each for each in maker.parts.bonds if each != COLLEAGUES or is_colleague]
    inputs = TellBondInput(
        town=town,
        person=me,
        story=person.persona.learned,
        other=them,
        other_story=other.learned,
        shared=shared_place(person.persona, other),
        bonds=tuple(bonds or maker.parts.bonds),
    )
    answer = await maker.ask(TELL_BOND, inputs, ordinal)
    one, two = me.first_name, them.first_name
    if one == two:
        one, two = me.name, them.name
    sentence, fact = maker.parts.bonds[answer.bond], whole_sentences(answer.fact)
    mine = sentence.replace("{me}", one).replace("{other}", two)
    theirs = sentence.replace("{me}", two).replace("{other}", one)
    return answer.bond, f"{mine} {fact}", f"{theirs} {fact}"


def shared_place(one: Persona, other: Persona) -> str:
    """Return a sentence on the place where both people are every day; empty if there is none."""
    if one.work and sector_of(one.work) == sector_of(other.work):
        return f"Both work at {sector_of(one.work)}."
    if sector_of(one.home) == sector_of(other.home):
        return f"Both live in {sector_of(one.home)}."
    return ""


def _sketch(persona: Persona, job: str = "") -> SketchCard:
    """Return a person of the town as prompts show them."""
    place = sector_of(persona.work) if persona.work else ""
    return SketchCard(
        name=persona.name,
        first_name=persona.first_name,
        age=persona.age,
        traits=persona.innate,
        job=job or (f"somebody who spends the day at {place}" if place else "without work"),
        work=place or NONE,
    )


async def _ask_memories(
    maker: Maker, wanted: PersonRequest, card: SketchCard, story: str
) -> tuple[str, ...]:
    """Return a person's memories, each the continuation of a beginning, taken in turn."""
    told: list[str] = []
    beginnings, first = maker.parts.beginnings, maker.draw("beginning")
    for ordinal, start in enumerate(range(0, wanted.memories, BATCH)):
        count = min(BATCH, wanted.memories - start)
        cards = tuple(
            BeginningCard(number=at + 1, text=beginnings[(first + start + at) % len(beginnings)])
            for at in range(count)
        )
        inputs = TellMemoriesInput(
            town=wanted.town, person=card, story=story, told=tuple(told), beginnings=cards
        )
        answer = await maker.ask(TELL_MEMORIES, inputs, ordinal)
        # A history file parts memories by semicolons.
        lines = (plain(each.memory.replace(";", ","), LONGEST) for each in answer.memories)
        told += [line.rstrip(" .") for line in lines]
    return tuple(told)


def whole_sentences(text: str) -> str:
    """Return a text on one line that ends with its last complete sentence.

    If that would remove most of the text, all of it is returned, with a full stop at its end.
    """
    line = plain(text, LONGEST)
    end = max(line.rfind(mark) for mark in ".!?")
    return line[: end + 1] if end > len(line) // 2 else f"{line.rstrip(' ,;:')}."


def _wake_and_bed(maker: Maker, start: str, end: str) -> tuple[str, str]:
    """Return the hours of getting up and going to bed, random within what a duty allows."""
    wake = min(minute_at(start) - READY, 6 * 60 + 15 * (maker.draw("wake") % 9))
    bed = max(minute_at(end) + READY, 21 * 60 + 15 * (maker.draw("bed") % 9))
    return clock(max(4 * 60, wake)), clock(bed % DAY)


def _spoken(time: str) -> str:
    """Return a time of day as people say it: `6am`, `10:30pm`."""
    hour, minute = map(int, time.split(":"))
    half = "am" if hour < 12 else "pm"
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''}{half}"
