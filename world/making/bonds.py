"""Create relationships for new people, described alike in both persons' files."""

from collections.abc import Sequence
from dataclasses import dataclass

from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.graphs.making import tell_bond
from smolville.graphs.making.cards import SketchCard, TownCard
from smolville.world.making.asking import Maker
from smolville.world.making.person import MadePerson, sketch, whole_sentences

COLLEAGUES = "colleagues"
"""The bond that is offered only to people who work at the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A relationship of two people, as worded in each person's file."""

    bond: str
    mine: str
    """The sentence for the file of the new person."""
    theirs: str
    """The sentence for the file of the other person."""


def choose_others(
    maker: Maker, person: MadePerson, others: Sequence[Persona], count: int
) -> list[Persona]:
    """Return `count` people with whom a new person gets a relationship.

    People who live or work at the same place come first; the rest of the order is random.
    """

    def rank(other: Persona) -> tuple[bool, int, str]:
        is_near = bool(_shared(person.persona, other))
        return not is_near, maker.draw("bond", person.persona.name, other.name), other.name

    return sorted(others, key=rank)[:count]


async def tie(
    maker: Maker,
    town: TownCard,
    number: int,
    person: MadePerson,
    other: Persona,
    *,
    job: str = "",
    ordinal: int = 0,
) -> Tie:
    """Ask a model for the relationship of two people, and return its wording for both files."""
    shared = _shared(person.persona, other)
    is_colleague = bool(person.persona.work) and person.persona.work == other.work
    bonds = [each for each in maker.parts.bonds if each.name != COLLEAGUES or is_colleague]
    bonds = bonds or list(maker.parts.bonds)
    me, them = person.sketch, sketch(other, job)
    inputs = tell_bond.TellBondInput(
        town=town,
        person=me,
        story=person.persona.learned,
        other=them,
        other_story=other.learned,
        shared=shared,
        bonds=tuple(each.name for each in bonds),
    )
    answer = await maker.ask(tell_bond.STEP, inputs, f"person {number}", ordinal)
    bond = next(each for each in bonds if each.name == answer.bond)
    fact = whole_sentences(answer.fact)
    mine, theirs = _called(me, them), _called(them, me)
    return Tie(
        bond=bond.name,
        mine=bond.tell(mine, theirs, fact),
        theirs=bond.tell(theirs, mine, fact),
    )


def _called(card: SketchCard, other: SketchCard) -> str:
    """Return the first name of `card`, or the full name if `other` has the same first name."""
    return card.name if card.first_name == other.first_name else card.first_name


def _shared(one: Persona, other: Persona) -> str:
    """Return the place where both people are every day; empty if there is none."""
    if one.work and sector_of(one.work) == sector_of(other.work):
        return f"Both work at {sector_of(one.work)}."
    if sector_of(one.home) == sector_of(other.home):
        return f"Both live in {sector_of(one.home)}."
    return ""
