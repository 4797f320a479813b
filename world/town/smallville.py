"""Recognises folders of the original Smallville (Park et al. 2023), which cannot be used here."""

import json
from pathlib import Path

from smolville.agents.errors import TownError
from smolville.agents.text_files import read_text

SETTINGS = "town.toml"
"""The file that every town of Smolville has."""
_MOST_NAMES = 3


def refuse_smallville(folder: Path) -> None:
    """Raise TownError with a description for a folder of the original Smallville.

    These are recognised: a saved simulation (`storage/NAME`), a compressed one, a folder of several
    simulations, the map's folder (`the_ville`, or its `matrix`), and a single person's folder.
    """
    if (folder / SETTINGS).exists():
        return
    try:
        what = _describe(folder)
    except OSError:
        return
    if what:
        raise TownError(
            f"{str(folder)!r} is {what} of the original Smallville, which Smolville cannot live "
            f"in: a town is a folder with {SETTINGS}, personas/*.toml and a map of Tiled, as "
            "towns/smolville/README.md describes it; leave --town out for the shipped one."
        )


def _describe(folder: Path) -> str:
    """Return a description of a folder of Smallville; empty for any other folder."""
    if _is_simulation(folder):
        return f"a saved simulation{_people(folder)}"
    if (folder / "master_movement.json").is_file() and (folder / "meta.json").is_file():
        return f"a compressed simulation{_people(folder)}"
    if any((folder / part / "maze_meta_info.json").is_file() for part in (".", "matrix")):
        return "the map"
    if (folder / "bootstrap_memory" / "scratch.json").is_file():
        return "a person"
    if any(_is_simulation(inside) for inside in folder.iterdir() if inside.is_dir()):
        return "a folder of saved simulations"
    return ""


def _is_simulation(folder: Path) -> bool:
    """Return whether a folder is a saved simulation, complete or not."""
    is_saved = (folder / "reverie" / "meta.json").is_file()
    return is_saved or any(folder.glob("personas/*/bootstrap_memory/scratch.json"))


def _people(folder: Path) -> str:
    """Return who lives in a simulation, as far as its files say: ` of Ada Brook and 2 more`."""
    for path in (folder / "reverie" / "meta.json", folder / "meta.json"):
        try:
            names = json.loads(read_text(path))["persona_names"]
            told = [str(name) for name in names]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        more = len(told) - _MOST_NAMES
        if told:
            rest = f" and {more} more" if more > 0 else ""
            return f" ({', '.join(told[:_MOST_NAMES])}{rest})"
    return ""
