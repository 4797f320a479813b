"""Adds a person to an existing town: a free bed, a file, memories, and bonds with others.

Nothing is written by `settle`: its result is the new text of each changed file, checked as a whole.
"""

import csv
import io
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from smolville.agents.errors import RunError, TownError
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.agents.text_files import read_text
from smolville.graphs.making.cards import TownCard
from smolville.world.making.asking import Maker
from smolville.world.making.bonds import choose_others, tie
from smolville.world.making.files import (
    cast_line,
    drop_from_table,
    history_row,
    persona_text,
    relationship_line,
    set_in_table,
)
from smolville.world.making.houses import build_house, is_drawn_like_shipped, plan_cottage
from smolville.world.making.person import (
    MadePerson,
    PersonRequest,
    WorkOffer,
    describe,
    file_stem,
    make_person,
)
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from smolville.world.town.townfiles import PersonaFile, read_people, read_settings

OPENS, CLOSES = "09:00", "17:00"
"""Opening and closing time of a place for which no persona file gives any."""
MOST_OFFERS = 10
"""Maximum number of workplaces offered, because a small model gets confused by long lists."""
MOST_HAUNTS = 6
MOST_KNOWN = 12
MOST_BONDS = 3
"""Number of people with whom a new person gets a relationship."""
HISTORY = "history.csv"
_COMMAS = "Name,Whisper\n"


@dataclass(slots=True, kw_only=True)
class NewResident:
    """A new person of an existing town."""

    person: MadePerson
    texts: dict[str, str] = field(default_factory=dict)
    """New text by path inside the town's folder.

    The files can be written in this order so that the town is valid after each one.
    """
    told: dict[str, str] = field(default_factory=dict)
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


def free_bedroom(vacancy: Vacancy) -> str:
    """Return the first private room with a bed that nobody sleeps in; empty if there is none."""
    town_map = vacancy.town.map
    sleepers = Counter(each.home for each in vacancy.people)
    return next(
        (
            address
            for address, arena in town_map.arenas.items()
            if town_map.sectors[arena.sector].is_private
            and not sleepers[address]
            and town_map.beds_in(address)
        ),
        "",
    )


def _find_home(maker: Maker, vacancy: Vacancy) -> tuple[str, dict[str, str]]:
    """Return a free bedroom, and the changed file with its new text, if any.

    If a house has to be built, the map's file changes. Raises TownError if all beds are taken and
    no house can be built.
    """
    home, town = free_bedroom(vacancy), vacancy.town
    if home:
        return home, {}
    house, bedroom = plan_cottage(maker.parts, set(town.map.sectors))
    file = town.folder / town.map.sheet.file
    text = ""
    if is_drawn_like_shipped(town.map):
        old = read_text(file)
        text = build_house(old, town.map, house, maker.client.seed)
    if not text:
        raise TownError(
            f"Every bedroom of {town.name} is taken. Open {file} in Tiled, and give a private "
            "sector another arena with an object `bed`."
        )
    maker.tell("house", f"{house.name}, since every bedroom of {town.name} is taken")
    return bedroom, {town.map.sheet.file: text}


async def settle(
    maker: Maker, vacancy: Vacancy, *, name: str, about: str, memories: int
) -> NewResident:
    """Return a new person of a town, with every file that changes.

    The same town, seed, model and arguments give the same texts.
    """
    town, people = vacancy.town, vacancy.people
    card = TownCard(name=town.name, description=town.description)
    number = len(people)
    home, map_text = _find_home(maker, vacancy)
    wanted = PersonRequest(
        number=number,
        town=card,
        home=home,
        offers=_offers(maker, vacancy),
        about=about,
        name=name,
        taken=[each.name for each in people],
        haunts=_haunts(maker, vacancy),
        known_places=_known_places(vacancy),
        memories=memories,
    )
    made = await make_person(maker, wanted)
    settled = NewResident(person=made)
    maker.tell("person", describe(made))
    for ordinal, other in enumerate(choose_others(maker, made, people, MOST_BONDS)):
        told = await tie(maker, card, number, made, other, ordinal=ordinal)
        made.relationships[other.name] = told.mine
        settled.told[other.name] = told.theirs
        maker.tell("bond", f"{made.persona.name} and {other.name}: {told.bond}")
    settled.texts = {**map_text, **dict(_changes(vacancy, settled))}
    _check(town.folder, settled.texts)
    return settled


def _offers(maker: Maker, vacancy: Vacancy) -> tuple[WorkOffer, ...]:
    """Return the places where others work, with the hours that their files give."""
    found: dict[str, WorkOffer] = {}
    for each in vacancy.people:
        if not each.work or each.work in found:
            continue
        hours = each.habits.work[0] if each.habits.work else None
        place = sector_of(each.work)
        task = hours.activity.removesuffix(f" at {place}") if hours else "working"
        found[each.work] = WorkOffer(
            place=each.work,
            about=f"a colleague of {each.name}",
            task=task,
            opens=hours.start if hours else OPENS,
            closes=hours.end if hours else CLOSES,
        )
    order = sorted(found.values(), key=lambda offer: maker.draw("offer", offer.place))
    return tuple(sorted(order[:MOST_OFFERS], key=lambda offer: offer.place))


def _haunts(maker: Maker, vacancy: Vacancy) -> tuple[str, ...]:
    """Return some public places for a person to visit."""
    public = _public(vacancy)
    return tuple(sorted(public, key=lambda name: maker.draw("haunt", name))[:MOST_HAUNTS])


def _known_places(vacancy: Vacancy) -> tuple[str, ...]:
    """Return the public places that a new person has seen, in the map's order."""
    return _public(vacancy)[:MOST_KNOWN]


def _public(vacancy: Vacancy) -> tuple[str, ...]:
    """Return the sectors that are not anybody's home."""
    sectors = vacancy.town.map.sectors.values()
    return tuple(each.name for each in sectors if not each.is_private)


def _changes(vacancy: Vacancy, settled: NewResident) -> Iterator[tuple[str, str]]:
    """Yield the files that change, with their new texts, so that the town is valid after each one.

    The person's file comes first, then the memories, then the files of the others.
    """
    folder, person = vacancy.town.folder, settled.person
    name = person.persona.name
    own = vacancy.old_file or _new_file(vacancy, name)
    yield own, persona_text(person.whole())
    settings, file, _ = read_settings(folder)
    assert settings is not None
    text = file.text
    if settings.history is None:
        text = f'history = "{HISTORY}"\n{text}'
    history = settings.history or HISTORY
    yield history, _history_with(folder / history, name, person.memories)
    for each in vacancy.files:
        changed = _with_bond(each, name, settled.told.get(each.persona.name))
        if changed != each.file.text:
            yield each.file.shown, changed
    names = [*(each.name for each in vacancy.people), name]
    if str(len(names)) not in settings.casts:
        line = cast_line(names)
        text = set_in_table(text, "casts", str(len(names)), names, line, "town.toml")
    if text != file.text:
        yield "town.toml", text


def _new_file(vacancy: Vacancy, name: str) -> str:
    """Return an unused path for the file of a person."""
    stem = file_stem(name)
    used = {each.file.shown for each in vacancy.files}
    while f"personas/{stem}.toml" in used:
        stem += "_2"
    return f"personas/{stem}.toml"


def _with_bond(other: PersonaFile, name: str, told: str | None) -> str:
    """Return the text of a person's file with one sentence on the new person, or with none."""
    text, shown = other.file.text, other.file.shown
    if told is not None:
        line = relationship_line(name, told)
        return set_in_table(text, "relationships", name, told, line, shown)
    if name in other.persona.relationships:
        return drop_from_table(text, "relationships", name, shown)
    return text


def _history_with(path: Path, name: str, memories: Sequence[str]) -> str:
    """Return the text of a history file in which a person's row is added or replaced."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        text = _COMMAS
    text = text if not text or text.endswith("\n") else f"{text}\n"
    lines = text.splitlines(keepends=True)
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    kept, last, is_placed = list[str](), 0, False
    row = history_row(name, memories)
    for cells in reader:
        own = "".join(lines[last : reader.line_num])
        last = reader.line_num
        if not cells or cells[0].strip() != name:
            kept.append(own)
        elif not is_placed:
            kept.append(row)
            is_placed = True
    return "".join(kept if is_placed else [*kept, row])


def _check(folder: Path, texts: dict[str, str]) -> None:
    """Raise TownError if the town would have a fault with these files."""
    with tempfile.TemporaryDirectory(prefix="smolville-") as temporary:
        copy = Path(temporary) / folder.resolve().name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".*"))
        write_texts(copy, texts)
        faults = check_town(copy)
    if faults:
        raise TownError(f"The town would have a fault with this person: {faults[0]}")


def write_texts(folder: Path, texts: dict[str, str]) -> None:
    """Write files of a town, one after another."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
