"""Edited templates taken along: a file to keep, and the commands that use it."""

from nicegui import ui

from viewer.why.bench import FOLDER, Bench
from viewer.why.elements import box, named, sound, words


def draw_keeping(bench: Bench) -> None:
    """Draw the way to take edited templates along as an overlay."""
    moment = bench.moment
    with named(box("section", "card"), aria_label="Keep"):
        words("h2", "Keep as an overlay")
        words(
            "p",
            "Takes along the files that are not as shipped. In a folder of their own they come "
            "before the shipped ones, for an evaluation or for a whole run:",
        )
        for line in (
            f"smolville prompt try --moment {moment.id} --prompts {FOLDER}",
            f"smolville prompt eval {moment.step} --moments {moment.run} --prompts {FOLDER}",
            f"smolville run --prompts {FOLDER}",
        ):
            words("code", line, "command")
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
