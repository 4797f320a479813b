"""What a run was begun with, what of it holds when the run is gone on with, and its models opened.

How a run behaves is the run's own for good: its seed, its tick, its repairs. Which model answers
and how it is asked are the run's own too, until a flag changes them: a server moves, a better model
comes, and every call says which one answered. How long a server is waited for, the cache, and what
is sent to LangSmith belong to the machine and are always as they are set now.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from cli.options import command
from cli.run.asking import Order
from cli.screen import again_in, say
from cli.settings.choosing import Chosen
from models.chat import Chat
from models.embedding.embedder import parse_embedder
from models.errors import Loading, SpecError, TransportError
from models.keys import MaySend, Named, never
from models.open import check_tiers, open_chat
from models.pacing import Backoff, ask_blocking
from models.request import Settings
from models.spec import parse_spec
from world.finding import find_person
from world.runs.spec import RunSpec, models_in, rules_in

BEHAVIOUR = (
    *("cast", "embedder", "tick", "seed", "schedule"),
    *("repairs", "strict", "strict_sense", "history", "examples", "examples_from_run"),
    "anchors",
)
"""Settings that a run keeps as it was begun."""
ASKING = (
    *("constrain", "template_style", "num_ctx", "keep_alive", "top_p", "min_p", "stop"),
    *("thinking", "thinking_tokens"),
)
"""Settings that a flag may change when a run is gone on with."""
TIERS = ("fast", "strong")


def contradiction(order: Order, spec: RunSpec, runs: Path) -> str:
    """Return a sentence about the first option that is not as the run was begun, else nothing."""
    town = str(order.town.resolve()) if order.town is not None else None
    begun = spec.town or "the shipped town"
    if town is not None and town != begun:
        return _told(spec.name, "--town", town, begun)
    own = begun_with(spec)
    for name in BEHAVIOUR:
        said = order.said.get(name)
        if said is None or said == "auto" or _same(said, own[name]):
            continue
        option = _option(name)
        if name == "embedder" and str(parse_embedder(str(said))) == own[name]:
            continue
        if name == "embedder":
            return _told_embedder(spec, option, str(said), runs)
        return _told(spec.name, option, said, own[name])
    if order.agents is not None and not _are(order.agents, spec):
        return _told(spec.name, "--agents", order.agents, ", ".join(spec.cast))
    return ""


def ignored(chosen: Chosen, spec: RunSpec) -> str:
    """Return a sentence about settings that are set otherwise now and do not hold, else nothing.

    Flags are not among them: those hold, or are refused.
    """
    own = begun_with(spec)
    present = chosen.values.model_dump() | _steps(chosen.values.model_dump()["steps"])
    parts = []
    for name, origin in chosen.origins.items():
        is_own = name in (*BEHAVIOUR, *ASKING, *TIERS) or name.startswith("steps.")
        if not is_own or origin.kind == "flag" or present[name] == "auto":
            continue
        if not _same(present[name], own.get(name), as_spec=name in TIERS):
            shown = "model" if name in TIERS and _is_one(own) and _is_one(present) else name
            parts.append(f"{shown} {_plain(own.get(name))}, not {_plain(present[name])} ({origin})")
    parts = list(dict.fromkeys(parts))
    return f"This run was begun otherwise and goes on so: {'; '.join(parts)}." if parts else ""


def tiers_now(chosen: Chosen, spec: RunSpec) -> tuple[str, str]:
    """Return the models that answer now: the run's own unless a flag names another."""
    said = chosen.said
    fast, strong = (said.get(tier) or said.get("model") for tier in TIERS)
    return (
        Named(fast) if fast else spec.models.fast,
        Named(strong) if strong else spec.models.strong,
    )


def asking_now(chosen: Chosen, spec: RunSpec) -> Settings:
    """Return how models are asked now: the run's own way unless a flag says otherwise."""
    present = chosen.models()
    names = ("timeout", *(name for name in ASKING if name in chosen.said))
    changed: dict[str, Any] = {name: getattr(present, name) for name in names}
    return replace(models_in(spec.settings), **changed)


def begun_with(spec: RunSpec) -> dict[str, Any]:
    """Return the settings of a run, by their names."""
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
    """Return what is different for steps, each by its whole name."""
    return {
        f"steps.{step}.{name}": value
        for step, changed in steps.items()
        for name, value in changed.items()
    }


def _same(one: object, other: object, *, as_spec: bool = False) -> bool:
    """True when two values of a setting mean the same."""
    if as_spec and isinstance(one, str) and isinstance(other, str):
        return _spelled(one) == _spelled(other)
    return _plain(one) == _plain(other)


def _is_one(settings: Mapping[str, Any]) -> bool:
    """True when both tiers have the same model."""
    return bool(settings["fast"] == settings["strong"])


def _spelled(spec: str) -> str:
    """Return a model's spec as a run keeps it."""
    try:
        return str(parse_spec(spec))
    except SpecError:
        return spec


def _plain(value: object) -> str:
    """Return a value as people write it."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(repr, value)) if isinstance(value, tuple | list) else str(value)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _are(agents: str, spec: RunSpec) -> bool:
    """True when these names, parted by commas, are the run's cast."""
    where = f"the run {spec.name!r}"
    names = [find_person(each, spec.cast, where) for each in agents.split(",") if each.strip()]
    return sorted(names) == sorted(spec.cast)


def _told(run: str, option: str, asked: object, begun: object) -> str:
    """Return why a run cannot be gone on with like this."""
    if isinstance(asked, bool):
        said = option if asked else f"--no-{option.removeprefix('--')}"
        how = "without" if asked else "with"
        return (
            f"The run {run!r} was begun {how} {option} and goes on so: leave {said} out, "
            "or begin another run."
        )
    return (
        f"The run {run!r} was begun with {option} {_typed(begun)} and goes on so: leave {option} "
        f"out, or begin another run with {_typed(asked)}."
    )


def _typed(value: object) -> str:
    """Return a value as it is typed behind its option; several are parted by commas."""
    return (",".join(value) or "none") if isinstance(value, tuple | list) else str(value)


def _told_embedder(spec: RunSpec, option: str, asked: str, runs: Path) -> str:
    """Return that the memories must be embedded anew before another embedder can compare them."""
    again = command(runs, "reembed", spec.name, option, asked)
    return (
        f"The run {spec.name!r} was begun with {option} {spec.models.embedder} and goes on so: "
        f"leave {option} out, or have its memories embedded anew first: {again}"
    )


def open_chats(
    fast: str | None,
    strong: str | None,
    seed: int,
    *,
    settings: Settings | None = None,
    env: Mapping[str, str] | None = None,
    may_send: MaySend = never,
    patience: float = Backoff.patience_seconds,
) -> tuple[tuple[Chat, Chat], tuple[str, ...]]:
    """Return the chats of both tiers, and a line on each model and why it was taken.

    A server that loads its model is waited for, `patience` seconds; one that is not there is not.
    `may_send` decides whether keys go to servers that the user has not named.
    """

    def opened(spec: str | None) -> tuple[Chat, str]:
        return ask_blocking(
            lambda: _opened(spec, seed, settings, env, may_send),
            patience_seconds=patience,
            on_retry=_say_so,
            lost=Loading,
        )

    first, why = opened(fast)
    if strong == fast:
        return (first, first), (why,)
    second, why_too = opened(strong)
    if second.spec == first.spec:
        return (first, first), (why,)
    check_tiers(first, second)
    return (first, second), (f"fast: {why}", f"strong: {why_too}")


def _opened(
    spec: str | None,
    seed: int,
    settings: Settings | None,
    env: Mapping[str, str] | None,
    may_send: MaySend,
) -> tuple[Chat, str]:
    """Return the chat, and why it was taken in words that fit on a line."""
    chat, why = open_chat(spec, settings=settings, seed=seed, env=env, may_send=may_send)
    if spec is None and chat.spec.startswith("standin") and "no Ollama answers" in why:
        why = f"{chat.spec} (no Ollama and no llama.cpp server answers here)"
    return chat, why


def _say_so(error: TransportError, seconds: float) -> None:
    """Say what is waited for, and when it is looked at again."""
    told = str(error).removesuffix(": try again in a moment.")
    say(f"{told}. {again_in(seconds)}", "dim", on_stderr=True)
