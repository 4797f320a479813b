"""What one makes of somebody after a talk: a bond that grows talk by talk, and a feeling."""

from agents.mind import Impression

MET = "You have talked once: an acquaintance."
FRIENDLY = "You have talked a few times: a friendly acquaintance."
FRIEND = "You have talked often: a friend."
GROWN = {MET: (3, FRIENDLY), FRIENDLY: (6, FRIEND)}
"""What a bond that began in town grows to, and from which talk on."""
COLD = frozenset(("annoyed", "hurt"))
"""Feelings with which no bond grows."""


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

    `relationship` is what they were before: as the persona says (`is_known`), or as it has grown.
    """
    talks = (old.talks if old else 0) + 1
    bond = relationship if is_known or old else MET
    least, grown = GROWN.get(bond, (0, ""))
    if grown and talks >= least and feeling not in COLD:
        bond = grown
    return Impression(relationship=bond, feeling=feeling, summary=summary, at=at, talks=talks)


def felt(feeling: str) -> str:
    """Return a feeling as it is told beside a bond; one in several words as it is."""
    if not feeling or " " in feeling:
        return feeling
    return f"After your last talk you felt {feeling}."
