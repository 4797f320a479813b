"""Convert a quoted text of a reply into JSON notation, whatever its quotes are."""

import json
import re

_ANY_QUOTE = "\"'`\u201c\u201d\u2018\u2019"
_PAIR = re.compile(r"\\(.)|\"", re.DOTALL)


def has_bare(raw: str, quote: str) -> bool:
    """Return whether the text contains the quote without a backslash: its end is uncertain."""
    return re.search(rf"(?<!\\){quote}", raw) is not None


def plain(raw: str, quote: str) -> str:
    """Return a quoted text in JSON notation, with its escapes kept."""
    if quote == '"' and '"' not in raw and "\\" not in raw and "\n" not in raw:
        return f'"{raw}"'
    written = f'"{_PAIR.sub(_escaped, raw)}"'
    try:
        return json.dumps(json.loads(written, strict=False))
    except ValueError:
        return json.dumps(raw.replace("\\" + quote, quote))


def _escaped(match: re.Match[str]) -> str:
    """Return a quote, or a backslash with its character, in JSON notation."""
    if match[0] == '"':
        return '\\"'
    if match[1] in '"\\/bfnrtu':
        return match[0]
    return match[1] if match[1] in _ANY_QUOTE else "\\" + match[0]
