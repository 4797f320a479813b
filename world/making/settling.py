"""Adds a person to an existing town: a bed, a file, memories, and bonds with others.

Nothing is written by `settle`: its result is the new text of each changed file, checked as a whole.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smolville.agents.errors import RunError, TownError
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.agents.text_files import read_text
from smolville.parsers.making import TownCard
from smolville.world.making.files import HEADER, persona_text, set_in_table, set_row
from smolville.world.making.guest_bed import find_bed
from smolville.world.making.maker import Maker
from smolville.world.making.person import (
    MadePerson,
    PersonRequest,
    WorkOffer,
    make_person,
    shared_place,
    tie,
)
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from smolville.world.town.townfiles import PersonaFile, TownFile, read_people, read_settings

OPENS, CLOSES = "09:00", "17:00"
"""Opening and closing time of a place for which no persona file gives any."""
MOST_OFFERS = 10
"""Maximum number of workplaces offered, because a small model gets confused by long lists."""
MOST_HAUNTS = 6
MOST_KNOWN = 12
MOST_BONDS = 3
"""Number of people with whom a new person gets a relationship."""
HISTORY = "history.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewResident:
    """A new person of an existing town."""

    name: str
    texts: dict[str, str]
    """New text by path inside the town's folder, in an order that keeps the town valid."""
    told: dict[str, str]
    """New sentence by the name of the person whose file gets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacancy:
    """A town without the person who is to be replaced, if there is one."""

    town: Town
    files: tuple[PersonaFile, ...]
    """The persona files of all others."""
    old_file: str = ""
    """The file of the person to be replaced; empty if nobody is."""

    @property
    def people(self) -> tuple[Persona, ...]:
        """All people of the town except the one to be replaced."""
        return tuple(each.persona for each in self.files)


def find_vacancy(folder: Path, name: str, *, overwrite: bool) -> Vacancy:
    """Return a town, without the person of this name if that person may be replaced.

    Raises TownError if the town has a fault, and RunError if there is a person of that name who may
    not be replaced.
    """
    town = Town.load(folder)
    found = read_people(folder).found
    same = [each for each in found if each.persona.name.casefold() == name.casefold()]
    if same and not overwrite:
        raise RunError(
            f"{same[0].persona.name} lives in {str(folder)!r} already ({same[0].file.shown}); add "
            "--overwrite to replace them, or give another --name."
        )
    others = tuple(each for each in found if each not in same)
    return Vacancy(town=town, files=others, old_file=same[0].file.shown if same else "")


async def settle(
    maker: Maker, vacancy: Vacancy, *, name: str, about: str, memories: int
) -> NewResident:
    """Return a new person of a town, with every file that changes.

    The same town, seed, model and arguments give the same texts.
    """
    town, people = vacancy.town, vacancy.people
    card = TownCard(name=town.name, description=town.description)
    home, map_text = find_bed(town, people)
    public = tuple(each.name for each in town.map.sectors.values() if not each.is_private)
    haunts = sorted(public, key=lambda name: maker.draw("haunt", name))[:MOST_HAUNTS]
    wanted = PersonRequest(
        town=card,
        home=home,
        offers=_offers(maker, vacancy),
        about=about,
        name=name,
        taken=tuple(each.name for each in people),
        haunts=tuple(haunts) or (home,),
        known_places=public[:MOST_KNOWN],
        memories=memories,
    )
    made = await make_person(maker, wanted)
    who = made.persona
    maker.tell(
        "person",
        f"{who.name}, {who.age}, {made.job}; lives in {home}; {len(made.memories)} memories",
    )

    def rank(other: Persona) -> tuple[bool, int]:
        """Sort people who live or work at the same place first, the others at random."""
        return not shared_place(who, other), maker.draw("bond", other.name)

    relationships, told = {}, {}
    for ordinal, other in enumerate(sorted(people, key=rank)[:MOST_BONDS]):
        bond, relationships[other.name], told[other.name] = await tie(
            maker, card, made, other, ordinal
        )
        maker.tell("bond", f"{who.name} and {other.name}: {bond}")
    who = who.model_copy(update={"relationships": relationships})
    texts = {**map_text, **dict(_changes(vacancy, who, made, told))}
    _check(town.folder, texts)
    return NewResident(name=who.name, texts=texts, told=told)


def _offers(maker: Maker, vacancy: Vacancy) -> tuple[WorkOffer, ...]:
    """Return the places where others work, with the hours that their files give."""
    found: dict[str, WorkOffer] = {}
    for each in vacancy.people:
        if not each.work or each.work in found:
            continue
        hours = each.habits.work[0] if each.habits.work else None
        place = sector_of(each.work)
        found[each.work] = WorkOffer(
            place=each.work,
            about=f"a colleague of {each.name}",
            task=hours.activity.removesuffix(f" at {place}") if hours else "working",
            opens=hours.start if hours else OPENS,
            closes=hours.end if hours else CLOSES,
        )
    order = sorted(found, key=lambda place: maker.draw("offer", place))
    return tuple(found[place] for place in sorted(order[:MOST_OFFERS]))


def _changes(
    vacancy: Vacancy, who: Persona, made: MadePerson, told: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the files that change, with their new texts: the person's own one first."""
    folder = vacancy.town.folder
    stem = re.sub(r"[^\w]+", "_", who.name.casefold())
    yield vacancy.old_file or f"personas/{stem}.toml", persona_text(who)
    settings, town_file, _ = read_settings(folder)
    assert settings is not None
    history = settings.history or HISTORY
    try:
        before = read_text(folder / history)
    except FileNotFoundError:
        before = HEADER
    yield history, set_row(before, who.name, made.memories)
    for each in vacancy.files:
        sentence = told.get(each.persona.name)
        if sentence is not None or who.name in each.persona.relationships:
            yield (
                each.file.shown,
                set_in_table(each.file, "relationships", who.name, sentence).text,
            )
    changed = town_file
    if settings.history is None:
        changed = TownFile("town.toml", f'history = "{HISTORY}"\n{town_file.text}')
    names = [*(each.name for each in vacancy.people), who.name]
    if str(len(names)) not in settings.casts:
        changed = set_in_table(changed, "casts", str(len(names)), names)
    if changed != town_file:
        yield "town.toml", changed.text


def _check(folder: Path, texts: dict[str, str]) -> None:
    """Raise TownError if the town would have a fault with these files."""
    with tempfile.TemporaryDirectory(prefix="smolville-") as temporary:
        copy = Path(temporary) / folder.resolve().name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".*"))
        for name, text in texts.items():
            (copy / name).write_text(text, encoding="utf-8")
        faults = check_town(copy)
    if faults:
        raise TownError(f"The town would have a fault with this person: {faults[0]}")
