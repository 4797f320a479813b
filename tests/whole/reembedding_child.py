"""A child process that embeds a run's memories anew until it kills itself (see test_reembedding).

`python -m tests.whole.reembedding_child RUNS NAME SPEC WHERE`: WHERE is the name of a point
(`benchmarks/kill_points.py`).
"""

import sys
from pathlib import Path

from history.folder import RunFolder
from models.embedding.embedder import open_embedder
from tests.whole.child import die_at
from world.reembedding import reembed

if __name__ == "__main__":
    runs, run, spec, where = sys.argv[1:]
    die_at(where, 1)
    reembed(RunFolder.open(Path(runs), run), open_embedder(spec))
