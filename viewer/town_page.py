"""The page of a town: the stage, which draws itself in the browser, and dialogs over it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from shlex import join
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Response
from fastapi.responses import RedirectResponse
from nicegui import ui
from nicegui.events import GenericEventArguments

from smolville.agents.errors import DamagedError, RunError, SmolvilleError
from smolville.history.folder import RunFolder, owner_of
from smolville.viewer.bundle import TOWN
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import sentence
from smolville.viewer.frame import dress, frame, links, run_address, say_error
from smolville.viewer.serving.children import StartedProcess, children_of, why_ended
from smolville.viewer.serving.stage_files import WHOLE

ENTRY = "served.js"
"""The stage's entry module when served by the app."""
DIALOGS = "smolville.viewer.taking_part.dialogs"
"""Module that draws the dialogs over the town; it has `Dialogs`."""
SOON = 1.0
"""Seconds between two checks whether a run has begun."""
Handler = Callable[[str, dict[str, Any]], Awaitable[None]]
"""Opens a dialog by its name, with data about its subject."""


def add(app: FastAPI, config: AppConfig) -> None:
    """Add `/run/NAME`, and `/`, which leads to the latest run that can be opened."""

    @app.get("/")
    def first() -> Response:
        from smolville.reports.runs import newest_run

        name = newest_run(config.runs)
        return RedirectResponse(run_address(name) if name else "/start")

    @ui.page("/run/{run}")
    def town(run: str, asked: str = "") -> None:
        child = children_of(config).last(run)
        if child is not None and not has_begun(config, run):
            _show_opening(config, child)
            return
        folder = config.folder(run)
        left = not_begun(folder, *config.where)
        if left:
            say_error(left)
            ui.timer(SOON, lambda: ui.navigate.reload() if has_begun(config, run) else None)
            return
        dress(folder.name)
        ui.add_head_html(head_html(folder.name))
        # The stage does not wait for the scripts that dialogs need: it is drawn before they come.
        ui.add_body_html(
            '<div id="stage"></div>'
            f'<script type="module" async src="/stage/{WHOLE}{ENTRY}"></script>'
        )
        listen(config, folder.name, asked)


def not_begun(folder: RunFolder, *where: str) -> str:
    """Return the message for a run that has nothing to show; empty if there is something.

    The message has a command to copy; `where` are its options that name the folder of runs. A
    damaged history counts as something to show: the stage says that it is damaged. Raises RunError
    for a history of another Smolville version.
    """
    if folder.has_history:
        if owner_of(folder) is not None:
            return ""
        from smolville.history.reader import RunReader

        try:
            with RunReader(folder) as reader:
                if reader.watermark() is not None:
                    return ""
        except DamagedError:
            return ""
    return (
        f"The run {folder.name} has not started: it was created, but never begun. "
        f"Start it: {join(['smolville', 'run', folder.name, '--resume', *where])}"
    )


def has_begun(config: AppConfig, name: str) -> bool:
    """Return whether a run is in progress or has something to show."""
    try:
        return name in config.names() and not not_begun(config.folder(name))
    except SmolvilleError:
        # It is being created at this moment.
        return False


def _show_opening(config: AppConfig, child: StartedProcess) -> None:
    began = time.monotonic()
    kind, _, target = child.model.partition(":")
    model = Path(target).name if kind == "gguf" else child.model
    with frame(f"{child.name} is being opened"), ui.element("section").classes("card"):
        ui.label(
            "The town appears here as soon as its people are there."
            if kind == "standin"
            else f"The model {model} is being made ready to think. One in a file is first read "
            "into memory, which takes from some seconds to a minute. Then the town appears here, "
            "and shows who is thinking."
        )
        said = ui.label("").props('role="status"').classes("soft")

    def look() -> None:
        if has_begun(config, child.name):
            ui.navigate.reload()
        elif child.lives:
            said.set_text(f"Waiting for {time.monotonic() - began:.0f} s.")
        else:
            watch.deactivate()
            said.classes(replace="told is-trouble")
            said.set_text(sentence(RunError(why_ended(child))))

    watch = ui.timer(SOON, look)


def head_html(*runs: str, entry: str = ENTRY) -> str:
    """Return the HTML of a page's head: preloaded replays, styles, and the bundle of `entry`."""
    # The replay first: it is built while the modules that show it are still loading.
    parts = [
        f'<link rel="preload" as="fetch" crossorigin="anonymous" fetchpriority="high" '
        f'href="/replay/{quote(run, safe="")}/{name}">'
        for run in runs
        for name in ("head.json", "tracks.json?since=-1")
    ]
    parts.append(links(*TOWN, "pair", "forms", "dialogs"))
    parts.append(f'<link rel="modulepreload" href="/stage/{WHOLE}{entry}">')
    return "".join(parts)


def listen(config: AppConfig, run: str, asked: str = "") -> None:
    """Open the dialogs requested by the stage: `emitEvent("stage", {name, ...})` in the browser.

    `asked` is the id of the request that this fork was made for; the page reports its outcome.
    """
    opened: list[Handler] = []

    async def heard(event: GenericEventArguments) -> None:
        detail = dict(event.args) if isinstance(event.args, dict) else {}
        await handle(str(detail.pop("name", "")), detail)

    async def handle(name: str, detail: dict[str, Any]) -> None:
        # Imported with the first request, in a thread, because it takes a while.
        dialogs = await asyncio.to_thread(import_module, DIALOGS)
        if not opened:
            opened.append(dialogs.Dialogs(config, run))
        await opened[0](name, detail)

    ui.on("stage", heard)
    if asked:
        ui.timer(SOON, lambda: handle("asked", {"id": asked}), once=True)
