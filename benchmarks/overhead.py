"""Measures what a town costs apart from its models: an idle agent-tick, and a cognitive step.

    python benchmarks/overhead.py [--ticks N] [--repeats N]

The figures are CPU times of this process, so that other work on the machine has little influence.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.idle import idle_microseconds
from benchmarks.steps import Bench, milliseconds
from benchmarks.table import machine, print_figures, print_table
from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.history.history import History
from smolville.models.open import open_chat
from smolville.world.run_request import RunRequest, create_run
from smolville.world.town.town import Town, shipped_town

CAST = 25
MEASURED = ("say", "ground_block")
"""The most frequent step, whose answer is plain, and the step with the largest answer."""


def step_figures(repeats: int) -> dict[str, dict[str, float]]:
    """Return the milliseconds of every part of the measured steps."""
    persona = Town.load(shipped_town()).cast(1)[0]
    chat, _ = open_chat("standin", seed=0)
    figures: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as runs:
        folder = create_run(Path(runs), "overhead", RunRequest(cast=1), (chat, chat))
        with History(folder) as disk:
            for step in STEPS:
                if step.name in MEASURED:
                    bench = Bench(step, SAMPLES[step.name], persona, disk)
                    parts = asyncio.run(milliseconds(bench, repeats))
                    figures[step.name] = _differences(parts)
    return figures


def _differences(parts: dict[str, float]) -> dict[str, float]:
    """Return what LangGraph and the step add to the parts themselves."""
    whole = parts["take"] + parts["journal"]
    return {
        "bare_call_ms": parts["bare_call"],
        "langgraph_adds_ms": parts["bare_graph"] - parts["bare_call"],
        "step_adds_ms": whole - parts["bare_call"],
        "beyond_langgraph_ms": whole - parts["bare_graph"],
        "render_ms": parts["render"],
        "write_out_ms": parts["write_out"],
        "read_ms": parts["read"],
        "journal_ms": parts["journal"],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--ticks", type=int, default=2000, help="ticks of the idle town, for each figure"
    )
    parser.add_argument("--repeats", type=int, default=50, help="number of calls per round")
    asked = parser.parse_args(arguments)
    idle = idle_microseconds(CAST, asked.ticks)
    print_table(
        f"An agent without a stimulus, {CAST} agents ({machine()})",
        ("a tick in which", "µs per agent-tick", "aim"),
        [(name.replace("_", " "), value, 20) for name, value in idle.items()],
    )
    steps = step_figures(asked.repeats)
    print_table(
        "One step with a model that answers at once, CPU milliseconds",
        ("", *steps, "aim"),
        [
            (name, *(each[name] for each in steps.values()), 2 if "beyond" in name else None)
            for name in next(iter(steps.values()))
        ],
    )
    print_figures({"idle_agent_tick_us": idle, "steps": steps})


if __name__ == "__main__":
    main()
