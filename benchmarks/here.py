"""Takes this folder off the import path; every benchmark imports it first.

If a script is run by its path, its own folder comes first in the import path. Then `models` would
be the benchmark of that name, and not the package.
"""

import sys
from pathlib import Path

sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).parent]
