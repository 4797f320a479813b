"""Notices whether there are settings beside the defaults, without loading what reads them."""

import os
from pathlib import Path

DOTENV = Path(".env")
SETTINGS_FILE = Path("smolville.toml")
"""Read from the working directory, where no other file is named."""
FILE_VARIABLE = "SMOLVILLE_SETTINGS"
"""Names another settings file; in the environment or in `.env`."""


def is_anything_set(file: Path | None) -> bool:
    """True where a settings file or a `.env` may say something."""
    named = file or os.environ.get(FILE_VARIABLE)
    return bool(named) or SETTINGS_FILE.exists() or DOTENV.exists()
