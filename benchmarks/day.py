"""Runs days with the stand-in, and prints what they cost.

    python -m benchmarks.day [--cast N] [--days N] [--seed N]

Without `--cast`, there are first 3 and then 25 agents. Every cast runs in a separate process, so
that the figures include its own memory, start and imports, and nothing else.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from benchmarks.table import machine, print_figures, print_table
from smolville.history.counts import Counts, summed_by
from smolville.history.reader import RunReader
from smolville.models.open import open_chat
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation

CASTS = (3, 25)

FORERUNNERS: dict[str, dict[str, tuple[float | None, float | None, float | None]]] = {
    "3": {
        "calls_per_agent_day": (1266, 1120, 150),
        "prompt_tokens_per_agent_day": (379_000, 289_000, 75_000),
        "completion_tokens_per_agent_day": (15_700, 16_100, None),
        "actions_per_agent_day": (83, None, 60),
        "reflections_per_agent_day": (6.7, None, 4),
        "talks_per_agent_day": (None, None, 3),
        "talk_lines_per_talk": (None, None, 6),
        "cpu_s_per_agent_day": (8.0, 5.9, None),
    },
    "25": {
        "calls_per_agent_day": (2458, 1822, 250),
        "prompt_tokens_per_agent_day": (969_000, 547_000, 125_000),
        "completion_tokens_per_agent_day": (37_600, 31_700, None),
        "actions_per_agent_day": (None, None, 60),
        "reflections_per_agent_day": (None, None, 4),
        "talks_per_agent_day": (19, None, 3),
        "talk_lines_per_talk": (None, None, 6),
        "cpu_s_per_agent_day": (43.0, 12.8, None),
        "wall_s": (None, None, 120),
        "peak_mb": (None, None, 700),
    },
}
"""Figures to compare with, by cast and name.

In order: the original; Affordable Generative Agents (both features on, cold); and our aim. The
first two were measured on their first day against a mock server. None: not measured, or no aim.
"""


HISTORY = "heed_inner_voice"
"""The step that takes in the persona's history as whispers, which happens only on the first day."""


class Totals(TypedDict):
    """All figures that are printed about one cast."""

    figures: dict[str, float]
    steps: dict[str, tuple[float, float, float, float]]
    """For each step: calls, prompt tokens, completion tokens and steps not clean, per agent-day."""


def totals_of(reader: RunReader, days: int) -> Totals:
    """Return a run's totals; those whose name says so are per agent-day."""
    counts = reader.counts()
    steps = summed_by(counts, lambda key: key[1])
    agent_days = len(reader.agents()) * days
    return {
        "figures": _figures(reader, Counts.summed(counts.values()), steps, agent_days),
        "steps": {
            step: (
                part.calls / agent_days,
                part.prompt_tokens / agent_days,
                part.completion_tokens / agent_days,
                (part.steps - part.outcomes.get("clean", 0)) / agent_days,
            )
            for step, part in sorted(steps.items(), key=lambda each: -each[1].calls)
        },
    }


def _figures(
    reader: RunReader, whole: Counts, steps: dict[str, Counts], agent_days: int
) -> dict[str, float]:
    """Return the figures of the JSON line, except time and memory."""
    talks = reader.talks()
    lines = sum(len(talk.lines) for talk in talks)
    actions = sum(
        deed.outcome == "accepted" and deed.action.kind != "talk" for deed in reader.deeds()
    )
    taken_part = sum(len(talk.participants) for talk in talks)
    whispered = steps.get(HISTORY, Counts())
    reflected = steps.get("reflect_insights", Counts())
    return {
        "calls_per_agent_day": whole.calls / agent_days,
        "prompt_tokens_per_agent_day": whole.prompt_tokens / agent_days,
        "completion_tokens_per_agent_day": whole.completion_tokens / agent_days,
        "history_calls_per_agent_day": whispered.calls / agent_days,
        "history_prompt_tokens_per_agent_day": whispered.prompt_tokens / agent_days,
        "actions_per_agent_day": actions / agent_days,
        "talks_per_agent_day": taken_part / agent_days,
        "talk_lines_per_talk": lines / len(talks) if talks else 0.0,
        "reflections_per_agent_day": reflected.steps / agent_days,
    }


def live(cast: int, days: int, seed: int) -> Totals:
    """Run days in this process, in a temporary folder, and return their totals."""
    with TemporaryDirectory() as runs:
        chat, _ = open_chat("standin", seed=seed)
        asked = RunRequest(cast=cast, seed=seed)
        folder = create_run(Path(runs), "day", asked, (chat, chat))
        with open_simulation(folder, (chat, chat)) as simulation:
            asyncio.run(simulation.run(days * 86_400))
        with RunReader(folder) as reader:
            return totals_of(reader, days)


def live_apart(cast: int, days: int, seed: int) -> Totals:
    """Run days in a separate process; the wall time includes its start and its imports."""
    asked = ("--alone", "--cast", str(cast), "--days", str(days), "--seed", str(seed))
    command = [sys.executable, "-m", "benchmarks.day", *asked]
    started = time.perf_counter()
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    )
    totals: Totals = json.loads(done.stdout.splitlines()[-1])
    totals["figures"]["wall_s"] = round(time.perf_counter() - started, 2)
    return totals


def spent() -> dict[str, float]:
    """Return the CPU seconds and the peak memory of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return {
        "cpu_s": round(used.ru_utime + used.ru_stime, 2),
        "peak_mb": round(used.ru_maxrss / unit, 1),
    }


def show(cast: int, days: int, totals: Totals) -> None:
    """Print one cast's tables."""
    figures = totals["figures"]
    known = FORERUNNERS.get(str(cast), {})
    beside = {**figures, "cpu_s_per_agent_day": figures["cpu_s"] / (cast * days)}
    print_table(
        f"{cast} agents, {days} day(s), stand-in ({machine()})",
        ("figure", "Smolville", "original", "AGA", "aim"),
        [(name, value, *known.get(name, (None, None, None))) for name, value in beside.items()],
    )
    print_table(
        "Per agent-day, by step",
        ("step", "calls", "prompt tokens", "completion tokens", "not clean"),
        [(step, *numbers) for step, numbers in totals["steps"].items()],
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, help="number of agents (default: 3, then 25)")
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.alone:
        alone = live(asked.cast, asked.days, asked.seed)
        alone["figures"].update(spent())
        print(json.dumps(alone))
        return
    figures: dict[str, dict[str, float]] = {}
    for cast in [asked.cast] if asked.cast else CASTS:
        totals = live_apart(cast, asked.days, asked.seed)
        show(cast, asked.days, totals)
        figures[str(cast)] = totals["figures"]
    print_figures(figures)


if __name__ == "__main__":
    main()
