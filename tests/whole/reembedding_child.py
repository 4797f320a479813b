"""A child process that embeds a run's memories anew until it kills itself (see test_reembedding).

`python -m tests.whole.reembedding_child RUNS NAME SPEC WHERE`: WHERE is the name of a point
(`benchmarks/kills.py`).
"""

import sys
from pathlib import Path

from smolville.history.folder import RunFolder
from smolville.models.embedding.embedder import open_embedder
from smolville.world.reembedding import reembed
from tests.whole.child import die_at

if __name__ == "__main__":
    runs, run, spec, where = sys.argv[1:]
    die_at(where, 1)
    reembed(RunFolder.open(Path(runs), run), open_embedder(spec))
