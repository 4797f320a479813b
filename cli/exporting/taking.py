"""Write moments in the requested format, and report what was written and what was left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from agents.errors import SettingError, SmolvilleError
from agents.numbers import many
from lab.moments.datasets import LeftOut, dpo_rows, sft_rows
from lab.moments.files import write_moments
from lab.moments.lines import write_lines
from lab.moments.moment import Moment
from lab.whole_file import check_free

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")
Kind = Literal["jsonl", "sft", "dpo", "langsmith"]
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
    """Result of an export: what was written where, and what was left out."""

    kind: Kind
    where: str
    count: int
    left_out: LeftOut

    def plain(self) -> object:
        """Return an object: format, place, number written, and numbers left out by reason."""
        return {
            "format": self.kind,
            "where": self.where,
            "written": self.count,
            "left_out": dict(self.left_out.most_common()),
        }

    def render(self) -> "RenderableType":
        """Return a sentence, and a line for each reason why something was left out."""
        from lab.styled import Text

        told = [f"{many(self.count, WORDS[self.kind])} written to {self.where}."]
        told += _left_out(self.left_out)
        return Text("\n".join(told))


def check(asked: ExportOptions) -> None:
    """Raise SettingError for an option the format does not have, or for an existing file."""
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


def take(asked: ExportOptions, moments: Iterator[Moment], settings: Path | None) -> ExportResult:
    """Write the moments; raise SmolvilleError when there is nothing to write."""
    left_out: LeftOut = Counter()
    if asked.kind == "langsmith":
        count = _upload(asked, _some(moments, left_out), settings)
        where = f"the dataset {asked.dataset!r} in LangSmith"
        return ExportResult(kind=asked.kind, where=where, count=count, left_out=left_out)
    if asked.kind == "jsonl":
        count = write_moments(asked.path, _some(moments, left_out))
    else:
        rows = (
            sft_rows(moments, left_out, with_odd=asked.with_odd)
            if asked.kind == "sft"
            else dpo_rows(moments, left_out, with_mended=asked.mended, with_odd=asked.with_odd)
        )
        count = write_lines(asked.path, _some(rows, left_out))
    return ExportResult(kind=asked.kind, where=str(asked.path), count=count, left_out=left_out)


def _upload(asked: ExportOptions, moments: Iterator[Moment], settings: Path | None) -> int:
    from cli.settings.choosing import choose
    from lab.moments.langsmith import write_langsmith

    env = choose(file=settings).surroundings
    return write_langsmith(asked.dataset, moments, env, overwrite=asked.overwrite)


def _some(items: Iterator[T], left_out: LeftOut) -> Iterator[T]:
    """Return the items; raise SmolvilleError if there are none, before anything is written."""
    for first in items:
        return chain((first,), items)
    why = " ".join(_left_out(left_out)) or "The run has no moments like this."
    raise SmolvilleError(f"Nothing to write. {why}")


def _left_out(left_out: LeftOut) -> list[str]:
    return [f"Left out: {number:,} {reason}." for reason, number in left_out.most_common()]
