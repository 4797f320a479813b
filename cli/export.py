"""`smolville export html` and `moments`: write a run as one page, or its moments as a dataset."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from smolville.agents.errors import SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.moments import Ended, Odd, OfAgent, OfStep
from smolville.cli.options import AsJson, RunName, runs_dir, settings_file
from smolville.cli.screen import show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.moments.datasets import LeftOut
    from smolville.lab.moments.moment import Moment

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
    from smolville.lab.moments.finding import moments_of
    from smolville.reports.runs import opened_run

    asked = ExportOptions(
        run=run,
        kind=kind,
        output=output,
        name=name,
        mended=mended,
        with_odd=with_odd,
        overwrite=overwrite,
    )
    _check(asked)
    with opened_run(runs_dir(context), run) as opened:
        found = moments_of(opened.reader, step=step, agent=agent, outcome=outcome, odd=odd)
        written = _write_moments(asked, found, settings_file(context))
    show_view(written, as_json=as_json)


T = TypeVar("T")
ENDINGS: dict[Kind, str] = {"jsonl": "jsonl", "sft": "sft.jsonl", "dpo": "dpo.jsonl"}
"""Endings of the default file names, by format."""
WORDS: dict[Kind, str] = {"jsonl": "moment", "sft": "row", "dpo": "pair", "langsmith": "example"}


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """Command-line options of `smolville export moments`."""

    run: str
    kind: Kind
    output: Path | None = None
    name: str | None = None
    mended: bool = False
    with_odd: bool = False
    overwrite: bool = False

    @property
    def path(self) -> Path:
        """The file to write: the given one, or the default name of the format."""
        return self.output or Path(f"{self.run}-moments.{ENDINGS[self.kind]}")

    @property
    def dataset(self) -> str:
        """The name of the dataset in LangSmith."""
        return self.name or f"smolville-{self.run}"


@dataclass(frozen=True, kw_only=True)
class ExportResult:
    """Result of an export: what was written, the place it was written to, and what was left out."""

    kind: Kind
    where: str
    count: int
    left_out: "LeftOut"

    def plain(self) -> object:
        """Return an object: format, place, number of items written, and numbers left out."""
        return {
            "format": self.kind,
            "where": self.where,
            "written": self.count,
            "left_out": dict(self.left_out.most_common()),
        }

    def render(self) -> "RenderableType":
        """Return a sentence, and a line for each reason why something was left out."""
        from smolville.lab.styled import Text

        lines = [f"{format_count(self.count, WORDS[self.kind])} written to {self.where}."]
        lines += _left_out(self.left_out)
        return Text("\n".join(lines))


def _check(asked: ExportOptions) -> None:
    """Raise SettingError for an option the format does not have, or for an existing file."""
    from smolville.lab.safe_files import check_free

    is_file = asked.kind != "langsmith"
    if asked.name is not None and is_file:
        raise SettingError(f"--name is of a dataset in LangSmith; --format {asked.kind} has -o.")
    if asked.output is not None and not is_file:
        raise SettingError("--format langsmith writes no file: leave -o out, or name a --format.")
    if asked.mended and asked.kind != "dpo":
        raise SettingError("--mended is for --format dpo, where a row has a bad answer.")
    if asked.with_odd and asked.kind not in ("sft", "dpo"):
        raise SettingError("--with-odd is for --format sft and dpo; the others hold every moment.")
    if is_file:
        check_free(asked.path, overwrite=asked.overwrite)


def _write_moments(
    asked: ExportOptions, moments: "Iterator[Moment]", settings: Path | None
) -> ExportResult:
    """Write the moments; raise SmolvilleError when there is nothing to write."""
    from smolville.lab.moments.datasets import dpo_rows, sft_rows
    from smolville.lab.moments.files import write_moments
    from smolville.lab.safe_files import write_lines

    left_out: LeftOut = Counter()
    if asked.kind == "langsmith":
        count = _upload(asked, _require_items(moments, left_out), settings)
        where = f"the dataset {asked.dataset!r} in LangSmith"
        return ExportResult(kind=asked.kind, where=where, count=count, left_out=left_out)
    if asked.kind == "jsonl":
        count = write_moments(asked.path, _require_items(moments, left_out))
    else:
        rows = (
            sft_rows(moments, left_out, with_odd=asked.with_odd)
            if asked.kind == "sft"
            else dpo_rows(moments, left_out, with_mended=asked.mended, with_odd=asked.with_odd)
        )
        count = write_lines(asked.path, _require_items(rows, left_out))
    return ExportResult(kind=asked.kind, where=str(asked.path), count=count, left_out=left_out)


def _upload(asked: ExportOptions, moments: "Iterator[Moment]", settings: Path | None) -> int:
    from smolville.cli.settings.choosing import choose
    from smolville.lab.moments.langsmith import write_langsmith

    env = choose(file=settings).surroundings
    return write_langsmith(asked.dataset, moments, env, overwrite=asked.overwrite)


def _require_items(items: Iterator[T], left_out: "LeftOut") -> Iterator[T]:
    """Return the items; raise SmolvilleError if there are none, before anything is written."""
    for first in items:
        return chain((first,), items)
    why = " ".join(_left_out(left_out)) or "The run has no moments like this."
    raise SmolvilleError(f"Nothing to write. {why}")


def _left_out(left_out: "LeftOut") -> list[str]:
    return [f"Left out: {number:,} {reason}." for reason, number in left_out.most_common()]
