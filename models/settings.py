"""What holds for every call of a run, whichever step asks."""

from dataclasses import dataclass


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

    def sampling(self) -> dict[str, object]:
        """The sampling options that were set, by the name both servers know."""
        given = {"top_p": self.top_p, "min_p": self.min_p, "stop": list(self.stop) or None}
        return {name: value for name, value in given.items() if value is not None}
