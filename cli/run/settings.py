"""The settings that a run keeps when it is resumed, and how its models are opened.

How a run behaves is fixed when it is created: its seed, its tick, its repairs. Which model answers
and how it is asked are kept as well, until a flag changes them: a server may move or a better model
appear, and every call records which model answered. How long to wait for a server, the cache, and
what is sent to LangSmith belong to the machine and always follow the current settings.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError
from smolville.cli.options import command
from smolville.cli.run.options import RunOptions
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.history.spec import RunSpec, models_in, rules_in
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import parse_embedder
from smolville.models.errors import SpecError
from smolville.models.keys import UserSpec
from smolville.models.request import ModelSettings
from smolville.models.spec import parse_spec
from smolville.world.meaning import find_person
from smolville.world.run_resources import WorkerPlan
from smolville.world.workers.ray_cluster import plan_of

BEHAVIOUR = (
    *("cast", "embedder", "tick", "seed", "schedule"),
    *("repairs", "strict", "strict_sense", "history", "examples"),
    *("anchors", "without", "routine_similarity"),
)
"""Settings that a run keeps for good."""
ASKING = (
    *("constrain", "template_style", "num_ctx", "keep_alive", "top_p", "min_p", "stop"),
    *("thinking", "thinking_tokens"),
)
"""Settings that a flag may change when a run is resumed."""
TIERS = ("fast", "strong")


def contradiction(order: RunOptions, spec: RunSpec, runs: Path) -> str:
    """Return a sentence about the first option that contradicts the run's own settings, or ""."""
    town = str(order.town.resolve()) if order.town is not None else None
    begun = spec.town or "the shipped town"
    if town is not None and town != begun:
        return _explain_mismatch(spec.name, "--town", town, begun)
    own = begun_with(spec)
    for name in BEHAVIOUR:
        said = order.said.get(name)
        if said is None or said == "auto" or _is_same_value(said, own[name]):
            continue
        option = _option(name)
        if name == "embedder" and str(parse_embedder(str(said))) == own[name]:
            continue
        if name == "embedder":
            return _explain_embedder_mismatch(spec, option, str(said), runs)
        return _explain_mismatch(spec.name, option, said, own[name])
    if order.agents is not None and not _is_same_cast(order.agents, spec):
        return _explain_mismatch(spec.name, "--agents", order.agents, ", ".join(spec.cast))
    return ""


def describe_ignored_settings(chosen: ResolvedSettings, spec: RunSpec) -> str:
    """Return a sentence about current settings that the run does not follow, or "".

    Flags are not included: they are either followed or refused.
    """
    own = begun_with(spec)
    chosen = chosen.of_models(spec.models.fast, spec.models.strong)
    present = chosen.values.model_dump() | _steps(chosen.values.model_dump()["steps"])
    parts = []
    for name, origin in chosen.origins.items():
        is_own = name in (*BEHAVIOUR, *ASKING, *TIERS) or name.startswith("steps.")
        if not is_own or origin.kind == "flag" or present[name] == "auto":
            continue
        if not _is_same_value(present[name], own.get(name), as_spec=name in TIERS):
            parts.append(f"{_format_difference(name, own, present)} ({origin})")
    parts = list(dict.fromkeys(parts))
    return f"This run was begun otherwise and goes on so: {'; '.join(parts)}." if parts else ""


def differences(chosen: ResolvedSettings, spec: RunSpec) -> list[str]:
    """Return how a run's settings differ from those chosen now: `model standin, not ollama:x`.

    A setting that nothing sets now counts as equal, if the machine or the model would decide it.
    """
    own = begun_with(spec)
    chosen = chosen.of_models(spec.models.fast, spec.models.strong)
    values = chosen.values.model_dump()
    present = values | _steps(values["steps"])
    if values["embedder"] is not None:
        present["embedder"] = str(parse_embedder(values["embedder"]))
    of_steps = (name for name in (own | present) if name.startswith("steps."))
    left = [name for name in (*TIERS, "embedder", "cast") if values[name] is None]
    left += ["examples"] if values["examples"] == "auto" else []
    left += ["routine_similarity"] if values["routine_similarity"] is None else []
    found = [
        _format_difference(name, own, present)
        for name in (*TIERS, *BEHAVIOUR, *ASKING, *of_steps)
        if name not in left
        and not _is_same_value(present.get(name), own.get(name), as_spec=name in TIERS)
    ]
    return list(dict.fromkeys(found))


def _format_difference(name: str, own: Mapping[str, Any], present: Mapping[str, Any]) -> str:
    """Return a setting's value in a run, and the present one: `model standin, not ollama:x`."""
    shown = "model" if name in TIERS and _is_one(own) and _is_one(present) else name
    return f"{shown} {_plain(own.get(name))}, not {_plain(present.get(name))}"


def tiers_now(chosen: ResolvedSettings, spec: RunSpec) -> tuple[str, str]:
    """Return the specs of both tiers' models: the run's own models unless a flag names another."""
    said = chosen.said
    model = chosen.values.model if said.get("model") else None
    first = model[0] if isinstance(model, tuple) else model
    fast, strong = (said.get(tier) or first for tier in TIERS)
    return (
        UserSpec(fast) if fast else spec.models.fast,
        UserSpec(strong) if strong else spec.models.strong,
    )


def servers_now(chosen: ResolvedSettings, spec: RunSpec) -> Mapping[str, tuple[str, ...]]:
    """Return the further servers of models, by spec: the run's own unless `--model` is given."""
    if chosen.said.get("model"):
        return user_servers(chosen)
    return spec.models.servers


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
    present = chosen.models()
    names = ("timeout", *(name for name in ASKING if name in chosen.said))
    changed: dict[str, Any] = {name: getattr(present, name) for name in names}
    if "constrain" in changed:
        changed["fast_constrain"] = None
    return replace(models_in(spec.settings), **changed)


def begun_with(spec: RunSpec) -> dict[str, Any]:
    """Return the settings that a run was created with, by name."""
    rules = asdict(rules_in(spec.settings))
    return {
        **rules,
        **_steps(rules["steps"]),
        **asdict(models_in(spec.settings)),
        "fast": spec.models.fast,
        "strong": spec.models.strong,
        "embedder": spec.models.embedder,
        "cast": len(spec.cast),
        "seed": spec.seed,
        "tick": spec.tick_seconds,
        "schedule": spec.schedule,
    }


def _steps(steps: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the settings of single steps by full name: `steps.say.tier`."""
    return {
        f"steps.{step}.{name}": value
        for step, changed in steps.items()
        for name, value in changed.items()
    }


def _is_same_value(one: object, other: object, *, as_spec: bool = False) -> bool:
    """Return whether two values of a setting mean the same."""
    if as_spec and isinstance(one, str) and isinstance(other, str):
        return _spell_spec(one) == _spell_spec(other)
    return _plain(one) == _plain(other)


def _is_one(settings: Mapping[str, Any]) -> bool:
    """Return whether both tiers have the same model."""
    return bool(settings["fast"] == settings["strong"])


def _spell_spec(spec: str) -> str:
    """Return a model's spec in the spelling that runs store."""
    try:
        return str(parse_spec(spec))
    except SpecError:
        return spec


def _plain(value: object) -> str:
    """Return a value as text for a message."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(repr, value)) if isinstance(value, tuple | list) else str(value)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _is_same_cast(agents: str, spec: RunSpec) -> bool:
    """Return whether these comma-separated names are the run's cast."""
    where = f"the run {spec.name!r}"
    names = [find_person(each, spec.cast, where) for each in agents.split(",") if each.strip()]
    return sorted(names) == sorted(spec.cast)


def _explain_mismatch(run: str, option: str, asked: object, begun: object) -> str:
    """Return a sentence on why a run cannot be resumed with this option."""
    if isinstance(asked, bool):
        said = option if asked else f"--no-{option.removeprefix('--')}"
        how = "without" if asked else "with"
        return (
            f"The run {run!r} was begun {how} {option} and goes on so: leave {said} out, "
            "or begin another run."
        )
    return (
        f"The run {run!r} was begun with {option} {_format_as_typed(begun)} and goes on so: "
        f"leave {option} out, or begin another run with {_format_as_typed(asked)}."
    )


def _format_as_typed(value: object) -> str:
    """Return a value as the user types it after its option; a list is separated by commas."""
    return (",".join(value) or "none") if isinstance(value, tuple | list) else str(value)


def _explain_embedder_mismatch(spec: RunSpec, option: str, asked: str, runs: Path) -> str:
    """Return a sentence: another embedder needs the memories to be embedded again first."""
    again = command(runs, "reembed", spec.name, option, asked)
    return (
        f"The run {spec.name!r} was begun with {option} {spec.models.embedder} and goes on so: "
        f"leave {option} out, or re-embed its memories first: {again}"
    )


def workers_now(chosen: ResolvedSettings, asking: ModelSettings) -> WorkerPlan | None:
    """Return the worker processes; RunError if they cannot be started."""
    values = chosen.values
    if values.workers is None:
        return None
    if values.prompts is not None:
        raise RunError(
            f"{chosen.origin('workers').of('workers')} and "
            f"{chosen.origin('prompts').of('prompts')} cannot be combined: workers are told of a "
            "run once, and see nothing of what changes during it"
        )
    return plan_of(values.workers, asking)
