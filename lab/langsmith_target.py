"""Where LangSmith is and for which project, from its own variables, and the client for it."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from smolville.models.servers.address import is_loopback

if TYPE_CHECKING:
    from langsmith import Client

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


def open_client(
    target: LangSmithTarget, on_error: Callable[[Exception], None], **more: Any
) -> "Client":
    """Return the official client; errors of what it sends in the background go to `on_error`."""
    from langsmith import Client
    from requests import Session

    for name in ("langsmith", "urllib3"):
        # What went wrong is told once, at the end; the client's own words contain the key.
        logging.getLogger(name).propagate = False
        logging.getLogger(name).addHandler(logging.NullHandler())
    session = Session()
    session.trust_env = not is_loopback(target.url or "")
    parts = ("inputs", "outputs", "metadata")
    hidden: dict[str, Any] = {f"hide_{part}": part in target.hidden for part in parts}
    return Client(
        target.url,
        session=session,
        api_key=target.key,
        workspace_id=target.workspace,
        tracing_sampling_rate=1.0,
        tracing_mode="langsmith",
        tracing_error_callback=on_error,
        omit_traced_runtime_info=True,
        disable_prompt_cache=True,
        **hidden,
        **more,
    )
