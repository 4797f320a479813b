"""What came back from one call to a model."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One model's answer to one call, before anything is read out of it."""

    text: str
    """What the model wrote, as it wrote it; nothing is stripped."""
    finish: Literal["stop", "length", "unreadable"] = "stop"
    """`length` when the reply ran into its allowance and is cut; `unreadable` when the server could
    not parse what its model wrote, and `text` is what it says about that."""
    prompt_tokens: int | None = None
    """As counted by the server; None where it does not say."""
    completion_tokens: int | None = None
    """With the thinking in it, where the model thinks."""
    thinking_tokens: int = 0
    """Counted by the server, else estimated from `thinking`."""
    cached_tokens: int | None = None
    """How much of the prompt came out of the server's prefix cache; None where it does not say."""
    milliseconds: float = 0.0
    """Wall time of the call, queueing at the server included."""
    prompt_ms: float | None = None
    """Reading the prompt, by the server's own clock; None where it does not say."""
    reply_ms: float | None = None
    """Writing the reply, by the server's own clock; None where it does not say."""
    thinking: str = ""
    """What the model thought aloud beside its text; `<think>` inside the text stays there."""

    @property
    def is_cut(self) -> bool:
        """True when the reply ended because its allowance did."""
        return self.finish == "length"
