"""The answer of the step `conclude_talk`: what a participant keeps of a talk."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from smolville.parsers.answer import (
    Answer,
    AnswerPart,
    Context,
    Mended,
    answer_field,
    read_context_value,
)
from smolville.parsers.clock import Clock, clock_text, halves_of
from smolville.parsers.problem import Problem, field_problem, one_of, reject
from smolville.parsers.prompt_inputs import NumberedLine, PersonaInput, PromptInput
from smolville.parsers.reading.sentences import clip_text
from smolville.parsers.reading.values import fold_text, named_place

MOST_KEPT = 3
"""Maximum number of lines of a talk that are kept, and of things in the plan that it settles."""
MOST_AGREED = 2
"""Maximum number of agreements that are recorded of a talk."""
LONGEST = 240
"""Maximum number of characters of a summary: one long sentence, or a few short ones."""
TODAY, TOMORROW = "today", "tomorrow"
EARLIEST, EARLY = 6 * 60, 8 * 60
"""Minute of the day before which nobody meets, and before which an hour that is past is meant
twelve hours later."""
JUST_NOW = 15
"""Minutes by which the time of an agreement for today may be past, because it means "now"."""
Feeling = Literal[
    "glad", "grateful", "hopeful", "amused", "curious", "calm", "worried", "sad", "annoyed", "hurt"
]


PlanTime = Annotated[str, Field(min_length=4, max_length=6)]
"""The key of a line of the plan, when it begins: `14:00`, `14:00b`."""


class ConcludeTalkInput(PromptInput):
    """The inputs that the prompt `conclude_talk` shows."""

    me: PersonaInput
    now: str
    others: tuple[str, ...]
    relationship: str
    """My relationship with the others before the talk."""
    feeling: str
    """My feeling for the others before the talk."""
    plan: tuple[str, ...]
    """What of the rest of my day a talk may settle, one line each, its key first."""
    open: tuple[str, ...] = Field((), exclude_if=lambda keys: not keys)
    """The keys of these lines: when each begins, with a letter behind what begins together."""
    lines: tuple[NumberedLine, ...]
    """The lines of the talk, numbered from 1."""
    dates: tuple[str, ...] = ()
    """The dates for which something may have been agreed, from today on: `Monday 6 May`."""
    places: tuple[str, ...] = ()
    """The places that may have been agreed on, the likeliest first."""

    @field_validator("lines")
    @classmethod
    def _are_numbered(cls, lines: tuple[NumberedLine, ...]) -> tuple[NumberedLine, ...]:
        if all(line.number for line in lines):
            return lines
        return tuple(line.model_copy(update={"number": at}) for at, line in enumerate(lines, 1))


class Agreement(AnswerPart):
    """Something that people agreed in a talk to do on a certain day."""

    who: Annotated[list[str], Field(min_length=1, max_length=4)] = answer_field(
        "the full names of those who do it; when two meet, both",
        "names people persons participants",
    )
    what: Annotated[str, Field(min_length=3, max_length=120)] = answer_field(
        'what they do, with an "-ing" word', "activity agreement promise"
    )
    line: int = answer_field(
        "the number of the line in TALK in which one of them agrees to it", "line_number number"
    )
    day: str = answer_field("one of DAYS", "date when")
    time: Clock | None = answer_field(
        'when it begins (five: "17:00", tonight: "20:00"), or null', "hour start at", default=None
    )
    place: Annotated[str, Field(min_length=1)] | None = answer_field(
        "one of PLACES, or null", "where location", default=None
    )

    @model_validator(mode="after")
    def _was_said(self, info: ValidationInfo) -> Self:
        context = info.context
        speakers: Mapping[int, str] | None = read_context_value(context, "speakers")
        if speakers is None:
            return self
        problems = list(self._unspoken(speakers))
        now = read_context_value(context, "minute")
        if self.day == TODAY and self.time is not None and self.time < now - JUST_NOW:
            rest = f", which is past: it is {clock_text(now)}. Write a later time or another day."
            problems.append(field_problem("time", clock_text(self.time), rest, "range"))
        reject(problems)
        return self

    def _unspoken(self, speakers: Mapping[int, str]) -> list[Problem]:
        """Return the problem that the line is none of TALK, or that another person said it."""
        speaker = speakers.get(self.line)
        if speaker is None:
            rest = f", which is no line of TALK. {one_of(self.line, speakers)}"
            return [field_problem("line", self.line, rest, "choice")]
        if speaker in self.who:
            return []
        own = [number for number, name in speakers.items() if name in self.who]
        rest = (
            f", which {speaker} says. Write the line in which {' or '.join(self.who)} agrees"
            f"{f' ({one_of(self.line, own)[:-1].lower()})' if own else ''}, or add {speaker} to "
            "`who`. When nobody agreed to it, leave the item out."
        )
        return [field_problem("line", self.line, rest, "choice")]


class TalkConclusion(Answer):
    """The summary of a talk, the lines to keep, what was agreed, and the feeling that remains."""

    items_field = "agreements"

    summary: Annotated[str, Field(min_length=5, max_length=LONGEST)] = answer_field(
        "what was talked about, in one sentence", "talk_summary"
    )
    keep: Annotated[list[int], Field(max_length=MOST_KEPT)] = answer_field(
        "numbers of lines in TALK; [] when none", "kept lines numbers news"
    )
    agreements: Annotated[list[Agreement], Field(max_length=MOST_AGREED)] = answer_field(
        "what was agreed; [] when nothing was", "agreement agreed"
    )
    in_confidence: Annotated[list[int], Field(max_length=MOST_KEPT)] = answer_field(
        "lines told as a secret; mostly []", "secrets secret confidential"
    )
    settled: Annotated[list[PlanTime], Field(max_length=MOST_KEPT)] = Field(
        default_factory=list,
        description="times in PLAN of what is settled; mostly []",
        json_schema_extra={"aliases": ["done", "completed", "finished"]},
    )
    feeling: Feeling = answer_field("how you feel now", "feelings emotion mood")

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call, which leaves room to finish a sentence."""
        schema = super().call_schema(choices)
        schema["properties"]["summary"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Keep only lines of others, each once, up to the limit; spell names, days and places."""
        mended, notes = dict(data), list[str]()
        summary = data.get("summary")
        if isinstance(summary, str) and len(summary) > LONGEST:
            mended["summary"] = clip_text(" ".join(summary.split()), LONGEST)
            notes.append("`summary`: kept what fits into one sentence")
        for name, offered, kind in _FROM_LISTS:
            kept = _kept(data.get(name), read_context_value(context, offered), kind)
            if kept != data.get(name):
                mended[name] = kept
                notes.append(f"`{name}`: left out what is not on offer")
        if "in_confidence" not in data:
            mended["in_confidence"] = []
            notes.append("`in_confidence`: added as []")
        agreements = data.get("agreements")
        if isinstance(agreements, list) and context is not None:
            spelt = [
                _spelt(each, context) if isinstance(each, dict) else each for each in agreements
            ]
            once = [each for at, each in enumerate(spelt) if each not in spelt[:at]]
            if once[:MOST_AGREED] != agreements:
                mended["agreements"] = once[:MOST_AGREED]
                notes.append("`agreements`: wrote each once, with names and days as offered")
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            summary="Ben told Anna about the harvest fair, and she promised to bake.",
            keep=[1],
            agreements=[
                Agreement(
                    who=["Anna Weber"],
                    what="bringing rolls to the fair",
                    line=2,
                    day=TOMORROW,
                    time=12 * 60,
                    place="Mill Green: lawn",
                )
            ],
            in_confidence=[],
            settled=[],
            feeling="glad",
        )


_FROM_LISTS = (
    ("keep", "numbers", int),
    ("in_confidence", "speakers", int),
    ("settled", "open", str),
)
"""Lists of the answer: name, name of what is on offer in the context, and type of the items."""


def _kept(given: Any, offered: Collection[int | str] | None, kind: type) -> Any:
    """Return the items of a list that are on offer, each once; a time span counts by its start."""
    is_read = isinstance(given, list) and all(isinstance(each, kind) for each in given)
    if offered is None or not is_read:
        return given
    meant = [re.split(r"[-–\s]", each)[0] if isinstance(each, str) else each for each in given]
    return [each for each in dict.fromkeys(meant) if each in offered][:MOST_KEPT]


def _spelt(item: dict[str, Any], context: Context) -> dict[str, Any]:
    """Return an agreement with its names, day and place as offered, if it is clear what is meant.

    An hour that is past, or at which people sleep, is meant twelve hours later.
    """
    mended = dict(item)
    names = list(dict.fromkeys((read_context_value(context, "speakers") or {}).values()))
    names += [each for each in read_context_value(context, "others") or () if each not in names]
    who = item.get("who")
    if isinstance(who, list) and all(isinstance(each, str) for each in who):
        mended["who"] = list(dict.fromkeys(_whole(each, names) for each in who))
    dates: Sequence[str] = read_context_value(context, "dates") or ()
    if isinstance(day := item.get("day"), str) and dates:
        mended["day"] = day_named(day, dates)
    places: Sequence[str] = read_context_value(context, "places") or ()
    place = item.get("place")
    if isinstance(place, str):
        mended["place"] = named_place(place, places)
    now = read_context_value(context, "minute")
    if isinstance(item.get("time"), str) and now is not None:
        first = now - JUST_NOW if mended.get("day") == TODAY else EARLIEST
        halves = halves_of(item["time"])
        later = [each for each in halves if each >= first]
        if not later:
            later = [each + 720 for each in halves if each < EARLY and each + 720 >= first]
        if later:
            mended["time"] = clock_text(later[0])
    return mended


def _whole(name: str, names: Sequence[str]) -> str:
    """Return the only full name that a first name or another spelling means, else the name."""
    folded = fold_text(name)
    meant = [each for each in names if folded in (fold_text(each), fold_text(each.split()[0]))]
    return meant[0] if len(meant) == 1 else name


def day_named(day: str, dates: Sequence[str]) -> str:
    """Return a day as it is offered (`today`, `tomorrow` or a date) from a date or a weekday.

    `dates` are the dates of the days offered, from today on: `Monday 6 May`.
    """
    said = fold_text(day).replace(",", "")
    if said.split(" ")[0] in (TODAY, "tonight", "this"):
        return TODAY
    if said.startswith(TOMORROW):
        return TOMORROW
    for label, date in zip(day_labels(dates), dates, strict=True):
        told = fold_text(date)
        if said in (told, told.split(" ")[0], told.partition(" ")[2]) or told in said:
            return label
    return day


def day_labels(dates: Sequence[str]) -> list[str]:
    """Return the names of the days from today on: `today`, `tomorrow`, then the dates."""
    return [*(TODAY, TOMORROW)[: len(dates)], *dates[2:]]
