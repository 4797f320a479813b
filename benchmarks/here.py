"""Imported first by every benchmark: takes this folder off the import path.

A script that is run by its path has its own folder there first, and `models` would be the benchmark
of that name, not the room.
"""

import sys
from pathlib import Path

sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).parent]
