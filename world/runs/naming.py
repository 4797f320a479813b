"""Names of runs: which are allowed, and readable made-up ones."""

import re
from collections.abc import Collection

from agents.chance import pick
from agents.errors import RunError

NAME = re.compile(r"\w[\w.-]*")
LONGEST = 100
"""Characters of a name."""
MOST_BYTES = 240
"""File systems end at 255 bytes; letters beyond ASCII take up to four."""

_FIRST = (
    "amber", "ashen", "brave", "bright", "brisk", "calm", "clever", "copper", "coral", "cosy",
    "crisp", "dapper", "dusky", "early", "fair", "fond", "gentle", "golden", "hazel", "honest",
    "ivory", "jolly", "keen", "kind", "lively", "lucky", "mellow", "merry", "misty", "mossy",
    "neat", "noble", "olive", "patient", "plucky", "quiet", "rosy", "rustic", "sandy", "silver",
    "snowy", "steady", "sunny", "swift", "tidy", "velvet", "warm", "witty",
)  # fmt: skip
_SECOND = (
    "badger", "beaver", "bison", "bobcat", "crane", "curlew", "deer", "dove", "falcon", "ferret",
    "finch", "fox", "gecko", "goose", "hare", "heron", "ibis", "jackdaw", "kestrel", "lark",
    "lemur", "linnet", "lynx", "magpie", "marten", "mole", "newt", "otter", "owl", "panda",
    "plover", "puffin", "quail", "rabbit", "raven", "robin", "seal", "sparrow", "squirrel",
    "stoat", "swallow", "swan", "thrush", "toad", "vole", "weasel", "wombat", "wren",
)  # fmt: skip


def check_name(name: str) -> str:
    """Return `name` when it may name a run; RunError otherwise, so that paths stay inside."""
    if len(name) > LONGEST or len(name.encode(errors="replace")) > MOST_BYTES:
        raise RunError(
            f"{name[:20] + '...'!r} cannot name a run: it is too long; use at most {LONGEST} "
            "characters, fewer where they are not plain letters and digits"
        )
    if NAME.fullmatch(name) is None:
        raise RunError(
            f"{name!r} cannot name a run: use letters, digits, `_`, `.` and `-`, "
            "beginning with a letter or digit"
        )
    return name


def make_name(seed_text: str, taken: Collection[str] = ()) -> str:
    """Return a readable name such as `amber-otter`, drawn from `seed_text`, that is not taken."""
    name = f"{pick(_FIRST, seed_text, 'first')}-{pick(_SECOND, seed_text, 'second')}"
    number = 2
    free = name
    while free in taken:
        free = f"{name}-{number}"
        number += 1
    return free
