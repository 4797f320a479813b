"""Runs a day on a real small model and reports the result.

    python benchmarks/real.py MODEL [--cast N] [--for 1d] [--folder DIR] [-- OPTION ...]

MODEL is `smollm2` or `qwen` (downloaded by benchmarks/weights.py), a GGUF file, or any model spec.
The run is kept in the folder. After Ctrl-C or a kill, the same command continues it, and reports on
what there is. Options after `--` are passed to `smolville run` unchanged.

`--sheet FILE` writes steps for a person to read without knowing the program's judgement. `--labels
FILE` reads that person's labels, and `--keep FILE` adds them to a file of labels in the form that
`prompt eval` reads. `--ship` packs the run as the recording `sample-small` of the program.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.progress import Progress

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks import sample
from benchmarks.reading_sheet import (
    USUAL,
    crossed,
    kept,
    labelled,
    read_labels,
    shares,
    sheet,
)
from benchmarks.real_figures import RealDay, real_day
from benchmarks.table import machine, print_figures, print_table
from benchmarks.weights import MODELS, WeightsError, bring, cache_folder
from smolville.agents.errors import SmolvilleError
from smolville.agents.times import moment
from smolville.cli.run.options import goal_of
from smolville.history.folder import RunFolder, list_runs
from smolville.history.sample import SMALL_SAMPLE
from smolville.reports.health import format_kinds
from smolville.reports.runs import OpenRun, opened_run

TICK = 10
SPENT = "spent.json"
"""File beside the run, with the times that all its processes have taken together."""


def spec_of(model: str) -> str:
    """Return the spec for a name on the command line; the weights of a known name are downloaded.

    A name may be followed by settings: `qwen?slots=1,num_ctx=4096`.
    """
    name, _, options = model.partition("?")
    rest = f"?{options}" if options else ""
    if name in MODELS:
        with Progress() as progress:
            return f"gguf:{bring(MODELS[name], cache_folder(), progress)}{rest}"
    return f"gguf:{model}" if name.endswith(".gguf") and ":" not in name else model


def name_of(model: str, cast: int) -> str:
    """Return the run's name: the model's name in plain letters, and the number of people."""
    plain = re.sub(r"[^\w.-]+", "-", Path(model.partition("?")[0]).name).strip("-.")
    return f"{plain}-{cast}"


def live(
    runs: Path,
    name: str,
    spec: str,
    cast: int,
    goal: int,
    more: Sequence[str],
) -> int:
    """Start or continue the run up to a town second; return the command's exit code."""
    words = ["--model", spec, "--until", moment(goal), "--headless", *more]
    if name in list_runs(runs):
        with opened_run(runs, name) as run:
            if run.at >= goal:
                return 0
        words += ["--resume"]
    else:
        words += ["--cast", str(cast)]
    command = [sys.executable, "-m", "smolville.cli.main", "run", name, "--runs", str(runs), *words]
    before, started = _children_cpu(), time.perf_counter()
    process = subprocess.Popen(command)
    try:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                # It heard the same Ctrl-C: it finishes its thought, saves and ends.
                continue
    finally:
        _spend(runs / name, time.perf_counter() - started, _children_cpu() - before)


def _children_cpu() -> float:
    """Return the CPU seconds of all child processes that have ended, and of their children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _spend(folder: Path, wall: float, cpu: float) -> None:
    """Add to the times that a run has taken so far; does nothing if the run did not even begin."""
    if folder.is_dir():
        path, before = folder / SPENT, spent(folder)
        now = {
            "wall_s": round(before["wall_s"] + wall, 1),
            "cpu_s": round(before["cpu_s"] + cpu, 1),
        }
        path.write_text(json.dumps(now) + "\n", encoding="utf-8")


def spent(folder: Path) -> dict[str, float]:
    """Return the wall and CPU seconds that a run has taken; 0 if they were not counted."""
    try:
        return dict(json.loads((folder / SPENT).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {"wall_s": 0.0, "cpu_s": 0.0}


def show(run: OpenRun, day: RealDay) -> None:
    """Print the tables of a run."""
    whole, figures, (reply, prompt) = day.total, day.plain(), day.tokens_per_agent_day
    used = spent(run.folder.path)
    days = day.agent_days or float("inf")
    minutes = {name: seconds / 60 / days for name, seconds in used.items()}
    print_table(
        f"{run.folder.name}: {day.agents} agents up to {moment(run.at)} ({machine()})",
        ("figure", "value", "aim"),
        [
            ("steps", whole.steps, None),
            ("% without fallback", _percent(day.without_fallback), "99; SmolLM2 95"),
            ("% objected to", _percent(figures["odd_share"]), None),
            ("repaired", day.repaired, None),
            ("texts equal to a shown example", len(day.copied), "0"),
            ("talks", day.talks, None),
            ("  in which a line is repeated", day.repeating, "0"),
            *(
                (f"{name} at its hour", f"{kept.at_its_hour} of {kept.of}", "all")
                for name, kept in day.kept.items()
            ),
            ("reply tokens an agent-day", reply, "6,000"),
            ("prompt tokens an agent-day", prompt, None),
            ("% cached of what could be", _percent(day.beginnings.share), "90"),
            ("wall minutes an agent-day", minutes["wall_s"], None),
            ("CPU minutes an agent-day", minutes["cpu_s"], None),
        ],
    )
    print_table(
        "By step",
        ("step", "steps", "clean", "mended", "repaired", "fallback", "odd"),
        [
            (
                *(step, each.steps),
                *(each.outcomes.get(end, 0) for end in ("clean", "mended", "repaired", "fallback")),
                format_kinds(each.odd_kinds) or None,
            )
            for step, each in day.steps.items()
        ],
    )
    off = [told for kept in day.kept.values() for told in kept.off]
    for title, lines in (("Copied", day.copied), ("Out of its hours", off)):
        if lines:
            print(f"\n{title}:", *lines, sep="\n  ")
    print_figures(
        {
            **figures,
            **{f"{name}_per_agent_day": round(60 * each, 1) for name, each in minutes.items()},
        }
    )


def show_labels(run: OpenRun, path: Path, keep: Path | None = None) -> None:
    """Print a person's labels beside the program's marks, and add them to a file of labels."""
    reads = labelled(run.reader, read_labels(path.read_text(encoding="utf-8"), path))
    if keep is not None:
        with keep.open("a", encoding="utf-8") as labels:
            labels.writelines(f"{line}\n" for line in kept(run.reader, reads, run.folder.name))
    found = shares(reads)
    print_table(
        f"{run.folder.name}: {len(reads)} steps, read",
        ("", "steps", "of", "%", "95 % interval"),
        [
            (
                *(each.name, each.part, each.of, 100 * each.part / each.of if each.of else None),
                f"{100 * each.interval.low:.0f} to {100 * each.interval.high:.0f}",
            )
            for each in found
        ],
    )
    print_table("Marked as, read as", ("marked", "sensible", "odd", "senseless"), crossed(reads))
    print_figures(
        {
            each.name: [each.part, each.of, *(round(end, 4) for end in each.interval)]
            for each in found
        }
    )


def _percent(share: object) -> float | None:
    return 100 * share if isinstance(share, float) else None


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", help=f"{', '.join(MODELS)}, a GGUF file, or a model spec")
    parser.add_argument("--cast", type=int, default=3)
    parser.add_argument(
        "--for", dest="length", default="1d", help="length in town time (default: 1d)"
    )
    parser.add_argument("--folder", type=Path, default=cache_folder().parent / "real")
    parser.add_argument("--name", help="the run's name (default: made from model and cast)")
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="only write a sheet of steps to label"
    )
    parser.add_argument("--steps", type=int, default=USUAL, help="number of steps on a sheet")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="only read a labelled sheet")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="file of labels to add the labels to"
    )
    parser.add_argument(
        "--ship", action="store_true", help="only pack the run as the shipped `sample-small`"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    at = words.index("--") if "--" in words else len(words)
    asked, more = _parser().parse_args(words[:at]), words[at + 1 :]
    try:
        _do(asked, more)
    except (SmolvilleError, WeightsError, OSError) as error:
        raise SystemExit(f"{str(error).rstrip('.')}.") from None


def _do(asked: argparse.Namespace, more: Sequence[str]) -> None:
    """Run a day, read a sheet, or ship a run, as requested."""
    runs, name = asked.folder, asked.name or name_of(asked.model, asked.cast)
    code = 0
    if not (asked.sheet or asked.labels):
        goal = goal_of(asked.length, None, 0, TICK) or 0
        code = live(runs, name, spec_of(asked.model), asked.cast, goal, more)
    with opened_run(runs, name) as run:
        if asked.sheet:
            asked.sheet.write_text(sheet(run, asked.steps), encoding="utf-8")
            print(f"Written to {asked.sheet}: fill it in, then --labels {asked.sheet}")
        if asked.labels:
            show_labels(run, asked.labels, asked.keep)
        if not (asked.sheet or asked.labels):
            show(run, real_day(run))
    if code:
        raise SystemExit(code)
    if asked.ship:
        sample.ship(RunFolder.open(runs, name), name=SMALL_SAMPLE)


if __name__ == "__main__":
    main()
