"""Makes a person: asks a model who they are, and composes the persona from the answers.

A model is asked only what code cannot know, one small question at a time. Code sets the rest: the
bed, the places, the hours of work, and the order of the questions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from smolville.agents.habits import Habits, Work
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.agents.wording import plain
from smolville.graphs.making import choose_habits, invent_person, tell_memories, tell_story
from smolville.graphs.making.cards import BeginningCard, KindCard, SketchCard, TownCard
from smolville.graphs.making.invent_person import NONE
from smolville.parsers.clock import clock_text
from smolville.parsers.making.choose_habits import ChosenHabits, earliest_bed, latest_wake
from smolville.parsers.making.invent_person import Newcomer
from smolville.world.making.asking import Maker

LONGEST = 400
"""Maximum number of characters of a text in a persona file."""
LUNCH, DINNER = "12:30", "18:30"
EARLY_MEALS = "12:00", "17:30"
"""Times of lunch and dinner for somebody who works in the evening."""
FREE = ("10:00", "12:00")
"""Hours of the pastime of a person without work."""
APART = 7
"""Number of beginnings by which the memories of two successive people are shifted."""
_LETTERS = "ABCDEFGHIJKLMNOPRSTVWYZ"
_AGES = 20, 75


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOffer:
    """A place where a new person may work."""

    place: str
    """`sector: arena`."""
    about: str
    """What the place is, or who works there."""
    job: str = ""
    """The job of somebody who works there: `a baker`; empty if only a model can tell."""
    task: str
    opens: str
    """Opening time as `HH:MM`."""
    closes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRequest:
    """A request for a new person, with the facts that code sets."""

    number: int
    """Position among the people of the town, which identifies this person's questions."""
    town: TownCard
    home: str
    offers: Sequence[WorkOffer]
    may_rest: bool = True
    """True if the person may be without work."""
    about: str = ""
    name: str = ""
    taken: Sequence[str] = ()
    haunts: Sequence[str] = ()
    """Places where the person may spend free hours."""
    known_places: Sequence[str] = ()
    memories: int = 8
    plan: str = ""
    """What this person is planning for the town; empty if nothing."""
    plan_memories: Sequence[str] = ()
    """Memories of that plan; they are part of the wanted number of memories."""


@dataclass(slots=True, kw_only=True)
class MadePerson:
    """A new person: the persona as far as it is known, and their memories."""

    persona: Persona
    job: str
    memories: tuple[str, ...]
    relationships: dict[str, str] = field(default_factory=dict)

    @property
    def sketch(self) -> SketchCard:
        """The person as shown to others in prompts."""
        return sketch(self.persona, self.job)

    def whole(self) -> Persona:
        """Return the persona, including all relationships."""
        return self.persona.model_copy(update={"relationships": dict(self.relationships)})


def sketch(persona: Persona, job: str = "") -> SketchCard:
    """Return a person as shown in the prompts of a new town."""
    place = sector_of(persona.work) if persona.work else ""
    return SketchCard(
        name=persona.name,
        first_name=persona.first_name,
        age=persona.age,
        traits=persona.innate,
        job=job or (f"somebody who spends the day at {place}" if place else "without work"),
        work=place or NONE,
    )


def describe(person: MadePerson) -> str:
    """Return a person in one line: who they are, where they live, and what they remember."""
    who = person.persona
    return (
        f"{who.name}, {who.age}, {person.job}; lives in {who.home}; {len(person.memories)} memories"
    )


async def make_person(maker: Maker, wanted: PersonRequest) -> MadePerson:
    """Return a new person, without relationships yet."""
    owner = f"person {wanted.number}"
    who = await maker.ask(invent_person.STEP, _who_inputs(maker, wanted), owner)
    offer = next((each for each in wanted.offers if each.place == who.work), None)
    card = _card_of(who, offer)
    story = await maker.ask(
        tell_story.STEP,
        tell_story.TellStoryInput(
            town=wanted.town, person=card, about=wanted.about, occasion=wanted.plan
        ),
        owner,
    )
    habits = await maker.ask(
        choose_habits.STEP,
        choose_habits.ChooseHabitsInput(
            person=card,
            story=story.learned,
            opens=offer.opens if offer else "",
            closes=offer.closes if offer else "",
            up_until=clock_text(latest_wake(offer.opens if offer else "")),
            bed_from=clock_text(earliest_bed(offer.closes if offer else "")),
            places=tuple(wanted.haunts),
        ),
        owner,
    )
    told = f"{story.learned} {story.currently}"
    memories = await _ask_memories(maker, wanted, card, told)
    first = card.first_name
    persona = Persona(
        name=card.name,
        age=who.age,
        innate=card.traits,
        learned=whole_sentences(story.learned),
        currently=whole_sentences(story.currently),
        lifestyle=_lifestyle(card, habits, offer),
        home=wanted.home,
        work=offer.place if offer else "",
        daily_requirement=_requirement(first, habits, offer),
        habits=_habits(habits, offer),
        known_places=tuple(wanted.known_places),
    )
    return MadePerson(persona=persona, job=card.job, memories=memories)


def _who_inputs(maker: Maker, wanted: PersonRequest) -> invent_person.InventPersonInput:
    """Return the inputs of the question about who the person is; initials and age are random."""
    work = [KindCard(name=each.place, about=each.about) for each in wanted.offers]
    if wanted.may_rest:
        work.append(KindCard(name=NONE, about="without work, or retired"))
    drawn = [maker.draw(wanted.number, part) for part in ("first", "family", "age")]
    used = {word[0] for name in wanted.taken for word in name.split()}
    letters = [letter for letter in _LETTERS if letter not in used] or list(_LETTERS)
    first = letters[drawn[0] % len(letters)]
    others = [letter for letter in letters if letter != first] or letters
    least, most = _AGES
    age = least + drawn[2] % (most - least)
    return invent_person.InventPersonInput(
        town=wanted.town,
        about=wanted.about,
        name=wanted.name,
        initials=f"{first} and {others[drawn[1] % len(others)]}",
        age="" if wanted.about else f"about {age}",
        work=tuple(work),
        taken=tuple(wanted.taken),
    )


def _card_of(who: Newcomer, offer: WorkOffer | None) -> SketchCard:
    """Return what is known of a person so far, in the form for the next prompts."""
    name = " ".join(plain(who.name, 60).split())
    return SketchCard(
        name=name,
        first_name=name.split()[0],
        age=who.age,
        traits=", ".join(plain(trait, 30).strip(" ,.") for trait in who.traits),
        job=(offer.job if offer else "") or plain(who.job, 80).rstrip("."),
        work=sector_of(offer.place) if offer else NONE,
    )


async def _ask_memories(
    maker: Maker, wanted: PersonRequest, card: SketchCard, story: str
) -> tuple[str, ...]:
    """Return a person's memories.

    The first are those of the planned event, if the request has any. Each of the others continues
    a beginning, taken in turn from `parts.toml`.
    """
    told = list(wanted.plan_memories)[: wanted.memories]
    beginnings, ordinal = maker.parts.beginnings, 0
    while len(told) < wanted.memories:
        count = min(tell_memories.BATCH, wanted.memories - len(told))
        start = len(told) - len(wanted.plan_memories) + wanted.number * APART
        cards = tuple(
            BeginningCard(number=at + 1, text=beginnings[(start + at) % len(beginnings)])
            for at in range(count)
        )
        inputs = tell_memories.TellMemoriesInput(
            town=wanted.town, person=card, story=story, told=tuple(told), beginnings=cards
        )
        answer = await maker.ask(tell_memories.STEP, inputs, f"person {wanted.number}", ordinal)
        told += [_as_whisper(each.memory) for each in answer.memories]
        ordinal += 1
    return tuple(told)


def whole_sentences(text: str) -> str:
    """Return a text on one line that ends with its last complete sentence.

    If that would remove most of the text, all of it is returned, with a full stop at its end.
    """
    line = plain(text, LONGEST)
    end = max(line.rfind(mark) for mark in ".!?")
    return line[: end + 1] if end > len(line) // 2 else f"{line.rstrip(' ,;:')}."


def _as_whisper(memory: str) -> str:
    """Return a memory in the form for a history file: no semicolon, and no full stop at its end."""
    return plain(memory.replace(";", ","), LONGEST).rstrip(" .")


def _lifestyle(card: SketchCard, habits: ChosenHabits, offer: WorkOffer | None) -> str:
    """Return sentences on a person's hours of sleep and meals."""
    is_evening = offer is not None and offer.opens <= DINNER < offer.closes
    lunch, dinner = EARLY_MEALS if is_evening else (LUNCH, DINNER)
    where = "at home" if offer is None or offer.opens > lunch else "at work"
    breakfast = clock_text(habits.wake + 30)
    return (
        f"{card.name} goes to bed around {_spoken(clock_text(habits.bed))}, wakes up around "
        f"{_spoken(clock_text(habits.wake))}. {card.first_name} has breakfast at home around "
        f"{_spoken(breakfast)}, lunch {where} around {_spoken(lunch)}, and dinner around "
        f"{_spoken(dinner)}."
    )


def _requirement(first_name: str, habits: ChosenHabits, offer: WorkOffer | None) -> str:
    """Return a sentence on what every day of the person must include."""
    pastime, place = plain(habits.pastime, 80).rstrip("."), habits.place
    if offer is None:
        start, end = (_spoken(each) for each in FREE)
        return (
            f"{first_name} has no work to go to. From {start} to {end} {first_name} is at {place}, "
            f"{pastime}."
        )
    return (
        f"{first_name} is {offer.task} at {sector_of(offer.place)} from {_spoken(offer.opens)} to "
        f"{_spoken(offer.closes)}. In free hours {first_name} likes {pastime} at {place}."
    )


def _habits(habits: ChosenHabits, offer: WorkOffer | None) -> Habits:
    """Return the hours as fields of a persona."""
    if offer is None:
        start, end = FREE
        activity = f"{plain(habits.pastime, 60).rstrip('.')} at {habits.place}"
    else:
        start, end = offer.opens, offer.closes
        activity = f"{offer.task} at {sector_of(offer.place)}"
    work = Work(start=start, end=end, activity=activity[:120])
    return Habits(wake=clock_text(habits.wake), bed=clock_text(habits.bed), work=(work,))


def _spoken(clock: str) -> str:
    """Return a time of day as people say it: `6am`, `10:30pm`."""
    hour, minute = map(int, clock.split(":"))
    half = "am" if hour < 12 else "pm"
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''}{half}"


def file_stem(name: str) -> str:
    """Return the name of a person's file, without its ending: `ada_brook`."""
    return re.sub(r"[^\w]+", "_", name.casefold()).strip("_") or "person"
