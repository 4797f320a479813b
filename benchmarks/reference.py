"""Lives reference runs with the stand-in, and compares them with recorded digests and outputs.

    python -m benchmarks.reference [--quick] [--write]

A change of the code that is to change no behaviour leaves every line equal. `--quick` lives one day
of three people; `--write` records what is there now, in `benchmarks/reference.json`.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from smolville.graphs.components import component_names

RECORDED = Path(__file__).with_suffix(".json")
LIVED = ("run", "{run}", "--model", "standin", "--embedder", "wordllama", "--quiet", "--headless")
QUICK = {"3 people, a day": ("--seed", "0", "--for", "24h")}
CASES = {
    **QUICK,
    **{f"3 people, 2 days, seed {n}": ("--seed", f"{n}", "--for", "2d") for n in range(3)},
    **{
        f"25 people, 2 days, seed {n}": ("--cast", "25", "--seed", f"{n}", "--for", "2d")
        for n in range(3)
    },
    **{
        f"without {name}": ("--seed", "1", "--for", "2d", "--without", name)
        for name in component_names()
    },
}
OUTPUTS: dict[str, tuple[str, ...]] = {
    "timeline": ("timeline", "{run}"),
    "a person": ("show", "{run}", "Nadia"),
    "her memories": ("show", "{run}", "Nadia", "memories"),
    "moments": ("moments", "{run}", "--json"),
}
REPLAYED = ("sample", "sample-small")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only one day of three people")
    parser.add_argument("--write", action="store_true", help="record instead of comparing")
    asked = parser.parse_args(arguments)
    recorded = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    different = 0
    for name, value in _figures(asked.quick):
        same = recorded.get(name) == value
        different += not same
        print(f"{'equal' if same else 'DIFFERENT'}  {name}", flush=True)
        if asked.write:
            recorded[name] = value
    if asked.write:
        RECORDED.write_text(json.dumps(recorded, indent=1) + "\n", "utf-8")
    sys.exit(1 if different and not asked.write else 0)


def _figures(is_quick: bool) -> Iterator[tuple[str, str]]:
    """Yield the name and the digest of each reference run, and the hashes of its outputs."""
    with TemporaryDirectory() as folder:
        for name, options in (QUICK if is_quick else CASES).items():
            run = name.replace(", ", "-").replace(" ", "-")
            _said(folder, *LIVED, *options, run=run)
            yield name, _said(folder, "compare", "{run}", "--digest", run=run).strip()
            if name in QUICK:
                for output, command in OUTPUTS.items():
                    text = _said(folder, *command, run=run)
                    yield f"{name}: {output}", hashlib.sha256(text.encode()).hexdigest()[:16]
        for run in () if is_quick else REPLAYED:
            yield f"replay of {run}", _said(folder, "compare", "{run}", run=run).strip()


def _said(folder: str, *command: str, run: str) -> str:
    """Return what a command prints, run in a folder; raise CalledProcessError if it fails."""
    words = [word.replace("{run}", run) for word in command]
    return subprocess.run(
        [sys.executable, "-m", "smolville", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


if __name__ == "__main__":
    main()
