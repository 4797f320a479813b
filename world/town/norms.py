"""Reads a town's rules from `rules.toml`, and reports every fault with its line."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from smolville.agents.english import stems
from smolville.agents.norms import WEEK, Hours, RuleScope, TownRule
from smolville.agents.persona import WEEKDAYS, Persona
from smolville.agents.times import DAY, minute_at
from smolville.world.town.townfiles import TownPart, is_known, one_line, read_model
from smolville.world.town.townmap import TownMap

RULES_FILE = "rules.toml"
LONGEST_RULE = 160
"""Maximum number of characters of a rule's text, because it is used in prompts of small models."""
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_SPAN = re.compile(
    rf"(?P<day>{'|'.join(WEEKDAYS)})?\s*(?:(?P<start>{_CLOCK})\s*[-–]\s*(?P<end>{_CLOCK}|24:00))?",
    re.IGNORECASE | re.ASCII,
)
_HINT = 'write hours as "18:00-06:00", a day as "Sunday", or both as "Sunday 12:00-18:00"'


def read_hours(text: str) -> Hours:
    """Return the period that a text means; raises ValueError with a sentence if unreadable."""
    read = _SPAN.fullmatch(text.strip())
    if read is None or not (read["day"] or read["start"]):
        raise ValueError(f"these are no hours; {_HINT}")
    day = WEEKDAYS.index(read["day"].title()) if read["day"] else None
    if not read["start"]:
        return Hours(start=0, end=DAY, day=day)
    start, end = minute_at(read["start"]), minute_at(read["end"])
    if start == end:
        raise ValueError(f"this is no time at all; {_HINT}")
    return Hours(start=start, end=end, day=day)


_Place = Annotated[str, is_known("places", "the map has no such place")]
_Name = Annotated[str, is_known("people", "nobody in the town is called so")]
_Age = Annotated[int, Field(ge=0, le=999)]
_Span = Annotated[Hours, BeforeValidator(lambda text: read_hours(str(text)))]


def _end_sentence(text: str) -> str:
    line = text.replace('"', "'")
    return line if line.endswith((".", "!", "?", "'")) else f"{line}."


def _has_stems(word: str) -> str:
    if not stems(word):
        raise ValueError("write words of an activity")
    return word


class _Who(TownPart):
    names: tuple[_Name, ...] = ()
    home: _Place | Literal[""] = ""
    work: _Place | Literal[""] = ""
    under: _Age | None = None
    over: _Age | None = None


class _Rule(TownPart):
    rule: Annotated[str, one_line(LONGEST_RULE), AfterValidator(_end_sentence)]
    where: tuple[_Place, ...]
    who: _Who | None = None
    everybody_but: _Who | None = None
    what: tuple[Annotated[str, AfterValidator(_has_stems)], ...] = ()
    when: tuple[_Span, ...] = ()
    open: tuple[_Span, ...] = ()

    @model_validator(mode="after")
    def _check_choices(self) -> Self:
        if not self.where:
            raise ValueError("name the places that the rule is about")
        if self.when and self.open:
            raise ValueError("give `when` or `open`, not both: `open` is when it rests")
        if self.who and self.everybody_but:
            raise ValueError("give `who` or `everybody_but`, not both")
        return self


class _Rules(TownPart):
    rules: tuple[_Rule, ...] = ()


def read_norms(
    folder: Path, town_map: TownMap, personas: Sequence[Persona]
) -> tuple[tuple[TownRule, ...], list[str]]:
    """Return the rules in a town's folder (none without a file), and a sentence for every fault."""
    if not (folder / RULES_FILE).exists():
        return (), []
    places = (*town_map.sectors, *town_map.arenas, *town_map.objects)
    people = [persona.name for persona in personas]
    known = {"places": places, "people": people}
    read, file, faults = read_model(folder, RULES_FILE, _Rules, known)
    found = []
    for at, each in enumerate(read.rules if read else ()):
        who = each.who or each.everybody_but
        scope = RuleScope(**vars(who), is_others=who is each.everybody_but) if who else RuleScope()
        rule = TownRule(
            text=each.rule,
            where=each.where,
            who=scope,
            what=each.what,
            when=each.when or each.open,
            is_outside=bool(each.open),
        )
        found.append(rule)
        why = _why_useless(rule, town_map, personas)
        if why:
            faults.append(file.fault(why, "rules", str(at)))
    return tuple(found), faults


def _why_useless(rule: TownRule, town_map: TownMap, personas: Sequence[Persona]) -> str:
    """Return why a rule can never apply, or that it keeps somebody from bed; else empty."""
    week = ((day, minute) for day in range(WEEK) for minute in range(DAY))
    if not any(rule.holds_at(*moment) for moment in week):
        return "this rule never holds; give `when` or `open` other hours."
    if not any(rule.who.includes(persona) for persona in personas):
        return "this rule binds nobody; change `who` or leave the rule out."
    kept = [
        each.name
        for each in personas
        for place in (each.home, *(bed.address for bed in town_map.beds_in(each.home)))
        if rule.forbids(each, place, "sleeping in bed")
    ]
    return f"this rule keeps {kept[0]} from bed; leave the home out of `where`." if kept else ""
