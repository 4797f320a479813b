"""Measures whether fixed parts of a day cost a town its news and its party, with the stand-in.

    python benchmarks/anchors.py [--cast N] [--seeds 0,1,2]

Runs the two days up to the party of the shipped town with every setting of `anchors`, and with the
same seeds for each. It counts the people who know of the party when it begins, and those who come
to it, without the host. It also counts who gets up, goes to bed and eats within two hours of their
habits.
"""

import argparse
import asyncio
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import NamedTuple, get_args

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.mind import NEWS
from benchmarks.real_figures import real_day
from benchmarks.table import machine, print_figures, print_table
from smolville.agents.times import at_of
from smolville.graphs.loop.rules import Anchors, Rules
from smolville.models.open import open_chat
from smolville.reports.news import known_at, path_of_words
from smolville.reports.runs import OpenRun, opened_run
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation

PLACE, BEGINS, ENDS = "Copper Kettle Cafe", at_of(2, 17 * 60), at_of(2, 19 * 60)
"""Where and when the party of the shipped town takes place, in town seconds."""
HOST = "Nadia Farouk"


class PartyFigures(NamedTuple):
    """The figures of one run of two days."""

    informed: float
    """Share of the guests who know of the party when it begins."""
    came: float
    """Share of the guests who take part in the party."""
    kept: float
    """Share of the times of getting up, going to bed and eating that are as usual."""
    talks: float
    """Number of talks in the two days, divided by the number of people."""


def live(cast: int, seed: int, anchors: Anchors) -> PartyFigures:
    """Run two days in a temporary folder, and return their figures."""
    with TemporaryDirectory() as folder:
        chat, _ = open_chat("standin", seed=seed)
        asked = RunRequest(cast=cast, seed=seed, rules=Rules(anchors=anchors))
        created = create_run(Path(folder), "party", asked, (chat, chat))
        with open_simulation(created, (chat, chat)) as simulation:
            asyncio.run(simulation.run(at_of(3, 0)))
        with opened_run(Path(folder), "party") as run:
            return _figures(run)


def _figures(run: OpenRun) -> PartyFigures:
    """Return the figures of a run of two days."""
    seconds, reader = run.folder.spec.tick_seconds, run.reader
    guests = [name for name in reader.agents() if name != HOST]
    known = path_of_words(known_at(reader, BEGINS // seconds - 1, BEGINS), NEWS).knowing
    informed = {each.name for each in known} & set(guests)
    came = [name for name in guests if _came(run, name)]
    day = real_day(run)
    kept = list(day.kept.values())
    return PartyFigures(
        informed=len(informed) / len(guests),
        came=len(came) / len(guests),
        kept=sum(each.at_its_hour for each in kept) / max(1, sum(each.of for each in kept)),
        talks=day.talks / day.agents,
    )


def _came(run: OpenRun, name: str) -> bool:
    """Return whether somebody does something that belongs to the party, at its place and time."""
    return any(
        deed.outcome == "accepted"
        and deed.action.place.startswith(PLACE)
        and "party" in deed.action.activity
        and deed.action.start < ENDS
        and deed.action.end > BEGINS
        for deed in run.reader.deeds(name, until=run.tick)
    )


def _paired(rows: Sequence[PartyFigures], usual: Sequence[PartyFigures], name: str) -> str:
    """Return the mean difference to the usual setting, with its 95 % interval over seeds (t)."""
    found = [
        100 * (getattr(row, name) - getattr(other, name))
        for row, other in zip(rows, usual, strict=True)
    ]
    if len(found) < 2:
        return f"{found[0]:+.0f}"
    spread = T95.get(len(found), 2.0) * stdev(found) / math.sqrt(len(found))
    return f"{fmean(found):+.0f} ± {spread:.0f}"


T95 = {2: 12.7, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""Student's t for 95 %, by the number of pairs."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=5)
    parser.add_argument("--seeds", default="0,1,2")
    asked = parser.parse_args(arguments)
    seeds = [int(each) for each in asked.seeds.split(",")]
    found = {
        anchors: [live(asked.cast, seed, anchors) for seed in seeds]
        for anchors in get_args(Anchors)
    }
    usual = found["on"]
    print_table(
        f"Two days of {asked.cast} people, seeds {asked.seeds} ({machine()})",
        ("anchors", "% informed", "more", "% came", "more", "% at their hours", "talks a person"),
        [
            (
                anchors,
                100 * fmean(row.informed for row in rows),
                _paired(rows, usual, "informed"),
                100 * fmean(row.came for row in rows),
                _paired(rows, usual, "came"),
                100 * fmean(row.kept for row in rows),
                fmean(row.talks for row in rows),
            )
            for anchors, rows in found.items()
        ],
    )
    print_figures({name: [list(row) for row in rows] for name, rows in found.items()})


if __name__ == "__main__":
    main()
