"""Shows what the model would get with edited templates, compared with what it got."""

from collections.abc import Sequence

from agents.numbers import many
from lab.prompting.rendering import ChatMessage
from models.tokens import estimate_tokens
from viewer.why.bench import EditCheck
from viewer.why.changes import DiffRun, changes
from viewer.why.elements import box, named, raw, short, words

SIGNS = {"same": " ", "gone": "−", "new": "+"}
SPOKEN = {"same": "", "gone": "went: ", "new": "came: "}


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
            words("span", f"about {many(size, 'token')}{changed}")
            words("span", "changed" if old != message.content else "the same")
        if old == message.content:
            raw(message.content, f"The {message.role} message")
        else:
            _draw_changes(changes(old, message.content), message.role)


def _draw_changes(runs: Sequence[DiffRun], role: str) -> None:
    with named(
        box("div", "raw-text changes"), tabindex="0", role="group", aria_label=f"Changed {role}"
    ):
        for run in runs:
            with box("div", f"change is-{run.kind}"):
                named(words("span", SIGNS[run.kind], "change-sign"), aria_hidden="true")
                if SPOKEN[run.kind]:
                    words("span", SPOKEN[run.kind], "unseen")
                words("pre", run.text)
