"""Kills runs at critical points, lets them continue, and compares them with undisturbed runs.

    python -m benchmarks.kills [--kills N] [--points A,B] [--stages run,fork] [--casts 3,5]
        [--seed N] [--sabotage rename|journal|recovery] [--keep FILE]

Each life (`benchmarks/killed_life.py`) is executed twice: undisturbed, and killed about fifteen
times. A kill is `kill -9`, SIGTERM or Ctrl-C. It is sent when the process reports that it is at a
named point (`benchmarks/kill_points.py`), or at a random moment. Then the same command is run
again, until it succeeds. In the end, every table of both runs and every memory with its vector must
be the same as in the undisturbed life. A process that was asked to end must say so without a
traceback. A reply that was stored must still be there.

`--keep FILE` writes the results to a file after each life. The same command with that file
continues after the last life, with the same lives as if it had not been ended. `--sabotage` removes
one of the things that make this work; the kill test must then fail.
"""

import argparse
import json
import random
import signal
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.kill_points import FORK, POINTS, REEMBED, REQUESTS, RUN, SABOTAGE, VISIT
from benchmarks.killed_life import STAGES, Life, LifeRunner, Lived
from benchmarks.killed_process import FIRST_COMMIT, FIRST_SECOND, Kill
from benchmarks.table import machine, print_figures, print_table

SCHEDULES = ("free", "lockstep", "serial")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
"""The signals that are sent; half of them are SIGKILL, to which a process cannot react."""
PER_STAGE = {RUN: 6, REQUESTS: 2, VISIT: 2, FORK: 2, REEMBED: 2}
"""Maximum number of kills at named points in each stage of a life."""
AT_RANDOM = {RUN: 2, REQUESTS: 1}
"""Number of kills at random moments after the stage's first commit."""
LOADED = (
    "chromadb.api.rust",
    "smolville.cli.app",
    "smolville.cli.run.execute",
    "smolville.cli.run.prepare",
    "smolville.cli.server",
)
"""Modules that the commands need, imported once for all processes; none of them opens Chroma."""
EVERY = (FIRST_SECOND, *POINTS, FIRST_COMMIT)
LAST = ("fork-named", "reembed-named", "reembed-old", "reembed-settled")
"""Points after which nothing of the command is left to do."""


class Planner:
    """Distributes kills evenly over the points of each stage."""

    def __init__(self, points: Sequence[str], stages: Sequence[str], seed: int) -> None:
        self._seed = seed
        self._draw = random.Random(seed)
        self.turns = {
            stage: deque(name for name in points if _stage_of(name) == stage)
            for stage in PER_STAGE
            if stage in stages
        }
        """The points of each stage; the points that are next come first."""
        self._at_random = AT_RANDOM if FIRST_COMMIT in points else {}

    def plan(self, number: int, undisturbed: Lived) -> dict[str, list[Kill]]:
        """Return the kills of a life by stage, in the order in which they can be reached."""
        self._draw = random.Random(f"{self._seed}/{number}")
        return {stage: self._plan_stage(stage, undisturbed) for stage in self.turns}

    def _plan_stage(self, stage: str, undisturbed: Lived) -> list[Kill]:
        waiting, chosen = self.turns[stage], list[str]()
        for name in list(waiting):
            if len(chosen) < PER_STAGE[stage] and not (name in LAST and set(LAST) & set(chosen)):
                chosen.append(name)
                waiting.remove(name)
        waiting.extend(chosen)
        chosen.sort(key=EVERY.index)
        chosen += [FIRST_COMMIT] * self._at_random.get(stage, 0)
        return [self._kill(stage, name, len(chosen), undisturbed) for name in chosen]

    def _kill(self, stage: str, name: str, among: int, undisturbed: Lived) -> Kill:
        """Return a kill that is early enough to leave work for the stage's other kills."""
        passes = undisturbed.passes[stage].get(name, 1)
        longest = undisturbed.seconds[stage] / (among + 1)
        longest = min(1.0, longest) if name == FIRST_SECOND else longest
        return Kill(
            where=name,
            signal=self._draw.choice(SIGNALS),
            count=self._draw.randint(1, max(1, passes // (among + 1))),
            after=self._draw.uniform(0.0, longest) if name not in POINTS else 0.0,
        )


def _stage_of(name: str) -> str:
    """Return the stage in which kills at a point are planned.

    Empty for `FIRST_COMMIT`: `AT_RANDOM` plans these moments.
    """
    if name == FIRST_COMMIT:
        return ""
    return POINTS[name].stage if name in POINTS else RUN


def lives(casts: Sequence[int], seed: int) -> Iterator[Life]:
    """Yield lives without end: each cast and seed under every schedule, one after another."""
    for number in count():
        rest, schedule = divmod(number, len(SCHEDULES))
        more, cast = divmod(rest, len(casts))
        yield Life(cast=casts[cast], seed=seed + more, schedule=SCHEDULES[schedule])


@dataclass
class KillTest:
    """Lives that are killed and compared, with the results so far."""

    planner: Planner
    stages: Sequence[str]
    sabotage: str | None
    hits: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """For each point, how often each signal hit it."""
    faults: list[str] = field(default_factory=list)
    lives: int = 0
    same: int = 0
    """Number of lives that ended like the undisturbed ones."""

    @property
    def kills(self) -> int:
        """Number of kills that hit a process so far."""
        return sum(each.total() for each in self.hits.values())

    def keep(self, file: Path | None) -> None:
        """Write the results so far to `file`, if there is one."""
        if file is not None:
            turns = {stage: list(names) for stage, names in self.planner.turns.items()}
            found = {"lives": self.lives, "same": self.same, "hits": self.hits, "turns": turns}
            file.write_text(json.dumps(found | {"faults": self.faults}), encoding="utf-8")

    def go_on(self, file: Path | None) -> None:
        """Read earlier results from `file`, if there is one."""
        if file is None or not file.exists():
            return
        found = json.loads(file.read_text(encoding="utf-8"))
        self.lives, self.same, self.faults = found["lives"], found["same"], found["faults"]
        self.planner.turns |= {stage: deque(names) for stage, names in found["turns"].items()}
        for name, hits in found["hits"].items():
            self.hits[name].update(hits)

    def live(self, life: Life, place: Path) -> None:
        """Execute a life twice, undisturbed and killed, and compare the two."""
        undisturbed = LifeRunner(place / "undisturbed", life, stages=self.stages).live()
        if undisturbed.faults:
            self.faults += undisturbed.faults
            return
        plan = self.planner.plan(self.lives, undisturbed)
        killed = LifeRunner(
            place / "killed", life, plan, stages=self.stages, sabotage=self.sabotage
        ).live()
        other = differing(undisturbed, killed)
        self.lives += 1
        self.same += not other and not killed.faults
        self.faults += killed.faults
        self.faults += [f"{life}: differs in {', '.join(other)}"] if other else []
        for kill in killed.hits:
            self.hits[kill.where][kill.signal.name] += 1
        state = "differs" if other else "the same" if killed.digests else "not finished"
        print(f"{life}: killed {len(killed.hits)} times, {state} ({self.kills} so far)", flush=True)

    def report(self, names: Sequence[str]) -> None:
        """Print how often each point was hit, by signal, and everything that was wrong."""
        signals = list(dict.fromkeys(each.name for each in SIGNALS))
        rows = []
        for name in names:
            what = POINTS[name].what if name in POINTS else "at any time"
            rows.append((name, what, *(self.hits[name][each] or None for each in signals)))
        print_table("Kills", ("point", "what has happened", *signals), rows)
        print(f"\n{self.same} of {self.lives} lives are the same as undisturbed.")
        for fault in self.faults:
            print(f"  {fault}")
        figures = {"kills": self.kills, "lives": self.lives, "same": self.same}
        missed = [name for name in names if not self.hits[name]]
        more = {"faults": len(self.faults), "never_hit": missed, "machine": machine()}
        print_figures(figures | more)


def differing(undisturbed: Lived, killed: Lived) -> list[str]:
    """Return what differs between two lives; empty if the killed life could not be completed."""
    return [name for name, found in killed.digests.items() if undisturbed.digests[name] != found]


def main(words: Sequence[str] | None = None) -> int:
    """Run the kill test as requested, and print the results; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument(
        "--points", default="", help="points to kill at, comma-separated (default: all)"
    )
    parser.add_argument(
        "--stages", default="", help="stages of a life, comma-separated (default: all)"
    )
    parser.add_argument("--casts", default="3,5")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sabotage", choices=[*SABOTAGE])
    parser.add_argument(
        "--keep", type=Path, help="file for the results, also to continue from them"
    )
    asked = parser.parse_args(words)
    points = _chosen(parser, "point", asked.points, EVERY)
    stages = _chosen(parser, "stage", asked.stages, STAGES)
    casts = [int(each) for each in asked.casts.split(",")]
    for module in LOADED:
        import_module(module)
    test = KillTest(Planner(points, stages, asked.seed), stages, asked.sabotage)
    test.go_on(asked.keep)
    with TemporaryDirectory(prefix="smolville-kills-") as folder:
        for number, life in islice(enumerate(lives(casts, asked.seed)), test.lives, None):
            if test.kills >= asked.kills or test.faults:
                break
            test.live(life, Path(folder) / str(number))
            test.keep(asked.keep)
    test.report([name for name in EVERY if name in points])
    return 1 if test.faults else 0


def _chosen(
    parser: argparse.ArgumentParser, what: str, given: str, every: Sequence[str]
) -> Sequence[str]:
    """Return the names in a comma-separated list, or all; end the program at an unknown name."""
    chosen = given.split(",") if given else every
    unknown = sorted(set(chosen) - set(every))
    if unknown:
        parser.error(f"there is no {what} {unknown[0]!r}; there are: {', '.join(every)}")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
