"""The default files that settings are read from, and whether any of them exists."""

import os
from pathlib import Path

DOTENV = Path(".env")
SETTINGS_FILE = Path("smolville.toml")
"""The default settings file, in the working directory."""
FILE_VARIABLE = "SMOLVILLE_SETTINGS"
"""Variable that names another settings file, in the environment or in `.env`."""


def is_anything_set(file: Path | None) -> bool:
    """Return whether there is a settings file or a `.env` that may set something."""
    named = file or os.environ.get(FILE_VARIABLE)
    return bool(named) or SETTINGS_FILE.exists() or DOTENV.exists()
