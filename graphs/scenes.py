"""Two people, each at one moment: the sources of every step's sample inputs."""

from calendar import day_name
from collections.abc import Sequence
from dataclasses import dataclass

from smolville.agents.persona import Habits, Meal, Meals, Work
from smolville.parsers.prompt_inputs import (
    NeedCard,
    PersonaInput,
    PersonCard,
    PlaceCard,
    PlannedCard,
    RecalledMemory,
    SpokenLine,
    TaskCard,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One person at one moment, with the data for the samples of all steps."""

    me: PersonaInput
    date: str
    clock: str
    place: str
    doing: str
    until: str
    habits: Habits
    requirement: str
    usual: str
    goal: str
    weather: str
    """Weather of the day; empty if it is unknown."""
    memories: tuple[tuple[str, str], ...]
    """Memories as (when, text), the most important first."""
    strokes: tuple[tuple[str, str], ...]
    """Broad strokes of the day as (start, activity); the first is the waking time."""
    block: tuple[str, str, str, int]
    """Activity, start, end and minutes of the block that is about to start."""
    tasks: tuple[tuple[str, str], ...]
    """Subtasks of the block as (span, activity)."""
    places: tuple[tuple[str, tuple[str, ...], str], ...]
    """Places as (address, objects, note)."""
    offered: tuple[PlaceCard, ...]
    """The rooms offered for the subtasks."""
    settled: TaskCard | None
    """A task before them that has its place; None for none."""
    sectors: tuple[str, ...]
    agreed: tuple[str, ...]
    """What was agreed for today and tomorrow."""
    claimed: tuple[str, ...]
    """What somebody else says was agreed for today, with its hour first; empty for nothing."""
    agreed_with: tuple[str, ...]
    """What was agreed with the person I talk with."""
    errand: str
    """Something for the evening."""
    needs: str
    """The needs that I feel."""
    need: NeedCard | None
    """The need that is urgent."""
    people: tuple[PersonCard, ...]
    events: tuple[str, ...]
    feeling: str
    why: str
    """Why I began the talk; empty if I did not begin it."""
    lines: tuple[tuple[str, str], ...]
    turns_left: int
    happened: str
    """What interrupted the block."""
    rest: tuple[str, str, str, int]
    """The present time, and the start, end and minutes of the rest of the block."""
    questions: tuple[str, ...]
    whisper: str
    asker: str
    asked: tuple[tuple[str, str], ...]
    """Lines of the interview so far."""
    question: str

    @property
    def now(self) -> str:
        """Date and clock time."""
        return f"{self.date}, {self.clock}"

    @property
    def others(self) -> tuple[str, ...]:
        """The people I talk with."""
        return tuple(each.name for each in self.people if each.can_talk) or ("Rosa Marin",)

    @property
    def relationship(self) -> str:
        """The relationship to the person I talk with."""
        return self.people[0].relationship if self.people else "They hardly know each other."

    @property
    def dates(self) -> tuple[str, ...]:
        """The date and the next days' dates; the scenes are set in one May."""
        weekday, day, month = self.date.split(" ")
        names = [*day_name, *day_name]
        at = names.index(weekday)
        return tuple(f"{names[at + n]} {int(day) + n} {month}" for n in range(7))

    def recalled(self) -> tuple[RecalledMemory, ...]:
        """Return the memories, numbered."""
        return tuple(
            RecalledMemory(number=number, when=when, text=text)
            for number, (when, text) in enumerate(self.memories, 1)
        )


def planned_at(entries: Sequence[tuple[str, str]]) -> tuple[PlannedCard, ...]:
    """Return entries of a plan as cards."""
    return tuple(PlannedCard(time=time, activity=activity) for time, activity in entries)


def to_spoken_lines(lines: Sequence[tuple[str, str]]) -> tuple[SpokenLine, ...]:
    """Return lines of a talk as prompt values."""
    return tuple(SpokenLine(speaker=speaker, text=text) for speaker, text in lines)


ROSA = Scene(
    me=PersonaInput(
        name="Rosa Marin",
        first_name="Rosa",
        age=46,
        innate="warm, stubborn, early to rise",
        learned="Rosa Marin has run the café on the square since her mother gave it up. "
        "She knows how everybody takes their coffee.",
        currently="Rosa is getting ready for the spring fair on Saturday and looks for somebody "
        "to play music at her stall.",
        lifestyle="Rosa goes to bed at 21:30, wakes up at 05:00 and has dinner at 18:30.",
        home="Oak Cottage: bedroom",
        work="Marin Café: counter room",
    ),
    date="Monday 6 May",
    clock="09:10",
    place="Marin Café: counter room",
    doing="wiping the counter",
    until="09:30",
    habits=Habits(
        wake="05:00",
        bed="21:30",
        meals=Meals(dinner=Meal(start="18:30")),
        work=(Work(start="07:00", end="14:00", activity="keeping the café open"),),
    ),
    requirement="Keep the café open from 07:00 to 14:00 and order cups for the fair.",
    usual="Keep the café open from 07:00 to 14:00.",
    goal="Rosa wants to find somebody to play music at her stall.",
    weather="rain in the morning, clear in the afternoon, 12 degrees",
    memories=(
        ("yesterday 18:05", "Milo Varga told Rosa Marin that he practises the fiddle every day."),
        (
            "yesterday 11:20",
            "Rosa Marin promised to bring Ida Lund a walnut cake on Monday at 15:00.",
        ),
        (
            "Friday 3 May 16:40",
            "Rosa Marin thinks that the fair could pay for a new coffee machine.",
        ),
        ("today 06:15", "The coffee machine in the café is making a strange noise."),
    ),
    strokes=(
        ("05:00", "waking up and getting ready"),
        ("05:45", "baking cakes in the café"),
        ("09:00", "serving guests in the café"),
        ("14:30", "planning the stall for the fair"),
        ("18:30", "having dinner at home"),
        ("21:30", "going to bed"),
    ),
    block=("serving guests in the café", "09:00", "10:30", 90),
    tasks=(
        ("09:00-09:30", "wiping the counter and filling the cake stand"),
        ("09:30-10:15", "serving coffee and cake"),
        ("10:15-10:30", "ordering cups for the fair"),
    ),
    places=(
        ("Marin Café: counter room", ("counter", "coffee machine", "till"), "you are here"),
        ("Marin Café: kitchen", ("oven", "work table", "sink"), "the oven is hot"),
        ("Oak Cottage: kitchen", ("stove", "table"), ""),
        ("Town Square: lawn", (), ""),
    ),
    offered=(
        PlaceCard(
            number=1,
            sector="Marin Café",
            room="counter room",
            things=("counter", "coffee machine", "till (in use)"),
            mine="your work",
            note="you are here",
        ),
        PlaceCard(
            number=2,
            sector="Marin Café",
            room="kitchen",
            things=("oven (it is hot)", "work table"),
            mine="your work",
        ),
        PlaceCard(number=3, sector="Oak Cottage", room="kitchen", mine="your home"),
        PlaceCard(
            number=4,
            sector="Lund Store",
            room="shop",
            barred=("C",),
            rule="The store is closed before 10:00.",
        ),
        PlaceCard(number=5, sector="Willow House", room="attic room", note="home of Milo Varga"),
    ),
    settled=TaskCard(
        letter="",
        time="08:30",
        activity="carrying the cake to the café",
        part_of="baking cakes in the café",
        place="Marin Café: counter room",
    ),
    sectors=("Oak Cottage", "Marin Café", "Mill Library", "Lund Store"),
    agreed=("today, 15:00: you, bringing Ida Lund a walnut cake (Lund Store: shop)",),
    claimed=(
        "18:00",
        "trying the new oven (Lund Store: shop), as Ida Lund understood it; "
        'Rosa Marin said: "I must see it some day."',
    ),
    agreed_with=(
        "Milo Varga: carrying the benches to the stall, Saturday 11 May at 08:00 (Town Square: "
        'lawn). Milo Varga said: "Eight is early, but I will carry them."',
    ),
    errand="buying coloured paper for the stall",
    needs="You are hungry.",
    need=NeedCard(told="You are very hungry.", activity="having a snack", later="09:30"),
    people=(
        PersonCard(
            name="Milo Varga",
            doing="drinking tea at the counter",
            relationship="He is a student who lives next door.",
            last_talk="yesterday 18:05, about his fiddle",
            can_talk=True,
            until="09:20",
        ),
        PersonCard(
            name="Ida Lund",
            doing="talking with the postman",
            relationship="She keeps the store and is your oldest friend.",
            last_talk="yesterday 11:20, about cake",
            can_talk=False,
            until="09:25",
        ),
    ),
    events=("The till is out of coins.",),
    feeling="She likes his music and worries that he eats too little.",
    why="Rosa wants to ask Milo to play at her stall.",
    lines=(
        ("Rosa Marin", "Good morning, Milo! How is the fiddle?"),
        ("Milo Varga", "Better every day. I know four dances by heart now."),
    ),
    turns_left=6,
    happened="Milo Varga agreed to play at the stall and asked for a list of songs by noon.",
    rest=("09:25", "09:30", "10:30", 60),
    questions=(
        "What does Milo Varga need from Rosa Marin?",
        "Can the fair pay for a new coffee machine?",
        "Whom has Rosa Marin promised something?",
    ),
    whisper="You want to hold a dance on the square on Saturday at 18:00.",
    asker="a reporter of the Valley Post",
    asked=(
        ("Reporter", "How long have you had the café?"),
        ("Rosa Marin", "Since my mother gave it up, many years ago."),
    ),
    question="What are you doing for the fair?",
)
"""A Monday morning in the café."""

MILO = Scene(
    me=PersonaInput(
        name="Milo Varga",
        first_name="Milo",
        age=21,
        innate="shy, curious, kind",
        learned="Milo Varga studies botany by letter and came to the town a year ago.",
        currently="Milo is writing a paper on mosses and plays the fiddle for the first time in "
        "front of people today.",
        lifestyle="Milo goes to bed at midnight, wakes up at 08:30 and often forgets lunch.",
        home="Willow House: attic room",
        work="none",
    ),
    date="Saturday 11 May",
    clock="16:50",
    place="Town Square: stage",
    doing="tuning his fiddle",
    until="17:00",
    habits=Habits(wake="08:30", bed="00:00", work=()),
    requirement="Write two pages on mosses, and play at the café's stall at 17:00.",
    usual="Study for four hours.",
    goal="Milo wants to finish his paper on mosses.",
    weather="",
    memories=(),
    strokes=(("08:30", "waking up slowly"), ("10:00", "studying"), ("23:45", "sleeping")),
    block=("studying mosses at the library", "10:00", "12:00", 120),
    tasks=(("10:00-12:00", "reading about mosses"),),
    places=(("Mill Library: reading room", ("desk", "bookshelf"), "the desk is in use"),),
    offered=(
        PlaceCard(number=1, sector="Mill Library", room="reading room", things=("desk (in use)",)),
    ),
    settled=None,
    sectors=("Willow House",),
    agreed=(),
    claimed=(),
    agreed_with=(),
    errand="swimming",
    needs="",
    need=None,
    people=(),
    events=(),
    feeling="",
    why="",
    lines=(),
    turns_left=1,
    happened="It began to rain.",
    rest=("10:40", "10:40", "12:00", 80),
    questions=("What is Milo Varga afraid of?",),
    whisper="You are afraid of the stage.",
    asker="a neighbour",
    asked=(),
    question="Will you play again?",
)
"""A Saturday on which little is known: every list that may be empty is empty."""
