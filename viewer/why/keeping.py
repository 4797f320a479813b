"""Download of edited templates, with the commands that use them."""

from nicegui import ui

from viewer.why.bench import FOLDER, MomentBench
from viewer.why.elements import box, command, named, sound, words


def _commands(bench: MomentBench) -> tuple[tuple[str, ...], ...]:
    """Return the commands that use an overlay with the model of the moment."""
    moment = bench.moment
    how = ("--prompts", FOLDER, "--model", moment.attempts[0].call.model)
    return (
        ("prompt", "try", "--moment", moment.id, *how),
        ("prompt", "eval", moment.step, "--moments", moment.run, *how),
        ("run", *how),
    )


def draw_keeping(bench: MomentBench) -> None:
    """Draw the section for downloading edited templates as an overlay."""
    with named(box("section", "card"), aria_label="Keep"):
        words("h2", "Keep as an overlay")
        words(
            "p",
            "Takes along the files that are not as shipped. In a folder of their own they come "
            "before the shipped ones, for an evaluation or for a whole run:",
        )
        for line in _commands(bench):
            command(*line)
        keep = named(words("button", "Keep as overlay", "button"), type="button")
        said = words("p", "", "soft")
        named(said, role="status", aria_live="polite")

    def taken() -> None:
        if not bench.overlay():
            said.set_text("These templates are as shipped: there is nothing to keep.")
            return
        name, content = bench.packed()
        ui.download.content(content, name)
        files = ", ".join(bench.overlay())
        is_one = name == files
        told = f"Put {name}" if is_one else f"Unpack {name} ({files})"
        said.set_text(sound(f"{told} into a folder called {FOLDER}."))

    keep.on("click", lambda _: taken())
