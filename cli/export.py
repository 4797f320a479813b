"""`smolville export`: write a run as a page, as a dataset of its moments, or as metrics."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.agents.errors import RunError, SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.moments import Ended, Odd, OfAgent, OfStep
from smolville.cli.options import AsJson, RunName, runs_dir, settings_of
from smolville.cli.screen import say, show_view, write_json

if TYPE_CHECKING:
    from smolville.lab.moments.moment import Moment

Kind = Literal["html", "metrics", "jsonl", "langsmith"]
Format = Annotated[
    Kind,
    typer.Option(
        "--format",
        help="html: one page that replays the whole town offline; jsonl: its moments; langsmith: "
        "a LangSmith dataset of them; metrics: the files of Affordable Generative Agents.",
    ),
]
Target = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="The file to write; for metrics a folder, for langsmith the dataset's name. By "
        "default named after the run.",
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]


ENDINGS: Mapping[Kind, str] = {
    "html": ".html",
    "metrics": "-metrics",
    "jsonl": "-moments.jsonl",
}
"""Endings of the default names, by format."""


def export(
    context: typer.Context,
    run: RunName,
    target: Target = None,
    kind: Format = "html",
    step: OfStep = None,
    agent: OfAgent = None,
    outcome: Ended = None,
    odd: Odd = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write a run for a browser or another program.

    The page needs only a browser: no model, no server, no internet. Moments can be asked again,
    with smolville prompt eval --moments; --step, --agent, --outcome and --odd choose among them.
    """
    runs, path = runs_dir(context), Path(target or f"{run}{ENDINGS.get(kind, '')}")
    only = {"step": step, "agent": agent, "outcome": outcome, "odd": odd}
    if kind in ("html", "metrics"):
        if any(only.values()):
            raise SettingError(f"--format {kind} takes the whole run, not some of its moments.")
        write_run = _write_page if kind == "html" else _write_metrics
        write_run(runs, run, path, overwrite=overwrite, as_json=as_json)
        return
    from smolville.lab.moments.files import write_moments
    from smolville.lab.moments.finding import moments_of
    from smolville.lab.safe_files import check_free
    from smolville.reports.runs import opened_run

    if kind == "jsonl":
        check_free(path, overwrite=overwrite)
    with opened_run(runs, run) as opened:
        found = _require_any(moments_of(opened.reader, **only))
        if kind == "jsonl":
            count, place = write_moments(path, found), str(path)
        else:
            from smolville.lab.moments.langsmith import write_langsmith

            dataset, env = target or f"smolville-{run}", settings_of(context).surroundings
            place = f"the dataset {dataset!r} in LangSmith"
            count = write_langsmith(dataset, found, env, overwrite=overwrite)
    if as_json:
        write_json({"format": kind, "where": place, "written": count})
    else:
        say(f"{format_count(count, 'moment')} written to {place}.")


def _write_page(runs: Path, run: str, path: Path, *, overwrite: bool, as_json: bool) -> None:
    from smolville.history.folder import RunFolder
    from smolville.viewer.export import take

    show_view(take(RunFolder.open(runs, run), path, overwrite=overwrite), as_json=as_json)


def _write_metrics(runs: Path, run: str, folder: Path, *, overwrite: bool, as_json: bool) -> None:
    """Write a run's metrics into a folder; raise RunError if that cannot be."""
    import json

    from smolville.reports.metrics import metrics
    from smolville.reports.runs import opened_run

    with opened_run(runs, run) as opened:
        files = metrics(opened.reader, opened.start_date)
    try:
        if folder.is_dir() and not overwrite and any(folder.iterdir()):
            raise RunError(
                f"{str(folder)!r} is not empty; name another folder, or add --overwrite."
            )
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            text = json.dumps(content, ensure_ascii=False, indent=2)
            (folder / name).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise RunError(f"{str(folder)!r} cannot be written: {error.strerror}.") from error
    if as_json:
        write_json({"format": "metrics", "where": str(folder), "written": len(files)})
    else:
        say(f"{len(files)} files written to {folder}.")


def _require_any(moments: "Iterator[Moment]") -> "Iterator[Moment]":
    """Return the moments; raise SmolvilleError if there are none, before anything is written."""
    for first in moments:
        return chain((first,), moments)
    raise SmolvilleError("Nothing to write: the run has no moments like this.")
