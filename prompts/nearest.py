"""Find existing names that are similar to an unknown one."""

import difflib
from collections.abc import Iterable

from prompts.folder import JUDGING, SUFFIX

CUTOFF = 0.6
"""Similarity of two names, 0 to 1, from which on one is suggested for the other."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a suggestion of a known name, ` (did you mean `now`?)`, or an empty text."""
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=CUTOFF)
    return f" (did you mean `{found[0]}`?)" if found else ""


def strange_name(file: str, known: Iterable[str]) -> str:
    """Return why a template's file name is unknown, with similar ones; empty if it is known."""
    stem, stems = file.removesuffix(SUFFIX), sorted(name.removesuffix(SUFFIX) for name in known)
    if stem in stems or file in JUDGING:
        return ""
    near = difflib.get_close_matches(stem, stems, n=3, cutoff=CUTOFF)
    steps = ", ".join(each for each in stems if not each.startswith("_"))
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {steps}."
    what = "no template includes" if file.startswith("_") else "there is no step for"
    return f"{what} {file}: {hint}"
