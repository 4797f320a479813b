"""Where LangSmith is, and for which project, from its own environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass, field

PROJECT = "smolville"
"""The default project name."""


@dataclass(frozen=True, kw_only=True)
class LangSmithTarget:
    """A LangSmith project, with the key for it."""

    key: str = field(repr=False)
    url: str | None = None
    """The server's URL; None for LangSmith's own servers."""
    project: str = PROJECT
    workspace: str | None = None
    hidden: tuple[str, ...] = ()
    """The parts of traces that are never sent: any of `inputs`, `outputs`, `metadata`."""


def is_asked_for(env: Mapping[str, str]) -> bool:
    """Return whether the environment asks for traces: LANGSMITH_TRACING, or the older names."""
    return any(_value(env, name).lower() in ("true", "1") for name in ("TRACING", "TRACING_V2"))


def target_in(env: Mapping[str, str]) -> LangSmithTarget | None:
    """Return the destination of traces, or None without a key."""
    key = _value(env, "API_KEY")
    if not key:
        return None
    parts = ("inputs", "outputs", "metadata")
    return LangSmithTarget(
        key=key,
        url=_value(env, "ENDPOINT").rstrip("/") or None,
        project=_value(env, "PROJECT") or PROJECT,
        workspace=_value(env, "WORKSPACE_ID") or None,
        hidden=tuple(p for p in parts if _value(env, f"HIDE_{p.upper()}").lower() == "true"),
    )


def _value(env: Mapping[str, str], name: str) -> str:
    """Return the value set under the newer or the older prefix; empty when neither is set."""
    values = (env.get(f"{start}_{name}", "").strip() for start in ("LANGSMITH", "LANGCHAIN"))
    return next((value.strip("\"'") for value in values if value), "")
