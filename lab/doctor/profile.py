"""The profile that the doctor recommends for a model: settings, each with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lab.doctor.findings import Findings
from lab.doctor.measured import PlansMeasured
from models.size import SHORT_OF_MEANING, SMALL, is_below, shapes_for_size

ROOM = 1.5
"""Tokens of context that an example needs, as a multiple of what the longest prompt needs."""


@dataclass(frozen=True, kw_only=True)
class ProfileSetting:
    """One setting of a profile."""

    name: str
    value: str | int
    reason: str


def recommend_profile(found: Findings) -> tuple[ProfileSetting, ...]:
    """Return the settings for the model that was examined; empty if it has no profile.

    The stand-in has one only if it was measured.
    """
    measured = found.measured
    if not found.usable or (found.model.is_standin and measured is None):
        return ()
    chosen = (_anchors(), _shapes(found), _examples(found), constrain(found), _repairs(found))
    return _with_measurements(chosen, measured)


def constrain(found: Findings) -> ProfileSetting:
    """Return whether decoding is held to a schema."""
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


def _shapes(found: Findings) -> ProfileSetting:
    """Return the form of questions: a small model only chooses and words what code prepares."""
    value = shapes_for_size(found.model.parameters)
    reason = "the model answers every question of a mind as a whole"
    if value == "narrow":
        reason = f"a model of {found.model.parameters} parameters chooses better than it answers"
    return ProfileSetting(name="shapes", value=value, reason=reason)


def _examples(found: Findings) -> ProfileSetting:
    """Return the number of examples: none for a very small model, or without room for one."""
    context = found.context
    room = context.largest if context.is_cut else context.num_ctx
    value, reason = 1, "one example with each question shows the form of an answer"
    if is_below(found.model.parameters, SMALL):
        value, reason = 0, f"a model of {found.model.parameters} parameters copies what is shown"
    elif room is not None and context.needed is not None and room < ROOM * context.needed:
        value, reason = 0, f"{room} tokens of context are too few for prompts with an example"
    return ProfileSetting(name="examples", value=value, reason=reason)


def _repairs(found: Findings) -> ProfileSetting:
    """Return how often a wrong answer is sent back with its problems."""
    value, reason = 3, "a wrong answer goes back with what is wrong with it"
    if is_below(found.model.parameters, SHORT_OF_MEANING):
        reason = f"more repairs rarely help a model of {found.model.parameters} parameters"
        value = 1
    return ProfileSetting(name="repairs", value=value, reason=reason)


def _with_measurements(
    settings: Sequence[ProfileSetting], measured: PlansMeasured | None
) -> tuple[ProfileSetting, ...]:
    """Return the settings with those that a measurement decided, or could not decide."""
    if measured is None:
        return tuple(settings)
    found = {each.setting: each for each in measured.comparisons}
    return tuple(
        replace(each, value=found[each.name].chosen, reason=found[each.name].told)
        if each.name in found
        else each
        for each in settings
    )
