"""The keywords of a text, found by rule."""

import re
from collections.abc import Iterable
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
OWNING = re.compile(r"['’]s?$")
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
"""End of the text before a word that begins a sentence."""
_AFTER_NAMES = frozenset(
    (  # noqa: SIM905
        "is was has had will would can wanted planned said liked loved thought knew and asked told "
        "met came went sang"
    ).split()
)
"""If the second word of a sentence is one of these, or a verb in -s, the first word is a name."""
_SOUNDS = """
ah aha ahem alas aw eh er gosh ha hello hey hi hm hmm huh mm oh ok okay ooh oops ouch phew ugh uh um
whoa wow yay yeah yep nope
"""
_CALLS = frozenset(
    (  # noqa: SIM905
        "absolutely afternoon agreed brilliant bye certainly cheers congratulations darling dear "
        "evening exactly excellent fine goodbye goodness great indeed lovely marvellous morning "
        "nice perfect right sorry splendid sure thanks true welcome wonderful"
    ).split()
)
"""Words that greet, thank or agree; they are no names at the beginning of a sentence before a
comma."""
_CALLED_BEFORE = tuple(",.!?;:")
_DULL = (
    EMPTY
    | frozenset(_SOUNDS.split())
    | {"since", "getting", "while", "without", "within", "whose", "toward", "upon"}
)
_PLURALS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", ""))
_NO_PLURAL = ("ss", "us", "is", "ous")


def keywords_of(text: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the keywords of a text in their order, each once; names stay whole.

    Numbers and words without a meaning of their own are left out, and plurals become singular. A
    capitalised word inside a sentence is a name. So is the first word of a sentence if a
    capitalised word or a verb in -s follows, unless it is an interjection or a greeting. `names`
    are further names, known from elsewhere.
    """
    return _find_keywords(
        text, frozenset(part.casefold() for each in names for part in each.split())
    )


@lru_cache(maxsize=2048)
def _find_keywords(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return a text's keywords; `known` holds the parts of further names in lower case."""
    found: dict[str, str] = {}
    name: list[str] = []
    before, matches = 0, list(WORD.finditer(text))
    for at, match in enumerate(matches):
        word, gap = match.group(), text[before : match.start()]
        after = matches[at + 1].group() if at + 1 < len(matches) else ""
        is_first = at == 0 or _ENDS.search(gap) is not None
        if name and (is_first or gap.strip()):
            _note(found, " ".join(name))
            name = []
        is_call = is_first and text[match.end() : match.end() + 1] in _CALLED_BEFORE
        is_call = is_call and word.casefold() in _CALLS
        is_name = not is_call and _is_name(word, after, is_first, known)
        if is_name:
            name.append(OWNING.sub("", word))
        if name and (not is_name or word != OWNING.sub("", word)):
            _note(found, " ".join(name))
            name = []
        if not is_name and not word.isdigit() and word.casefold() not in _DULL:
            _note(found, _singular(OWNING.sub("", word).casefold()))
        before = match.end()
    if name:
        _note(found, " ".join(name))
    return tuple(found.values())


def _note(found: dict[str, str], keyword: str) -> None:
    """Add a keyword, unless it is a single letter or is there already."""
    if len(keyword) > 1:
        found.setdefault(keyword.casefold(), keyword)


def _is_name(word: str, after: str, is_first: bool, known: Iterable[str]) -> bool:
    plain = OWNING.sub("", word)
    if not word[0].isupper() or len(plain) < 2 or plain.casefold() in _DULL:
        return False
    if not is_first or plain.casefold() in known or plain != word or after in _AFTER_NAMES:
        return True
    is_verb = after.endswith("s") and not after.endswith("ss") and after not in _DULL
    is_person = is_verb and not plain.endswith(("ing", "s"))
    return is_person or (after[:1].isupper() and after.casefold() not in _DULL)


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(_NO_PLURAL):
        return word
    for ending, rest in _PLURALS:
        if word.endswith(ending):
            return word.removesuffix(ending) + rest
    return word
