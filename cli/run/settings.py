"""The options of `smolville run`, and the settings that a run keeps when it is resumed.

How a run behaves is fixed when it is created: its seed, its tick, its repairs. Which model answers
and how it is asked are kept as well, until a flag changes them: a server may move or a better model
appear, and every call records which model answered. How long to wait for a server, the cache, and
what is sent to LangSmith belong to the machine and always follow the current settings.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS, moment, read_moment
from smolville.cli.options import command
from smolville.cli.settings.choosing import TIERS, ResolvedSettings, option_of
from smolville.cli.settings.values import ALWAYS, ASKED, names_kept
from smolville.history.folder import check_name
from smolville.history.spec import RunSpec, models_in, rules_in
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import parse_embedder
from smolville.models.errors import SpecError
from smolville.models.keys import UserSpec
from smolville.models.request import ModelSettings
from smolville.models.spec import parse_spec
from smolville.world.meaning import find_person

LAST_DAY = 9999
"""Last day that `--until` accepts; a run ends by the midnight after it."""
_SECONDS = {"d": DAY_SECONDS, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"(\d{1,9}(?:\.\d+)?)\s*([dhms])", re.IGNORECASE)
_STEPS = re.compile(r"(\d{1,9})\s*(?:steps?|ticks?)", re.IGNORECASE)


def read_span(text: str, tick_seconds: int) -> int:
    """Return the seconds of a length such as `1d` or `300steps`; RunError says how to write it."""
    plain = "".join(text.split())
    steps = _STEPS.fullmatch(plain)
    parts = _PART.findall(plain)
    seconds = 0
    if steps is not None:
        seconds = int(steps[1]) * tick_seconds
    elif "".join(number + unit for number, unit in parts) == plain:
        seconds = round(sum(float(number) * _SECONDS[unit.lower()] for number, unit in parts))
    if not seconds:
        raise RunError(f"--for cannot be {text!r}: write how long as 1d, 6h, 90m or 300steps.")
    return seconds


def goal_of(duration: str | None, until: str | None, at: int, tick_seconds: int) -> int | None:
    """Return the goal in town seconds for a run that has reached `at`; None if no goal is given.

    Raises RunError when the goal does not lie ahead.
    """
    if duration is not None and until is not None:
        raise RunError("Say either how long (--for) or until when (--until), not both.")
    if duration is not None:
        goal = at + read_span(duration, tick_seconds)
        if goal > LAST_DAY * DAY_SECONDS:
            raise RunError(
                f"--for {duration!r} goes beyond the last day a run may have, {LAST_DAY}."
            )
        return goal
    if until is None:
        return None
    try:
        goal = read_moment(until)
    except ValueError as error:
        raise RunError(f"--until: {error}.") from error
    if goal <= at:
        here = f"the run is already at {moment(at)}" if at else "a run begins at 1 00:00"
        raise RunError(f"--until {until!r} does not lie ahead: {here}.")
    return goal


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The command line of `smolville run`; None for options that were not given."""

    name: str | None = None
    town: Path | None = None
    agents: str | None = None
    routines: str | None = None
    """The run, by name or folder, whose routines a new run begins with."""
    duration: str | None = None
    until: str | None = None
    resume: bool = False
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False
    browser: bool = False
    settings: Path | None = None
    """The settings file given with --settings, for the page beside the run."""

    def check(self, said: Mapping[str, Any]) -> None:
        """Raise RunError when a value is invalid, or two options exclude each other.

        `said` holds the flags that are settings.
        """
        if self.name is not None:
            check_name(self.name)
        pairs = (
            ("--cast", "cast" in said, "--agents", self.agents is not None),
            ("--for", self.duration is not None, "--until", self.until is not None),
            ("--resume", self.resume, "--overwrite", self.overwrite),
            ("--resume", self.resume, "--routines", self.routines is not None),
            ("--quiet", self.quiet, "--verbose", self.verbose),
            ("--quiet", self.quiet, "--browser", self.browser),
            ("--headless", bool(said.get("headless")), "--browser", self.browser),
        )
        for first, has_first, second, has_second in pairs:
            if has_first and has_second:
                raise RunError(f"{first} and {second} exclude each other; leave one out.")


def contradiction(order: RunOptions, chosen: ResolvedSettings, spec: RunSpec, runs: Path) -> str:
    """Return a sentence about the first option that contradicts the run's own settings, or ""."""
    if order.town is not None and str(order.town.resolve()) != (spec.town or "the shipped town"):
        town = spec.town or "the shipped town"
        return _explain_mismatch(spec.name, "--town", order.town.resolve(), town)
    own, present = begun_with(spec), _present(chosen)
    for name in names_kept(ALWAYS):
        asked = present[name]
        if name not in chosen.said or asked == "auto" or _plain(asked) == _plain(own[name]):
            continue
        if name == "embedder":
            return _explain_embedder_mismatch(spec, str(chosen.said[name]), runs)
        return _explain_mismatch(spec.name, option_of(name), asked, own[name])
    if order.agents is not None:
        where = f"the run {spec.name!r}"
        names = [name for name in order.agents.split(",") if name.strip()]
        if sorted(find_person(name, spec.cast, where) for name in names) != sorted(spec.cast):
            return _explain_mismatch(spec.name, "--agents", order.agents, ", ".join(spec.cast))
    return ""


def describe_ignored_settings(chosen: ResolvedSettings, spec: RunSpec) -> str:
    """Return a sentence about current settings that the run does not follow, or "".

    Flags are not included: they are either followed or refused.
    """
    chosen = chosen.of_model(spec.models.strong)
    parts = [
        f"{told} ({chosen.origin(name)})"
        for name, told in _differing(chosen, spec)
        if chosen.origin(name).kind not in ("flag", "default")
    ]
    told = "; ".join(dict.fromkeys(parts))
    return f"This run was begun otherwise and goes on so: {told}." if parts else ""


def differences(chosen: ResolvedSettings, spec: RunSpec) -> list[str]:
    """Return how a run's settings differ from those chosen now: `model standin, not ollama:x`.

    A setting that nothing sets now counts as equal, if the machine or the model would decide it.
    """
    chosen = chosen.of_model(spec.models.strong)
    left = (*TIERS, "embedder", "cast", "routine_similarity")
    unset = {name for name in left if getattr(chosen.values, name) is None}
    told = [told for name, told in _differing(chosen, spec) if name not in unset]
    return list(dict.fromkeys(told))


def _differing(chosen: ResolvedSettings, spec: RunSpec) -> list[tuple[str, str]]:
    """Return each setting that a run keeps and that has another value now, with both values."""
    own, present = begun_with(spec), _present(chosen)
    is_one = all(settings["fast"] == settings["strong"] for settings in (own, present))
    return [
        (
            name,
            f"{'model' if name in TIERS and is_one else name} {_plain(own.get(name))}, "
            f"not {_plain(present.get(name))}",
        )
        for name in dict.fromkeys([*own, *present])
        if _differs(name, own, present)
    ]


def begun_with(spec: RunSpec) -> dict[str, Any]:
    """Return the settings that a run was created with, by name."""
    rules = asdict(rules_in(spec.settings))
    return {
        "fast": spec.models.fast,
        "strong": spec.models.strong,
        "cast": len(spec.cast),
        "embedder": spec.models.embedder,
        "tick": spec.tick_seconds,
        "seed": spec.seed,
        "schedule": spec.schedule,
        **rules,
        **asdict(models_in(spec.settings)),
        **_steps(rules["steps"]),
    }


def _present(chosen: ResolvedSettings) -> dict[str, Any]:
    values = chosen.values.model_dump()
    if values["embedder"] is not None:
        values["embedder"] = str(parse_embedder(values["embedder"]))
    return values | _steps(values["steps"])


def _steps(steps: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the settings of single steps by full name: `steps.say.tier`."""
    return {
        f"steps.{step}.{name}": value
        for step, changed in steps.items()
        for name, value in changed.items()
    }


def _differs(name: str, own: Mapping[str, Any], present: Mapping[str, Any]) -> bool:
    is_kept = name in (*TIERS, *names_kept(ALWAYS), *names_kept(ASKED))
    one, other = own.get(name), present.get(name)
    if not (is_kept or name.startswith("steps.")) or (name == "examples" and other == "auto"):
        return False
    if name in TIERS:
        one, other = _spell_spec(one), _spell_spec(other)
    return _plain(one) != _plain(other)


def tiers_now(chosen: ResolvedSettings, spec: RunSpec) -> tuple[str, str]:
    """Return the specs of both tiers' models: the run's own models unless a flag names another."""
    said, values = chosen.said, chosen.values
    return (
        UserSpec(str(values.fast)) if {"model", "fast"} & said.keys() else spec.models.fast,
        UserSpec(str(values.strong)) if {"model", "strong"} & said.keys() else spec.models.strong,
    )


def user_servers(chosen: ResolvedSettings) -> dict[str, tuple[str, ...]]:
    """Return the further servers of models that the settings name, by the model's spec."""
    return {first: tuple(map(UserSpec, others)) for first, others in chosen.servers.items()}


def servers_to_keep(
    chosen: ResolvedSettings, chats: tuple[Chat, Chat]
) -> dict[str, tuple[str, ...]]:
    """Return the further servers that a new run records for its models, by model spec."""
    tiers = zip((chosen.values.fast, chosen.values.strong), chats, strict=True)
    found = {chat.spec: chosen.servers.get(spec or "", ()) for spec, chat in tiers}
    return {spec: others for spec, others in found.items() if others}


def asking_now(chosen: ResolvedSettings, spec: RunSpec) -> ModelSettings:
    """Return the settings for asking models: the run's own, unless a flag changes them."""
    names = ("timeout", *(name for name in names_kept(ASKED) if name in chosen.said))
    changed: dict[str, Any] = {name: getattr(chosen.values, name) for name in names}
    return replace(models_in(spec.settings), **changed)


def _spell_spec(spec: object) -> object:
    try:
        return str(parse_spec(spec)) if isinstance(spec, str) else spec
    except SpecError:
        return spec


def _plain(value: object) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(repr, value)) if isinstance(value, tuple | list) else str(value)


def _explain_mismatch(run: str, option: str, asked: object, begun: object) -> str:
    def typed(value: object) -> str:
        return (",".join(value) or "none") if isinstance(value, tuple | list) else _plain(value)

    sign = "=" if option.startswith("--set ") else " "
    return (
        f"The run {run!r} was begun with {option}{sign}{typed(begun)} and goes on so: leave it "
        f"out, or begin another run with {typed(asked)}."
    )


def _explain_embedder_mismatch(spec: RunSpec, asked: str, runs: Path) -> str:
    """Return a sentence: another embedder needs the memories to be embedded again first."""
    again = command(runs, "reembed", spec.name, "--embedder", asked)
    return (
        f"The run {spec.name!r} was begun with --embedder {spec.models.embedder} and goes on so: "
        f"leave --embedder out, or re-embed its memories first: {again}"
    )
