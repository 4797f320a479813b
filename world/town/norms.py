"""Reads a town's rules from `rules.yaml`, and reports every fault with its line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from smolville.agents.norms import WEEK, Hours, RuleScope, TownRule
from smolville.agents.persona import Persona
from smolville.agents.times import DAY, clock, minute_at
from smolville.graphs.forbids import forbids
from smolville.models.standin.words import stems
from smolville.world.town.townmap import TownMap
from smolville.world.town.yaml_file import LISTED, Text, YamlFile, YamlPart, is_known, one_line

RULES_FILE = "rules.yaml"
LONGEST_RULE = 160
"""Maximum number of characters of a rule's text, because it is used in prompts of small models."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_SPAN = re.compile(
    rf"(?P<day>{'|'.join(_DAYS)})?\s*(?:(?P<start>{_CLOCK})\s*[-–]\s*(?P<end>{_CLOCK}|24:00))?",
    re.IGNORECASE | re.ASCII,
)
_HINT = 'write hours as "18:00-06:00", a day as "Sunday", or both as "Sunday 12:00-18:00"'


def _end_sentence(text: str) -> str:
    line = text.replace('"', "'")
    return line if line.endswith((".", "!", "?", "'")) else f"{line}."


def _has_stems(words: tuple[str, ...]) -> tuple[str, ...]:
    if not all(map(stems, words)):
        raise ValueError("write words of an activity")
    return words


def read_hours(text: str) -> Hours:
    """Return the period that a text means; raises ValueError with a sentence if unreadable."""
    read = _SPAN.fullmatch(text.strip())
    if read is None or not (read["day"] or read["start"]):
        raise ValueError(f"these are no hours; {_HINT}")
    day = _DAYS.index(read["day"].title()) if read["day"] else None
    if not read["start"]:
        return Hours(start=0, end=DAY, day=day)
    start, end = minute_at(read["start"]), minute_at(read["end"])
    if start == end:
        raise ValueError(f"this is no time at all; {_HINT}")
    return Hours(start=start, end=end, day=day)


_Place = Annotated[Text, is_known("places", "the map has no such place")]
_Name = Annotated[Text, is_known("people", "nobody in the town is called so")]
_Age = Annotated[int, Field(ge=0, le=999)]
_Span = Annotated[Hours, BeforeValidator(lambda text: read_hours(str(text)))]


_NAMED = BeforeValidator(lambda who: who if isinstance(who, dict) else {"names": who})
"""Lets `who` be names, without the key `names`."""


def _any(places: tuple[str, ...]) -> tuple[str, ...]:
    if not places:
        raise ValueError("name the places that the rule is about")
    return places


class _Who(YamlPart):
    names: Annotated[tuple[_Name, ...], LISTED] = ()
    home: _Place | Literal[""] = ""
    work: _Place | Literal[""] = ""
    under: _Age | None = None
    over: _Age | None = None
    excluded: Annotated["_Who | None", _NAMED] = Field(default=None, alias="not")

    @model_validator(mode="after")
    def _check_alone(self) -> Self:
        if self.excluded is not None and len(self.model_fields_set) > 1:
            raise ValueError("`not` stands alone in `who`; put the other keys inside it")
        if self.excluded is not None and self.excluded.excluded is not None:
            raise ValueError("`not` inside `not`; leave both out")
        return self

    def scope(self) -> RuleScope:
        if self.excluded is not None:
            return replace(self.excluded.scope(), is_others=True)
        return RuleScope(
            names=self.names, home=self.home, work=self.work, under=self.under, over=self.over
        )


class _Rule(YamlPart):
    rule: Annotated[str, one_line(LONGEST_RULE), AfterValidator(_end_sentence)]
    where: Annotated[tuple[_Place, ...], LISTED, AfterValidator(_any)]
    who: Annotated[_Who, _NAMED] = _Who()
    what: Annotated[tuple[Text, ...], LISTED, AfterValidator(_has_stems)] = ()
    when: Annotated[tuple[_Span, ...], LISTED] = ()
    open: Annotated[tuple[_Span, ...], LISTED] = ()

    @model_validator(mode="after")
    def _check_hours(self) -> Self:
        if self.when and self.open:
            raise ValueError("give `when` or `open`, not both: `open` is when it rests")
        return self


class _Rules(YamlPart):
    rules: tuple[_Rule, ...] = ()


@dataclass(slots=True)
class Norms:
    """The rules of a town, as far as they can be read."""

    rules: tuple[TownRule, ...] = ()
    faults: list[str] = field(default_factory=list)


def read_norms(folder: Path, town_map: TownMap, personas: Sequence[Persona]) -> Norms:
    """Return the rules in a town's folder, and a sentence for every fault; empty without a file."""
    file = YamlFile(folder, RULES_FILE)
    places = (*town_map.sectors, *town_map.arenas, *town_map.objects)
    people = [persona.name for persona in personas]
    read = file.read(_Rules, {"places": places, "people": people})
    found = []
    for at, each in enumerate(read.rules if read else ()):
        rule = TownRule(
            text=each.rule,
            where=each.where,
            who=each.who.scope(),
            what=each.what,
            when=each.when or each.open,
            is_outside=bool(each.open),
        )
        found.append(rule)
        why = _why_useless(rule, town_map, personas)
        if why:
            file.faults.append(file.fault(why, "rules", str(at)))
    return Norms(rules=tuple(found), faults=file.faults)


def _why_useless(rule: TownRule, town_map: TownMap, personas: Sequence[Persona]) -> str:
    """Return why a rule can never apply, or that it keeps somebody from bed; else empty."""
    week = ((day, minute) for day in range(WEEK) for minute in range(DAY))
    if not any(rule.holds_at(*moment) for moment in week):
        return "this rule never holds; give `when` or `open` other hours."
    if not any(rule.who.includes(persona) for persona in personas):
        return "this rule binds nobody; change `who` or leave the rule out."
    kept = [each.name for each in personas if _keeps_from_bed(rule, each, town_map)]
    more = f" and {len(kept) - 3} more" if len(kept) > 3 else ""
    return (
        f"this rule keeps {', '.join(kept[:3])}{more} from bed; leave the home out of `where`, or "
        "its people out of `who` with `not`."
        if kept
        else ""
    )


def _keeps_from_bed(rule: TownRule, persona: Persona, town_map: TownMap) -> bool:
    beds = town_map.beds_in(persona.home)
    places = [persona.home, *(bed.address for bed in beds)]
    return any(forbids(rule, persona, place, "sleeping in bed") for place in places)


def describe_rule(rule: TownRule) -> str:
    """Return in one line which people, places, activities and times a rule binds."""
    parts = [f"where: {', '.join(rule.where)}", f"who: {_describe_who(rule.who)}"]
    if rule.what:
        parts.append(f"what: {', '.join(rule.what)}")
    told = ", ".join(format_hours(hours) for hours in rule.when)
    if told:
        parts.append(f"{'open' if rule.is_outside else 'when'}: {told}")
    return "; ".join(parts)


def _describe_who(who: RuleScope) -> str:
    """Return the people whom a rule binds, in words."""
    parts = [
        *who.names,
        *([f"people who live in {who.home}"] if who.home else []),
        *([f"people who work in {who.work}"] if who.work else []),
        *([f"people under {who.under}"] if who.under is not None else []),
        *([f"people over {who.over}"] if who.over is not None else []),
    ]
    told = ", ".join(parts) or "everybody"
    return f"everybody but {told}" if who.is_others else told


def format_hours(hours: Hours) -> str:
    """Return a period in the form used in the file."""
    day = [] if hours.day is None else [_DAYS[hours.day]]
    return " ".join([*day, f"{clock(hours.start)}-{clock(hours.end)}"])
