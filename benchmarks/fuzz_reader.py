"""Reads hostile replies, as many as wanted, and reports what went wrong.

    python benchmarks/fuzz_reader.py [--inputs N] [--seed N]

For every step, every reply must give an answer or problems. It must raise nothing but the one
declared error, and must never be accepted if the server cut it. Answers written in unambiguous ways
must be read as meant. Answers written carelessly must be read as meant or not at all.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from pydantic import ValidationError

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.loop.step import AnyStep
from smolville.parsers.answer import shape_of
from smolville.parsers.problem import KINDS, Unreadable
from smolville.parsers.reader import AnswerParser
from tests.fixtures.respelling import CARELESS, EXACT, SPOKEN, TALK, hostile, settled, values

INPUTS = 100_000
_RAW = ("input should", "validation error", "jsondecode", "extra data", "pydantic", "traceback")


@dataclass
class Fuzz:
    """The results of fuzzing so far."""

    counts: Counter[str] = field(default_factory=Counter)
    """Numbers of replies read, accepted and refused; and of answers in other spellings not read."""
    findings: list[str] = field(default_factory=list)
    """What went wrong, with the reply for each case."""

    def hostile(self, step: AnyStep, text: str, cut: bool) -> None:
        """Read one hostile reply, with and without the step's context."""
        parser = AnswerParser(answer=step.answer)
        inputs = SAMPLES[step.name]
        context = {**step.context(inputs), "choices": step.choices(inputs)}
        try:
            readings = [parser.read(text, context, cut=cut), parser.read(text, cut=cut)]
            parser.parse(text)
        except Unreadable:
            pass
        except Exception as error:  # noqa: BLE001 - any error at all is what is looked for
            self.findings.append(f"{step.name}: {error!r} for {text!r}")
            return
        self.counts["inputs"] += 1
        for reading in readings:
            self.counts["refused" if reading.value is None else "accepted"] += 1
            if (reading.value is None) != bool(reading.problems) or (cut and reading.value):
                self.findings.append(f"{step.name}: neither read nor refused: {text!r}")
            for problem in reading.problems:
                if not _is_plain(problem.message) or problem.kind not in KINDS:
                    self.findings.append(f"{step.name}: {problem!r} for {text!r}")

    def respelt(self, step: AnyStep, drawn: dict[str, Any], *, is_exact: bool) -> None:
        """Read one answer in every way of writing it."""
        try:
            meant = step.answer.model_validate(drawn)
        except ValidationError:
            return
        parser = AnswerParser(answer=step.answer)
        for way, write in (EXACT if is_exact else CARELESS).items():
            value = parser.read(write(meant.model_dump(mode="json"))).value
            self.counts["written otherwise"] += 1
            if value is None:
                self.counts["written otherwise, not read"] += 1
            if value not in (None, meant) or (is_exact and value is None):
                self.findings.append(f"{step.name}, {way}: {meant!r} was read as {value!r}")


def _is_plain(message: str) -> bool:
    """Return whether the message is a sentence without any library's wording."""
    raw = any(word in message.lower() for word in _RAW)
    return message.strip().endswith((".", "…")) and not raw


def _read_hostile(done: Fuzz, step: AnyStep, drawn: tuple[str, bool]) -> None:
    """Read one generated reply, cut or not."""
    done.hostile(step, *drawn)


def _run(
    strategy: st.SearchStrategy[Any], check: Callable[[Any], None], count: int, at: int
) -> None:
    """Check `count` examples of a strategy; none is stored or shrunk."""
    quiet = settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    def checked(drawn: Any) -> None:
        check(drawn)

    seed(at)(quiet(given(strategy)(checked)))()


def fuzz(inputs: int, start: int) -> Fuzz:
    """Read `inputs` hostile replies, spread over the steps."""
    done = Fuzz()
    each = -(-inputs // len(STEPS))
    for at, step in enumerate(STEPS, start * len(STEPS)):
        texts = st.tuples(hostile(step.answer.example().model_dump_json()), st.booleans())
        _run(texts, partial(_read_hostile, done, step), each, at)
        for talk, is_exact in ((TALK, True), (SPOKEN, False)):
            answers = values(shape_of(step.answer), talk).map(settled)
            _run(answers, partial(done.respelt, step, is_exact=is_exact), max(each // 50, 1), at)
    return done


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz the reader and print a table and a line of JSON; return 1 if there are findings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--inputs", type=int, default=INPUTS, help="total number of hostile replies"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the replies")
    asked = parser.parse_args(argv)
    started = time.monotonic()
    done = fuzz(asked.inputs, asked.seed)
    seconds = time.monotonic() - started
    counts = dict(done.counts)
    print_table("Replies read", ("what", "how many"), list(counts.items()))
    for finding in done.findings[:20]:
        print(finding)
    figures = {"seconds": round(seconds, 1), "findings": len(done.findings), "machine": machine()}
    print_figures({**counts, **figures})
    return 1 if done.findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
