"""Conclusions from private worries, which the person tells nobody.

English words only. In any other language nothing is found.
"""

import re

_NAME = r"(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"
_THOUGHTS = (
    (
        re.compile(rf"I (?:am|feel) (?:still )?(?:angry|cross) with {_NAME} about (?P<it>[^,.]+)"),
        "Sooner or later I have to speak with {name} about {it}.",
    ),
    (
        re.compile(rf"I (?:have a (?:secret )?crush on|am in love with) {_NAME}"),
        "I think of {name} more than I let on.",
    ),
    (
        re.compile(rf"I worry that my (?P<who>\w+ )?{_NAME} "),
        "I want to make things easier for my {who}{name}.",
    ),
    (
        re.compile(r"I have been offered (?P<it>[^,.]+?) and must (?:answer|decide)"),
        "I cannot put off my answer about {it} much longer.",
    ),
)


def private_thought(memory: str) -> str:
    """Return a private conclusion from a memory; empty if there is none."""
    for weighs, thought in _THOUGHTS:
        if found := weighs.match(memory):
            return thought.format(**{key: text or "" for key, text in found.groupdict().items()})
    return ""
