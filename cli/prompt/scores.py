"""Scores of one's own in `prompt eval`: Python functions, and sentences told by a reader model."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.cli.prompt.again import ask_model, means
from smolville.cli.screen import say

if TYPE_CHECKING:
    from smolville.lab.evaluation.asking import ReadyMoment
    from smolville.lab.evaluation.results import Result
    from smolville.lab.evaluation.scores import Score, Scorer
    from smolville.lab.moments.moment import Moment

Scores = Annotated[
    list[str] | None,
    typer.Option(
        "--score",
        metavar="FILE.py:NAME|SENTENCE",
        help="Score answers by a function, or by a sentence for --reader; may be repeated.",
    ),
]
Reader = Annotated[
    str | None, typer.Option("--reader", metavar="SPEC", help="Model that reads for --score.")
]


class Scoring:
    """The scorers of an evaluation.

    Functions are tried on the answers that there are, before any model is asked.
    """

    def __init__(
        self,
        context: typer.Context,
        texts: Sequence[str],
        reader: str | None,
        moments: "Sequence[Moment]",
    ) -> None:
        from smolville.lab.evaluation.asking import ready
        from smolville.lab.evaluation.scores import FUNCTION, controls_of, load_scorer
        from smolville.lab.evaluation.summary import COMPARED

        self._context, self._reader = context, reader
        self._functions: dict[str, Scorer] = {}
        self._sentences = [text for text in dict.fromkeys(texts) if not FUNCTION.fullmatch(text)]
        if self._sentences and not reader:
            raise SettingError(
                f"--score {self._sentences[0]!r} is a sentence: name the model that reads, with "
                "--reader SPEC. A function is FILE.py:NAME."
            )
        for text in texts:
            if text not in self._sentences:
                name, function = load_scorer(text)
                if name in {*self._functions, *COMPARED}:
                    raise SettingError(f"--score {text!r}: there is a measure {name!r} already.")
                self._functions[name] = function
        self._moments: Mapping[str, ReadyMoment] = (
            {each.id: ready(each) for each in moments} if texts else {}
        )
        self._controls = controls_of(moments) if texts else []
        self._by_function(self._controls)

    def _by_function(self, results: "Sequence[Result]") -> "list[Score]":
        from smolville.lab.evaluation.scores import Score, score_by_function

        return [
            Score(name, score_by_function(name, function, results, self._moments), self._controls)
            for name, function in self._functions.items()
        ]

    def scores(self, results: "Sequence[Result]", runs: Path) -> "list[Score]":
        """Return what each scorer gives the results and the controls."""
        every = [*results, *self._controls]
        by_reader = self._by_reader(every, runs) if self._sentences else []
        return [*self._by_function(every), *by_reader]

    def _by_reader(self, results: "Sequence[Result]", runs: Path) -> "list[Score]":
        """Let the reader read labelled answers, and the results if it can tell those apart."""
        from smolville.lab.evaluation.scores import Score
        from smolville.lab.judging.reading import (
            READINGS,
            ReaderTally,
            item_of,
            labelled_items,
            read_items,
        )
        from smolville.lab.judging.verdicts import verdicts_in

        how = means(self._context, [self._reader or ""])
        labelled = labelled_items()
        items = {
            (sentence, each.key): item_of(
                self._moments[each.moment].use, each.answer, claim=sentence
            )
            for sentence in self._sentences
            for each in results
            if each.is_valid
        }
        with verdicts_in(runs / READINGS) as verdicts:
            for read in (labelled, [*items.values()]):
                (chat,) = how.open_chats(0)
                ask_model(partial(read_items, read, verdicts), len(read), chat, how)
                given = dict(verdicts.of(chat.spec))
                tally = ReaderTally(reader=chat.spec, items=labelled, verdicts=given)
                if read is labelled:
                    say(tally.sentences[0], "dim", on_stderr=True)
                if not tally.is_trusted:
                    say(f"{tally.too_little} There is no score by it.", "yellow", on_stderr=True)
                    return []
        words = {"yes": 1.0, "no": 0.0}
        found: list[Score] = []
        for sentence in self._sentences:
            values = {each.key: 0.0 for each in results if not each.is_valid}
            for (claim, key), item in items.items():
                if claim == sentence and given[item.key].prefers in words:
                    values[key] = words[given[item.key].prefers]
            found.append(Score(sentence, values, self._controls))
        return found
