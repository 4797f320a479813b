"""Words and sentences: stems, overlap, clipping, and verbs in the form a plan uses."""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!Mr\.)(?<!Mrs\.)(?<!Dr\.)(?<!St\.)\s+(?=[^a-z])|\n+")
_COMMON_WORDS = """
a an the and or but of to in on at for from with by as is are was were be been am it its this that
these those i me my we our you your he him his she her they them their there here not no so if then
than too very just about into up out over after before while who what when where how why which will
would can could should do does did done have has had get going go one some any all more also today
day
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_WEATHER = frozenset(
    {"Rain", "Snow", "Wind", "Fog", "Mist", "Thunder", "Hail", "Frost", "Sunshine"}
)
"""Nouns that begin sentences about the weather; they are not names."""
_IRREGULAR = {"is": "being", "are": "being", "has": "having", "lies": "lying", "dies": "dying"}
_NOT_VERBS = frozenset({"always", "this", "his", "its", "others", "sometimes", "perhaps", "plus"})


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the common part of a word's forms: `bakes`, `baking` and `baked` are one."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + rest
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(stem(word) for word in _WORD.findall(text) if word.lower() not in _COMMON)


@lru_cache(maxsize=4096)
def all_stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words, in order."""
    return tuple(stem(word) for word in _WORD.findall(text))


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without blanks around them."""
    return tuple(part.strip() for part in _SENTENCE.split(text) if part.strip())


def clip(text: str, length: int) -> str:
    """Return the text cut at a word's end, so that it has at most `length` characters."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:-") + "…"


def lower_first(text: str) -> str:
    """Return the text with a lower-case first letter, unless it starts with a name or `I`."""
    first = text.split(" ", 1)[0]
    is_plain = first.lower() in _COMMON or first in _WEATHER
    if is_plain and first != "I" and not first.startswith("I'"):
        return text[:1].lower() + text[1:]
    return text


def upper_first(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def full_stop(text: str) -> str:
    """Return the text with a full stop at its end."""
    text = text.rstrip(" ,;:")
    return text if text.endswith((".", "!", "?", "…")) else text + "."


@lru_cache(maxsize=1024)
def base_verb(word: str) -> str:
    """Return the base form of a verb in the third person: `teaches` is `teach`."""
    low = word.lower()
    if low in {"is", "are"}:
        return "be"
    if low in {"has", "does", "goes"}:
        return {"has": "have", "does": "do", "goes": "go"}[low]
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith("ss") else low


@lru_cache(maxsize=1024)
def third_person(verb: str) -> str:
    """Return the third person of a verb's base form: `teach` is `teaches`."""
    low = verb.lower()
    if low in {"am", "be", "have", "do", "go"}:
        return {"am": "is", "be": "is", "have": "has", "do": "does", "go": "goes"}[low]
    if low.endswith(("ch", "sh", "ss", "x", "zz")):
        return low + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return low[:-1] + "ies"
    return low + "s"


@lru_cache(maxsize=1024)
def gerund(word: str) -> str:
    """Return the -ing form of a verb given in any form: `runs` becomes `running`."""
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if re.fullmatch(r"[^aeiouy]+ing", low):
        return low + "ing"
    if low.endswith("ing") and len(low) > 4:
        return low
    verb = base_verb(low)
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and verb != "be":
        return verb[:-1] + "ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", verb):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def is_verb(word: str) -> bool:
    """Return True when a word looks like a verb in the third person or in the -ing form."""
    low = word.lower()
    if low in _NOT_VERBS or not low.isalpha() or not word.islower():
        return False
    return low.endswith("ing") or (low.endswith("s") and not low.endswith(("ss", "us")))


_ORDER_WORDS = """
Ask Avoid Become Bring Buy Call Come Find Follow Forgive Get Give Go Help Invite Join Keep Learn
Leave Look Make Marry Meet Paint Pay Remind Run Save Sell Send Show Speak Start Stop Surprise
Take Talk Teach Tell Thank Trust Try Visit Warn Watch Write
"""
_ORDERS = frozenset(_ORDER_WORDS.split())
"""Verbs that begin an order even before a name, as in `Invite Lucia`."""
_AFTER_NOUNS = frozenset({"is", "are", "was", "were", "has", "have", "will", "of"})
_START_WORDS = "the a an it there this that my our he she they in on at we someone"
_STARTS = frozenset(_START_WORDS.split())


_NAMES = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_BEFORE_PLACES = re.compile(r"\b(?:at|in|on|the) $")


def find_names(text: str) -> list[re.Match[str]]:
    """Return the positions of names in a text, except places after `at`, `in`, `on` or `the`."""
    return [
        name
        for name in _NAMES.finditer(text)
        if not _BEFORE_PLACES.search(text, 0, name.start())
        and not text.startswith((" is closed", " is open"), name.end())
    ]


def is_order_verb(word: str) -> bool:
    """Return True for a capitalised verb that begins an order and is no part of a name."""
    return word in _ORDERS


def is_certain_order(sentence: str) -> bool:
    """Return True when a sentence begins with an imperative verb that cannot be a noun there."""
    first, _, rest = sentence.partition(" ")
    return is_order_verb(first) and bool(rest) and rest.split()[0] not in _AFTER_NOUNS


def is_order(sentence: str) -> bool:
    """Return True when a sentence seems to begin with a verb in the imperative."""
    words = sentence.split()
    if len(words) < 2 or is_order_verb(words[0]):
        return is_certain_order(sentence)
    if words[1][:1].isupper():
        return False
    return not (any(is_verb(word) for word in words[1:3]) or words[0].lower() in _STARTS)
