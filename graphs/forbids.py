"""Decide whether a rule of the town forbids an activity at a place."""

from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.models.standin.words import stems


def forbids(rule: TownRule, persona: Persona, place: str, activity: str) -> bool:
    """Return True when a rule, while in force, forbids somebody an activity at a place.

    A rule with texts in `what` covers activities that contain all words of one of these texts, in
    any form: `cook` covers `cooking soup`.
    """
    if not rule.binds(persona, place):
        return False
    said = stems(activity)
    return not rule.what or any(stems(words) <= said for words in rule.what)
