"""Reads a town's rules from `rules.yaml`, and reports every fault with its line."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import yaml

from smolville.agents.norms import WEEK, Hours, RuleScope, TownRule
from smolville.agents.persona import Persona
from smolville.agents.times import DAY, clock, minute_at
from smolville.agents.wording import visible_line
from smolville.graphs.forbids import forbids
from smolville.models.standin.words import stems
from smolville.world.town.townfiles import nearest, short
from smolville.world.town.townmap import TownMap
from smolville.world.town.yaml_reader import YamlReader

RULES_FILE = "rules.yaml"
LONGEST_RULE = 160
"""Maximum number of characters of a rule's text, because it is used in prompts of small models."""
_KEYS = ("rule", "who", "where", "what", "when", "open")
_WHO_KEYS = ("names", "home", "work", "under", "over", "not")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_SPAN = re.compile(
    rf"(?P<day>{'|'.join(_DAYS)})?\s*(?:(?P<start>{_CLOCK})\s*[-–]\s*(?P<end>{_CLOCK}|24:00))?",
    re.IGNORECASE | re.ASCII,
)
_HINT = 'Write hours as "18:00-06:00", a day as "Sunday", or both as "Sunday 12:00-18:00".'

_T = TypeVar("_T")


@dataclass(slots=True)
class Norms:
    """The rules of a town, as far as they can be read."""

    rules: tuple[TownRule, ...] = ()
    faults: list[str] = field(default_factory=list)


def read_norms(folder: Path, town_map: TownMap, personas: Sequence[Persona]) -> Norms:
    """Return the rules in a town's folder, and a sentence for every fault; empty without a file."""
    reader = _RulesReader(town_map, personas)
    return reader.read(reader.compose(folder))


class _RulesReader(YamlReader):
    """Reads rules, and checks whether people can keep them."""

    def __init__(self, town_map: TownMap, personas: Sequence[Persona]) -> None:
        super().__init__(RULES_FILE)
        self._map = town_map
        self._people = {persona.name: persona for persona in personas}

    def read(self, root: yaml.Node | None) -> Norms:
        """Return the rules below the file's root."""
        if root is None:
            return Norms(faults=self._faults)
        top = self._mapping(root, ("rules",))
        listed = top.get("rules")
        if listed is not None and not isinstance(listed, yaml.SequenceNode):
            self._fault(listed, "`rules` should be a list; begin each rule with `- rule:`.")
        nodes = listed.value if isinstance(listed, yaml.SequenceNode) else []
        found = tuple(rule for node in nodes if (rule := self._rule(node)) is not None)
        return Norms(rules=found, faults=self._faults)

    def _rule(self, node: yaml.Node) -> TownRule | None:
        """Return one rule; None if anything is wrong with it, after recording the faults."""
        before = len(self._faults)
        parts = self._mapping(node, _KEYS)
        text = self._read(node, parts, "rule", self._text, "say the rule in one sentence")
        where = self._read(node, parts, "where", self._places, "name the places it is about")
        who = self._who(parts["who"]) if "who" in parts else RuleScope()
        what = self._words(parts["what"]) if "what" in parts else ()
        if "when" in parts and "open" in parts:
            self._fault(parts["open"], "give `when` or `open`, not both: `open` is when it rests.")
        hours = parts.get("when", parts.get("open"))
        when = self._when(hours) if hours is not None else ()
        if len(self._faults) > before:
            return None
        rule = TownRule(
            text=text or "",
            where=where or (),
            who=who,
            what=what,
            when=when,
            is_outside="open" in parts,
        )
        self._faults_of_effect(node, rule)
        return rule

    def _faults_of_effect(self, node: yaml.Node, rule: TownRule) -> None:
        """Record a fault if a rule can never apply, or if it keeps somebody from their bed."""
        week = ((day, minute) for day in range(WEEK) for minute in range(DAY))
        if not any(rule.holds_at(*moment) for moment in week):
            self._fault(node, "this rule never holds; give `when` or `open` other hours.")
            return
        people = self._people.values()
        if not any(rule.who.includes(persona) for persona in people):
            self._fault(node, "this rule binds nobody; change `who` or leave the rule out.")
        kept = [each.name for each in people if self._keeps_from_bed(rule, each)]
        if kept:
            more = f" and {len(kept) - 3} more" if len(kept) > 3 else ""
            self._fault(
                node,
                f"this rule keeps {', '.join(kept[:3])}{more} from bed; leave the home out of "
                "`where`, or its people out of `who` with `not`.",
            )

    def _keeps_from_bed(self, rule: TownRule, persona: Persona) -> bool:
        """Return True if a rule forbids somebody to sleep in every bed of their home."""
        beds = self._map.beds_in(persona.home)
        places = [persona.home, *(bed.address for bed in beds)]
        return any(forbids(rule, persona, place, "sleeping in bed") for place in places)

    def _who(self, node: yaml.Node) -> RuleScope:
        """Return the people whom a rule binds, by name or by their common properties."""
        if not isinstance(node, yaml.MappingNode):
            return RuleScope(names=self._names(node))
        parts = self._mapping(node, _WHO_KEYS)
        if "not" in parts:
            if len(parts) > 1:
                self._fault(node, "`not` stands alone in `who`; put the other keys inside it.")
            inner = self._who(parts["not"])
            if inner.is_others:
                self._fault(parts["not"], "`not` inside `not`; leave both out.")
            return RuleScope(
                names=inner.names,
                home=inner.home,
                work=inner.work,
                under=inner.under,
                over=inner.over,
                is_others=True,
            )
        return RuleScope(
            names=self._names(parts["names"]) if "names" in parts else (),
            home=self._place(parts["home"]) if "home" in parts else "",
            work=self._place(parts["work"]) if "work" in parts else "",
            under=self._age(parts["under"]) if "under" in parts else None,
            over=self._age(parts["over"]) if "over" in parts else None,
        )

    def _names(self, node: yaml.Node) -> tuple[str, ...]:
        """Return full names of people of the town."""
        names = list(self._items(node, "names"))
        for item in names:
            if item.value not in self._people:
                told = nearest(item.value, self._people)
                self._fault(item, f"nobody in the town is called {short(item.value)}.{told}")
        return tuple(item.value for item in names)

    def _age(self, node: yaml.Node) -> int | None:
        """Return an age in years."""
        if isinstance(node, yaml.ScalarNode) and re.fullmatch(r"\d{1,3}", node.value, re.ASCII):
            return int(node.value)
        self._fault(node, "an age should be a whole number of years.")
        return None

    def _places(self, node: yaml.Node) -> tuple[str, ...]:
        """Return addresses of places of the map."""
        return tuple(self._place(item) for item in self._items(node, "places"))

    def _place(self, node: yaml.Node) -> str:
        """Return the address of a place of the map."""
        address = node.value if isinstance(node, yaml.ScalarNode) else ""
        places = [*self._map.sectors, *self._map.arenas, *self._map.objects]
        if isinstance(node, yaml.MappingNode):
            self._fault(node, 'put an address with a colon into quotes: "Park: lawn".')
        elif address not in places:
            told = nearest(address, places)
            self._fault(node, f"the map has no place {short(address)}.{told}")
        return address

    def _words(self, node: yaml.Node) -> tuple[str, ...]:
        """Return words of activities."""
        items = list(self._items(node, "words"))
        for item in items:
            if not stems(item.value):
                self._fault(item, f"`what` has {short(item.value)}; write words of an activity.")
        return tuple(item.value for item in items)

    def _when(self, node: yaml.Node) -> tuple[Hours, ...]:
        """Return periods of the day."""
        found = []
        for item in self._items(node, "hours"):
            try:
                found.append(read_hours(item.value))
            except ValueError as error:
                self._fault(item, str(error))
        return tuple(found)

    def _text(self, node: yaml.Node) -> str:
        """Return a rule's text in one line, without quotation marks."""
        text = visible_line(node.value) if isinstance(node, yaml.ScalarNode) else ""
        text = " ".join(text.replace('"', "'").split())
        if not 1 <= len(text) <= LONGEST_RULE:
            self._fault(node, f"`rule` should be one sentence of 1 to {LONGEST_RULE} characters.")
        return text if text.endswith((".", "!", "?", "'")) else f"{text}."

    def _read(
        self,
        node: yaml.Node,
        parts: Mapping[str, yaml.Node],
        key: str,
        read: Callable[[yaml.Node], _T],
        hint: str,
    ) -> _T | None:
        """Return a required part of a rule, parsed by `read`; a missing part is a fault."""
        if key in parts:
            return read(parts[key])
        if isinstance(node, yaml.MappingNode):
            self._fault(node, f"`{key}` is missing; {hint}.")
        return None

    def _items(self, node: yaml.Node, what: str) -> Iterator[yaml.ScalarNode]:
        """Yield the texts of a list, or a single text; anything else is recorded as a fault."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not nodes:
            self._fault(node, f"this list of {what} is empty; leave its key out.")
        for item in nodes:
            if isinstance(item, yaml.ScalarNode) and item.value.strip():
                yield item
            else:
                hint = ' Put a text with a colon into quotes: "Park: lawn".'
                self._fault(item, f"there should be {what} here, one text or a list.{hint}")


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


def read_hours(text: str) -> Hours:
    """Return the period that a text means; raises ValueError with a sentence if unreadable."""
    read = _SPAN.fullmatch(text.strip())
    if read is None or not (read["day"] or read["start"]):
        raise ValueError(f"{text[:60]!r} cannot be read as hours. {_HINT}")
    day = _DAYS.index(read["day"].title()) if read["day"] else None
    if not read["start"]:
        return Hours(start=0, end=DAY, day=day)
    start, end = minute_at(read["start"]), minute_at(read["end"])
    if start == end:
        raise ValueError(f"{text[:60]!r} is no time at all. {_HINT}")
    return Hours(start=start, end=end, day=day)


def format_hours(hours: Hours) -> str:
    """Return a period in the form used in the file."""
    day = [] if hours.day is None else [_DAYS[hours.day]]
    return " ".join([*day, f"{clock(hours.start)}-{clock(hours.end)}"])
