"""The messages that the model would get with edited templates, compared with what it got."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from smolville.agents.wording import format_count
from smolville.lab.prompting.rendering import ChatMessage
from smolville.models.tokens import estimate_tokens
from smolville.viewer.elements import box, short, show_raw_text, words
from smolville.viewer.why.bench import EditCheck

MOST = 4_000
"""Maximum number of lines compared one by one; of longer texts, only the ends are compared."""
SIGNS = {"same": " ", "gone": "−", "new": "+"}
SPOKEN = {"same": "", "gone": "went: ", "new": "came: "}


class DiffRun(NamedTuple):
    """Consecutive lines of the same kind."""

    kind: str
    """`same`, `gone` or `new`."""
    text: str


def changes(before: str, after: str) -> list[DiffRun]:
    """Return both texts merged: lines only in the first are `gone`, only in the second `new`."""
    one, other = before.split("\n"), after.split("\n")
    if max(len(one), len(other)) > MOST:
        least = min(len(one), len(other))
        head = next((n for n in range(least) if one[n] != other[n]), least)
        left = range(least - head)
        tail = next((n for n in left if one[-1 - n] != other[-1 - n]), least - head)
        ends = (len(one) - tail, len(other) - tail)
        codes = [(0, head, 0, head), (head, ends[0], head, ends[1])]
        codes.append((ends[0], len(one), ends[1], len(other)))
    else:
        opcodes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
        codes = [(start, end, begin, stop) for _, start, end, begin, stop in opcodes]
    found: list[DiffRun] = []
    for start, end, other_start, other_end in codes:
        gone, new = one[start:end], other[other_start:other_end]
        kinds = {"same": gone} if gone == new else {"gone": gone, "new": new}
        found += [DiffRun(kind, "\n".join(lines)) for kind, lines in kinds.items() if lines]
    return found


def draw_rendered(looked: EditCheck) -> None:
    """Draw every message with its changes marked."""
    if not looked.after:
        words("p", "The model can be shown nothing until this is mended:", "trouble")
        short("p", looked.trouble, "trouble", longest=2_000)
        return
    if looked.after == looked.before:
        words("p", "The model gets the same, to the letter.", "soft")
    with box("ol", "messages"):
        for number, message in enumerate(looked.after):
            before = looked.before[number] if number < len(looked.before) else None
            _draw(message, before)


def _draw(message: ChatMessage, before: ChatMessage | None) -> None:
    old = "" if before is None else before.content
    with box("li", f"message is-{message.role}"):
        with box("div", "message-role"):
            words("span", message.role, "role")
            size = estimate_tokens(message.content)
            more = size - estimate_tokens(old)
            changed = f", {more:+d}" if more else ""
            words("span", f"about {format_count(size, 'token')}{changed}")
            words("span", "changed" if old != message.content else "the same")
        if old == message.content:
            show_raw_text(message.content, f"The {message.role} message")
        else:
            _draw_changes(changes(old, message.content), message.role)


def _draw_changes(runs: Sequence[DiffRun], role: str) -> None:
    with box("div", "raw-text changes", tabindex="0", role="group", aria_label=f"Changed {role}"):
        for run in runs:
            with box("div", f"change is-{run.kind}"):
                words("span", SIGNS[run.kind], "change-sign", aria_hidden="true")
                if SPOKEN[run.kind]:
                    words("span", SPOKEN[run.kind], "unseen")
                words("pre", run.text)
