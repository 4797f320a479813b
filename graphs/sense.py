"""A sense check: a pure function of an answer, its inputs, and the rest of the prompt.

A reply is read in two steps. First, the answer type's validators check its form. Then sense checks
compare the answer with the case: it must copy no example, repeat no line, and keep the given facts.
The checks of all steps' answers (`EVERYWHERE`) find texts without content: copies, placeholders,
markup, babble. Small models repeat the text that is nearest to the question; a copy is recognised
by a word that neither the case nor an ordinary day would suggest.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Literal, TypeVar

from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.prompt_inputs import PromptInput

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
STEM = 4
"""Number of first letters by which forms of the same word are recognised."""
SHORT_TEXT = 400
"""Maximum number of characters of a text that counts as short."""
DAYS = frozenset(
    (
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("today", "tomorrow", "tonight"),
    )
)


ORDINARY = frozenset(
    (  # noqa: SIM905
        "a about after again all also an and another are around as at back be because bed "
        "been before being breakfast but by call can change coffee cook cooking could day did "
        "dinner do does doing done down dress dressed dressing drink drinking eat eating "
        "evening feel feels finish finishing for friend friends from get getting glad go "
        "going good had has have having he her here herself him himself his home hope hopes "
        "hour house i i'll i'm i've if in is it it's its just kitchen know knows late leave "
        "leaving let like likes little look looking lunch make making may me meal meeting "
        "might mine more morning must my myself need needs night no not now of off on one or "
        "other our out over own people plan planning prepare preparing quick quiet read "
        "reading really rest resting room shall should sit sitting sleep sleeping so some "
        "start starting take taking talk talking tea than that the their them themselves then "
        "there these they things think thinks this those through tidy tidying time to today "
        "tomorrow town two up very wake waking walk walking want wants was wash washing watch "
        "watching we what when while who will with work working would write writing you your"
    ).split()
)
"""Words of an ordinary day; a text of only these words is not specific to anybody."""


def words_of(text: str) -> list[str]:
    """Return a text's words, folded for comparison.

    Short texts are compared again and again, so their words are kept; whole prompts are not.
    """
    return list(_fold(text) if len(text) <= SHORT_TEXT else _fold.__wrapped__(text))


@lru_cache(maxsize=4096)
def _fold(text: str) -> tuple[str, ...]:
    return tuple(word.casefold().replace("’", "'") for word in WORD.findall(text))


def stems_of(text: str, shortest: int = STEM) -> set[str]:
    """Return the first letters of each meaningful word, which all its forms have in common."""
    words = (word for word in words_of(text) if len(word) >= shortest)
    return {word[:STEM] for word in words if word not in ORDINARY}


def grams(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    """Return all runs of `length` consecutive words."""
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Return whether the words of `part` occur consecutively in `whole`."""
    wanted = list(part)
    return bool(wanted) and any(
        word == wanted[0] and list(whole[at : at + len(wanted)]) == wanted
        for at, word in enumerate(whole)
    )


def share_in(words: Sequence[str], other: Sequence[str]) -> float:
    """Return the share of a text's distinct words that occur in another, 0 to 1."""
    own = set(words)
    return len(own & set(other)) / len(own) if own else 0.0


def share_copied(words: Sequence[str], sources: Iterable[Sequence[str]]) -> float:
    """Return the share of a text's words in runs of 4 words that a source also has, 0 to 1."""
    run = 4
    known = set[tuple[str, ...]]().union(*(grams(each, run) for each in sources))
    taken = {
        at + offset
        for at in range(len(words) - run + 1)
        if tuple(words[at : at + run]) in known
        for offset in range(run)
    }
    return len(taken) / len(words) if words else 0.0


def free_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in plain data, with the dotted path to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from free_texts(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from free_texts(inner, f"{path}.{number}" if path else str(number))


def remove_positions(path: str) -> str:
    """Return a path without the positions in lists: `items[].place`."""
    return re.sub(r"\.\d+", "[]", path)


I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

Action = Literal["refuse", "ask", "mark"]
"""What happens to an answer that fails a check. `refuse`: it is never accepted. `ask`: the question
is asked again once, and then the answer is accepted as odd. `mark`: the answer is accepted as odd
at once, because measurements showed that asking again does not help."""

ANY: tuple[str, ...] = ()
"""Value of `languages` for a check that works in every language."""
ENGLISH = ("en",)


@dataclass(frozen=True, kw_only=True)
class CheckContext:
    """What the prompt showed besides the inputs, and known facts about the call."""

    examples: tuple[str, ...] = ()
    """Free texts of the example answers: the format's own example, and those of example cases."""
    descriptions: tuple[str, ...] = ()
    """The descriptions of the fields in the format instructions."""
    headings: frozenset[str] = frozenset()
    """The headings in capitals in the prompt."""
    given: str = ""
    """All texts of the inputs, joined."""
    language: str = "en"
    """Language of the templates."""
    choices: frozenset[str] = frozenset()
    """Paths, without positions, of the answer's fields whose values are chosen from a list."""


@dataclass(frozen=True, kw_only=True)
class SenseCheck(Generic[I, A]):
    """A check for one kind of fault that makes an answer senseless."""

    look: Callable[[A, I, CheckContext], Iterable[Problem]]
    """Yields the problems found; each problem's kind is one of `parsers.problem.SENSE_KINDS`."""
    action: Action
    languages: Sequence[str] = ANY
    """Languages in which the check works; with templates in any other language it finds nothing."""

    def find_problems(self, answer: A, inputs: I, shown: CheckContext) -> list[Problem]:
        """Return the problems that this check finds in an answer."""
        if self.languages and shown.language not in self.languages:
            return []
        return list(self.look(answer, inputs, shown))


AnyCheck = SenseCheck[Any, Any]


@dataclass(frozen=True, kw_only=True)
class SenseVerdict:
    """The verdict of a step's checks on an answer."""

    refused: tuple[Problem, ...] = ()
    doubted: tuple[Problem, ...] = ()
    """Problems because of which the question is asked again, once."""
    marked: tuple[Problem, ...] = ()

    @property
    def odd(self) -> tuple[Problem, ...]:
        """The oddities with which an answer is marked if it is accepted anyway."""
        return (*self.doubted, *self.marked)


def judge(
    checks: Iterable[AnyCheck], answer: Any, inputs: Any, shown: CheckContext
) -> SenseVerdict:
    """Return the verdict of a step's checks, with the first fault of each kind in each field."""
    found: dict[Action, dict[tuple[str, str], Problem]] = {"refuse": {}, "ask": {}, "mark": {}}
    for check in checks:
        for problem in check.find_problems(answer, inputs, shown):
            found[check.action].setdefault((problem.field, problem.kind), problem)
    return SenseVerdict(
        refused=tuple(found["refuse"].values()),
        doubted=tuple(found["ask"].values()),
        marked=tuple(found["mark"].values()),
    )


LEAST = 4
"""Minimum number of words of a text that can be recognised as a copy by itself."""
SHORT = 3
"""Number of words of a shorter text that is a copy if the answer has another one."""
FEW = 4
"""Texts of an answer for each copy among them, above which a copy is only a plain phrase."""
MOSTLY = 0.75
"""Share of a list's items that may not all be the same."""
ROUNDS = 3
"""Number of repetitions of the same three words that make a text babble."""
RUN = 7
"""Number of consecutive words of an example that cannot be a coincidence in any context."""

MARKUP = re.compile(
    r"<\|[^|<>]{0,40}\|?>|\[/?INST\]|<</?SYS>>|</?s>|</?think(?:ing)?>|<(?:start|end)_of_turn>"
    r"|<\|?(?:eot|eom|im)_|###\s*(?:Response|Instruction|Input|Answer)\b|```",
    re.IGNORECASE,
)
"""Markup left over from chat templates and Markdown."""
PLACEHOLDER = re.compile(
    r"<[^<>]+>|\[[^\[\]]+\]|\{[^{}]+\}|(?:a |the )?(?:string|text|str)|none|null|n/?a|tbd|todo|"
    r"[.…_-]{2,}|your (?:answer|words|text|thought|line|activity)(?: here)?|lorem ipsum\b.*",
    re.IGNORECASE,
)
"""Placeholders written in place of a text."""

_HEADING = re.compile(
    r"(?:^|[.!?] )([A-Z]{4,}(?: [A-Z]{2,})*|[A-Z]{2,}(?: [A-Z]{2,})+)(?=:|\s*$)", re.MULTILINE
)


def find_copied_texts(
    answer: Answer, inputs: PromptInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield texts copied from an example or a field's description, unless the case has them too.

    Among many texts of one's own, a plain phrase that an example has as well is no copy.
    """
    given = words_of(shown.given)
    known = ORDINARY.union(given)
    examples = [words_of(text) for text in shown.examples]
    described = [words for text in shown.descriptions if len(words := words_of(text)) >= LEAST]
    texts = [(path, text, words_of(text)) for path, text in _own_texts(answer, shown)]
    short = [own for _, _, own in texts if len(own) == SHORT and own in examples]
    copies = set[str]()
    for path, _, own in texts:
        if stands_in(own, given):
            continue
        if len(own) < LEAST:
            is_copy = len(short) > 1 and own in short and bool({*own} - known)
        else:
            is_copy = any(_taken(own, each, given) - known for each in examples)
        copies |= {path} if is_copy else set()
    for path, text, own in texts:
        if stands_in(own, given):
            continue
        is_copy = path in copies and len(texts) <= FEW * len(copies)
        if is_copy or any(stands_in(each, own) for each in described if len(own) >= LEAST):
            what = (
                "copied from an example" if is_copy else "copied from the description of this field"
            )
            rest = f", which is {what}. Write your own answer to YOUR case."
            yield field_problem(path, text, rest, "copied")


def _taken(own: list[str], example: list[str], given: list[str]) -> set[str]:
    """Return the words of what a text has taken from an example: all of it, or a long part."""
    if len(example) < LEAST:
        return set()
    if stands_in(example, own):
        return set(example)
    if len(own) > LEAST and stands_in(own, example):
        return set(own)
    runs = grams(own, RUN) & grams(example, RUN)
    return {word for run in runs - grams(given, RUN) for word in run} if runs else set()


def empty_words(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that contain markup or a heading, have no word, or are only a placeholder."""
    foreign = [each for each in sorted(shown.headings) if each not in shown.given]
    for path, text in _own_texts(answer, shown):
        mark = MARKUP.search(text)
        heading = next((each for each in foreign if re.search(rf"\b{each}\b", text)), "")
        if mark is not None:
            rest = f", with {mark.group()!r} in it. Write plain words only."
            yield field_problem(path, text, rest, "markup")
        elif heading:
            rest = f", with {heading!r} in it, which is a heading of the question. Leave it out."
            yield field_problem(path, text, rest, "markup")
        elif PLACEHOLDER.fullmatch(text.strip()) or _has_no_word(text):
            rest = ", which says nothing. Write what is really meant."
            yield field_problem(path, text, rest, "empty")


def _has_no_word(text: str) -> bool:
    """Return whether a text has several pieces but no letter in any of them: `},{2, 2}, {`."""
    return len(text.split()) > 1 and not any(letter.isalpha() for letter in text)


def repetition(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that repeat themselves or an item of their list, or are no language."""
    listed: dict[str, list[tuple[str, list[str]]]] = {}
    for path, text in _own_texts(answer, shown):
        own, field = words_of(text), remove_positions(path)
        runs = Counter(zip(own, own[1:], own[2:], strict=False))
        turns = max(runs.values(), default=0)
        if turns >= ROUNDS and 3 * turns >= len(own) / 2:
            rest = ", which says the same over and over. Say it once."
            yield field_problem(path, text, rest, "empty")
        items = listed.setdefault(field, []) if "[]" in field else []
        told = [words for _, words in items] if field.endswith("[]") else []
        if len(own) >= LEAST and own in told:
            yield field_problem(path, text, ", which is in the list already.", "repeat")
        items.append((text, own))
    for field, items in listed.items():
        text, count = Counter(text for text, _ in items).most_common(1)[0]
        if count >= max(LEAST, MOSTLY * len(items)):
            rest = f", {count} times of {len(items)}. Write different ones."
            yield field_problem(field.replace("[]", ".0", 1), text, rest, "repeat")


@lru_cache(maxsize=256)
def headings_in(prompt: str) -> frozenset[str]:
    """Return the headings in capitals at the beginning of a prompt's lines."""
    return frozenset(_HEADING.findall(prompt))


def _own_texts(answer: Answer, shown: CheckContext) -> Sequence[tuple[str, str]]:
    """Return the texts that the model wrote itself, not chosen from a list."""
    texts = free_texts(answer.model_dump())
    return [(path, text) for path, text in texts if remove_positions(path) not in shown.choices]


def find_other_scripts(
    answer: Answer, inputs: PromptInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield texts with letters of a script that the question does not use: `the bookshop in 废`.

    Multilingual models slip into another language, mostly near the length limit of a text.
    """
    for path, text in free_texts(answer.model_dump()):
        if text.isascii():
            continue
        strange = [each for each in text if script_of(each) not in ("", "LATIN")]
        known = {script_of(each) for each in shown.given} if strange else set()
        if other := [each for each in strange if script_of(each) not in known]:
            rest = f", with {''.join(other[:3])!r} in it, which is of another script. Leave it out."
            yield field_problem(path, text, rest, "markup")


@lru_cache(maxsize=1024)
def script_of(character: str) -> str:
    """Return the Unicode script of a letter, such as `LATIN`; empty for other characters."""
    if character.isascii() or not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


EVERYWHERE: tuple[SenseCheck[PromptInput, Answer], ...] = (
    SenseCheck(look=empty_words, action="refuse"),
    SenseCheck(look=find_copied_texts, action="refuse"),
    SenseCheck(look=repetition, action="refuse"),
    SenseCheck(look=find_other_scripts, action="refuse"),
)
"""The checks for the answers of every step."""


THE_SAME = 0.9
"""Minimum share of a text's words in one memory for it to count as that memory."""


def is_again(text: str, memories: Iterable[str]) -> bool:
    """Return whether a text has nearly all its words from one of these texts."""
    own = words_of(text)
    return any(
        len(told) >= LEAST and share_in(own, told) >= THE_SAME for told in map(words_of, memories)
    )


def is_nothing_new(
    field: str, advice: str, told: Callable[[Any], Sequence[str]] = lambda inputs: ()
) -> AnyCheck:
    """Return a check that a field repeats neither a memory nor a text that `told` returns."""

    def look(answer: Any, inputs: Any, shown: CheckContext) -> Iterator[Problem]:
        text = getattr(answer, field)
        if text and is_again(text, [*(each.text for each in inputs.memories), *told(inputs)]):
            yield field_problem(field, text, f", which is nothing new. {advice}", "repeat")

    return SenseCheck(look=look, action="ask")
