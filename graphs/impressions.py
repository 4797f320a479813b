"""Impressions of others: how a relationship that began in town grows with talks."""

from agents.mind import Impression

MET = "You have talked once: an acquaintance."
FRIENDLY = "You have talked a few times: a friendly acquaintance."
FRIEND = "You have talked often: a friend."
GROWN = {MET: (3, FRIENDLY), FRIENDLY: (6, FRIEND)}
"""Relationship that began in town: the number of talks after which it grows, and what it
becomes."""
COLD = frozenset(("annoyed", "hurt"))
"""Feelings with which a relationship does not grow."""


def after_talk(
    old: Impression | None,
    relationship: str,
    *,
    is_known: bool,
    feeling: str,
    summary: str,
    at: int,
) -> Impression:
    """Return the impression after a talk that ended at the town second `at`.

    `relationship` is the one before: from the persona file (`is_known`), or as it has grown in
    town.
    """
    talks = (old.talks if old else 0) + 1
    bond = relationship if is_known or old else MET
    least, grown = GROWN.get(bond, (0, ""))
    if grown and talks >= least and feeling not in COLD:
        bond = grown
    return Impression(relationship=bond, feeling=feeling, summary=summary, at=at, talks=talks)


def format_feeling(feeling: str) -> str:
    """Return a feeling as written beside a relationship; one of several words stays as it is."""
    if not feeling or " " in feeling:
        return feeling
    return f"After your last talk you felt {feeling}."
