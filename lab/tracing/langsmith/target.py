"""Where traces go: what the environment says of LangSmith, under its own names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agents.errors import SettingError

Mask = Literal["off", "personas", "texts"]
PROJECT = "smolville"
"""The project where the environment names none."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A project of somebody's LangSmith, with the key that opens it."""

    key: str = field(repr=False)
    url: str | None = None
    """None for LangSmith's own servers."""
    project: str = PROJECT
    workspace: str | None = None
    rate: float = 1.0
    """The share of traces that is sent; those with a repair or a fallback always are."""
    hidden: tuple[str, ...] = ()
    """What is left out of every run: `inputs`, `outputs`, `metadata`."""
    mask: Mask = "off"


def is_asked_for(env: Mapping[str, str]) -> bool:
    """True where the environment asks for traces: LANGSMITH_TRACING, or the older names."""
    return any(_value(env, name).lower() in ("true", "1") for name in ("TRACING", "TRACING_V2"))


def target_in(env: Mapping[str, str], mask: Mask = "off") -> Target | None:
    """Return where traces go, None without a key; SettingError for a sampling rate that is none."""
    key = _value(env, "API_KEY")
    if not key:
        return None
    parts = ("inputs", "outputs", "metadata")
    return Target(
        key=key,
        url=_value(env, "ENDPOINT").rstrip("/") or None,
        project=_value(env, "PROJECT") or PROJECT,
        workspace=_value(env, "WORKSPACE_ID") or None,
        rate=_rate(_value(env, "TRACING_SAMPLING_RATE")),
        hidden=tuple(p for p in parts if _value(env, f"HIDE_{p.upper()}").lower() == "true"),
        mask=mask,
    )


def _value(env: Mapping[str, str], name: str) -> str:
    """Return what is set under the newer or the older beginning; empty when nothing is."""
    values = (env.get(f"{start}_{name}", "").strip() for start in ("LANGSMITH", "LANGCHAIN"))
    return next((value.strip("\"'") for value in values if value), "")


def _rate(said: str) -> float:
    """Return the sampling rate."""
    try:
        rate = float(said or 1.0)
    except ValueError:
        rate = -1.0
    if not 0.0 <= rate <= 1.0:
        raise SettingError(
            f"LANGSMITH_TRACING_SAMPLING_RATE cannot be {said!r}: write a number from 0 to 1."
        )
    return rate
