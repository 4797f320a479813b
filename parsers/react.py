"""The answer of the step `react`: how an agent reacts to what came into sight."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from smolville.agents.english import stems
from smolville.parsers.answer import Answer, Context, Mended, answer_field, read_context_value
from smolville.parsers.problem import (
    Problem,
    field_problem,
    missing_problem,
    one_of,
    own_problem,
    reject,
)
from smolville.parsers.prompt_inputs import (
    NeedCard,
    PersonaInput,
    PersonCard,
    PlannedCard,
    PromptInput,
    RecalledMemory,
)
from smolville.parsers.reading.values import fold_text, null_when_said, same_choice

NEEDED: dict[str, tuple[str, ...]] = {
    "continue": (),
    "talk": ("person",),
    "wait": ("person", "minutes"),
    "other": ("minutes", "activity"),
    "now": (),
    "later": (),
}
"""The fields that each choice requires."""

_INSTEAD = {
    "person": "Write the name of one person.",
    "minutes": "Write a whole number from 1 to 120.",
    "activity": "Write what you do instead.",
}


_SINGLE = stems("shower toilet bathroom sink stove piano bathtub espresso")
"""Objects that serve one person at a time."""


def is_in_the_way(theirs: str, mine: str) -> bool:
    """Return True when both activities name the same object that serves one person at a time."""
    return bool(stems(theirs) & stems(mine) & _SINGLE)


class ReactInput(PromptInput):
    """The inputs that the prompt `react` shows."""

    me: PersonaInput
    now: str
    place: str
    doing: str
    """What I am doing."""
    until: str
    """Clock time at which it ends; empty if it ends now."""
    people: tuple[PersonCard, ...]
    """The people who have come into sight, or are there for the agent again."""
    events: tuple[str, ...]
    """Other noteworthy things in sight."""
    memories: tuple[RecalledMemory, ...]
    """Memories about these people."""
    goal: str = Field("", exclude_if=lambda goal: not goal)
    """My goals on one line; empty if I have none."""
    needs: str = Field(default="", exclude_if=lambda needs: not needs)
    """The needs that I feel, one sentence each."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What was agreed for today and tomorrow, one line each."""
    plan: tuple[PlannedCard, ...] = Field((), exclude_if=lambda plan: not plan)
    """What I do next."""
    need: NeedCard | None = Field(default=None, exclude_if=lambda need: need is None)
    """The need that requires a decision."""


class Reaction(Answer):
    """A reaction: go on, talk, wait, do something else, or attend to a need."""

    reason: Annotated[str, Field(max_length=240)] = answer_field(
        "why, in one sentence", "why reasoning explanation", trims=True
    )
    choice: Literal["continue", "talk", "wait", "other", "now", "later"] = answer_field(
        "what you do now", "reaction decision action"
    )
    person: Annotated[str, Field(min_length=1, max_length=80)] | None = answer_field(
        'with "talk" and "wait": the name of one person from IN SIGHT; otherwise null',
        "name who partner",
        default=None,
    )
    minutes: Annotated[int, Field(ge=1, le=120)] | None = answer_field(
        'with "wait" and "other": how long, in minutes; otherwise null',
        "duration duration_minutes",
        default=None,
    )
    activity: Annotated[str, Field(min_length=3, max_length=120)] | None = answer_field(
        'with "other": what you do instead; otherwise null', "task new_activity", default=None
    )

    @field_validator("person", "activity", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return null_when_said(value)

    @field_validator("choice", mode="before")
    @classmethod
    def _is_no_name(cls, value: Any, info: ValidationInfo) -> Any:
        names = read_context_value(info.context, "names") or ()
        if isinstance(value, str) and _whole_name(value, list(names)) is not None:
            rest = f", which is a person. {one_of(value, NEEDED)} The name belongs into `person`."
            reject([own_problem(value, rest, "level")])
        return value

    @model_validator(mode="after")
    def _has_what_it_needs(self, info: ValidationInfo) -> Self:
        problems = [
            missing_problem(name, f"With {self.choice!r} it is needed. {_INSTEAD[name]}")
            for name in NEEDED[self.choice]
            if getattr(self, name) is None
        ]
        if "person" in NEEDED[self.choice] and self.person is not None:
            problems += _person_problems(self.choice, self.person, info.context)
        reject(problems)
        return self

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Complete a first name, and set fields that the choice does not need to null."""
        fresh, notes = dict(data), []
        person, names = data.get("person"), read_context_value(context, "names")
        if isinstance(person, str) and names is not None and person not in names:
            whole = _whole_name(person, list(names))
            if whole is not None:
                fresh["person"] = whole
                notes.append(f"`person`: read {person[:40]!r} as {whole!r}")
        choice = fresh.get("choice")
        nobody = ("person",) if names == [] and fresh.get("person") is not None else ()
        for name in ("minutes", "activity", *nobody):
            needed = NEEDED.get(choice) if isinstance(choice, str) else None
            is_idle = name in nobody or _says_nothing(data.get(name))
            if needed is not None and name not in needed and is_idle:
                fresh[name] = None
                notes.append(f"`{name}`: left out, for {choice!r} needs none")
        return fresh, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            reason="I want to talk with him about today.",
            choice="talk",
            person="Ben Archer",
        )


def _person_problems(choice: str, person: str, context: Context | None) -> list[Problem]:
    """Return the problem that this person is not there, or cannot be talked to now."""
    names, can_talk = read_context_value(context, "names"), read_context_value(context, "can_talk")
    allowed = can_talk if choice == "talk" and can_talk is not None else names
    if allowed is None or person in allowed:
        return []
    if names is not None and person in names:
        options = f"{one_of(person, allowed)} Or make" if allowed else "Make"
        rest = f", who cannot talk now. {options} another choice than 'talk'."
        return [field_problem("person", person, rest, "choice")]
    if not allowed:
        rest = f'. Nobody is there for {choice!r}: make another choice, as "continue".'
        return [field_problem("person", person, rest, "choice")]
    if _is_place(person, context):
        rest = f", which is a place, not a person. {one_of(person, allowed)}"
        return [field_problem("person", person, rest, "level")]
    # Whoever wanted somebody who is absent does not mean the one who is there.
    way_out = 'Or, if you mean nobody who is there, choose "continue".'
    rest = f", who is not there. {one_of(person, allowed)} {way_out}"
    return [field_problem("person", person, rest, "choice")]


def _is_place(name: str, context: Context | None) -> bool:
    place = read_context_value(context, "place")
    if not isinstance(place, str):
        return False
    return fold_text(name) in {fold_text(part) for part in (place, *place.split(": "))}


def _whole_name(person: str, names: list[str]) -> str | None:
    """Return the only full name that another spelling or a first name can mean."""
    same = same_choice(person, tuple(names))
    if same is not None:
        return same
    folded = fold_text(person)
    first = [name for name in names if fold_text(name).split()[:1] == [folded]]
    return first[0] if len(first) == 1 else None


def _says_nothing(value: object) -> bool:
    """Return whether the value is 0 or an empty text, by which a model means "no value"."""
    return value == "" or (value == 0 and isinstance(value, int))
