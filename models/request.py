"""What one call asks of a model, whichever server it goes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

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
    """The step's typed inputs; only for a model that declares `wants_inputs`."""

    @property
    def server_seed(self) -> int:
        """The seed as a server takes it: 0 to 2**31 - 1."""
        return self.seed % SEED_SPAN
