"""Checks that a run can be rebuilt from its record, without a model, and compares the result."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from smolville.agents.errors import RunError
from smolville.history.digest import digest
from smolville.history.reader import RunReader
from smolville.models.keys import MaySend, forbid_all
from smolville.reports.diff import DeedDifference, FirstDifference, find_first_deed, find_parting
from smolville.reports.runs import OpenRun
from smolville.world.replay import UnrecordedQuestion, replay_run
from smolville.world.run_request import versions_now


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of rebuilding a run from its record."""

    name: str
    at: int
    """Town second up to which the run is complete."""
    rebuilt: int
    """Town second up to which the run could be rebuilt."""
    digest: str
    """Digest of the run up to `at`."""
    difference: FirstDifference | None
    """Where the rebuilt run first differs; None if it does not. The rebuilt run is the second one.
    """
    deeds: DeedDifference | None
    """Where somebody first does different things in the rebuilt run; None if nobody does."""
    unrecorded: UnrecordedQuestion | None
    """The question without an answer in the record; None if there was none."""
    versions: tuple[str, ...]
    """Versions used by the run that are not installed here, such as `smolville 0.1.0 (here 0.2.0)`.
    """

    @property
    def is_same(self) -> bool:
        """True if the rebuilt run is equal, row for row."""
        return self.difference is None and self.unrecorded is None


def verify_run(run: OpenRun, may_send: MaySend = forbid_all) -> Verification:
    """Rebuild a run in a temporary folder up to its last tick, and compare it with the run.

    Raises RunError or TownError if that is impossible.
    """
    spec = run.folder.spec
    if run.done is None:
        raise RunError(f"run {spec.name!r} has not started yet; there is nothing to replay")
    with TemporaryDirectory(prefix="smolville-replay-") as folder:
        replayed = replay_run(run.reader, Path(folder), run.done, may_send)
        with RunReader(replayed.folder) as reader:
            rebuilt = OpenRun(replayed.folder, reader, reader.watermark())
            difference = find_parting(run, rebuilt)
            deeds = find_first_deed(run, rebuilt, difference.at) if difference else None
    now = versions_now()
    return Verification(
        name=spec.name,
        at=run.at,
        rebuilt=rebuilt.at,
        digest=digest(run.reader, run.done),
        difference=difference,
        deeds=deeds,
        unrecorded=replayed.unrecorded,
        versions=tuple(
            f"{package} {was} (here {now.get(package, 'none')})"
            for package, was in spec.versions.items()
            if now.get(package) != was
        ),
    )
