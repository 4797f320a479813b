"""Parts from which new towns are made, read from `parts.toml`: places, rooms, bonds, memories."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from smolville.agents.errors import TownError
from smolville.agents.habits import Clock
from smolville.prompts.folder import Texts
from smolville.prompts.making import PARTS
from smolville.world.making.building import Room, tile_numbers
from smolville.world.town.placetree import BED_ENDINGS
from smolville.world.town.townfiles import TownFile, describe_faults, parse_toml

SLOTS = ("{me}", "{other}")
"""Placeholders for the two names in a bond's sentence."""


def _is_place_name(name: str) -> str:
    """Reject a name that cannot be part of an address."""
    if ":" in name or not name.isprintable() or name != name.strip():
        raise ValueError("write a name without a colon, and without blanks at its ends")
    return name


def _is_floor(tile: str) -> str:
    """Reject a tile type that the shipped tileset does not have."""
    if tile not in tile_numbers():
        floors = [name for name in tile_numbers() if name.endswith("floor")]
        raise ValueError(f"write a type of tile of the shipped town: {', '.join(floors)}")
    return tile


def _is_bond(sentence: str) -> str:
    """Reject a sentence that does not name both people."""
    if any(slot not in sentence for slot in SLOTS):
        raise ValueError("write a sentence with {me} and {other} in it")
    return sentence


def _is_beginning(text: str) -> str:
    """Reject a text that cannot be the beginning of a memory."""
    if text.split()[:1] not in (["You"], ["Your"]):
        raise ValueError("write the beginning of a sentence, with `You` or `Your` as first word")
    return text


PlaceName = Annotated[str, Field(min_length=2, max_length=40), AfterValidator(_is_place_name)]
Phrase = Annotated[str, Field(min_length=3, max_length=120)]
Beginning = Annotated[Phrase, AfterValidator(_is_beginning)]


class _Part(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RoomPart(_Part):
    """A room with its furniture."""

    name: PlaceName
    floor: Annotated[str, AfterValidator(_is_floor)]
    objects: tuple[PlaceName, ...] = Field(min_length=1, max_length=8)

    @field_validator("objects")
    @classmethod
    def _are_distinct(cls, objects: tuple[str, ...]) -> tuple[str, ...]:
        """Reject two objects with the same name, because they could not be distinguished."""
        again = [name for name in objects if objects.count(name) > 1]
        if again:
            raise ValueError(f"name {again[0]!r} once, and the next one `second {again[0]}`")
        return objects

    def room(self, name: str = "") -> Room:
        """Return the room to be built, with another name if one is given."""
        return Room(name=name or self.name, floor=self.floor, objects=self.objects)


class KindPart(_Part):
    """A kind of place where people work."""

    name: PlaceName
    about: Phrase
    job: Phrase
    """The job of somebody who works there: `a baker`."""
    task: Phrase
    """What somebody does at work there: `selling bread`."""
    opens: Clock
    closes: Clock
    is_meeting_place: bool = False
    """True if people spend free hours there."""
    rooms: tuple[RoomPart, ...] = Field(min_length=1, max_length=6)


class BondPart(_Part):
    """A kind of relationship between two people."""

    name: Phrase
    sentence: Annotated[Phrase, AfterValidator(_is_bond)]
    """What `{other}` is to `{me}`; the same sentence is used in both directions."""

    def tell(self, me: str, other: str, fact: str) -> str:
        """Return the sentence for the file of `me`, ending with a fact that both people know."""
        told = self.sentence.replace("{me}", me).replace("{other}", other)
        return f"{told} {fact}"


class HousePart(_Part):
    """The rooms of a home."""

    rooms: tuple[RoomPart, ...] = Field(max_length=6)
    bedroom: RoomPart

    @field_validator("bedroom")
    @classmethod
    def _has_a_bed(cls, bedroom: RoomPart) -> RoomPart:
        """Reject a bedroom in which nobody can sleep."""
        if not any(name.split()[-1] in BED_ENDINGS for name in bedroom.objects):
            raise ValueError("it should have an object `bed`")
        return bedroom


class SquarePart(_Part):
    """The open place in the middle of a town."""

    objects: tuple[PlaceName, ...] = Field(min_length=1, max_length=12)


class Parts(_Part):
    """Everything in `parts.toml`."""

    houses: tuple[PlaceName, ...] = Field(min_length=1)
    beginnings: tuple[Beginning, ...] = Field(min_length=1)
    bonds: tuple[BondPart, ...] = Field(min_length=1)
    house: HousePart
    square: SquarePart
    kinds: tuple[KindPart, ...] = Field(min_length=1)

    @field_validator("houses", "beginnings")
    @classmethod
    def _are_distinct(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Reject a text that occurs twice."""
        again = [name for name in names if names.count(name) > 1]
        if again:
            raise ValueError(f"{again[0]!r} is there twice; leave one out")
        return names


def read_parts(texts: Texts) -> Parts:
    """Return the parts in a folder of templates; raises TownError with every fault and its line."""
    file = TownFile(PARTS, texts[PARTS])
    data, faults = parse_toml(file)
    if data is not None:
        try:
            parts = Parts.model_validate(data)
        except ValidationError as error:
            faults = describe_faults(error, file, Parts)
        else:
            faults = list(_faults_across(parts, file))
            if not faults:
                return parts
    raise TownError(" ".join(faults[:3]) + (f" (and {len(faults) - 3} more)" * (len(faults) > 3)))


def _faults_across(parts: Parts, file: TownFile) -> Iterator[str]:
    """Yield a sentence for each duplicate name, and for working hours that end too early."""
    kinds, bonds = ([each.name for each in parts.kinds], [each.name for each in parts.bonds])
    for key, names in {"kinds": kinds, "bonds": bonds}.items():
        for at, name in enumerate(names):
            if name in names[:at]:
                yield file.fault(f"{name!r} is there twice; leave one out.", key, str(at), "name")
    for at, kind in enumerate(parts.kinds):
        if kind.closes <= kind.opens:
            yield file.fault(
                f"`closes` is {kind.closes}: it should be later than `opens`.",
                "kinds",
                str(at),
                "closes",
            )
        rooms = [room.name for room in kind.rooms]
        if len(set(rooms)) < len(rooms):
            yield file.fault("two rooms have one name; rename one.", "kinds", str(at), "rooms")
