"""Gives a run other templates, as an intervention at the first tick at which they are used."""

from collections.abc import Mapping
from hashlib import blake2b

import orjson

from smolville.graphs.catalogue import Template, collect_templates
from smolville.history.history import History
from smolville.history.moments import EDITED
from smolville.history.records import Intervention
from smolville.prompts.facts import TemplateFacts
from smolville.prompts.prompt import TemplateSet

NOTHING = Template(TemplateFacts().version, {})
"""The template recorded when a folder no longer controls how answers are judged."""


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
