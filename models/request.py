"""The request of one call, independent of the server, and the settings of all calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from smolville.models.standin.rule import Rule

Constrain = Literal["auto", "schema", "none"]
"""When decoding is constrained to the answer's schema: if the server can, always, or never."""
TemplateStyle = Literal["auto", "system", "merged"]
"""Place of the system text: as the chat template allows, in its own role, or in the first human
turn."""


CONNECT_SECONDS = 10.0
"""Seconds that connecting to a server may take, however long the reply may take."""
HOSTED_SLOTS = 4
"""Parallel calls for servers with unknown limits."""


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The settings of all model calls in one run."""

    num_ctx: int = 8192
    """Context size in tokens if the client decides it (Ollama). One value per model and run:
    another one makes Ollama load the model again. A model that was trained with a smaller context
    gets that size."""
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
    """Whether models that can think may do so; it costs tokens and time, and rarely helps here."""
    thinking_tokens: int = 1024
    """Tokens that thinking may take in addition to a reply's own limit."""

    def sampling(self) -> dict[str, object]:
        """Return the sampling options that are set, named as llama.cpp and Ollama name them."""
        given = {"top_p": self.top_p, "min_p": self.min_p, "stop": list(self.stop) or None}
        return {name: value for name, value in given.items() if value is not None}

    def keeps_system_role(self, found: bool) -> bool:
        """Return whether the system text is sent as a message with the role `system`.

        `found` is what was learnt about the model; it counts only while `template_style` is `auto`.
        """
        return found if self.template_style == "auto" else self.template_style == "system"


SEED_SPAN = 2**31
"""Servers take a signed 32-bit seed; larger seeds are reduced modulo this."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call, described independently of any vendor's API."""

    messages: Sequence["BaseMessage"]
    schema: Mapping[str, Any] | None = None
    """JSON schema to which the server constrains the reply, if it can."""
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int
    """Token limit of the reply, including thinking."""
    step: str = ""
    inputs: Mapping[str, Any] | None = field(default=None, repr=False)
    """The step's inputs as plain values; only for models that declare `wants_inputs`."""
    rule: "Rule | None" = field(default=None, repr=False)
    """The stand-in's rule for these inputs, as the step declares it; only with `inputs`."""

    @property
    def server_seed(self) -> int:
        """Return the seed mapped into the range that servers accept: 0 to 2**31 - 1."""
        return self.seed % SEED_SPAN
