"""The profile that the doctor recommends for a model: settings with their reasons, and their text.

The text is added to what somebody wrote in a settings file. Each setting that the doctor writes has
a comment above it that begins with its value. If value and comment differ, or if there is no
comment, somebody else wrote the line, and it stays.
"""

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from smolville.agents.errors import SettingError
from smolville.lab.doctor.findings import Findings
from smolville.lab.doctor.measured import PlansMeasured
from smolville.models.size import SHORT_OF_MEANING, SMALL, is_below

ROOM = 1.5
"""Context size from which an example is shown, as a multiple of the tokens of the longest
prompt."""

_HEADER = re.compile(r"[ \t]*\[")
_PROFILE = re.compile(
    r"""[ \t]*\[[ \t]*profiles[ \t]*\.[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))"""
)
_PAIR = re.compile(r"""[ \t]*["']?([\w-]+)["']?[ \t]*=""")
_OWN = re.compile(r"# doctor: (\S+?)\. ")


@dataclass(frozen=True, kw_only=True)
class ProfileSetting:
    """One setting of a profile."""

    name: str
    value: str | int
    reason: str


def recommend_profile(found: Findings) -> tuple[ProfileSetting, ...]:
    """Return the settings for the examined model; empty if it gets no profile.

    The stand-in gets a profile only if it was measured.
    """
    measured = found.measured
    if not found.usable or (found.model.is_standin and measured is None):
        return ()
    chosen = (_anchors(), _examples(found), constrain(found), _repairs(found))
    return _with_measurements(chosen, measured)


def constrain(found: Findings) -> ProfileSetting:
    """Return the setting that says whether decoding is constrained to a schema."""
    held = found.schema.honoured_against_prompt
    value = "none" if held is False else "auto"
    if found.schema.holds and found.schema.sent is False:
        value = "schema"
    reason = {
        True: "the server holds the model to a schema",
        False: "the server does not hold the model to a schema; the reader copes",
        None: "whether the server holds the model to a schema could not be determined",
    }[held]
    return ProfileSetting(name="constrain", value=value, reason=reason)


def _anchors() -> ProfileSetting:
    """Return the setting for the parts of a day that code fixes."""
    reason = "what a persona's own words fix is not asked; doctor --measure compares with off"
    return ProfileSetting(name="anchors", value="on", reason=reason)


def _examples(found: Findings) -> ProfileSetting:
    """Return the setting for examples: 0 for a very small model, or if the context has no room."""
    context = found.context
    room = context.largest if context.is_cut else context.num_ctx
    value, reason = 1, "one example with each question shows the form of an answer"
    if is_below(found.model.parameters, SMALL):
        value, reason = 0, f"a model of {found.model.parameters} parameters copies what is shown"
    elif room is not None and context.needed is not None and room < ROOM * context.needed:
        value, reason = 0, f"{room} tokens of context are too few for prompts with an example"
    return ProfileSetting(name="examples", value=value, reason=reason)


def _repairs(found: Findings) -> ProfileSetting:
    """Return the setting for repairs: how often a wrong answer is sent back with its problems."""
    value, reason = 3, "a wrong answer goes back with what is wrong with it"
    if is_below(found.model.parameters, SHORT_OF_MEANING):
        reason = f"more repairs rarely help a model of {found.model.parameters} parameters"
        value = 1
    return ProfileSetting(name="repairs", value=value, reason=reason)


def _with_measurements(
    settings: Sequence[ProfileSetting], measured: PlansMeasured | None
) -> tuple[ProfileSetting, ...]:
    """Return the settings, with the values and reasons that a measurement has found for some."""
    if measured is None:
        return tuple(settings)
    found = {each.setting: each for each in measured.comparisons}
    return tuple(
        replace(each, value=found[each.name].chosen, reason=found[each.name].told)
        if each.name in found
        else each
        for each in settings
    )


@dataclass(frozen=True)
class MergedProfile:
    """The text of a settings file with a profile in it."""

    text: str
    kept: tuple[str, ...] = ()
    """Names of the settings that were left unchanged, because somebody else had set other
    values."""


def profile_lines(setting: ProfileSetting) -> list[str]:
    """Return a setting's two lines: its reason as a comment, and the setting."""
    return [
        f"# doctor: {setting.value}. {setting.reason}",
        f"{setting.name} = {json.dumps(setting.value, ensure_ascii=False)}",
    ]


def merge_profile(text: str, spec: str, settings: Sequence[ProfileSetting]) -> MergedProfile:
    """Return the text of a settings file with a model's profile added, or brought up to date.

    Everything else stays, byte for byte. Raises SettingError if the text is not TOML, or if the
    profile is written in a form that cannot be changed line by line.
    """
    before = read_toml(text)
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    place = _find_table(lines, spec)
    if place is None:
        while lines and not lines[-1]:
            lines.pop()
        lines += ["", f"[profiles.{json.dumps(spec, ensure_ascii=False)}]"][not lines :]
        place = range(len(lines), len(lines))
        lines.append("")
    table = before.get("profiles", {}) if isinstance(before.get("profiles"), dict) else {}
    body, kept = _merge_lines(lines[place.start : place.stop], table.get(spec, {}), settings)
    lines[place.start : place.stop] = body
    merged = MergedProfile(end.join(lines), kept)
    _check(before, merged, spec, settings)
    return merged


def profiles_in(text: str, *, besides: str) -> str:
    """Return the text of all profiles in a settings file, except that of the model `besides`.

    The profiles are unchanged, with their comments.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    found: list[str] = []
    for number, line in enumerate(lines):
        header = _PROFILE.match(line)
        if header is not None and _model_in(header) != besides:
            first = number
            while first > 0 and lines[first - 1].startswith("#"):
                first -= 1
            found += ["", *lines[first : _end_of_table(lines, number + 1)]]
    return "\n".join([*found, ""]) if found else ""


def read_toml(text: str) -> dict[str, Any]:
    """Return the values in a settings file; SettingError if it is not valid TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"it is no valid TOML: {error}.") from error


def _find_table(lines: Sequence[str], spec: str) -> range | None:
    """Return the lines below the header of a model's profile; None if there is none."""
    for number, line in enumerate(lines):
        header = _PROFILE.match(line)
        if header is not None and _model_in(header) == spec:
            return range(number + 1, _end_of_table(lines, number + 1))
    return None


def _model_in(header: re.Match[str]) -> str:
    """Return the model that a profile's header names."""
    return next(filter(None, header.groups()), "")


def _end_of_table(lines: Sequence[str], first: int) -> int:
    """Return the line after a table's last value; comments after it belong to what follows."""
    end = at = first
    while at < len(lines) and not _HEADER.match(lines[at]):
        at += 1
        if lines[at - 1].strip() and not lines[at - 1].startswith("#"):
            end = at
    return end


def _merge_lines(
    body: Sequence[str], values: dict[str, Any], settings: Sequence[ProfileSetting]
) -> tuple[list[str], tuple[str, ...]]:
    """Return a table's lines with the settings merged in, and the names of the kept settings."""
    lines, kept = list(body), []
    for setting in settings:
        at = next((n for n, line in enumerate(lines) if _name_in(line) == setting.name), None)
        if at is None:
            lines += profile_lines(setting)
            continue
        value = values.get(setting.name)
        above = _OWN.match(lines[at - 1]) if at else None
        if above is not None and above[1] == str(value):
            lines[at - 1 : at + 1] = profile_lines(setting)
        elif value != setting.value:
            kept.append(setting.name)
    return lines, tuple(kept)


def _name_in(line: str) -> str:
    """Return the name of the setting on a line, or an empty text."""
    pair = _PAIR.match(line)
    return pair[1] if pair is not None else ""


def _check(
    before: dict[str, Any], merged: MergedProfile, spec: str, settings: Sequence[ProfileSetting]
) -> None:
    """Raise SettingError unless the merged text has the old values and those of the profile."""
    profiles = before.get("profiles", {})
    kept = set(merged.kept)
    try:
        new = {each.name: each.value for each in settings if each.name not in kept}
        own = {**profiles.get(spec, {}), **new}
        wanted = {**before, "profiles": {**profiles, spec: own}}
        is_so = tomllib.loads(merged.text) == wanted
    except (tomllib.TOMLDecodeError, AttributeError, TypeError):
        is_so = False
    if not is_so:
        raise SettingError(
            f"The profiles in the settings file are written in a form that cannot be added to: "
            f"give {spec} a table of its own, [profiles.{json.dumps(spec)}]."
        )
