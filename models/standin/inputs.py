"""The typed inputs of every step, as they arrive: plain values of the graphs' input models."""

from typing import TypedDict


class Who(TypedDict):
    """Who answers."""

    name: str
    first_name: str
    age: int
    innate: str
    learned: str
    currently: str
    lifestyle: str
    home: str
    work: str


class Recalled(TypedDict):
    """A memory."""

    number: int
    when: str
    text: str


class Place(TypedDict):
    """A place that may be chosen."""

    number: int
    address: str
    objects: list[str]
    note: str


class Sector(TypedDict):
    """A sector that may be chosen."""

    number: int
    name: str
    rooms: list[str]


class Task(TypedDict):
    """A task that needs a place."""

    number: int
    time: str
    activity: str
    part_of: str


class Planned(TypedDict):
    """An entry of a plan."""

    time: str
    activity: str


class Person(TypedDict):
    """Somebody in sight."""

    name: str
    doing: str
    relationship: str
    last_talk: str
    can_talk: bool
    until: str


class Said(TypedDict):
    """A line of a talk."""

    speaker: str
    text: str


class PlanDay(TypedDict):
    """Inputs of `plan_day`."""

    date: str
    requirement: str
    me: Who
    memories: list[Recalled]


class ReviseIdentity(TypedDict):
    """Inputs of `revise_identity`."""

    me: Who
    date: str
    requirement: str
    usual: str
    memories: list[Recalled]


class PlanHours(TypedDict):
    """Inputs of `plan_hours`."""

    me: Who
    date: str
    requirement: str
    wake: str
    strokes: list[Planned]


class Decompose(TypedDict):
    """Inputs of `decompose`."""

    me: Who
    date: str
    activity: str
    start: str
    end: str
    minutes: int
    around: list[Planned]


class Replan(TypedDict):
    """Inputs of `replan`."""

    me: Who
    now: str
    reason: str
    activity: str
    tasks: list[Planned]
    start: str
    end: str
    minutes: int


class GroundBlock(TypedDict):
    """Inputs of `ground_block`."""

    me: Who
    now: str
    tasks: list[Task]
    places: list[Place]


class ChoosePlace(TypedDict):
    """Inputs of `choose_place`."""

    me: Who
    now: str
    activity: str
    sectors: list[Sector]


class RateImportance(TypedDict):
    """Inputs of `rate_importance`."""

    me: Who
    memories: list[Recalled]


class React(TypedDict):
    """Inputs of `react`."""

    me: Who
    now: str
    place: str
    doing: str
    until: str
    people: list[Person]
    events: list[str]
    memories: list[Recalled]


class Say(TypedDict):
    """Inputs of `say`."""

    me: Who
    now: str
    place: str
    others: list[str]
    doing: str
    relationship: str
    reason: str
    memories: list[Recalled]
    lines: list[Said]
    turns_left: int


class ConcludeTalk(TypedDict):
    """Inputs of `conclude_talk`."""

    me: Who
    now: str
    others: list[str]
    relationship: str
    feeling: str
    plan: list[str]
    lines: list[Said]


class ReflectQuestions(TypedDict):
    """Inputs of `reflect_questions`."""

    me: Who
    memories: list[Recalled]


class ReflectInsights(TypedDict):
    """Inputs of `reflect_insights`."""

    me: Who
    questions: list[str]
    memories: list[Recalled]


class HeedInnerVoice(TypedDict):
    """Inputs of `heed_inner_voice`."""

    me: Who
    now: str
    whisper: str


class AnswerInterview(TypedDict):
    """Inputs of `answer_interview`."""

    me: Who
    now: str
    asker: str
    doing: str
    question: str
    memories: list[Recalled]
    lines: list[Said]
