"""The counts of one variant: outcomes, agreement, costs, and the wording of its answers."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, NamedTuple

from smolville.graphs.loop.ledger import OUTCOMES
from smolville.graphs.sense.words import words_of
from smolville.lab.evaluation.agreement import Agreement, answer_types, names_among
from smolville.lab.evaluation.results import Result, StoredMoment
from smolville.lab.evaluation.statistics import Interval, clustered_interval
from smolville.parsers.answer import Shape, shape_of

UNASKED = "unasked"
"""Outcome of a moment whose prompt does not fit the model's context."""
ENDS: tuple[str, ...] = (*OUTCOMES, UNASKED)
"""All possible outcomes of a moment; their counts add up to the questions asked."""


@dataclass(frozen=True, kw_only=True)
class Share:
    """A count out of a total, with a confidence interval for the true share."""

    count: int
    of: int
    interval: Interval

    @property
    def share(self) -> float | None:
        """The share, 0 to 1; None when the total is 0."""
        return self.count / self.of if self.of else None

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "count": self.count,
            "of": self.of,
            "share": _round_value(self.share),
            "low": round(self.interval.low, 4),
            "high": round(self.interval.high, 4),
        }


@dataclass(frozen=True, kw_only=True)
class VariantCounts:
    """The counts of one variant.

    Every share is relative to the questions asked. A prompt that does not fit the context counts as
    a question without a valid answer.
    """

    moments: int
    """Number of moments with a result for at least one turn."""
    asked: int
    """Questions asked: moments times turns, minus the missing ones."""
    missing: int
    """Questions without a result because the evaluation was interrupted."""
    ends: Mapping[str, int]
    """Number of questions by outcome, in the order of `ENDS`."""
    objected: Share
    """Answers objected to: odd, or none was accepted. Variants are compared by it first."""
    odd: Share
    """Answers that were accepted although a check objects to something in them."""
    clean: Share
    """First answers that were accepted unchanged."""
    first: Share
    """First answers that were accepted, unchanged or mended in code."""
    valid: Share
    """Answers that were finally accepted, including after repairs."""
    fallback: Share
    prompt_tokens: float | None
    """Mean number per question, over all its calls; None if the server does not count."""
    completion_tokens: float | None
    milliseconds: float | None
    """Median time per question, over all its calls."""
    agreement: float | None
    """Mean share of deciding fields that equal those of the stored answer."""
    similarity: float | None
    """Mean similarity of the free texts to those of the stored answer."""
    compared: int
    """Number of answers for which `agreement` or `similarity` is known."""
    kinds: Mapping[str, int]
    """Problems of first answers by kind, most frequent first."""
    odd_kinds: Mapping[str, int]
    """Oddities of accepted answers by kind, most frequent first."""
    words: float | None
    """Mean number of words in an answer's free texts; None if no answer has any."""
    different: float | None
    """Number of distinct words divided by the number of words."""
    again: Share
    """Answers whose free texts were also given, word for word, to another moment."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "moments": self.moments,
            "asked": self.asked,
            "missing": self.missing,
            "outcomes": dict(self.ends),
            "objected": self.objected.plain(),
            "odd": self.odd.plain(),
            "clean": self.clean.plain(),
            "first": self.first.plain(),
            "valid": self.valid.plain(),
            "fallback": self.fallback.plain(),
            "prompt_tokens": _round_value(self.prompt_tokens, 1),
            "completion_tokens": _round_value(self.completion_tokens, 1),
            "milliseconds": _round_value(self.milliseconds, 1),
            "agreement": _round_value(self.agreement),
            "similarity": _round_value(self.similarity),
            "compared": self.compared,
            "problems": dict(self.kinds),
            "odd_kinds": dict(self.odd_kinds),
            "words": _round_value(self.words, 1),
            "different_words": _round_value(self.different),
            "said_again": self.again.plain(),
        }


Said = tuple[str, ...]
"""The free texts of one answer."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Wording figures of a set of answers: how many words, how varied, how often repeated.

    They do not measure correctness, but reveal what a model does when it has nothing to say: it
    gives the shortest possible answer, or the same line to everybody.
    """

    words: float | None
    """Mean number of words in an answer's free texts; None if no answer has any."""
    different: float | None
    """Number of distinct words divided by the number of words; it falls as texts get longer."""
    again: frozenset[Said]
    """Texts given word for word to more than one moment, ignoring punctuation and case."""


class ComparedResult(NamedTuple):
    """A result with its agreement with the stored answer, and its free texts."""

    result: Result
    agreed: Agreement | None
    said: Said


def line_of(compared: Sequence[ComparedResult], expected: int) -> VariantCounts:
    """Return the counts of a variant's results; `expected` is the number of results expected."""
    results = [each.result for each in compared]
    by_moment = _by_moment(results)
    ends = Counter(result.outcome or UNASKED for result in results)
    alike = [each.agreed for each in compared if each.agreed is not None]
    wording = wording_of((each.result, each.said) for each in compared)
    again = {_key(each.result) for each in compared if each.said in wording.again}
    asked = [result for result in results if result.outcome is not None]
    return VariantCounts(
        moments=len(by_moment),
        asked=len(results),
        missing=expected - len(results),
        ends={end: ends[end] for end in ENDS},
        objected=_share(by_moment, lambda result: result.is_objected_to),
        odd=_share(by_moment, lambda result: result.is_valid and result.is_objected_to),
        clean=_share(by_moment, lambda result: result.outcome == "clean"),
        first=_share(by_moment, lambda result: result.is_first_valid),
        valid=_share(by_moment, lambda result: result.is_valid),
        fallback=_share(by_moment, lambda result: result.outcome == "fallback"),
        prompt_tokens=mean_known(result.prompt_tokens for result in asked),
        completion_tokens=mean_known(result.completion_tokens for result in asked),
        milliseconds=median(result.milliseconds for result in asked) if asked else None,
        agreement=mean_known(each.deciding for each in alike),
        similarity=mean_known(each.text for each in alike),
        compared=sum(each.deciding is not None or each.text is not None for each in alike),
        kinds=_count_kinds(kind for result in results for kind in result.kinds),
        odd_kinds=_count_kinds(kind for result in results for kind in result.odd_kinds),
        words=wording.words,
        different=wording.different,
        again=_share(by_moment, lambda result: _key(result) in again),
    )


def _key(result: Result) -> tuple[str, int]:
    """Return the key of a result among those of its variant."""
    return result.moment, result.turn


def _count_kinds(kinds: Iterable[str]) -> dict[str, int]:
    """Return the number of occurrences of each kind, most frequent first."""
    return dict(sorted(Counter(kinds).items(), key=lambda item: (-item[1], item[0])))


def _by_moment(results: Iterable[Result]) -> list[list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.moment, []).append(result)
    return list(found.values())


def _share(moments: Sequence[Sequence[Result]], is_counted: Callable[[Result], bool]) -> Share:
    """Return the share of results for which `is_counted` is true.

    Its interval allows for the fact that the turns of a moment mostly end alike.
    """
    good = [sum(map(is_counted, turns)) for turns in moments]
    asked = [len(turns) for turns in moments]
    return Share(count=sum(good), of=sum(asked), interval=clustered_interval(good, asked))


def mean_known(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values, or None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _round_value(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


def collect_free_texts(stored: StoredMoment, result: Result) -> Said:
    """Return the free texts of a model's answer, without its choices, times, and offered names."""
    answer = answer_types().get(stored.step)
    if answer is None or not result.is_valid:
        return ()
    offered = frozenset(names_among(stored.inputs))
    return tuple(
        text for text in _texts(shape_of(answer), result.answer) if text.casefold() not in offered
    )


def wording_of(answers: Iterable[tuple[Result, Said]]) -> Wording:
    """Return the wording figures of answers; answers without free texts are left out."""
    moments: dict[Said, set[str]] = defaultdict(set)
    wordings: set[Said] = set()
    words: list[Sequence[str]] = []
    for result, texts in answers:
        if texts:
            wordings.add(texts)
            moments[_in_words(texts)].add(result.moment)
            words.append([word for text in texts for word in words_of(text)])
    count = sum(map(len, words))
    different = len({word for each in words for word in each})
    return Wording(
        words=count / len(words) if words else None,
        different=different / count if count else None,
        again=frozenset(texts for texts in wordings if len(moments[_in_words(texts)]) > 1),
    )


def _in_words(texts: Said) -> Said:
    """Return texts reduced to their words; a text without words stays as it is."""
    return tuple(" ".join(words_of(text)) or text for text in texts)


def _texts(shape: Shape, value: Any) -> Iterator[str]:
    """Yield the free texts in a value of an answer, also those in its fields and list items."""
    if shape.kind == "object" and isinstance(value, dict):
        for name, inner in shape.fields.items():
            yield from _texts(inner, value.get(name))
    elif shape.kind == "list" and shape.item is not None and isinstance(value, list | tuple):
        for item in value:
            yield from _texts(shape.item, item)
    elif shape.kind == "text" and isinstance(value, str) and value:
        yield value
