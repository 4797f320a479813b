"""Puts the top of the project on the import path; every benchmark imports it first.

If a script is run by its path, its own folder comes first in the import path, in which `tests` is
not found. The top of the project takes its place.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:] = [
    str(_HERE.parent) if Path(entry or ".").resolve() == _HERE else entry for entry in sys.path
]
