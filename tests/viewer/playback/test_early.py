"""The replay of the run that is shown first is read beside the start of the app."""

from pathlib import Path

from tests.fixtures.viewing import surroundings
from tests.fixtures.warm import run_warm

CODE = """
import gzip, sys
from pathlib import Path
from smolville.history.folder import RunFolder
from smolville.viewer.playback.early import EarlyReplay
from smolville.viewer.playback.replay_json import plain_json
from smolville.viewer.playback.reader import ReplayReader
folder = RunFolder.open(Path(sys.argv[1]), "town")
early = EarlyReplay(folder)
print(early.is_begun("town"), early.is_begun("other"), early.take("other", "head"))
with ReplayReader(folder) as reader:
    for part in ("head", "tracks"):
        whole = plain_json(getattr(reader, part)())
        print(gzip.decompress(early.take("town", part)) == whole, early.take("town", part))
early.close()
"""


def test_each_part_is_handed_out_once_and_is_what_the_run_holds(lived_runs: Path) -> None:
    done = run_warm(["-c", CODE, str(lived_runs)], lived_runs.parent, surroundings())
    said = ["True False None", "True None", "True None"]
    assert (done.stdout.splitlines(), done.stderr) == (said, "")
