"""Makes a whole town: its idea, its places and map, and the people who live in it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from smolville.agents.errors import InternalError, RunError, TownError
from smolville.agents.times import date_text
from smolville.agents.wording import plain
from smolville.graphs.making import invent_town, name_places
from smolville.graphs.making.cards import KindCard, TownCard
from smolville.graphs.sense.words import stems_of
from smolville.history.drafting import draft_of
from smolville.history.folder import LOCK
from smolville.parsers.making.invent_town import TownIdea
from smolville.parsers.making.name_places import NamedPlaces
from smolville.world.making.asking import Maker
from smolville.world.making.bonds import choose_others, tie
from smolville.world.making.building import PICTURE, Building, Room, shipped_picture
from smolville.world.making.files import history_row, persona_text, plot_text, settings_text
from smolville.world.making.houses import plan_houses
from smolville.world.making.map_drawing import draw_town_map
from smolville.world.making.parts import KindPart
from smolville.world.making.person import (
    MadePerson,
    PersonRequest,
    WorkOffer,
    describe,
    file_stem,
    make_person,
    whole_sentences,
)
from smolville.world.town.check import check_town
from smolville.world.town.plot import LONGEST_TITLE, PLOT_FILE

START = date(2024, 5, 6)
"""Date of day 1, a Monday."""
PLAN_DAY = "Tuesday, May 7th, 2024, from 5pm to 7pm"
"""Time of the event that a new town's first person plans."""
SQUARE_ROOM = "green"
MOST_BONDS = 2
"""Number of people with whom each person of a new town gets a relationship."""
LEAST_PLACES = 3
SPARE_KINDS = 5
"""Number of kinds of places that are offered in addition to those needed."""
READABLE = 0o755


@dataclass(slots=True, kw_only=True)
class MadeTown:
    """The files of a new town, and how many people live in it."""

    name: str
    people: int
    files: dict[str, bytes] = field(default_factory=dict)
    """File contents by path inside the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The buildings of a new town, and the facts about them that code sets."""

    square: str
    offers: tuple[WorkOffer, ...]
    haunts: tuple[str, ...]
    homes: tuple[str, ...]
    """Addresses of the bedrooms (`sector: arena`): one for each person, and a spare one."""
    buildings: tuple[Building, ...]

    @property
    def public(self) -> tuple[str, ...]:
        """The public places, which everybody knows."""
        return tuple(each.name for each in self.buildings if not each.is_home)


async def make_town(maker: Maker, *, people: int, about: str, memories: int) -> MadeTown:
    """Return a new town. The same seed, model and arguments give the same files."""
    inputs = invent_town.InventTownInput(about=about or "a small town", season=date_text(START, 1))
    idea = await maker.ask(invent_town.STEP, inputs, "town")
    idea = idea.model_copy(update={"description": whole_sentences(idea.description)})
    town = TownCard(name=idea.name, description=idea.description)
    maker.tell("town", f"{idea.name}: {idea.description}")
    named = await _ask_places(maker, town, about or "a small town", people)
    plan = _plan_buildings(maker, named, people)
    maker.tell("map", f"{len(plan.homes)} bedrooms in {_count_homes(plan)} houses")
    made = await _make_people(maker, town, plan, idea, people=people, memories=memories)
    return MadeTown(name=idea.name, people=people, files=_files_of(maker, idea, plan, made))


async def _ask_places(maker: Maker, town: TownCard, about: str, people: int) -> NamedPlaces:
    """Return the places of a town, as many as its people can run."""
    asked = stems_of(about)

    def rank(kind: KindPart) -> tuple[bool, int]:
        """Return a sort key: kinds named in the wish first, as small models prefer the first."""
        return not stems_of(kind.name) & asked, maker.draw("kind", kind.name)

    count = min(len(maker.parts.kinds), max(LEAST_PLACES, people * 4 // 5))
    kinds = sorted(maker.parts.kinds, key=rank)[: count + SPARE_KINDS]
    inputs = name_places.NamePlacesInput(
        town=town,
        about=about,
        kinds=tuple(KindCard(name=each.name, about=each.about) for each in kinds),
        count=count,
    )
    named = await maker.ask(name_places.STEP, inputs, "town")
    maker.tell("square", named.square)
    for each in named.places:
        maker.tell("place", f"{each.name} ({each.kind})")
    return named


def _plan_buildings(maker: Maker, named: NamedPlaces, people: int) -> _Plan:
    """Return the buildings of a town, with the houses placed among the workplaces."""
    parts = maker.parts
    kinds = {kind.name: kind for kind in parts.kinds}
    work = [(each.name, kinds[each.kind]) for each in named.places]
    square = Room(name=SQUARE_ROOM, floor="cobbles", objects=parts.square.objects)
    houses, homes = plan_houses(maker, {named.square, *(name for name, _ in work)}, people + 1)
    places = [
        Building(name=name, rooms=tuple(room.room() for room in kind.rooms)) for name, kind in work
    ]
    mixed = [each for pair in _in_turn(places, houses) for each in pair]
    meeting = [name for name, kind in work if kind.is_meeting_place]
    return _Plan(
        square=named.square,
        offers=tuple(_offer(name, kind) for name, kind in work),
        haunts=(named.square, *meeting),
        homes=homes,
        buildings=(Building(name=named.square, rooms=(square,), is_open=True), *mixed),
    )


def _offer(name: str, kind: KindPart) -> WorkOffer:
    """Return a place in the form of an offer of work."""
    return WorkOffer(
        place=f"{name}: {kind.rooms[0].name}",
        about=kind.job,
        job=kind.job,
        task=kind.task,
        opens=kind.opens,
        closes=kind.closes,
    )


def _in_turn(
    places: Sequence[Building], houses: Sequence[Building]
) -> Iterator[tuple[Building, ...]]:
    """Yield places and houses alternately, and at the end those that are left."""
    for at in range(max(len(places), len(houses))):
        yield (*places[at : at + 1], *houses[at : at + 1])


def _count_homes(plan: _Plan) -> int:
    """Return the number of houses."""
    return sum(building.is_home for building in plan.buildings)


async def _make_people(
    maker: Maker, town: TownCard, plan: _Plan, idea: TownIdea, *, people: int, memories: int
) -> list[MadePerson]:
    """Return the people of a new town, each with relationships to some of those made earlier."""
    made: list[MadePerson] = []
    for number in range(people):
        is_first = number == 0
        wanted = PersonRequest(
            number=number,
            town=town,
            home=plan.homes[number],
            offers=(plan.offers[number],) if number < len(plan.offers) else (),
            may_rest=number >= len(plan.offers),
            taken=[each.persona.name for each in made],
            haunts=plan.haunts,
            known_places=plan.public,
            memories=memories,
            plan=f"{_as_planned(idea)} at {plan.square} on Tuesday evening" if is_first else "",
            plan_memories=_plan_memories(idea, plan) if is_first else (),
        )
        person = await make_person(maker, wanted)
        maker.tell("person", describe(person))
        chosen = choose_others(maker, person, [each.persona for each in made], MOST_BONDS)
        for ordinal, other in enumerate(chosen):
            them = next(each for each in made if each.persona == other)
            told = await tie(maker, town, number, person, other, job=them.job, ordinal=ordinal)
            person.relationships[other.name] = told.mine
            them.relationships[person.persona.name] = told.theirs
            maker.tell("bond", f"{person.persona.name} and {other.name}: {told.bond}")
        made.append(person)
    return made


def _as_planned(idea: TownIdea) -> str:
    """Return the town's planned event, as part of a sentence."""
    return plain(idea.occasion.replace(";", ","), 100).rstrip(". ")


def _plan_memories(idea: TownIdea, plan: _Plan) -> tuple[str, ...]:
    """Return the first person's memories of the planned event."""
    return (
        f"You are planning {_as_planned(idea)} at {plan.square} on {PLAN_DAY}",
        f"You want to invite everyone in {idea.name} and have not told anyone about it yet",
    )


def _files_of(
    maker: Maker, idea: TownIdea, plan: _Plan, made: Sequence[MadePerson]
) -> dict[str, bytes]:
    """Return the files of a new town by path."""
    names = [each.persona.name for each in made]
    sizes = {size for size in (1, 3, 5, 7, 9, len(names)) if size <= len(names)}
    casts = {size: names[:size] for size in sizes}
    texts = {
        "town.toml": settings_text(idea.name, idea.description, START, casts),
        "history.csv": "Name,Whisper\n"
        + "".join(history_row(each.persona.name, each.memories) for each in made),
        "map.tmj": draw_town_map(plan.buildings, maker.client.seed),
        PLOT_FILE: _plot_of(idea, plan),
    }
    for person in made:
        stem = file_stem(person.persona.name)
        while f"personas/{stem}.toml" in texts:
            stem += "_2"
        texts[f"personas/{stem}.toml"] = persona_text(person.whole())
    files = {name: text.encode() for name, text in texts.items()}
    return {**files, PICTURE: shipped_picture()}


def _plot_of(idea: TownIdea, plan: _Plan) -> str:
    """Return a plot about the planned event: how news of it reaches the town."""
    what = _as_planned(idea)
    acts = (
        f"Somebody who moved away long ago has heard of {what} in {idea.name}. They ask who plans "
        "it, and whether strangers may come.",
        f"An old photograph of {plan.square} turns up in another town. It shows people whom nobody "
        f"can name, and it is offered for {what}.",
        f"A newspaper of the county wants to write about {what}. It asks people what must not be "
        "forgotten, and says that somebody will come and look.",
    )
    return plot_text(f"What becomes known of {what}"[:LONGEST_TITLE], acts)


@contextmanager
def locked_draft(folder: Path, *, overwrite: bool) -> Iterator[Path]:
    """Yield a hidden folder that is renamed to `folder` when the block ends normally.

    Raises RunError if the name is taken, TownError if the disk cannot be written.
    """
    try:
        with draft_of(folder, lambda path: overwrite and is_town(path), taken(folder)) as draft:
            yield draft
            (draft / LOCK).unlink()
            draft.chmod(READABLE)
    except OSError as error:
        raise TownError(f"{str(folder)!r} cannot be written: {error.strerror}.") from error


def write_town(made: MadeTown, folder: Path, *, overwrite: bool) -> None:
    """Write a town's folder completely or not at all; raises RunError if the name is taken."""
    with locked_draft(folder, overwrite=overwrite) as draft:
        for name, contents in made.files.items():
            path = draft / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(contents)
        faults = check_town(draft)
        if faults:
            raise InternalError(f"the new town has a fault, and was not kept: {faults[0]}")


def check_free(folder: Path, *, overwrite: bool) -> None:
    """Raise RunError if a town cannot be written to a folder because of its present content."""
    if folder.exists() and not (overwrite and is_town(folder)):
        raise taken(folder)


def is_town(folder: Path) -> bool:
    """Return whether a folder holds a town."""
    return (folder / "town.toml").is_file()


def taken(folder: Path) -> RunError:
    """Return the error for a folder's name that is taken, with advice on what to do."""
    if is_town(folder):
        what = "is a town already; add --overwrite to replace it, or name another folder"
    else:
        what = "exists and is no town; name a folder that does not exist yet"
    return RunError(f"{str(folder)!r} {what}.")
