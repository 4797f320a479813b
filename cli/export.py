"""`smolville export html` and `moments`: write a run as one page, or its moments as a dataset."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from smolville.agents.errors import SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.moments import Ended, Odd, OfAgent, OfStep
from smolville.cli.options import AsJson, RunName, runs_dir, settings_of
from smolville.cli.screen import say, show_view, write_json

if TYPE_CHECKING:
    from smolville.lab.moments.datasets import LeftOut

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The page to write, such as town.html. Missing folders are created."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file.")]


def export_html(
    context: typer.Context,
    run: RunName,
    file: File,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write a run as one HTML page that replays the whole town offline.

    The page needs only a browser: no model, no server, no internet.
    """
    from smolville.history.folder import RunFolder
    from smolville.viewer.export import take

    folder = RunFolder.open(runs_dir(context), run)
    show_view(take(folder, file, overwrite=overwrite), as_json=as_json)


Kind = Literal["jsonl", "sft", "dpo", "langsmith"]
Format = Annotated[
    Kind,
    typer.Option(
        "--format",
        help="jsonl: whole moments; sft, dpo: training rows; langsmith: a LangSmith dataset.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="The file to write; default: RUN-moments, with the ending of the format.",
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="DATASET", help="The LangSmith dataset; smolville-RUN by default."
    ),
]
Mended = Annotated[
    bool, typer.Option("--mended", help="For dpo: also use mended replies as rejected ones.")
]
WithOdd = Annotated[
    bool, typer.Option("--with-odd", help="For sft and dpo: also use odd answers as good ones.")
]
Replace = Annotated[
    bool, typer.Option("--overwrite", help="Replace the file, or the dataset in LangSmith.")
]


T = TypeVar("T")
ENDINGS: dict[Kind, str] = {"jsonl": "jsonl", "sft": "sft.jsonl", "dpo": "dpo.jsonl"}
"""Endings of the default file names, by format."""
WORDS: dict[Kind, str] = {"jsonl": "moment", "sft": "row", "dpo": "pair", "langsmith": "example"}


def export_moments(
    context: typer.Context,
    run: RunName,
    kind: Format = "jsonl",
    output: Output = None,
    step: OfStep = None,
    agent: OfAgent = None,
    outcome: Ended = None,
    odd: Odd = None,
    name: Name = None,
    mended: Mended = False,
    with_odd: WithOdd = False,
    overwrite: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Write a run's moments as a dataset.

    The dataset can be used to ask the moments again, to train a model, or in LangSmith. Evaluate
    its moments with: smolville prompt eval --moments.
    """
    from smolville.lab.moments.datasets import dpo_rows, sft_rows
    from smolville.lab.moments.files import write_moments
    from smolville.lab.moments.finding import moments_of
    from smolville.lab.safe_files import check_free, write_lines
    from smolville.reports.runs import opened_run

    is_file = kind != "langsmith"
    _check(kind, output=output, name=name, mended=mended, with_odd=with_odd)
    path = output or Path(f"{run}-moments.{ENDINGS.get(kind, kind)}")
    if is_file:
        check_free(path, overwrite=overwrite)
    left_out: LeftOut = Counter()
    place = str(path)
    with opened_run(runs_dir(context), run) as opened:
        found = moments_of(opened.reader, step=step, agent=agent, outcome=outcome, odd=odd)
        if kind == "sft":
            rows = sft_rows(found, left_out, with_odd=with_odd)
            count = write_lines(path, _require_items(rows, left_out))
        elif kind == "dpo":
            rows = dpo_rows(found, left_out, with_mended=mended, with_odd=with_odd)
            count = write_lines(path, _require_items(rows, left_out))
        elif kind == "jsonl":
            count = write_moments(path, _require_items(found, left_out))
        else:
            from smolville.lab.moments.langsmith import write_langsmith

            dataset, env = name or f"smolville-{run}", settings_of(context).surroundings
            place = f"the dataset {dataset!r} in LangSmith"
            moments = _require_items(found, left_out)
            count = write_langsmith(dataset, moments, env, overwrite=overwrite)
    reasons = dict(left_out.most_common())
    if as_json:
        write_json({"format": kind, "where": place, "written": count, "left_out": reasons})
        return
    say(f"{format_count(count, WORDS[kind])} written to {place}.")
    for line in _left_out(left_out):
        say(line)


def _check(
    kind: Kind, *, output: Path | None, name: str | None, mended: bool, with_odd: bool
) -> None:
    """Raise SettingError for an option that the format does not have."""
    if name is not None and kind != "langsmith":
        raise SettingError(f"--name is of a dataset in LangSmith; --format {kind} has -o.")
    if output is not None and kind == "langsmith":
        raise SettingError("--format langsmith writes no file: leave -o out, or name a --format.")
    if mended and kind != "dpo":
        raise SettingError("--mended is for --format dpo, where a row has a bad answer.")
    if with_odd and kind not in ("sft", "dpo"):
        raise SettingError("--with-odd is for --format sft and dpo; the others hold every moment.")


def _require_items(items: Iterator[T], left_out: "LeftOut") -> Iterator[T]:
    """Return the items; raise SmolvilleError if there are none, before anything is written."""
    for first in items:
        return chain((first,), items)
    why = " ".join(_left_out(left_out)) or "The run has no moments like this."
    raise SmolvilleError(f"Nothing to write. {why}")


def _left_out(left_out: "LeftOut") -> list[str]:
    return [f"Left out: {number:,} {reason}." for reason, number in left_out.most_common()]
