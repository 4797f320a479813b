"""Scores of one's own: what a scorer gives answers, beside those of the run and those of dice."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError, SettingError
from smolville.lab.evaluation.asking import ReadyMoment, ready, recorded_result
from smolville.lab.evaluation.dice import fill
from smolville.lab.evaluation.results import Result
from smolville.lab.moments.moment import Moment

Plain = Mapping[str, Any]
Scorer = Callable[[Plain, Plain], float]
"""Takes an answer and the inputs of its step as plain data; True, False, or a number 0 to 1."""
STORED, DICE = -1, -2
"""Variants of the answers that moments have from their runs, and of those by dice."""
CONTROLS = {STORED: "as it was", DICE: "dice"}
FUNCTION = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)")
"""How a function is named; anything else is a sentence."""


@dataclass(frozen=True)
class Score:
    """What a scorer gives the answers of an evaluation."""

    name: str
    values: Mapping[tuple[str, int, int], float]
    """By moment, variant and turn; a question without an accepted answer has 0."""
    controls: Sequence[Result]
    """The answers of `CONTROLS`."""

    def scored(self, results: Iterable[Result]) -> list[Result]:
        """Return the results that were scored: a reader may have no verdict on some."""
        return [each for each in results if each.key in self.values]

    def value(self, result: Result) -> float:
        """Return what a result was given."""
        return self.values[result.key]


def load_scorer(text: str) -> tuple[str, Scorer]:
    """Return the name of a scorer, `FILE.py:NAME`, and its function.

    Raises SettingError with the reason.
    """
    found = FUNCTION.fullmatch(text)
    path = Path(found["file"]) if found else None
    if found is None or path is None or not path.is_file():
        raise SettingError(f"--score {text!r}: there is no such file of Python.")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise SettingError(f"--score {text!r} cannot be loaded: {_told(error)}.") from error
    function = getattr(module, found["name"], None)
    if not callable(function):
        raise SettingError(f"--score {text!r}: the file has no function {found['name']!r}.")
    return found["name"], function


def controls_of(moments: Sequence[Moment]) -> list[Result]:
    """Return the answers that moments have from their runs, and answers by dice to the same."""
    return [result for each in moments for result in (_stored(each), _by_dice(ready(each)))]


def _stored(moment: Moment) -> Result:
    return replace(recorded_result(moment), variant=STORED)


def _by_dice(asked: ReadyMoment) -> Result:
    step, inputs = asked.use.step, asked.use.inputs
    shown = " ".join(str(each.text) for each in step.prompt.render(inputs))
    answer = fill(step.answer.call_schema(step.choices(inputs)), shown, asked.id)
    return Result(moment=asked.id, variant=DICE, turn=0, outcome="clean", answer=answer)


def score_by_function(
    name: str, function: Scorer, results: Iterable[Result], moments: Mapping[str, ReadyMoment]
) -> dict[tuple[str, int, int], float]:
    """Return what a function gives each result.

    Raises RunError, with the moment, when it raises or returns something else.
    """
    values = {}
    for each in results:
        inputs = moments[each.moment].use.inputs.model_dump(mode="json")
        try:
            given = function(dict(each.answer), inputs) if each.is_valid else 0.0
        except Exception as error:
            raise RunError(
                f"The score {name!r} failed at the moment {each.moment} "
                f"({moments[each.moment].step}): {_told(error)}."
            ) from error
        if not isinstance(given, bool | int | float) or not 0 <= given <= 1:
            raise RunError(
                f"The score {name!r} of the moment {each.moment} is {given!r}; return True, False "
                "or a number from 0 to 1."
            )
        values[each.key] = float(given)
    return values


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(".")
