"""What is said of a setting that does not exist, or cannot be what it was set to."""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.errors import SettingError
from cli.settings.keys import NESTED, PREFIX, Values, is_secret, told
from cli.settings.layers import Layer, Origin, Way, dotenv_lines
from cli.settings.noticing import DOTENV
from cli.settings.readings import NotASpec
from cli.settings.step_values import StepValues
from models.keys import hide

NO_SETTING = "There is no setting"
LIKE = 0.8
"""How much a foreign variable must look like a setting to be taken for a misspelt one."""


def refuse_unknown(layer: Layer) -> None:
    """Raise SettingError for the first name in a file, or step anywhere, that does not exist."""
    for name in layer.values:
        if name not in Values.model_fields:
            _refuse(name, layer.origin((name,)), Values.model_fields)
    steps = layer.values.get("steps") or {}
    if not isinstance(steps, Mapping):
        return
    known = step_names() if steps else ()
    for step, changed in steps.items():
        if step not in known:
            _refuse(step, layer.origin(("steps", step)), known, "There is no step")
        for name in changed if isinstance(changed, Mapping) else ():
            if name not in StepValues.model_fields:
                where = layer.origin(("steps", step, name))
                _refuse(name, where, StepValues.model_fields, f"The step {step!r} has no setting")


def refuse_unknown_variables() -> None:
    """Raise SettingError for a variable that is meant as a setting and is none.

    Everything in `.env` that begins as ours is meant so; in the environment, what looks like one of
    the settings: other programs may have variables there.
    """
    for variable in os.environ:
        name = _bare(variable)
        if name is not None and _near(name, Values.model_fields, LIKE):
            _refuse(variable, Origin("variable", variable), Values.model_fields)
    for line in dotenv_lines():
        name = _bare(line.key or "")
        if name is not None:
            where = Origin(".env", line.key or "", line.original.line)
            _refuse(line.key or "", where, Values.model_fields)
        elif line.error and PREFIX in line.original.string:
            raise SettingError(
                f"Line {line.original.line} of {DOTENV} cannot be read: write NAME=value."
            )


def wrong_value(error: ValidationError, layers: Iterable[Layer]) -> SettingError:
    """Return the sentence about the first value that cannot be: where it stands, what may be."""
    first = error.errors(include_url=False)[0]
    way = _way(first["loc"])
    layer = next(each for each in layers if _in(each.values, way) is not _ABSENT)
    origin, key = layer.origin(way), ".".join(way)
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, NotASpec):
        return SettingError(f"{cause}{'' if origin.kind == 'flag' else _set_in(origin, key)}")
    value = _in(layer.values, way)
    plain = hide(str(value).lower() if isinstance(value, bool) else repr(value))
    shown = "" if is_secret(key) else f" {plain}"
    what = told(way[-1], StepValues) if len(way) == 3 else told(way[0])
    allowed = what.allowed if len(way) in (1, 3) else "a table of tier, temperature, max_tokens"
    return SettingError(f"{origin.of(key)} cannot be{shown or ' what it is'}: write {allowed}.")


def step_names() -> tuple[str, ...]:
    """Return the name of every step: each has a template of its own."""
    import prompts

    folder = Path(prompts.__file__ or "").parent
    stems = (path.stem for path in folder.glob("[a-z]*.jinja"))
    return tuple(sorted(stem for stem in stems if stem != "repair"))


def _refuse(name: str, where: Origin, known: Iterable[str], told: str = NO_SETTING) -> None:
    """Raise SettingError for a name that does not exist, with the nearest that do."""
    stem = name.upper().removeprefix(PREFIX).partition(NESTED)[0].lower()
    is_variable = name.upper().startswith(PREFIX)
    near = _near(stem, known, 0.6) or ([] if told == NO_SETTING else sorted(known))
    spelled = [PREFIX + each.upper() if is_variable else each for each in near]
    hint = (
        f"did you mean {' or '.join(spelled)}?"
        if spelled
        else "`smolville settings` lists those there are."
    )
    place = "" if where.kind == "variable" else f" ({where})"
    raise SettingError(f"{told} {name!r}{place}: {hint}")


def _near(name: str, known: Iterable[str], cutoff: float) -> list[str]:
    return difflib.get_close_matches(name.lower(), list(known), n=3, cutoff=cutoff)


def _bare(variable: str) -> str | None:
    """Return what a variable would set, None for one that is no setting's, or is a setting."""
    if not variable.upper().startswith(PREFIX):
        return None
    name = variable.upper().removeprefix(PREFIX).lower()
    is_step = name.startswith(f"steps{NESTED}")
    return None if is_step or name in Values.model_fields or name in ("settings", "") else name


_ABSENT = object()


def _in(values: Mapping[str, Any], way: Way) -> object:
    """Return what a layer sets at a place, `_ABSENT` where it sets nothing there."""
    found: object = values
    for name in way:
        if not isinstance(found, Mapping) or name not in found:
            return _ABSENT
        found = found[name]
    return found


def _way(loc: tuple[int | str, ...]) -> Way:
    """Return the setting an error is about: for a union or a list the part within is left out."""
    return tuple(str(part) for part in (loc[:3] if loc[0] == "steps" else loc[:1]))


def _set_in(origin: Origin, key: str) -> str:
    return f" It stands in {origin.of(key)}."
