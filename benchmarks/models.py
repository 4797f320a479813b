"""Runs days with a stand-in that makes small models' mistakes, and judges what each led to.

    python benchmarks/models.py [--cast N] [--hours N] [--seeds N] [--mistakes RATE]

A mistake is mended in code, recovered by a repair, given up, or accepted although it was not meant.
The stand-in knows what it meant to say, so a wrong mend is detected. Nothing constrains the
replies, and mistakes are sticky: the same mistake returns until a message names what is wrong. The
same days with blind retries (the same question with another seed) show what repairs are worth.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

import benchmarks.here  # noqa: F401 - the rooms are found by their names
from benchmarks.table import Cell, machine, print_figures, print_table
from benchmarks.verdicts import Verdict, judge
from graphs.catalogue import STEPS
from graphs.loop.rules import History, Rules
from history.reader import RunReader
from history.thoughts import StepView
from models.chat import Chat
from models.standin.model import StandIn
from models.standin.settings import MISTAKES
from world.run_request import RunRequest, create_run
from world.simulation import open_simulation

HOUR = 3600
MENDABLE = frozenset(
    {"fences", "chatter", "single_quotes", "trailing_comma", "think", "wrapper", "python"}
)
"""Mistakes of form: the answer is complete, and its meaning is not in doubt."""

Meant = dict[tuple[str, int], Mapping[str, Any]]
"""What the stand-in meant and which mistake it made, by step and seed of the call."""


class Telling(StandIn):
    """A stand-in that stores for every call what it meant."""

    meant: Meant = Field(default_factory=dict)

    def _reply(self, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> AIMessage:
        """Return the reply, and store what the stand-in meant."""
        message = super()._reply(messages, kwargs)
        self.meant[str(kwargs["step"]), int(kwargs["seed"])] = message.response_metadata
        return message


def lived(cast: int, hours: int, seed: int, rate: float, history: History) -> list[Verdict]:
    """Run a day and return a verdict on every step."""
    rates = {kind: rate / len(MISTAKES) for kind in MISTAKES}
    model = Telling(seed=seed, rates=rates, sticky=True)
    name = f"standin:mistakes={rate}"
    chat = Chat(spec=name, name="stand-in", model=model, slots=16, wants_inputs=True)
    with TemporaryDirectory() as runs:
        asked = RunRequest(cast=cast, seed=seed, rules=Rules(history=history))
        folder = create_run(Path(runs), "mistakes", asked, (chat, chat))
        with open_simulation(folder, (chat, chat)) as simulation:
            asyncio.run(simulation.run(hours * HOUR))
        with RunReader(folder) as reader:
            failed = [row.failed for row in reader.thoughts() if row.failed]
            if failed or reader.faults():
                raise SystemExit(f"the run is not whole: {failed + reader.faults()}")
            return [judge(view, model.meant, STEPS_BY_NAME) for view in _views(reader)]


STEPS_BY_NAME = {step.name: step for step in STEPS}


def _views(reader: RunReader) -> Iterator[StepView]:
    """Yield every step of a run, with its calls."""
    for row in reader.thoughts():
        thought = reader.thought(row.agent, row.tick)
        yield from thought.steps if thought else ()
    for talk in reader.talks():
        view = reader.talk(talk.id)
        yield from view.steps if view else ()


def figures_of(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Return the shares for which there are aims."""
    faulty = [each for each in verdicts if each.mistake]
    form = [each for each in faulty if each.mistake in MENDABLE]
    rest = [each for each in faulty if not each.is_at_once]
    return {
        "steps": len(verdicts),
        "calls": sum(each.attempts for each in verdicts),
        "faulty_first_answers": len(faulty),
        "of_form": len(form),
        "of_form_mended_without_a_call": _share([each.is_at_once for each in form]),
        "wrong_mends": sum(each.is_wrong for each in faulty if each.is_at_once),
        "minutes_shared_anew": sum(each.is_shared_anew for each in faulty if each.is_at_once),
        "rest_recovered_by_repair": _share([not each.is_fallback for each in rest]),
        "repaired_into_another_value": sum(each.is_wrong for each in rest if not each.is_fallback),
        "faulty_without_fallback": _share([not each.is_fallback for each in faulty]),
        "fallbacks": sum(each.is_fallback for each in verdicts),
        "fallbacks_without_a_mistake": sum(
            each.is_fallback for each in verdicts if not each.mistake
        ),
    }


AIMS: dict[str, Cell] = {
    "of_form_mended_without_a_call": 0.95,
    "wrong_mends": 0,
    "faulty_without_fallback": 0.97,
}


def _share(hits: Sequence[bool]) -> float:
    """Return the share of true values; 1 if there are none."""
    return sum(hits) / len(hits) if hits else 1.0


def _by_kind(verdicts: Sequence[Verdict]) -> list[tuple[Cell, ...]]:
    """Return a row for each kind of mistake: how often it was made, and with which results."""
    rows: list[tuple[Cell, ...]] = []
    for kind in MISTAKES:
        mine = [each for each in verdicts if each.mistake == kind]
        ends = Counter(
            "at once" if each.is_at_once else "fallback" if each.is_fallback else "repaired"
            for each in mine
        )
        wrong = sum(each.is_wrong for each in mine if each.is_at_once)
        rows.append((kind, len(mine), ends["at once"], ends["repaired"], ends["fallback"], wrong))
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=3)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument(
        "--seeds", type=int, default=5, help="number of days, with the seeds 0, 1, ..."
    )
    parser.add_argument("--mistakes", type=float, default=0.3)
    asked = parser.parse_args(arguments)
    ways: dict[str, History] = {"repairs": "last", "blind retries": "none"}
    verdicts = {
        way: [
            verdict
            for seed in range(asked.seeds)
            for verdict in lived(asked.cast, asked.hours, seed, asked.mistakes, history)
        ]
        for way, history in ways.items()
    }
    figures = {way: figures_of(each) for way, each in verdicts.items()}
    print_table(
        f"{asked.seeds} days of {asked.cast} agents, {asked.mistakes:.0%} mistakes ({machine()})",
        ("", *figures, "aim"),
        [
            (name.replace("_", " "), *(each[name] for each in figures.values()), AIMS.get(name))
            for name in figures["repairs"]
        ],
    )
    print_table(
        "With repairs, by kind of mistake",
        ("mistake", "made", "at once", "repaired", "fallback", "wrong"),
        _by_kind(verdicts["repairs"]),
    )
    wrong = [each for each in verdicts["repairs"] if each.is_wrong]
    for each in wrong[:20]:
        print(f"\n{each.step}, {each.mistake}: {each.told}")
    print_figures(figures)


if __name__ == "__main__":
    main()
