"""The messages that the model would get with edited templates, compared with what it got."""

import difflib
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from smolville.agents.wording import format_count
from smolville.lab.prompting.rendering import ChatMessage
from smolville.models.tokens import estimate_tokens
from smolville.viewer.elements import box, set_attributes, short, show_raw_text, words
from smolville.viewer.why.bench import EditCheck

Kind = Literal["same", "gone", "new"]
MOST = 4_000
"""Maximum number of lines compared one by one; of longer texts, only the ends are compared."""
SIGNS = {"same": " ", "gone": "−", "new": "+"}
SPOKEN = {"same": "", "gone": "went: ", "new": "came: "}


class DiffRun(NamedTuple):
    """Consecutive lines of the same kind."""

    kind: Kind
    text: str


def changes(before: str, after: str) -> list[DiffRun]:
    """Return both texts merged: lines only in the first are `gone`, only in the second `new`."""
    one, other = before.split("\n"), after.split("\n")
    if max(len(one), len(other)) > MOST:
        return list(_by_ends(one, other))
    found: list[DiffRun] = []
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for kind, from_, to, from_other, to_other in matcher.get_opcodes():
        if kind == "equal":
            found.append(DiffRun("same", "\n".join(one[from_:to])))
            continue
        found += _diff_changed_lines(one[from_:to], other[from_other:to_other])
    return found


def _by_ends(one: list[str], other: list[str]) -> Iterator[DiffRun]:
    """Yield the common beginning and end of two long texts, and everything between as changed."""
    least = min(len(one), len(other))
    head = next((n for n in range(least) if one[n] != other[n]), least)
    left = least - head
    tail = next((n for n in range(left) if one[-1 - n] != other[-1 - n]), left)
    if head:
        yield DiffRun("same", "\n".join(one[:head]))
    yield from _diff_changed_lines(one[head : len(one) - tail], other[head : len(other) - tail])
    if tail:
        yield DiffRun("same", "\n".join(one[len(one) - tail :]))


def _diff_changed_lines(gone: list[str], new: list[str]) -> Iterator[DiffRun]:
    if gone:
        yield DiffRun("gone", "\n".join(gone))
    if new:
        yield DiffRun("new", "\n".join(new))


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
    with set_attributes(
        box("div", "raw-text changes"), tabindex="0", role="group", aria_label=f"Changed {role}"
    ):
        for run in runs:
            with box("div", f"change is-{run.kind}"):
                set_attributes(words("span", SIGNS[run.kind], "change-sign"), aria_hidden="true")
                if SPOKEN[run.kind]:
                    words("span", SPOKEN[run.kind], "unseen")
                words("pre", run.text)
