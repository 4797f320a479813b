"""Whether a rule of the town forbids an activity at a place."""

from agents.norms import TownRule
from agents.persona import Persona
from models.standin.words import stems


def forbids(rule: TownRule, persona: Persona, place: str, activity: str) -> bool:
    """Return True when a rule, while in force, forbids somebody an activity at a place.

    A rule with words in `what` is about activities that have all words of one of its texts, in any
    form: `cook` is in `cooking soup`.
    """
    if not rule.binds(persona, place):
        return False
    said = stems(activity)
    return not rule.what or any(stems(words) <= said for words in rule.what)
