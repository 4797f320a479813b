"""A card with the rules of a town, and the people who chose to break them."""

from collections.abc import Sequence
from dataclasses import dataclass

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import format_count
from smolville.reports.analysis import Reason, broken_rules
from smolville.reports.runs import OpenRun
from smolville.viewer.elements import box, link, set_attributes, words
from smolville.viewer.story.run_links import RunLinks
from smolville.world.town.norms import RULES_FILE, describe_rule
from smolville.world.town.town import folder_of

MOST_NAMED = 4
"""Maximum number of people named for a rule."""


@dataclass(frozen=True, kw_only=True)
class KeptRule:
    """A rule of the town, and the refused answers that broke it."""

    text: str
    binds: str
    """People, places and times for which the rule holds, in words."""
    broken: Reason | None
    """The refused choices; None if nobody chose to break the rule."""


def read_rules(run: OpenRun) -> list[KeptRule]:
    """Return the rules of a run's town; none if the town has none or cannot be read."""
    try:
        if not (folder_of(run.folder) / RULES_FILE).exists():
            return []
        rules = run.town.norms
    except (SmolvilleError, OSError):
        return []
    broken = {_key(each.detail): each for each in broken_rules(run.reader)}
    return [
        KeptRule(text=rule.text, binds=describe_rule(rule), broken=broken.get(_key(rule.text)))
        for rule in rules
    ]


def draw_rules(ways: RunLinks, rules: Sequence[KeptRule]) -> None:
    """Add a card with the rules; adds nothing if the town has none."""
    if not rules:
        return
    with set_attributes(box("section", "card rules"), aria_labelledby="rules"):
        set_attributes(words("h2", "The rules of this town"), id="rules")
        with box("ul"):
            for rule in rules:
                with box("li"):
                    words("b", f"{rule.text.rstrip('.')}. ")
                    words("span", f"({rule.binds}) ", "soft")
                    _draw_broken(ways, rule.broken)


def _draw_broken(ways: RunLinks, broken: Reason | None) -> None:
    """Add who chose to break a rule, how often, and a link to the first time."""
    if broken is None:
        words("span", "Nobody chose against it.")
        return
    named = broken.by_agent.most_common(MOST_NAMED)
    who = ", ".join(f"{name} {count}" for name, count in named)
    more = len(broken.by_agent) - len(named)
    who += f" and {more} more" if more else ""
    words(
        "span",
        f"{format_count(broken.by_agent.total(), 'choice')} against it ({who}); each was refused, "
        "and another one was asked for. ",
    )
    first = broken.example
    way = ways.talk(first.owner) if first.is_talk else ways.why(first.agent, first.tick)
    made = link("see the first", way, "way")
    set_attributes(made, aria_label=f"See the first choice against: {broken.detail}")


def _key(text: str) -> str:
    return text.strip().rstrip(".").casefold()
