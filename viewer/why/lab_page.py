"""The lab page, on which a moment's templates can be edited, rendered, tried out and kept."""

import asyncio
from collections.abc import Awaitable, Callable

from nicegui import run as threads
from nicegui import ui

from smolville.lab.moments.moment import Moment
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, sentence
from smolville.viewer.elements import box, command, link, set_attributes, short, sound, words
from smolville.viewer.frame import frame, run_address
from smolville.viewer.styles import style
from smolville.viewer.why.bench import FOLDER, MomentBench
from smolville.viewer.why.editor import Editor
from smolville.viewer.why.message_diff import draw_rendered
from smolville.viewer.why.outcomes import chips
from smolville.viewer.why.thought_view import UNREADABLE
from smolville.viewer.why.try_form import TryForm

SETTLING = 0.3
"""Seconds without typing after which the edits are checked."""


def draw_lab(config: AppConfig, bench: MomentBench) -> None:
    """Draw the lab of a moment."""
    moment = bench.moment
    style("why")
    with frame(f"Lab: {moment.step}", moment.run), box("div", "lab"):
        _draw_head(config, moment)
        Lab(config, bench).draw()


def _draw_head(config: AppConfig, moment: Moment) -> None:
    """Draw the description of the moment, and the link back to its thought."""
    record = moment.record
    with box("section", "card"):
        with box("div", "why-when"):
            short("strong", f"{moment.agent}, day {moment.time}")
            chips(moment.outcome, is_odd=bool(record.odd))
        words(
            "p",
            "The same inputs and memories, with templates as you edit them here. Nothing of this "
            "reaches the town.",
        )
        with box("nav", "ways", aria_label="From here"):
            is_talk = record.owner != moment.agent
            path = record.owner if is_talk else f"why/{record.owner}/{record.tick}"
            link("Back to the thought", run_address(moment.run, path), "button")
        command("prompt", "render", moment.id, *config.where)


class Lab:
    """The state of one lab page."""

    def __init__(self, config: AppConfig, bench: MomentBench) -> None:
        self._config = config
        self._bench = bench
        self._attempt = 0
        self._edits = 0

    def draw(self) -> None:
        """Draw the editor, the messages, and the sections for trying and keeping."""
        with box("div", "lab-columns"):
            with box("section", "lab-part", aria_label="Templates"):
                words("h2", "Templates")
                self._editor = Editor(self._bench, self._examine_edits)
                _button("Take back this file's edits", self._editor.restore)
            with box("section", "lab-part", aria_label="Messages"):
                words("h2", "What the model would get")
                self._draw_attempts()
                self._messages = box("div")
        TryForm(self._config, self._bench)
        _draw_keeping(self._config, self._bench)
        ui.timer(0.01, self._look, once=True)

    def _draw_attempts(self) -> None:
        count = len(self._bench.moment.attempts)
        if count < 2:
            return
        with box("label", "field"):
            words("span", "Question")
            with box("select") as choice:
                for number in range(count):
                    name = f"repair {number}" if number else "the first"
                    words("option", name, value=str(number))

        async def chosen(event: object) -> None:
            self._attempt = max(0, min(count - 1, int(str(getattr(event, "args", 0)))))
            await self._look()

        choice.on("change", chosen, js_handler="(e) => emit(Number(e.target.value))")

    async def _examine_edits(self) -> None:
        """Check the edits once typing has paused."""
        self._edits += 1
        mine = self._edits
        await asyncio.sleep(SETTLING)
        if mine == self._edits:
            await self._look()

    async def _look(self) -> None:
        """Show the problems of the edits, and the messages that the model would get."""
        mine = self._edits
        try:
            looked = await threads.io_bound(self._bench.looked_at, self._attempt)
        except (*TROUBLE, *UNREADABLE) as error:
            if not self._messages.is_deleted:
                self._messages.clear()
                with self._messages:
                    short("p", sentence(error), "trouble", longest=2_000)
            return
        if looked is None or mine != self._edits or self._messages.is_deleted:
            return
        self._editor.show_findings(looked.findings, looked.trouble)
        self._messages.clear()
        with self._messages:
            draw_rendered(looked)


def _button(text: str, do: Callable[[], Awaitable[None] | None]) -> None:
    made = words("button", text, "button", type="button")
    made.on("click", lambda _: do())


def _commands(bench: MomentBench) -> tuple[tuple[str, ...], ...]:
    moment = bench.moment
    how = ("--prompts", FOLDER, "--model", moment.attempts[0].call.model)
    return (
        ("prompt", "try", moment.id, *how),
        ("prompt", "eval", moment.step, "--moments", moment.run, *how),
        ("run", *how),
    )


def _draw_keeping(config: AppConfig, bench: MomentBench) -> None:
    """Draw the section for downloading edited templates as an overlay."""
    with box("section", "card", aria_label="Keep"):
        words("h2", "Keep as an overlay")
        words(
            "p",
            "Takes along the files that are not as shipped. In a folder of their own they come "
            "before the shipped ones, for an evaluation or for a whole run:",
        )
        for line in _commands(bench):
            command(*line, *config.where)
        keep = words("button", "Keep as overlay", "button", type="button")
        said = words("p", "", "soft")
        set_attributes(said, role="status", aria_live="polite")

    def keep_overlay() -> None:
        if not bench.overlay():
            said.set_text("These templates are as shipped: there is nothing to keep.")
            return
        name, content = bench.pack_overlay()
        ui.download.content(content, name)
        files = ", ".join(bench.overlay())
        is_one = name == files
        told = f"Put {name}" if is_one else f"Unpack {name} ({files})"
        said.set_text(sound(f"{told} into a folder called {FOLDER}."))

    keep.on("click", lambda _: keep_overlay())
