"""What one call asks of a model, whichever server it goes to.

The request is the call's own; the settings hold for every call of a run, whichever step asks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from models.standin.rule import Rule

Constrain = Literal["auto", "schema", "none"]
"""Whether decoding is held to the answer's schema: where the server can, always, never."""
TemplateStyle = Literal["auto", "system", "merged"]
"""Where the system text goes: as the chat template can, a role of its own, the first human turn."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How models are used throughout one run; equal for all its calls."""

    num_ctx: int = 8192
    """Context in tokens where the client decides (Ollama). One value per model and run: another one
    makes Ollama load the model again. A model trained for less gets what it was trained for."""
    timeout: float = 600.0
    """Seconds without a byte from the server after which a call counts as lost."""
    keep_alive: str = "30m"
    """How long Ollama keeps the model loaded after a call."""
    top_p: float | None = None
    min_p: float | None = None
    stop: tuple[str, ...] = ()
    constrain: Constrain = "auto"
    template_style: TemplateStyle = "auto"
    thinking: bool = False
    """Whether a model that can think aloud may; it costs tokens and time, and rarely helps here."""
    thinking_tokens: int = 1024
    """What thinking may take beside a reply's own allowance."""

    def sampling(self) -> dict[str, object]:
        """The sampling options that were set, by the name both servers know."""
        given = {"top_p": self.top_p, "min_p": self.min_p, "stop": list(self.stop) or None}
        return {name: value for name, value in given.items() if value is not None}


SEED_SPAN = 2**31
"""Servers take a signed 32-bit seed; larger ones are folded into it."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call, in words that no vendor owns."""

    messages: Sequence["BaseMessage"]
    schema: Mapping[str, Any] | None = None
    """JSON schema to which the server holds the reply, where it can."""
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int
    """The reply's allowance, thinking included."""
    slot: int | None = None
    """The server's slot to use; None: as it likes."""
    step: str = ""
    inputs: Mapping[str, Any] | None = field(default=None, repr=False)
    """The step's inputs as plain values; only for a model that declares `wants_inputs`."""
    rule: "Rule | None" = field(default=None, repr=False)
    """The stand-in's answer to them, as the step declares it; only beside `inputs`."""

    @property
    def server_seed(self) -> int:
        """The seed as a server takes it: 0 to 2**31 - 1."""
        return self.seed % SEED_SPAN
