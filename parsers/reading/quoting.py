"""Write a quoted text of a reply as JSON writes it, whatever its quotes are."""

import json
import re

_ANY_QUOTE = "\"'`\u201c\u201d\u2018\u2019"
_PAIR = re.compile(r"\\(.)|\"", re.DOTALL)


def has_bare(raw: str, quote: str) -> bool:
    """Whether the quote stands in the text without a backslash, so that its end is in doubt."""
    return re.search(rf"(?<!\\){quote}", raw) is not None


def plain(raw: str, quote: str) -> str:
    """A quoted text written as JSON writes it, its escapes kept."""
    if quote == '"' and '"' not in raw and "\\" not in raw and "\n" not in raw:
        return f'"{raw}"'
    written = f'"{_PAIR.sub(_escaped, raw)}"'
    try:
        return json.dumps(json.loads(written, strict=False))
    except ValueError:
        return json.dumps(raw.replace("\\" + quote, quote))


def _escaped(match: re.Match[str]) -> str:
    """A quote or a pair of backslash and character as JSON writes it within a text."""
    if match[0] == '"':
        return '\\"'
    if match[1] in '"\\/bfnrtu':
        return match[0]
    return match[1] if match[1] in _ANY_QUOTE else "\\" + match[0]
