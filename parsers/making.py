"""The questions about a new person: what each prompt shows, and what a model may answer."""

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import (
    Answer,
    AnswerPart,
    Context,
    Mended,
    answer_field,
    read_context_value,
)
from smolville.parsers.problem import Problem, field_problem, own_problem, reject
from smolville.parsers.prompt_inputs import PromptInput
from smolville.parsers.reading.keeping import key_problems, mend_keys

_PERSON = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:[ '’-][^\W\d_]+)+")
"""A full name: letters, joined by blanks, apostrophes or hyphens."""
_OWN_WORDS = re.compile(r"\b(?:I|I'm|I've|my|me|mine|we|our)\b")
_ALIKE = 0.8
"""Similarity, 0 to 1, from which two sentences count as saying the same."""


def check_person_name(name: str) -> list[Problem]:
    """Return what is wrong with a person's full name."""
    if _PERSON.fullmatch(name) and " " in name and all(each[0].isupper() for each in name.split()):
        return []
    rest = ". Write a first name and a family name, with letters only."
    return [own_problem(name, rest)]


def check_third_person(text: str, first_name: str) -> list[Problem]:
    """Return what is wrong with a text that must mention a person by first name."""
    own = _OWN_WORDS.search(text)
    if own is not None:
        rest = f", with {own.group()!r} in it. Write about {first_name}, not as {first_name}."
        return [own_problem(text, rest, "voice")]
    if not re.search(rf"\b{re.escape(first_name)}\b", text):
        return [own_problem(text, f". Use the name {first_name} in it.", "fact")]
    return []


def find_alike(text: str, others: Iterable[str]) -> str:
    """Return the first other sentence that says the same as this text; empty if there is none."""
    plain = text.casefold()
    for other in others:
        if SequenceMatcher(None, plain, other.casefold()).ratio() >= _ALIKE:
            return other
    return ""


class TownCard(PromptInput):
    """A town as a prompt shows it."""

    name: str
    description: str


class WorkCard(PromptInput):
    """A place of work, as a prompt shows it."""

    name: str
    about: str


class SketchCard(PromptInput):
    """The facts known so far about a person."""

    name: str
    first_name: str
    age: int
    traits: str
    job: str
    work: str
    """The place where they work, or `none`."""


class BeginningCard(PromptInput):
    """The beginning of a memory."""

    number: int
    text: str


class InventPersonInput(PromptInput):
    """The inputs that the prompt `invent_person` shows."""

    town: TownCard
    about: str
    """A description of the person: `a retired sailor`; empty for anybody."""
    name: str
    """The name that the person must have; empty for any name."""
    work: tuple[WorkCard, ...]
    """The places where they may work, each with what is done there."""
    taken: tuple[str, ...]
    """Names that other people have already."""


class Newcomer(Answer):
    """A person in a few words."""

    name: Annotated[str, Field(min_length=4, max_length=40)] = answer_field(
        "first name and family name", "full_name"
    )
    age: Annotated[int, Field(ge=18, le=95)] = answer_field("age in years")
    work: str = answer_field(
        'a place from WORK, word for word, or "none" for somebody without work', "workplace place"
    )
    job: Annotated[str, Field(min_length=4, max_length=60)] = answer_field(
        "what this person is at work, or was, in two or three words", "occupation profession"
    )
    traits: Annotated[
        list[Annotated[str, Field(min_length=3, max_length=24)]], Field(min_length=3, max_length=4)
    ] = answer_field("traits of character, one word each")

    @field_validator("name")
    @classmethod
    def _is_free(cls, name: str, info: ValidationInfo) -> str:
        if read_context_value(info.context, "name"):
            return name
        reject(check_person_name(name))
        taken = {
            word
            for each in read_context_value(info.context, "taken") or ()
            for word in each.casefold().split()
        }
        again = [word for word in name.split() if word.casefold() in taken]
        if again:
            rest = f". Somebody else is called {again[0]}. Write another name."
            reject([own_problem(name, rest, "duplicate")])
        return name

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            name="Wilma Achterberg",
            age=58,
            work="The Blue Wedge",
            job="a foreman of the quarry",
            traits=["dry", "fair", "hard of hearing"],
        )


class TellStoryInput(PromptInput):
    """The inputs that the prompt `tell_story` shows."""

    town: TownCard
    person: SketchCard
    about: str
    """A description of the person: `a retired sailor`; empty for anybody."""
    places: tuple[str, ...]
    """Places where they can spend their free hours."""


class LifeStory(Answer):
    """The past and the present of a person, in the third person."""

    learned: Annotated[str, Field(min_length=40, max_length=360)] = answer_field(
        "two or three sentences on the life of this person so far", "story past history"
    )
    currently: Annotated[str, Field(min_length=30, max_length=280)] = answer_field(
        "one or two sentences on what this person wants to get done these days",
        "present now current",
    )
    pastime: Annotated[str, Field(min_length=8, max_length=60)] = answer_field(
        "what they do in free hours, in two to six words, beginning with an -ing word",
        "hobby free_time",
    )
    place: str = answer_field("where they do it: a place from PLACES, word for word")

    @field_validator("learned", "currently")
    @classmethod
    def _is_about_them(cls, text: str, info: ValidationInfo) -> str:
        first_name = read_context_value(info.context, "first_name")
        if first_name is not None:
            reject(check_third_person(text, first_name))
        return text

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            learned="Wilma came to the quarry as a girl of sixteen and never left it. Two winters "
            "ago a blast took half of Wilma's hearing, and now Wilma reads lips.",
            currently="Wilma writes down which tunnels are safe before nobody remembers. Wilma "
            "also looks for a young dog.",
            pastime="carving whistles from elder",
            place="Sheepwash Green",
        )


_OWN = re.compile(r"(?:I(?:['’](?:m|ve|d|ll))?|My)\b")
_YOU = re.compile(r"\b(?:you|yours?|yourself)\b", re.IGNORECASE)


LONGEST = 160
"""Maximum number of characters of a memory; a server cuts off longer ones inside a word."""


class TellMemoriesInput(PromptInput):
    """The inputs that the prompt `tell_memories` shows."""

    town: TownCard
    person: SketchCard
    story: str
    told: tuple[str, ...]
    """The memories written so far."""
    beginnings: tuple[BeginningCard, ...]


class SeedMemory(AnswerPart):
    """One memory."""

    number: int = answer_field("the number in BEGINNINGS", "beginning id no")
    memory: Annotated[str, Field(min_length=12, max_length=180)] = answer_field(
        "the whole sentence, with its beginning, at most 20 words", "text sentence"
    )

    @field_validator("memory")
    @classmethod
    def _is_their_own(cls, memory: str) -> str:
        rest = '. Write a sentence that begins with "I" or "My", without "you".'
        if not _OWN.match(memory) or _YOU.search(memory):
            reject([own_problem(memory, rest, "voice")])
        if len(memory) > LONGEST:
            reject([own_problem(memory, ", which is too long. Write 20 words at most.", "length")])
        return memory


def _with_beginning(item: Any, begun: Mapping[int, str]) -> Any:
    """Return an item, with its given beginning put before a memory that starts in mid-sentence."""
    if not isinstance(item, dict):
        return item
    memory, beginning = item.get("memory"), begun.get(item.get("number", 0), "")
    if not isinstance(memory, str) or not beginning or not memory[:1].islower():
        return item
    return {**item, "memory": f"{beginning} {memory}"}


class SeedMemories(Answer):
    """One memory for each beginning."""

    items_field = "memories"
    key_field = "number"
    keys_name = "numbers"

    memories: Annotated[list[SeedMemory], Field(min_length=1, max_length=8)] = answer_field(
        "one memory for each of BEGINNINGS"
    )

    @field_validator("memories")
    @classmethod
    def _are_distinct(cls, memories: list[SeedMemory], info: ValidationInfo) -> list[SeedMemory]:
        problems = key_problems(cls, [each.number for each in memories], info.context)
        told = list(read_context_value(info.context, "told") or ())
        found = list(problems)
        for number, each in enumerate(memories):
            other = find_alike(each.memory, told)
            if other:
                rest = f", which tells the same as {other[:80]!r}. Write something else."
                found.append(field_problem(f"{number}.memory", each.memory, rest, "repeat"))
            told.append(each.memory)
        reject(found)
        return memories

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the memories with corrected numbers and with missing beginnings, and notes.

        If a model writes only the rest of a sentence, the rest belongs after the given beginning.
        """
        data, notes = mend_keys(cls, data, context)
        begun = read_context_value(context, "beginnings") or {}
        items = data.get("memories")
        if not isinstance(items, list):
            return data, notes
        mended = [_with_beginning(item, begun) for item in items]
        if mended != items:
            notes = [*notes, "`memories`: put the beginnings before what goes on from them"]
        return {**data, "memories": mended}, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            memories=[
                SeedMemory(number=1, memory="I was born in the last house before the quarry"),
                SeedMemory(number=2, memory="My brass lamp burnt for two days when I was lost"),
            ]
        )


class TellBondInput(PromptInput):
    """The inputs that the prompt `tell_bond` shows."""

    town: TownCard
    person: SketchCard
    story: str
    other: SketchCard
    """Somebody who lives in the town."""
    other_story: str
    shared: str
    """What is known of both: `They work at the same place.`; empty for nothing."""
    bonds: tuple[str, ...]


class Bond(Answer):
    """A bond between two people, and a fact that both know."""

    bond: str = answer_field(
        "what they are to each other, from BONDS, word for word", "relationship kind"
    )
    fact: Annotated[str, Field(min_length=20, max_length=160)] = answer_field(
        "one sentence, with both first names: what they did or do together", "sentence reason"
    )

    @field_validator("fact")
    @classmethod
    def _names_both(cls, fact: str, info: ValidationInfo) -> str:
        for first_name in read_context_value(info.context, "first_names") or ():
            reject(check_third_person(fact, first_name))
        return fact

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            bond="rivals",
            fact="Wilma and Jonas both bid for the old winch, and Jonas still has it.",
        )
