"""The lab page, on which a moment's templates can be edited, rendered, tried out and kept."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from difflib import SequenceMatcher

from nicegui import run as threads
from nicegui import ui

from smolville.agents.wording import format_count
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.rendering import ChatMessage
from smolville.models.tokens import estimate_tokens
from smolville.prompts.contract import LintFinding
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    TROUBLE,
    PlainTextElement,
    box,
    command,
    link,
    sentence,
    set_attributes,
    short,
    show_raw_text,
    words,
)
from smolville.viewer.frame import frame, run_address, style
from smolville.viewer.why.bench import FOLDER, EditCheck, MomentBench
from smolville.viewer.why.step_card import chips
from smolville.viewer.why.thought_view import UNREADABLE
from smolville.viewer.why.try_form import TryForm

SETTLING = 0.3
"""Seconds without typing after which the edits are checked."""
HINT = "Tab indents here; Escape and then Tab leads on."
_NAME = """
(function seek(left) {
  const host = getHtmlElement(%d);
  const text = host && host.querySelector(".cm-content");
  if (text) {
    text.setAttribute("aria-label", %s);
    text.tabIndex = 0;
  }
  else if (left) setTimeout(seek, 50, left - 1);
})(200);
"""
_THEME = """
(function () {
  const tell = () => emitEvent("why-theme", document.documentElement.dataset.theme || "day");
  document.addEventListener("theme", tell);
  tell();
})();
"""
SIGNS = {"same": (" ", ""), "gone": ("−", "went: "), "new": ("+", "came: ")}
"""The sign before lines of each kind, and what a screen reader says instead."""


def draw_lab(config: AppConfig, bench: MomentBench) -> None:
    """Draw the lab of a moment."""
    moment = bench.moment
    style("why")
    with frame(f"Lab: {moment.step}", moment.run), box("div", "lab"):
        _draw_head(config, moment)
        Lab(bench)
        TryForm(config, bench)
        _draw_keeping(config, bench)


def _draw_head(config: AppConfig, moment: Moment) -> None:
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
    """The editor of a moment's templates, and beside it the messages that the model would get."""

    def __init__(self, bench: MomentBench) -> None:
        """Draw both."""
        self._bench = bench
        self._edits = 0
        with box("div", "lab-columns"):
            with box("section", "lab-part", aria_label="Templates"):
                words("h2", "Templates")
                self._editor = Editor(bench, self._examine_edits)
            with box("section", "lab-part", aria_label="Messages"):
                words("h2", "What the model would get")
                self._messages = box("div")
        ui.timer(0.01, self._look, once=True)

    async def _examine_edits(self) -> None:
        self._edits += 1
        mine = self._edits
        await asyncio.sleep(SETTLING)
        if mine == self._edits:
            await self._look()

    async def _look(self) -> None:
        mine = self._edits
        looked: EditCheck | str | None
        try:
            looked = await threads.io_bound(self._bench.looked_at)
        except (*TROUBLE, *UNREADABLE) as error:
            looked = sentence(error)
        if looked is None or mine != self._edits or self._messages.is_deleted:
            return
        self._messages.clear()
        with self._messages:
            if isinstance(looked, str):
                short("p", looked, "trouble", longest=2_000)
            else:
                draw_rendered(looked)
        if isinstance(looked, EditCheck):
            self._editor.show_findings(looked.findings, looked.trouble)


class Editor:
    """An editor for the templates of one moment: one file at a time, its problems marked."""

    def __init__(self, bench: MomentBench, edited: Callable[[], Awaitable[None]]) -> None:
        """Draw the editor; `edited` is called after every edit."""
        self._bench = bench
        self._edited = edited
        self._file = bench.files[0]
        self._tabs: dict[str, PlainTextElement] = {}
        with box("div", "files", role="group", aria_label="Files"):
            for file in bench.files:
                self._tabs[file] = words("button", file, "file", type="button")
                self._tabs[file].on("click", lambda _, file=file: self._show(file))
        self._code = ui.codemirror(
            bench.texts[self._file],
            language="Jinja2",
            theme="githubLight",
            line_wrapping=True,
            indent="  ",
            on_change=self._note_change,
        ).classes("editor")
        words("p", HINT, "soft")
        with box("div", "findings", role="status", aria_live="polite"):
            self._findings = box("div")
        restore = words("button", "Take back this file's edits", "button", type="button")
        restore.on("click", lambda _: self._code.set_value(bench.moment.templates[self._file]))
        ui.on(
            "why-theme",
            lambda event: self._code.set_theme(
                "githubDark" if event.args == "night" else "githubLight"
            ),
        )
        ui.run_javascript(_THEME)
        self._show(self._file)

    def show_findings(self, findings: Sequence[LintFinding], trouble: str) -> None:
        """Show the problems: in a list, and at the lines of the open file."""
        lines = self._code.value.count("\n") + 1
        self._code.decorations = [
            {"kind": "line", "line": each.line, "class": f"line-{each.severity}"}
            for each in findings
            if each.file == self._file and each.line is not None and each.line <= lines
        ]
        self._findings.clear()
        with self._findings:
            if not self._bench.edits:
                words("p", "Unchanged.", "soft")
            elif not findings and not trouble:
                words("p", "Nothing is wrong with what was edited.", "is-clean")
            with box("ul", "finding-list"):
                for each in findings:
                    with box("li", f"finding is-{each.severity}"):
                        words("strong", each.severity)
                        short("span", each.where, "finding-where")
                        short("span", each.text, longest=2_000)
                if trouble and not any(each.severity == "error" for each in findings):
                    short("li", trouble, "problem-line", longest=2_000)
        self._mark()

    def _show(self, file: str) -> None:
        self._file = file
        if self._code.value != self._bench.texts[file]:
            self._code.set_value(self._bench.texts[file])
        told = json.dumps(f"Template {file}. {HINT}")
        ui.run_javascript(_NAME % (self._code.id, told))
        self._mark()

    def _mark(self) -> None:
        for file, tab in self._tabs.items():
            set_attributes(tab, aria_pressed=str(file == self._file).lower())
            tab.set_text(f"{file} (edited)" if file in self._bench.edits else file)

    async def _note_change(self) -> None:
        self._bench.edit(self._file, self._code.value)
        await self._edited()


def changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield both texts merged, as stretches of lines that are `same`, `gone` or `new`."""
    one, other = before.split("\n"), after.split("\n")
    for kind, start, end, begin, stop in SequenceMatcher(None, one, other).get_opcodes():
        if kind == "equal":
            yield "same", "\n".join(one[start:end])
            continue
        for name, lines in (("gone", one[start:end]), ("new", other[begin:stop])):
            if lines:
                yield name, "\n".join(lines)


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
            is_known = number < len(looked.before)
            _draw_message(message, looked.before[number].content if is_known else "")


def _draw_message(message: ChatMessage, old: str) -> None:
    with box("li", f"message is-{message.role}"):
        with box("div", "message-role"):
            words("span", message.role, "role")
            size = estimate_tokens(message.content)
            more = size - estimate_tokens(old)
            words("span", f"about {format_count(size, 'token')}" + (f", {more:+d}" if more else ""))
            words("span", "changed" if old != message.content else "the same")
        if old == message.content:
            show_raw_text(message.content, f"The {message.role} message")
            return
        label = f"Changed {message.role}"
        with box("div", "raw-text changes", tabindex="0", role="group", aria_label=label):
            for kind, text in changes(old, message.content):
                sign, spoken = SIGNS[kind]
                with box("div", f"change is-{kind}"):
                    words("span", sign, "change-sign", aria_hidden="true")
                    if spoken:
                        words("span", spoken, "unseen")
                    words("pre", text)


def _draw_keeping(config: AppConfig, bench: MomentBench) -> None:
    moment = bench.moment
    how = ("--prompts", FOLDER, "--model", moment.attempts[0].call.model)
    with box("section", "card", aria_label="Keep"):
        words("h2", "Keep as an overlay")
        words(
            "p",
            "Takes along the files that are not as shipped. In a folder of their own they come "
            "before the shipped ones, for an evaluation or for a whole run:",
        )
        command("prompt", "eval", moment.step, "--moments", moment.run, *how, *config.where)
        command("run", *how, *config.where)
        keep = words("button", "Keep as overlay", "button", type="button")
        said = words("p", "", "soft")
        set_attributes(said, role="status", aria_live="polite")

    def keep_overlay() -> None:
        if not bench.overlay():
            said.set_text("These templates are as shipped: there is nothing to keep.")
            return
        ui.download.content(bench.pack_overlay(), f"{FOLDER}.zip")
        said.set_text(f"Unpack {FOLDER}.zip into a folder called {FOLDER}.")

    keep.on("click", lambda _: keep_overlay())
