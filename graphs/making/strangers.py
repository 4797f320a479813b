"""Find people and places in a text that the new town does not have."""

import re
from collections.abc import Iterator

from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.words import WORD, free_texts, names_in, remove_positions, words_of
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem, field_problem

PROSE = frozenset(("learned", "currently", "fact", "memories[].memory"))
"""Fields of answers in which a model writes about people."""
_KIN = frozenset(
    (  # noqa: SIM905
        "mr mrs ms miss dr uncle aunt brother sister father mother son daughter wife husband "
        "friend cousin nephew niece neighbour neighbor colleague boss grandmother grandfather "
        "grandson granddaughter partner named called captain old young"
    ).split()
)
"""Words after which a name is a person's."""


def find_strangers(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield the texts that name a person or a place not mentioned in the question."""
    known = {part for word in words_of(shown.given) for part in _forms(word)}
    for path, text in free_texts(answer.model_dump()):
        if remove_positions(path) in PROSE and (stranger := _find_stranger(text, known)):
            rest = (
                f", which names {stranger!r}. That is nobody and nothing in this town: leave the "
                "name out."
            )
            yield field_problem(path, text, rest, "fact")


def _find_stranger(text: str, known: set[str]) -> str:
    """Return the first unknown name that is a full name, or follows a word such as `aunt`."""
    names = set(names_in(text))
    before, was_unknown = "", ""
    for match in WORD.finditer(text):
        word = match.group().removesuffix("'s").removesuffix("’s")
        is_unknown = word in names and not {*_forms(word.casefold())} & known
        if is_unknown and before.casefold().rstrip(".") in _KIN:
            return word
        is_next = bool(before) and text[: match.start()].endswith(f"{before} ")
        if is_unknown and was_unknown and is_next:
            return f"{was_unknown} {word}"
        before, was_unknown = match.group(), word if is_unknown else ""
    return ""


def _forms(word: str) -> tuple[str, ...]:
    """Return a word without its possessive ending, then the word's parts between hyphens."""
    plain = re.sub(r"['’]s?$", "", word)
    return (plain, *re.split(r"[-'’]", plain))


KNOWN_PEOPLE = SenseCheck(look=find_strangers, action="refuse", languages=ENGLISH)
"""Refuses texts that name people or places which the town does not have."""
