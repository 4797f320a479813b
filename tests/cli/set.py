"""Settings as tests write them down, and how they are refused."""

from pathlib import Path

import pytest

from smolville.agents.errors import SettingError
from smolville.cli.settings.choosing import choose


def write(text: str, name: str = "smolville.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


def refused(**flags: object) -> str:
    """The sentence with which settings are refused."""
    with pytest.raises(SettingError) as caught:
        choose(flags)
    assert caught.value.exit_code == 2
    said = str(caught.value)
    assert "\n" not in said
    return said
