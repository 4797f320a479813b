"""A card with the rules of a town, and the people who chose to break them."""

from collections.abc import Sequence

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

KeptRule = tuple[str, str, Reason | None]
"""A rule, for whom, where and when it holds, and the refused choices that broke it, if any."""


def read_rules(run: OpenRun) -> list[KeptRule]:
    """Return the rules of a run's town; none if the town has none or cannot be read."""
    try:
        if not (folder_of(run.folder) / RULES_FILE).exists():
            return []
        rules = run.town.norms
    except (SmolvilleError, OSError):
        return []
    broken = {_key(each.detail): each for each in broken_rules(run.reader)}
    return [(rule.text, describe_rule(rule), broken.get(_key(rule.text))) for rule in rules]


def _key(text: str) -> str:
    return text.strip().rstrip(".").casefold()


def draw_rules(ways: RunLinks, rules: Sequence[KeptRule]) -> None:
    """Add a card with the rules; adds nothing if the town has none."""
    if not rules:
        return
    with set_attributes(box("section", "card rules"), aria_labelledby="rules"):
        set_attributes(words("h2", "The rules of this town"), id="rules")
        with box("ul"):
            for text, binds, broken in rules:
                with box("li"):
                    words("b", f"{text.rstrip('.')}. ")
                    words("span", f"({binds}) ", "soft")
                    if broken is None:
                        words("span", "Nobody chose against it.")
                    else:
                        _draw_broken(ways, broken)


def _draw_broken(ways: RunLinks, broken: Reason) -> None:
    """Add who chose to break a rule, how often, and a link to the first time."""
    who = ", ".join(f"{name} {count}" for name, count in broken.by_agent.most_common(MOST_NAMED))
    more = len(broken.by_agent) - MOST_NAMED
    who += f" and {more} more" if more > 0 else ""
    told = f"{format_count(broken.count, 'choice')} against it ({who}); each was refused, "
    words("span", f"{told}and another one was asked for. ")
    first = broken.example
    way = ways.talk(first.owner) if first.is_talk else ways.why(first.agent, first.tick)
    made = link("see the first", way, "way")
    set_attributes(made, aria_label=f"See the first choice against: {broken.detail}")
