"""The editor of templates: one file at a time, with its problems marked at the lines."""

import json
from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui
from nicegui.events import GenericEventArguments

from smolville.prompts.contract import LintFinding
from smolville.viewer.elements import PlainTextElement, box, set_attributes, short, words
from smolville.viewer.why.bench import MomentBench

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


class Editor:
    """An editor for the templates of one moment."""

    def __init__(self, bench: MomentBench, edited: Callable[[], Awaitable[None]]) -> None:
        """Draw the editor; `edited` is called after every edit."""
        self._bench = bench
        self._edited = edited
        self._file = bench.files[0]
        self._tabs: dict[str, ui.element] = {}
        with box("div", "files", role="group", aria_label="Files"):
            for file in bench.files:
                self._tabs[file] = self._tab(file)
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
        ui.on("why-theme", self._turn)
        ui.run_javascript(_THEME)
        self._show(self._file)

    def _turn(self, event: GenericEventArguments) -> None:
        self._code.set_theme("githubDark" if event.args == "night" else "githubLight")

    def show_findings(self, findings: Sequence[LintFinding], trouble: str) -> None:
        """Show the problems: in a list, and at the lines of the open file."""
        lines = self._code.value.count("\n") + 1
        here = [each for each in findings if each.file == self._file and each.line]
        self._code.decorations = [
            {"kind": "line", "line": each.line, "class": f"line-{each.severity}"}
            for each in here
            if each.line is not None and each.line <= lines
        ]
        self._findings.clear()
        with self._findings:
            if not self._bench.edits:
                words("p", "Unchanged.", "soft")
            elif not findings and not trouble:
                words("p", "Nothing is wrong with what was edited.", "is-clean")
            with box("ul", "finding-list"):
                for each in findings:
                    self._finding(each)
                if trouble and not any(each.severity == "error" for each in findings):
                    short("li", trouble, "problem-line", longest=2_000)
        self._mark()

    def restore(self) -> None:
        """Undo the edits of the open file."""
        self._code.set_value(self._bench.moment.templates[self._file])

    def _finding(self, each: LintFinding) -> None:
        with box("li", f"finding is-{each.severity}"):
            words("strong", each.severity)
            if each.line is None or each.file not in self._tabs:
                short("span", each.where, "finding-where")
            else:
                button = words("button", each.where, "finding-where")
                set_attributes(button, type="button")
                button.on("click", lambda _: self._open_line(each.file, each.line or 1))
            short("span", each.text, longest=2_000)

    def _open_line(self, file: str, line: int) -> None:
        self._show(file)
        self._code.reveal_line(line)

    def _tab(self, file: str) -> ui.element:
        made = words("button", file, "file", type="button")
        made.on("click", lambda _: self._show(file))
        return made

    def _show(self, file: str) -> None:
        self._file = file
        if self._code.value != self._bench.texts[file]:
            self._code.set_value(self._bench.texts[file])
        told = json.dumps(f"Template {file}. {HINT}")
        ui.run_javascript(_NAME % (self._code.id, told))
        self._mark()

    def _mark(self) -> None:
        """Mark the name of the open file and the names of edited files."""
        for file, tab in self._tabs.items():
            set_attributes(tab, aria_pressed=str(file == self._file).lower())
            if isinstance(tab, PlainTextElement):
                tab.set_text(f"{file} (edited)" if file in self._bench.edits else file)

    async def _note_change(self) -> None:
        self._bench.edit(self._file, self._code.value)
        await self._edited()
