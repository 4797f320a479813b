"""Turn an inner voice's words to "you" into a thought of "I" by rule, if the rule is certain.

A whisper consists of English statements to "you", or about its listener by name. Only pronouns and
their verbs are changed, so every name, number, day and time is kept. If the grammar is ambiguous (a
question, an order, a quotation, or a "you" that may be subject or object), the rule gives no
result, and a model is asked.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NAMED = re.compile(r"[A-Z][\w'-]*(?: (?:and )?[A-Z][\w'-]*)* ([a-z]+)\b")
"""One or several names, and the word after them."""
_SENTENCES = re.compile(r"(?<=[.!])\s+(?=[^a-z\W])|(?<=;)\s+")
_DOUBTFUL = re.compile(
    r"[?\"“”«»*\[\]{}<>]|:(?!\d)|\b(?:thank you|please|yourselves|next time)\b"
    r"|\byou (?:(?:are|were|have|had|will) )?(?:both|all)\b"
    r"|[,–—-] (?:then )?(?:tell|ask|go|invite|visit|help|find|make|call|buy|write|talk|run|give)\b"
    r"|\bso (?:tell|ask|go|be|do|make|get|take|come|let|find|give|try|stop|keep)\b",
    re.IGNORECASE,
)
"""Signs that no rule is certain: questions, quotations, orders, or more than one listener."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_YOU = _set("you your yours yourself you're you've you'll you'd")
_MINE = {"your": "my", "yours": "mine", "yourself": "myself"}
_SHORT = {"you're": "I'm", "you've": "I've", "you'll": "I'll", "you'd": "I'd"}
_FIRST = _set("i me my mine myself i'm i've i'll i'd we us our ours ourselves we're we've we'll")
_PLURAL = _set("they we there are were")
"""If one of these words is between "you" and "are", these two may not belong together."""
_OTHERS = _set("he she him her his hers himself herself they them their theirs")
_AM = {"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't"}
_AUXILIARIES = _set(
    "are were is was am have has had do does did will would can could should must may might shall"
    " aren't weren't haven't hadn't don't didn't won't wouldn't can't couldn't shouldn't"
)
_PREPOSITIONS = _set(
    "to with for at of about from by on upon near without against between among around behind"
    " beside towards toward over under into onto through in"
)
_CONJUNCTIONS = _set(
    "that because if when while before after since until unless though although where why how what"
    " who whom which whether once as so but and or think thinks thought hope hopes hoped say says"
    " said suspect suspects wish wishes wished sure glad afraid sorry then now today tomorrow"
    " tonight yesterday sometimes maybe perhaps soon monday tuesday wednesday thursday friday"
    " saturday sunday"
)
"""Words after which a "you" is a subject if a verb follows it."""
_NOUNS = _set(
    "people everyone everybody anyone someone somebody nobody everything anything something nothing"
    " person woman much many thing things day way"
)
"""Words that cannot be verbs. After them, too, a "you" is a subject if a verb follows it."""
_CLAUSES = _set("that which who whom whose where when while because if although though")
_JOINING = _set("and but or yet")
_ADVERBS = _set("also always still really never often secretly even just only once now yourself")
_GIVING = _set(
    "told tell tells asked ask asks gave give gives sent send sends brought bring brings showed"
    " show shows owes owe owed lent lends taught teach teaches sold sells offered offers promised"
    " promises invited invites wants needs expects trusts meet meets met visit visits visited"
    " helped helps called reminds reminded left paid pays made makes find finds found buy buys"
    " bought get gets got"
)
"""Verbs after which "you" is an object."""
_AFTER_OBJECT = _set(
    "a an the this that these those some his her its their my your and or when where how why what"
    " if whether well again now today yesterday tomorrow tonight always often very more so every"
    " much back out up home here there everything something nothing anything"
)
_TOGETHER = _set("two three guys people lot folks others")
_ADVERBIAL = _set("now today always often again")
"""Adverbs that may stand between "you" and its verb."""
_STATEMENTS = _set(
    "the a an it there this that he she they his her its their everyone everybody someone somebody"
    " nobody people many most some my i"
)
"""First words of a sentence that show that it is not an order."""
_OPENERS = _set("today tomorrow tonight yesterday now soon sometimes on in at since for every by")
_FINITE = _set(
    "is was are were has have had will would can could should must may might does did wants thinks"
    " knows likes loves says said told asked gave invited promised believes hopes needs"
    " trusts fears hates misses owes teaches gives brings comes goes keeps remembers helps visits"
)
_THIRD = {
    "is": "am", "was": "was", "has": "have", "does": "do", "goes": "go", "had": "had",
    **{word: word for word in ("will", "would", "can", "could", "must", "should", "may", "might")},
    **{f"{word}s": word for word in (
        "want", "think", "like", "love", "know", "need", "plan", "believe", "hope", "fear", "trust",
        "remember", "feel", "owe", "work", "live", "say", "hate", "dream", "intend",
    )},
    "worries": "worry", "misses": "miss", "wishes": "wish",
}  # fmt: skip
"""First-person forms of verbs, by their third-person forms."""


class _Word(NamedTuple):
    """A word of a sentence with its neighbours."""

    text: str
    """The word in lower case, with plain apostrophes."""
    before: str
    """The word before; empty at the beginning of the sentence or after a comma."""
    behind: str
    """The word after; empty at the end of the sentence or before a punctuation mark."""
    is_first: bool


def in_first_person(whisper: str, name: str) -> str | None:
    """Return a whisper as a thought of its listener `name`, or None if no rule is certain."""
    text = " ".join(whisper.split()).replace("’", "'")
    words = [word.casefold() for word in WORD.findall(text)]
    first = name.split()[0].casefold()
    if not words or _DOUBTFUL.search(text):
        return None
    own = first in words or f"{first}'s" in words
    to_me, mine = bool(_YOU & {*words}), bool(_FIRST & {*words})
    if to_me + mine + own != 1:
        return None
    parts = _SENTENCES.split(text)
    if own:
        found = [_by_name(part, name) for part in parts]
    elif mine:
        found = [part if part.startswith(("I ", "My ", "I'")) else None for part in parts]
    else:
        found = [_by_you(part) for part in parts]
    done = [part[:1].upper() + part[1:] for part in found if part is not None]
    if len(done) < len(parts):
        return None
    thought = " ".join(done).rstrip(" ;,")
    return thought if thought.endswith((".", "!")) else f"{thought}."


def _by_you(sentence: str) -> str | None:
    """Return a sentence addressed to "you" as one about "I"; None if it is ambiguous."""
    pair = re.match(
        r"You and ((?:your [a-z]+ ?)?(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)?)(?= [a-z])", sentence
    )
    if pair and pair[1].strip():
        rest = sentence[pair.end() :]
        if _YOU & {word.casefold() for word in WORD.findall(rest)}:
            return None
        return f"{re.sub('^your', 'my', pair[1].strip())} and I{rest}"
    words = _words_of(sentence)
    if not _is_statement(sentence, words):
        return None
    said: list[str | None] = []
    for at, word in enumerate(words):
        said.append(_word_in_first_person(word, words[:at], said))
    return None if None in said else _replace_words(sentence, [each or "" for each in said])


def _words_of(sentence: str) -> list[_Word]:
    """Return a sentence's words with their neighbours."""
    found = list(WORD.finditer(sentence))
    words = []
    for at, match in enumerate(found):
        last, following = found[at - 1] if at else None, found[at + 1 : at + 2]
        gap = sentence[last.end() : match.start()] if last else ""
        end = sentence[match.end() : following[0].start()] if following else "."
        words.append(
            _Word(
                match.group().casefold(),
                last.group().casefold() if last and not gap.strip() else "",
                following[0].group().casefold() if following and not end.strip() else "",
                at == 0,
            )
        )
    return words


def _is_statement(sentence: str, words: Sequence[_Word]) -> bool:
    """Return True when a sentence is certainly a statement and not an order."""
    if not words:
        return False
    start, named = words[0].text, _NAMED.match(sentence)
    if start in _YOU or start in _STATEMENTS or (named and named[1] in _FINITE):
        return True
    names = [at for at, word in enumerate(words[:5]) if word.text in ("you", *_SHORT)]
    return start in _OPENERS and bool(names) and names[0] <= 3


def _word_in_first_person(
    word: _Word, past: Sequence[_Word], said: Sequence[str | None]
) -> str | None:
    """Return the first-person form of a word; None if it is ambiguous."""
    if word.text in _MINE:
        return _MINE[word.text]
    if word.text in _SHORT:
        return _SHORT[word.text]
    if word.text == "you":
        return _subject_or_object(word)
    if word.text in _AM:
        return _conjugate_be(word, past, said)
    return ""


def _subject_or_object(word: _Word) -> str | None:
    """Return `I` or `me` for a "you"; None if it may be subject or object."""
    before, behind = word.before, word.behind
    is_end = not behind
    if behind in _TOGETHER or before in ("let", *_AUXILIARIES):
        return None
    if before in _PREPOSITIONS:
        return None if before == "for" and behind in _AUXILIARIES else "me"
    if is_end and before in ("like", "than", "before", "after"):
        return "me"
    if not before or before in _CONJUNCTIONS | _NOUNS:
        others = _PREPOSITIONS | _JOINING | _CLAUSES | (_AFTER_OBJECT - _ADVERBIAL)
        is_odd = before in ("and", "or", "but") and behind.endswith("s") and behind not in others
        doubtful = is_end or behind in others or (is_odd and behind not in _AUXILIARIES)
        return None if doubtful else "I"
    if before in ("like", "than"):
        return None
    if is_end or behind in _PREPOSITIONS:
        return "me"
    return "me" if before in _GIVING and behind in _AFTER_OBJECT else None


def _conjugate_be(word: _Word, past: Sequence[_Word], said: Sequence[str | None]) -> str | None:
    """Return `am` or `was` for a verb whose subject is "I"; the verb unchanged otherwise."""
    subject = next((at for at in range(len(said) - 1, -1, -1) if said[at] == "I"), None)
    if subject is None:
        return ""
    since = [each.text for each in past[subject + 1 :]]
    if not since or (len(since) == 1 and since[0] in _ADVERBS):
        wished = word.text == "were" and past[subject].before in ("if", "though", "wish")
        return "" if wished else _AM[word.text]
    if word.before in _JOINING:
        rest = since[1:] if since[0] in _AM else since
        return None if (_CLAUSES | _PLURAL) & {*rest} else _AM[word.text]
    return ""


def _replace_words(sentence: str, said: Sequence[str]) -> str:
    """Return a sentence with its words replaced, in order, by those in `said`; "" keeps a word."""
    ways = iter(said)

    def other(match: "re.Match[str]") -> str:
        way = next(ways)
        return way if way else match.group()

    return WORD.sub(other, sentence)


def _by_name(sentence: str, name: str) -> str | None:
    """Return a sentence that names its listener as one about "I"; None if it is ambiguous."""
    names = rf"(?:{re.escape(name)}|{re.escape(name.split()[0])})"
    words = [word.casefold() for word in WORD.findall(sentence)]
    if _OTHERS & {*words} or len(re.findall(rf"\b{names}\b", sentence)) > 1:
        return None
    if found := re.match(rf"{names}'s (?=[a-z])", sentence):
        return f"My {sentence[found.end() :]}"
    found = re.match(rf"{names} ([a-z]+)\b", sentence)
    joined = re.search(r"\b(?:and|but|or) (?:[a-z]+s|are|were|is|was)\b", sentence)
    if found is None or joined:
        return None
    verb = _THIRD.get(found[1], found[1] if found[1].endswith("ed") else None)
    return None if verb is None else f"I {verb}{sentence[found.end() :]}"
