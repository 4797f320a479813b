"""Measures what the components of a mind cost and bring, day by day, with the stand-in.

    python benchmarks/mind.py [--cast N] [--days N] [--seeds 0,1,2] [--without A,B]...

Runs the same days several times: with the whole mind, without routines, without social memory, and
with only the components of Park et al. 2023. If `--without` is given, each use names the components
to leave out instead. A last row has the original's figures. Figures are per agent-day, averaged
over the seeds.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.graphs.components import component_names

if TYPE_CHECKING:
    from smolville.history.reader import RunReader

PAPER = ("observation", "planning", "reflection", "norms")
"""The components of a mind that has nothing optional."""
VARIANTS: dict[str, tuple[str, ...]] = {
    "all on": (),
    "no routines": ("routines",),
    "no social": ("social",),
    "nothing optional": tuple(name for name in component_names() if name not in PAPER),
}
"""Each kind of mind, with the components that it lacks."""
NEWS = "spring lantern party"
"""The news of the shipped town whose spread is counted."""
DOING = ("decompose", "ground_block", "choose_place")
ORIGINAL = {"3": (1266, 379_000), "25": (2458, 969_000)}
"""Calls and prompt tokens per agent-day of Park et al. 2023, by size of the cast.

They were measured on its first day against a mock server.
"""


class DayFigures(NamedTuple):
    """The figures of one day of one run, per agent."""

    calls: float
    prompt_tokens: float
    completion_tokens: float
    doing_calls: float
    """Number of calls for the tasks of activities and for places, which routines may save."""
    activities: float
    """Number of different activities, ignoring digits."""
    reused: float
    """Number of activities whose tasks or place came from a routine."""
    talks: float
    informed: float
    """Share of the people who know of the party when the day ends."""


def live(cast: int, days: int, seed: int, without: tuple[str, ...]) -> list[DayFigures]:
    """Run days in a temporary folder; return the figures of each day, then of all days."""
    from smolville.graphs.loop.rules import Rules
    from smolville.history.reader import RunReader
    from smolville.models.open import open_chat
    from smolville.world.run_request import RunRequest, create_run
    from smolville.world.simulation import open_simulation

    with TemporaryDirectory() as runs:
        chat, _ = open_chat("standin", seed=seed)
        asked = RunRequest(cast=cast, seed=seed, rules=Rules(without=without))
        folder = create_run(Path(runs), "mind", asked, (chat, chat))
        with open_simulation(folder, (chat, chat)) as simulation:
            asyncio.run(simulation.run(days * 86_400))
        with RunReader(folder) as reader:
            ticks = 86_400 // folder.spec.tick_seconds
            spans = [(day * ticks, (day + 1) * ticks - 1) for day in range(days)]
            return [_figures(reader, *span, cast) for span in (*spans, (0, days * ticks - 1))]


def _figures(reader: "RunReader", since: int, until: int, cast: int) -> DayFigures:
    """Return the figures of a range of ticks."""
    from smolville.reports.news import known_at, path_of_words
    from smolville.reports.tally import activity_name

    query = (
        "SELECT COUNT(*), TOTAL(prompt_tokens), TOTAL(completion_tokens) FROM calls "
        "WHERE tick BETWEEN ? AND ?"
    )
    calls, prompt, completion = reader.connection.execute(query, (since, until)).fetchone()
    done = {
        (deed.agent, activity_name(deed.action))
        for deed in reader.deeds(since=since, until=until)
        if deed.outcome == "accepted" and deed.action.kind == "do"
    }
    seconds = reader.spec.tick_seconds
    talks = [talk for talk in reader.talks() if since <= talk.start // seconds <= until]
    doing = sum(each.step in DOING for each in reader.steps(since=since, until=until))
    counts = (calls, prompt, completion, doing, len(done), len(reader.reuses(since, until)))
    held = sum(len(talk.participants) for talk in talks)
    at = (until + 1) * seconds
    informed = len(path_of_words(known_at(reader, until, at), NEWS).knowing)
    return DayFigures(*(count / cast for count in (*counts, held, informed)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=3)
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--without", action="append", metavar="A,B", help="components to leave out")
    asked = parser.parse_args(arguments)
    variants = VARIANTS
    if asked.without:
        left_out = {f"no {names}": tuple(names.split(",")) for names in asked.without}
        variants = {"all on": ()} | left_out
    seeds = [int(seed) for seed in asked.seeds.split(",")]
    rows: list[tuple[str | float | None, ...]] = []
    figures: dict[str, dict[str, float]] = {}
    for variant, without in variants.items():
        lived = [live(asked.cast, asked.days, seed, without) for seed in seeds]
        names = [f"day {day + 1}" for day in range(asked.days)] + ["all days"]
        for name, runs in zip(names, zip(*lived, strict=True), strict=True):
            means = [fmean(values) for values in zip(*runs, strict=True)]
            rows.append((f"{variant}, {name}", *(round(mean, 2) for mean in means)))
            figures[rows[-1][0]] = dict(zip(DayFigures._fields, rows[-1][1:], strict=True))
    if str(asked.cast) in ORIGINAL:
        calls, tokens = ORIGINAL[str(asked.cast)]
        rows.append(("the original, day 1", calls, tokens, *[None] * (len(DayFigures._fields) - 2)))
    print_table(
        f"{asked.cast} agents, {asked.days} day(s), {len(seeds)} seed(s), stand-in, per agent "
        f"({machine()})",
        ("mind", *(field.replace("_", " ") for field in DayFigures._fields)),
        rows,
    )
    print_figures(figures)


if __name__ == "__main__":
    main()
