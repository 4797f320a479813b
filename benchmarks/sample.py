"""Packs a run as a recording that is shipped with the program, such as `smolville view sample`.

    python -m benchmarks.sample RUNS NAME [--as sample-small] [--answers "all written by hand"]

Packs the run's header, its history and its town into `towns/sample.zip`, or into the archive of the
recording that `--as` names. Paths of this machine are removed from the header and from the calls.
If such a path is left anywhere, or the archive is too large, nothing is written.
"""

import argparse
import shutil
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from smolville.agents.errors import SmolvilleError
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.folder import (
    HISTORY,
    SAMPLE,
    SAMPLES,
    SMALL_SAMPLE,
    TOWN,
    RunFolder,
    owner_of,
    packed_sample,
)
from smolville.history.schema import open_reader
from smolville.history.spec import SPEC_FILE, RunSpec
from smolville.models.spec import Spec, parse_spec
from smolville.world.town.town import folder_of

LARGEST = {SAMPLE: 3_500_000, SMALL_SAMPLE: 1_500_000}
"""Maximum size of each recording's archive in bytes."""
UPDATE = "SMOLVILLE_UPDATE_GOLDEN=1 uv run pytest tests/history/test_sample.py"
"""Command that writes the values with which the tests compare the recording."""
STARTED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the archive, so that equal runs give equal archives."""


class PackError(SmolvilleError):
    """A run that cannot be shipped; the message says why."""


def pack(folder: RunFolder, target: Path, answers: str = "", name: str = SAMPLE) -> None:
    """Write a run's archive as the recording `name`.

    `answers` is a clause on who gave the answers, for a run whose models do not say it.

    Raises PackError if the run may not be shipped.
    """
    if owner_of(folder) is not None:
        raise PackError(f"the run {folder.name!r} is going on; pack it when it is over")
    with TemporaryDirectory() as scratch:
        draft = Path(scratch)
        spec = _plain_spec(folder.spec).model_copy(update={"name": name, "answers": answers})
        (draft / SPEC_FILE).write_text(spec.model_dump_json(indent=2) + "\n", encoding="utf-8")
        _copy_history(folder, draft / HISTORY)
        shutil.copytree(folder_of(folder), draft / TOWN)
        _refuse_paths(RunFolder(draft, spec), (Path.home(), folder.path.resolve().parent))
        archive = draft / target.name
        _write_archive(
            draft, [path for path in sorted(draft.rglob("*")) if path.is_file()], archive
        )
        size = archive.stat().st_size
        if size > LARGEST[name]:
            raise PackError(
                f"the run {folder.name!r} takes {size / 1e6:.1f} MB, and as {name} "
                f"{LARGEST[name] / 1e6:.1f} MB may be shipped; record fewer people or hours"
            )
        shutil.copyfile(archive, target)


def _plain_spec(spec: RunSpec) -> RunSpec:
    plain: dict[str, object] = {
        tier: plain_model(getattr(spec.models, tier)) for tier in ("fast", "strong", "embedder")
    }
    for field in ("sizes", "windows"):
        by_model = getattr(spec.models, field)
        plain[field] = {plain_model(name): value for name, value in by_model.items()}
    models = spec.models.model_copy(update=plain)
    return spec.model_copy(update={"town": "", "models": models})


def plain_model(text: str) -> str:
    """Return a stored model spec with only the name of its file."""
    if not text.startswith("gguf:"):
        return text
    spec = parse_spec(text)
    return str(Spec(spec.kind, Path(spec.target).name, spec.options))


def _copy_history(folder: RunFolder, target: Path) -> None:
    with closing(open_reader(folder.history_path, folder.name)) as source:
        source.execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        for table in ("calls", "given_up"):
            models = copy.execute(f"SELECT DISTINCT model FROM {table}").fetchall()
            for (model,) in models:
                plain = plain_model(model)
                if plain != model:
                    query = f"UPDATE {table} SET model = ? WHERE model = ?"
                    copy.execute(query, (plain, model))
        copy.commit()
        copy.execute("VACUUM")


def _refuse_paths(draft: RunFolder, places: Iterable[Path]) -> None:
    wanted = [str(place) for place in places if len(place.parts) > 1]
    with closing(open_reader(draft.history_path, draft.name)) as connection:
        for where, text in (("run.json", draft.spec.model_dump_json()), *_texts(connection)):
            for place in wanted:
                if place in text:
                    raise PackError(f"{where} of the run names {place}, a folder of this machine")


def _texts(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    for (table,) in connection.execute(listed).fetchall():
        for row in connection.execute(f"SELECT * FROM {table}"):
            yield table, "\n".join(cell for cell in row if isinstance(cell, str))
    unpacker = Unpacker(connection)
    for cells in connection.execute(f"SELECT {LISTING} FROM calls"):
        yield "a call", str(read_call(cells, unpacker))
    for (packed,) in connection.execute("SELECT blob FROM minds"):
        yield "a mind", unpacker.unpack(packed).decode("utf-8", "replace")


def _write_archive(root: Path, paths: Iterable[Path], archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in paths:
            entry = zipfile.ZipInfo(path.relative_to(root).as_posix(), STARTED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, path.read_bytes(), compresslevel=9)


def ship(folder: RunFolder, answers: str = "", name: str = SAMPLE) -> None:
    """Pack a run as the shipped recording `name`."""
    target = packed_sample(name)
    pack(folder, target, answers, name)
    print(f"{folder.name} is packed as {target}: {target.stat().st_size / 1e6:.2f} MB.")
    print(f"Then: {UPDATE}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Ship the run that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path, help="the folder of runs")
    parser.add_argument("name", help="the run's name")
    parser.add_argument(
        "--as", dest="recording", choices=SAMPLES, default=SAMPLE, help="the recording it becomes"
    )
    parser.add_argument("--answers", default="", help="a clause on who gave the answers")
    asked = parser.parse_args(arguments)
    try:
        ship(RunFolder.open(asked.runs, asked.name), asked.answers, asked.recording)
    except SmolvilleError as error:
        raise SystemExit(f"{str(error).rstrip('.')}.") from None


if __name__ == "__main__":
    main()
