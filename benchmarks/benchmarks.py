"""The package `benchmarks` for one of these scripts that is run by its path.

Then this folder is on the import path, and not the one above it, in which the package is found
otherwise. `benchmarks.here` mends the path.
"""

from pathlib import Path

__path__ = [str(Path(__file__).parent)]
