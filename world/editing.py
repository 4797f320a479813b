"""Applies edited templates to a run in progress.

Each edit is recorded as an intervention, with the first tick at which the new templates are used.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

import orjson

from smolville.agents.errors import ContextError
from smolville.agents.times import Clock, moment
from smolville.graphs.catalogue import Template, check_templates, collect_templates
from smolville.history.history import History
from smolville.history.moments import EDITED
from smolville.history.observers import RunObserver
from smolville.history.records import Intervention
from smolville.prompts.errors import PromptError
from smolville.prompts.facts import TemplateFacts
from smolville.prompts.folder import WatchedFolder
from smolville.prompts.prompt import TemplateBook, TemplateSet

NOTHING = Template(TemplateFacts().version, {})
"""The template recorded when a folder no longer controls how answers are judged."""


@dataclass(kw_only=True)
class TemplateWatcher:
    """Watches a folder of templates during a run, and applies edits to the run."""

    folder: WatchedFolder
    book: TemplateBook
    """The templates in use, from which prompts are made."""
    history: History
    clock: Clock
    watch: RunObserver
    fit: Callable[[TemplateSet], None] = lambda templates: None
    """Function that raises ContextError for templates that are too long for the models."""

    def take(self, tick: int) -> None:
        """Look for new edits in the folder, and use them from `tick` on.

        Nobody may have begun `tick` yet. Edits are recorded in the history before that tick is
        run, so a crash in between changes nothing. Invalid templates are refused, and the run keeps
        using the previous ones.
        """
        try:
            texts = self.folder.read_if_changed()
            if texts is None:
                return
            templates = check_templates(texts)
            self.fit(templates)
        except (PromptError, ContextError) as error:
            why = str(error).rstrip(".")
            self.watch.on_edit_refused(f"Edit not taken: {why}. The templates in use stay.")
            return
        made = record_templates(
            self.history, self.book.latest, templates, max(tick, self.book.since)
        )
        if made is not None:
            self.book.turn(made.tick, templates)
            self.watch.on_edit(f"From {moment(self.clock.at(made.tick))} on: {made.target}.")


def record_templates(
    history: History, in_force: TemplateSet, templates: TemplateSet, tick: int
) -> Intervention | None:
    """Record the texts of the templates that are used from a tick on.

    `in_force` are the templates used up to that tick. Returns None if the two do not differ.
    """
    was, now = collect_templates(in_force), collect_templates(templates)
    now |= dict.fromkeys(was.keys() - now.keys(), NOTHING)
    versions = {
        name: each.version
        for name, each in now.items()
        if name not in was or was[name].version != each.version
    }
    if not versions:
        return None
    text = orjson.dumps(versions).decode()
    before = sum(1 for each in history.interventions() if each.kind == EDITED)
    name = blake2b(f"{EDITED}|{before}|{tick}|{text}".encode(), digest_size=8).hexdigest()
    made = Intervention(
        id=f"{EDITED}-{name}",
        tick=tick,
        kind="templates",
        target=", ".join(_list_changed_files(was, now)),
        text=text,
    )
    history.edit_templates(made, now, collect_templates(templates, with_examples=True))
    return made


def _list_changed_files(was: Mapping[str, Template], now: Mapping[str, Template]) -> list[str]:
    one, other = _files(was), _files(now)
    return sorted(name for name in one | other if one.get(name) != other.get(name))


def _files(templates: Mapping[str, Template]) -> dict[str, str]:
    return {name: text for each in templates.values() for name, text in each.files.items()}
