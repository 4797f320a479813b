"""Makes a new person of a town: asks a model who they are, and writes them into the town's files.

A model is asked only what code cannot know, one small question at a time. Code sets the rest: the
bed, the places, the hours of work and sleep. Nothing is written by `settle`: its result is the new
text of each changed file, checked as a whole.
"""

import csv
import io
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from smolville.agents.chance import draw
from smolville.agents.errors import RunError, TownError
from smolville.agents.persona import Habits, Persona, Work
from smolville.agents.places import sector_of
from smolville.agents.text_files import read_text
from smolville.agents.times import DAY, clock, minute_at
from smolville.agents.wording import format_count, plain
from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import ask_step
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import Step
from smolville.graphs.making.steps import (
    BATCH,
    INVENT_PERSON,
    NONE,
    TELL_BOND,
    TELL_MEMORIES,
    TELL_STORY,
)
from smolville.parsers.answer import Answer
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
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import Texts
from smolville.prompts.making import PARTS
from smolville.world.town.town import Town, check_town
from smolville.world.town.townfiles import (
    TownFile,
    describe_faults,
    parse_toml,
    read_people,
    read_settings,
)

I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

PLAIN = ("name", "age", "innate", "learned", "currently", "lifestyle", "home", "work")
"""The fields that come first in a persona file, one on each line."""
LONGEST = 400
"""Maximum number of characters of a text in a persona file."""
READY = 45
"""Minutes between getting up and work, and between work and bed."""
COLLEAGUES = "colleagues"
"""The bond that is offered only to people who work at the same place."""
MOST_OFFERS = 10
"""Maximum number of workplaces offered, because a small model gets confused by long lists."""
MOST_HAUNTS = 6
MOST_KNOWN = 12
MOST_BONDS = 3
"""Number of people with whom a new person gets a relationship."""
HISTORY = "history.csv"


def _is_bond(sentence: str) -> str:
    if "{me}" not in sentence or "{other}" not in sentence:
        raise ValueError("write a sentence with {me} and {other} in it")
    return sentence


def _is_beginning(text: str) -> str:
    if text.split()[:1] not in (["I"], ["My"]):
        raise ValueError("write the beginning of a sentence, with `I` or `My` as first word")
    return text


class Parts(BaseModel):
    """The contents of `parts.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    beginnings: tuple[Annotated[str, AfterValidator(_is_beginning)], ...] = Field(min_length=1)
    """How memories begin."""
    bonds: dict[str, Annotated[str, AfterValidator(_is_bond)]] = Field(min_length=1)
    """By kind of bond, the sentence that says what `{other}` is to `{me}`."""


def read_parts(texts: Texts) -> Parts:
    """Return the parts in a folder of templates; raises TownError with the first faults."""
    file = TownFile(PARTS, texts[PARTS])
    data, faults = parse_toml(file)
    if data is not None:
        try:
            return Parts.model_validate(data)
        except ValidationError as error:
            faults = describe_faults(error, file, Parts)
    raise TownError(" ".join(faults[:3]))


@dataclass(kw_only=True)
class Maker:
    """The context of all questions: model client, parts, and counts of outcomes."""

    client: ModelClient
    parts: Parts
    tell: Callable[[str, str], None] = lambda what, text: None
    """Function called with each thing that was made: `bond`, `Ola Berg and Ada Brook: friends`."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Number of answers for each outcome."""

    async def ask(self, step: Step[StepState, I, A], inputs: I, ordinal: int = 0) -> A:
        """Return the answer to one question; `ordinal` tells several uses of a step apart.

        Raises StoppedError if the server is gone, ContextError if the question is too long for the
        model.
        """
        context = MindContext(owner="person", tick=0, thinkers={}, client=self.client)
        draft = Draft(uses={step.name: ordinal})
        done = await ask_step(step, context, inputs, agent="person", draft=draft)
        (finished,) = done.finished
        self.outcomes[finished.record.outcome] += 1
        return cast(A, done.answer)

    def draw(self, *key: object) -> int:
        """Return an integer that depends only on the seed and the key."""
        return draw(self.client.seed, "making", *key)

    def describe_outcomes(self) -> str:
        """Return a sentence with the counts: `12 answers: 11 at once, 1 repaired, 0 fallbacks.`."""
        count = self.outcomes
        parts = [f"{count['clean'] + count['mended']} at once", f"{count['repaired']} repaired"]
        parts.append(format_count(count["fallback"], "fallback"))
        return f"{format_count(count.total(), 'answer')}: {', '.join(parts)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewResident:
    """A new person of an existing town."""

    name: str
    texts: dict[str, str]
    """New text by path inside the town's folder, in an order that keeps the town valid."""
    told: dict[str, str]
    """New sentence by the name of the person whose file gets it."""


def check_free(town: Town, name: str) -> None:
    """Raise RunError if somebody in a town has this name."""
    same = [each for each in town.personas if each.casefold() == name.casefold()]
    if same:
        raise RunError(f"{same[0]} lives in {str(town.folder)!r} already; give another --name.")


async def settle(maker: Maker, town: Town, *, name: str, about: str, memories: int) -> NewResident:
    """Return a new person of a town, with every file that changes.

    The same town, seed, model and arguments give the same texts.
    """
    card, people = TownCard(name=town.name, description=town.description), town.personas.values()
    home, texts = find_bed(town)
    public = tuple(each.name for each in town.map.sectors.values() if not each.is_private)
    haunts = sorted(public, key=lambda place: maker.draw("haunt", place))[:MOST_HAUNTS]
    offers = _offers(maker, tuple(people))
    work = [WorkCard(name=place, about=told) for place, (told, _) in offers.items()]
    invented = InventPersonInput(
        town=card,
        about=about,
        name=name,
        work=(*work, WorkCard(name=NONE, about="without work, or retired")),
        taken=tuple(town.personas),
    )
    who = await maker.ask(INVENT_PERSON, invented)
    full = " ".join(plain(who.name, 60).split())
    place = who.work if who.work in offers else ""
    sketch = SketchCard(
        name=full,
        first_name=full.split()[0],
        age=who.age,
        traits=", ".join(plain(trait, 30).strip(" ,.") for trait in who.traits),
        job=plain(who.job, 80).rstrip("."),
        work=sector_of(place) or NONE,
    )
    asked = TellStoryInput(town=card, person=sketch, about=about, places=tuple(haunts) or (home,))
    story = await maker.ask(TELL_STORY, asked)
    past = f"{story.learned} {story.currently}"
    remembered = await _ask_memories(maker, card, sketch, past, memories)
    pastime = f"{plain(story.pastime, 60).rstrip('.')} at {story.place}"
    duty = offers[place][1] if place else Work(start="10:00", end="12:00", activity=pastime[:120])
    wake, bed = _wake_and_bed(maker, duty)
    free = f" In free hours {sketch.first_name} likes {pastime}." if place else ""
    persona = Persona(
        name=full,
        age=who.age,
        innate=sketch.traits,
        learned=whole_sentences(story.learned),
        currently=whole_sentences(story.currently),
        lifestyle=f"{full} goes to bed around {_spoken(bed)}, wakes up around {_spoken(wake)}, "
        "and has breakfast and dinner at home.",
        home=home,
        work=place,
        daily_requirement=f"{sketch.first_name} is {duty.activity} from {_spoken(duty.start)} to "
        f"{_spoken(duty.end)}.{free}",
        habits=Habits(wake=wake, bed=bed, work=(duty,)),
        known_places=public[:MOST_KNOWN],
    )
    told = f"{full}, {who.age}, {sketch.job}; lives in {home}; {len(remembered)} memories"
    maker.tell("person", told)

    def rank(other: Persona) -> tuple[bool, int]:
        """Sort people who live or work at the same place first, the others at random."""
        return not shared_place(persona, other), maker.draw("bond", other.name)

    mine: dict[str, str] = {}
    theirs: dict[str, str] = {}
    for ordinal, other in enumerate(sorted(people, key=rank)[:MOST_BONDS]):
        bond, mine[other.name], theirs[other.name] = await _tie(
            maker, card, (persona, sketch), other, ordinal
        )
        maker.tell("bond", f"{full} and {other.name}: {bond}")
    persona = persona.model_copy(update={"relationships": mine})
    texts |= _changes(town, persona, remembered, theirs)
    _check(town.folder, texts)
    return NewResident(name=full, texts=texts, told=theirs)


def find_bed(town: Town) -> tuple[str, dict[str, str]]:
    """Return the address of a bedroom, and the map's file with its new text if it changes.

    The first private room with a bed that nobody sleeps in is taken. If there is none, a guest bed
    is put into the roomiest other room of the house with the fewest people.

    Raises TownError if there is no room for another bed.
    """
    town_map, people = town.map, town.personas.values()
    sleepers = {each.home for each in people}
    crowd = Counter(sector_of(each.home) for each in people)
    rooms = [
        room for room, arena in town_map.arenas.items() if town_map.sectors[arena.sector].is_private
    ]
    free = [room for room in rooms if town_map.beds_in(room) and room not in sleepers]
    if free:
        return free[0], {}
    floor = {room: set(town_map.tiles_of(room)) for room in rooms if not town_map.beds_in(room)}
    for room, tiles in floor.items():
        tiles.difference_update(*(item.rect.tiles() for item in town_map.objects_in(room)))
    file, size = town_map.sheet.file, town_map.tile_size
    raw = json.loads(read_text(town.folder / file))
    layer = next((each for each in raw["layers"] if each["name"] == "objects"), None)
    if layer is None or not any(floor.values()):
        raise TownError(
            f"Every bedroom of {town.name} is taken. Open {town.folder / file} in Tiled, and give "
            "a private sector another arena with an object `bed`."
        )
    home = min(
        filter(floor.get, floor), key=lambda room: (crowd[sector_of(room)], -len(floor[room]))
    )
    x, y = min(floor[home])
    number = raw.setdefault("nextobjectid", 1_000_000)
    raw["nextobjectid"] += 1
    bed = {"id": number, "name": "guest bed", "x": x * size, "y": y * size, "rotation": 0}
    state = {"name": "state", "type": "string", "value": "made"}
    layer["objects"].append(
        bed | {"width": size, "height": size, "type": "", "visible": True, "properties": [state]}
    )
    return home, {file: json.dumps(raw, separators=(",", ":")) + "\n"}


def _offers(maker: Maker, people: Sequence[Persona]) -> dict[str, tuple[str, Work]]:
    found: dict[str, tuple[str, Work]] = {}
    for each in people:
        if each.work and each.work not in found:
            place = sector_of(each.work)
            usual = (Work(start="09:00", end="17:00", activity="working"),)
            duty = (each.habits.work or usual)[0]
            task = f"{duty.activity.removesuffix(f' at {place}')} at {place}"
            duty = duty.model_copy(update={"activity": task[:120]})
            found[each.work] = f"a colleague of {each.name}", duty
    order = sorted(found, key=lambda place: maker.draw("offer", place))[:MOST_OFFERS]
    return {place: found[place] for place in sorted(order)}


async def _ask_memories(
    maker: Maker, town: TownCard, person: SketchCard, story: str, count: int
) -> tuple[str, ...]:
    """Return a person's memories, each the continuation of a beginning, taken in turn."""
    told: list[str] = []
    beginnings, first = maker.parts.beginnings, maker.draw("beginning")
    for ordinal, start in enumerate(range(0, count, BATCH)):
        cards = tuple(
            BeginningCard(number=at + 1, text=beginnings[(first + start + at) % len(beginnings)])
            for at in range(min(BATCH, count - start))
        )
        inputs = TellMemoriesInput(
            town=town, person=person, story=story, told=tuple(told), beginnings=cards
        )
        answer = await maker.ask(TELL_MEMORIES, inputs, ordinal)
        # A history file parts memories by semicolons.
        lines = (plain(each.memory.replace(";", ","), LONGEST) for each in answer.memories)
        told += [line.rstrip(" .") for line in lines]
    return tuple(told)


async def _tie(
    maker: Maker, town: TownCard, new: tuple[Persona, SketchCard], other: Persona, ordinal: int
) -> tuple[str, str, str]:
    """Return the bond of two people, and the sentences for the new one's file and the other's."""
    persona, me = new
    place = sector_of(other.work) if other.work else ""
    them = SketchCard(
        name=other.name,
        first_name=other.first_name,
        age=other.age,
        traits=other.innate,
        job=f"somebody who spends the day at {place}" if place else "without work",
        work=place or NONE,
    )
    are_colleagues = bool(other.work) and persona.work == other.work
    bonds = [each for each in maker.parts.bonds if each != COLLEAGUES or are_colleagues]
    inputs = TellBondInput(
        town=town,
        person=me,
        story=persona.learned,
        other=them,
        other_story=other.learned,
        shared=shared_place(persona, other),
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
    same_house = sector_of(one.home) == sector_of(other.home)
    return f"Both live in {sector_of(one.home)}." if same_house else ""


def whole_sentences(text: str) -> str:
    """Return a text on one line that ends with its last complete sentence.

    If that would remove most of the text, all of it is returned, with a full stop at its end.
    """
    line = plain(text, LONGEST)
    end = max(line.rfind(mark) for mark in ".!?")
    return line[: end + 1] if end > len(line) // 2 else f"{line.rstrip(' ,;:')}."


def _wake_and_bed(maker: Maker, duty: Work) -> tuple[str, str]:
    """Return the hours of getting up and going to bed, random within what a duty allows."""
    wake = min(minute_at(duty.start) - READY, 6 * 60 + 15 * (maker.draw("wake") % 9))
    bed = max(minute_at(duty.end) + READY, 21 * 60 + 15 * (maker.draw("bed") % 9))
    return clock(max(4 * 60, wake)), clock(bed % DAY)


def _spoken(time: str) -> str:
    """Return a time of day as people say it: `6am`, `10:30pm`."""
    hour, minute = map(int, time.split(":"))
    half = "am" if hour < 12 else "pm"
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''}{half}"


def _changes(
    town: Town, who: Persona, memories: Sequence[str], told: Mapping[str, str]
) -> dict[str, str]:
    """Return the files that change, with their new texts: the person's own one first."""
    stem = re.sub(r"[^\w]+", "_", who.name.casefold())
    texts = {f"personas/{stem}.toml": persona_text(who)}
    settings, town_file, _ = read_settings(town.folder)
    history = (settings and settings.history) or HISTORY
    path = town.folder / history
    before = read_text(path) if path.is_file() else "Name,Whisper"
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow([who.name, "; ".join(memories)])
    texts[history] = before.rstrip("\n") + "\n" + row.getvalue()
    for each in read_people(town.folder).found:
        if each.persona.name in told:
            entry = f"{_value(who.name)} = {_value(told[each.persona.name])}"
            lines = each.file.text.rstrip("\n").split("\n")
            at = each.file.line_of("relationships")
            lines[at or len(lines) : at or len(lines)] = (
                [entry] if at else ["", "[relationships]", entry]
            )
            texts[each.file.shown] = "\n".join(lines) + "\n"
    if settings is not None and settings.history is None:
        texts["town.toml"] = f'history = "{HISTORY}"\n{town_file.text}'
    return texts


def persona_text(persona: Persona) -> str:
    """Return the text of a persona file."""
    lines = [_line(key, getattr(persona, key)) for key in PLAIN if getattr(persona, key)]
    lines.append(_line("daily_requirement", persona.daily_requirement))
    lines += ["known_places = [", *(f"  {_value(each)}," for each in persona.known_places), "]"]
    habits = persona.habits
    lines += ["", "[habits]", _line("wake", habits.wake), _line("bed", habits.bed)]
    for work in habits.work or ():
        lines += ["", "[[habits.work]]"]
        lines += [_line(key, getattr(work, key)) for key in ("start", "end", "activity")]
    lines += ["", "[relationships]"]
    lines += [f"{_value(name)} = {_value(told)}" for name, told in persona.relationships.items()]
    return "\n".join(lines) + "\n"


def _line(key: str, value: object) -> str:
    return f"{key} = {_value(value)}"


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check(folder: Path, texts: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="smolville-") as temporary:
        copy = Path(temporary) / folder.resolve().name
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".*"))
        for name, text in texts.items():
            (copy / name).write_text(text, encoding="utf-8")
        faults = check_town(copy)
    if faults:
        raise TownError(f"The town would have a fault with this person: {faults[0]}")
