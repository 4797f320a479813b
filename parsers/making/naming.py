"""Check the names and sentences that a model writes for a new town."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from smolville.parsers.answer import Context, read_context_value
from smolville.parsers.problem import Problem, one_of, own_problem

PERSON = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:[ '’-][^\W\d_]+)+")
"""A full name: letters, joined by blanks, apostrophes or hyphens."""
PLACE = re.compile(r"[^\W_](?:[^\W_]|[ '’&-](?=[^\W_&-]|& ))*")
"""A place's name: letters and digits, with blanks, apostrophes, hyphens and `&` between them."""
_OWN_WORDS = re.compile(r"\b(?:I|I'm|I've|my|me|mine|we|our)\b")
ALIKE = 0.8
"""Similarity, 0 to 1, from which two sentences count as saying the same."""


def check_person_name(name: str) -> list[Problem]:
    """Return what is wrong with a person's full name."""
    if PERSON.fullmatch(name) and " " in name and all(each[0].isupper() for each in name.split()):
        return []
    rest = ". Write a first name and a family name, with letters only."
    return [own_problem(name, rest)]


def check_place_name(name: str) -> list[Problem]:
    """Return what is wrong with the name of a town or a place."""
    if PLACE.fullmatch(name) and name[0].isupper():
        return []
    rest = ". Write a short name that begins with a capital, of letters and blanks only."
    return [own_problem(name, rest)]


def check_third_person(text: str, first_name: str) -> list[Problem]:
    """Return what is wrong with a text that must mention a person by first name."""
    own = _OWN_WORDS.search(text)
    if own is not None:
        rest = f", with {own.group()!r} in it. Write about {first_name}, not as {first_name}."
        return [own_problem(text, rest, "voice")]
    if first_name and not re.search(rf"\b{re.escape(first_name)}\b", text):
        return [own_problem(text, f". Use the name {first_name} in it.", "fact")]
    return []


def check_offered(value: str, context: Context | None, name: str) -> list[Problem]:
    """Return the problem that a value is none of those that the call offers; empty if it is one."""
    offered = read_context_value(context, name)
    if offered is None or value in offered:
        return []
    return [own_problem(value, f". {one_of(value, offered)}", "choice")]


def find_alike(text: str, others: Iterable[str]) -> str:
    """Return the first other sentence that says the same as this text; empty if there is none."""
    plain = text.casefold()
    return next(
        (
            other
            for other in others
            if SequenceMatcher(None, plain, other.casefold()).ratio() >= ALIKE
        ),
        "",
    )
