"""The settings that the doctor recommends: a settings file, and the profile of a model in it.

A profile is added to what somebody wrote. Each setting that the doctor writes has a comment above
it that begins with its value. If value and comment differ, or if there is no comment, somebody else
wrote the line, and it stays.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from smolville.agents.errors import SettingError
from smolville.lab.doctor.findings import Findings
from smolville.models.embedding.embedder import QUICK
from smolville.models.request import ModelSettings
from smolville.models.size import SHORT_OF_MEANING, SMALL, is_below

WISHED_CONTEXT = ModelSettings().num_ctx
LEAST_CONTEXT, STEP = 4096, 1024
"""Tokens below which prompts lack room; recommended contexts are multiples of the second number."""
ROOM = 1.5
"""Context size from which an example is shown, as a multiple of the longest prompt's tokens."""
_TABLE = re.compile(r"[ \t]*\[")
_PAIR = re.compile(r"""[ \t]*["']?([\w-]+)["']?[ \t]*=""")
_OWN = re.compile(r"# doctor: (\S+?)\. ")


@dataclass(frozen=True, kw_only=True)
class ProfileSetting:
    """One setting of a profile."""

    name: str
    value: str | int
    reason: str

    @property
    def lines(self) -> list[str]:
        """The reason as a comment, and the setting."""
        value = json.dumps(self.value, ensure_ascii=False)
        return [f"# doctor: {self.value}. {self.reason}", f"{self.name} = {value}"]


def recommend_profile(found: Findings) -> tuple[ProfileSetting, ...]:
    """Return the settings for the examined model; empty if it gets no profile."""
    if not found.usable or found.is_standin:
        return ()
    size, few = found.parameters, (found.room or 0) < ROOM * (found.needed or 0)
    if is_below(size, SMALL):
        examples, why = 0, f"a model of {size} parameters copies what is shown"
    elif found.room is not None and few:
        examples, why = 0, f"{found.room} tokens of context are too few for prompts with an example"
    else:
        examples, why = 1, "one example with each question shows the form of an answer"
    is_short = is_below(size, SHORT_OF_MEANING)
    repairs = f"more repairs rarely help a model of {size} parameters"
    return (
        ProfileSetting(name="examples", value=examples, reason=why),
        _constrain(found),
        ProfileSetting(
            name="repairs",
            value=1 if is_short else 3,
            reason=repairs if is_short else "a wrong answer goes back with what is wrong with it",
        ),
    )


def _constrain(found: Findings) -> ProfileSetting:
    value = "none" if found.schema_holds is False else "auto"
    if found.schema_holds and found.schema_sent is False:
        value = "schema"
    reason = {
        True: "the server holds the model to a schema",
        False: "the server does not hold the model to a schema; the reader copes",
        None: "whether the server holds the model to a schema could not be determined",
    }[found.schema_holds]
    return ProfileSetting(name="constrain", value=value, reason=reason)


def settings_text(found: Findings, others: Sequence[str] = ()) -> str:
    """Return a `smolville.toml` for the findings; empty when no model can be used.

    `others` are the specs of the model's further servers. The stand-in counts as a model only if it
    was requested: a model that failed may soon work again.
    """
    if not found.usable:
        return ""
    lines = [
        "# Written by `smolville doctor`.",
        "# A flag or a SMOLVILLE_* variable comes before this file.",
        *(line for setting in _settings(found, others) for line in setting),
    ]
    text = "\n".join(lines) + "\n"
    profile = recommend_profile(found)
    return merge_profile(text, found.spec, profile).text if profile else text


def _settings(found: Findings, others: Sequence[str]) -> Iterator[tuple[str, str]]:

    def line(name: str, value: object, about: str) -> tuple[str, str]:
        return f"# {about}", f"{name} = {json.dumps(value, ensure_ascii=False)}"

    size = ", ".join(filter(None, (found.parameters, found.quantization)))
    told = f"{found.name}{f' ({size})' if size else ''} on {found.server}"
    yield line("model", [found.spec, *others] if others else found.spec, told)
    if found.embedder:
        built_in = found.embedder in QUICK
        about = "built in; see the advice for a better one" if built_in else "reads sentences"
        yield line("embedder", found.embedder, about)
    if found.is_standin:
        return
    if found.spec.startswith("ollama:"):
        said = "tokens; asked of Ollama with every call, the same for the whole run"
        yield line("num_ctx", best_context(found), said)
    style = "merged" if found.system_role is False else "auto"
    has = "no system role" if style == "merged" else "a system role, as far as could be seen"
    yield line("template_style", style, f"the chat template has {has}")
    yield line("thinking", False, "thinking aloud costs tokens and time, and rarely helps here")


def best_context(found: Findings) -> int:
    """Return the context to set, in tokens: the usual size, or less if a long prompt was cut."""
    if not found.is_cut or found.longest_prompt is None:
        return min(WISHED_CONTEXT, found.context_length or WISHED_CONTEXT)
    return max(STEP, min(WISHED_CONTEXT, found.longest_prompt // STEP * STEP))


@dataclass(frozen=True)
class MergedProfile:
    """The text of a settings file with a profile in it."""

    text: str
    kept: tuple[str, ...] = ()
    """Names of the settings that were left unchanged, because somebody else had set other
    values."""


def merge_profile(text: str, spec: str, settings: Sequence[ProfileSetting]) -> MergedProfile:
    """Return the text of a settings file with a model's profile added, or brought up to date.

    Everything else stays, byte for byte. Raises SettingError if the text is not TOML, or if the
    profile is written in a form that cannot be changed line by line.
    """
    before = read_toml(text)
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    header = f"[profiles.{json.dumps(spec, ensure_ascii=False)}]"
    at = next((n for n, each in enumerate(lines, 1) if each.split("#")[0].strip() == header), None)
    if at is None:
        lines += ["", header]
        at = len(lines)
    stop = at
    for number in range(at, len(lines)):
        if _TABLE.match(lines[number]):
            break
        if lines[number].strip() and not lines[number].startswith("#"):
            stop = number + 1
    profiles: Any = before.get("profiles", {})
    mine = profiles.get(spec, {}) if isinstance(profiles, dict) else {}
    body, kept = _merge_lines(lines[at:stop], mine, settings)
    lines[at:stop] = body
    merged = MergedProfile(end.join([*lines, ""]), kept)
    new = {each.name: each.value for each in settings if each.name not in kept}
    try:
        wanted = {**before, "profiles": {**profiles, spec: {**mine, **new}}}
        is_so = tomllib.loads(merged.text) == wanted
    except (tomllib.TOMLDecodeError, TypeError):
        is_so = False
    if not is_so:
        raise SettingError(
            f"The profiles in the settings file are written in a form that cannot be added to: "
            f"give {spec} a table of its own, {header}."
        )
    return merged


def _merge_lines(
    body: Sequence[str], values: dict[str, Any], settings: Sequence[ProfileSetting]
) -> tuple[list[str], tuple[str, ...]]:
    """Return a table's lines with the settings merged in, and the names of the kept settings."""
    lines, kept = list(body), []
    for setting in settings:
        names = [pair[1] if (pair := _PAIR.match(line)) else "" for line in lines]
        if setting.name not in names:
            lines += setting.lines
            continue
        at, value = names.index(setting.name), values.get(setting.name)
        above = _OWN.match(lines[at - 1]) if at else None
        if above is not None and above[1] == str(value):
            lines[at - 1 : at + 1] = setting.lines
        elif value != setting.value:
            kept.append(setting.name)
    return lines, tuple(kept)


def read_toml(text: str) -> dict[str, Any]:
    """Return the values in a settings file; SettingError if it is not valid TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"it is no valid TOML: {error}.") from error
