"""The keywords of a text, and how much of them another text contains."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OWNING = re.compile(r"['’]s?$")
_ENDINGS = ("ing", "ed")
SHORTEST_STEM = 4
"""Letters that must remain of a word when an ending is removed."""
DIGITS = 0.4
"""Weight of dates and clock times relative to words, since they can be repeated in many forms."""
FEW_WORDS = 3
"""Number of typed words up to which all of them must occur in a text."""
ENOUGH = 0.5
"""Share of a longer text's keywords that another text must contain to tell the same."""
_EMPTY = """
a about above after again all along also am an and any are as at away back be because been before
being below between both but by came can come could day did do does doing done down each even ever
every few for from further get give go goes going gone good got had has have having he her here hers
him his how i if in into is it its itself just know let like made make many may me mean more most
much must my myself near never new no nor not now of off on once one only or other our out over own
please really said same say see she should so some still such take tell than that the their them
then there these they thing this those through to told too under until up us use very want was way
we well were what when where which while who why will with would yes yet you your
"""
EMPTY = frozenset(_EMPTY.split())
"""English words with little meaning of their own."""


_ENDS = re.compile(r"[.!?:;…\n“\"(–—]\s*[”\"')(“]*\s*$")
"""The end of what stands before the first word of a sentence."""
_AFTER_NAMES = frozenset(
    (  # noqa: SIM905
        "is was has had will would can wanted planned said liked loved thought knew and asked told "
        "met came went sang"
    ).split()
)
"""Words before which the first word of a sentence is a name, as before a verb in -s."""
_DULL = EMPTY | {"since", "getting", "while", "without", "within", "whose", "toward", "upon"}
_PLURALS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", ""))
_NO_PLURAL = ("ss", "us", "is", "ous")


def keywords_of(text: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the keywords of a text, by rule and in its order: each once, names whole.

    Words without a meaning of their own and numbers are left out, plurals become singular. Words
    with a capital inside a sentence are names, and so is the first word of one before a capital or
    a verb in -s; `names` are further names, known from elsewhere.
    """
    known = {part.casefold() for name in names for part in name.split()}
    found: dict[str, str] = {}
    name: list[str] = []
    before, matches = 0, list(_WORD.finditer(text))
    for at, match in enumerate(matches):
        word, gap = match.group(), text[before : match.start()]
        after = matches[at + 1].group() if at + 1 < len(matches) else ""
        is_first = at == 0 or _ENDS.search(gap) is not None
        if name and (is_first or gap.strip()):
            _note(found, " ".join(name))
            name = []
        is_name = _is_name(word, after, is_first, known)
        if is_name:
            name.append(_OWNING.sub("", word))
        if name and (not is_name or word != _OWNING.sub("", word)):
            _note(found, " ".join(name))
            name = []
        if not is_name and not word.isdigit() and word.casefold() not in _DULL:
            _note(found, _singular(_OWNING.sub("", word).casefold()))
        before = match.end()
    if name:
        _note(found, " ".join(name))
    return tuple(found.values())


def _note(found: dict[str, str], keyword: str) -> None:
    """Add a keyword that is not a single letter and is not there yet."""
    if len(keyword) > 1:
        found.setdefault(keyword.casefold(), keyword)


def _is_name(word: str, after: str, is_first: bool, known: Iterable[str]) -> bool:
    """Return whether a word is a name, or a part of one."""
    plain = _OWNING.sub("", word)
    if not word[0].isupper() or len(plain) < 2 or plain.casefold() in _DULL:
        return False
    if not is_first or plain.casefold() in known or plain != word or after in _AFTER_NAMES:
        return True
    is_verb = after.endswith("s") and not after.endswith("ss") and after not in _DULL
    is_person = is_verb and not plain.endswith(("ing", "s"))
    return is_person or (after[:1].isupper() and after.casefold() not in _DULL)


def _singular(word: str) -> str:
    """Return a noun's singular, as far as its ending shows it."""
    if len(word) < 4 or word.endswith(_NO_PLURAL):
        return word
    for ending, rest in _PLURALS:
        if word.endswith(ending):
            return word.removesuffix(ending) + rest
    return word


def content_words(text: str) -> frozenset[str]:
    """Return the meaningful words of a text, without their endings, in lower case."""
    found = (_OWNING.sub("", word) for word in _WORD.findall(text.casefold()))
    return frozenset(_stem(word) for word in found if len(word) > 1 and word not in EMPTY)


def _stem(word: str) -> str:
    """Return a word without its usual English ending: `lanterns` becomes `lantern`."""
    if word.endswith("ies") and len(word) > SHORTEST_STEM:
        return f"{word[:-3]}y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word
    if word.endswith("s") and not word.endswith("ss") and len(word) > SHORTEST_STEM - 1:
        return word[:-1]
    return word


def weights(texts: Iterable[str]) -> Counter[str]:
    """Return for each word the number of distinct texts that contain it."""
    return Counter(word for text in set(texts) for word in content_words(text))


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The keywords of a piece of news."""

    words: Mapping[str, float]
    """Keyword to its weight: rare words weigh more. The weights sum to 1."""
    least: float
    """Share of the keywords that a text must contain to tell the same."""

    def share(self, text: str) -> float:
        """Return the share of the subject's keywords in a text, 0 to 1."""
        return sum(self.words.get(word, 0.0) for word in content_words(text))

    def is_in(self, text: str) -> bool:
        """Return True when a text is about the subject."""
        return bool(self.words) and self.share(text) >= self.least


def subject_of(text: str, known: Mapping[str, int], *, typed: bool = False) -> Subject:
    """Return the keywords of a text; `known` counts in how many texts each word occurs.

    All words that somebody `typed` must occur in a text, unless there are many.
    """
    most = max(known.values(), default=1)
    raw = {word: _weight(word, known.get(word, 0), most) for word in sorted(content_words(text))}
    total = sum(raw.values())
    few = typed and len(raw) <= FEW_WORDS
    return Subject(
        words={word: weight / total for word, weight in raw.items()},
        least=0.999 if few else ENOUGH,
    )


def _weight(word: str, count: int, most: int) -> float:
    rare = math.log(1 + (most + 1) / (count + 1))
    return rare * (DIGITS if any(letter.isdigit() for letter in word) else 1.0)
