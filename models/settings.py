"""What holds for every call of a run, whichever step asks."""

from dataclasses import dataclass
from typing import Literal

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
