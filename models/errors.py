"""Errors of models, sorted by who must act; the numbers are exit codes.

ModelError           a model cannot be used; one sentence for the operator (1)
├── SpecError        a model is named in a way that cannot be read (2)
├── UnknownModel     the server is there, the model is not (2)
├── KeyRefused       a key would go to a server that the user has not named (2)
├── CacheError       a response cache cannot be used: from other settings, or damaged (2)
├── TransportError   the server went away, was too slow or refused; says whether to try again (1)
│   ├── ModelLoading       the server is there and has not loaded the model yet
│   └── ConnectionRefused  nobody listens at the server's address
├── PromptCut        the prompt does not fit the model's context; says how much it needs (1)
└── UnreadableReply  the server could not read its own model's reply: a case for a repair (1)
"""


class ModelError(Exception):
    """A model cannot be used: one clear sentence, shown without a traceback."""

    exit_code: int = 1


class SpecError(ModelError):
    """The spec of a model or an embedder is invalid."""

    exit_code = 2


class UnknownModel(ModelError):
    """The server answers, but it does not have the model that was asked for."""

    exit_code = 2


class KeyRefused(ModelError):
    """Keys would go to a server that a run's folder names but the user does not."""

    exit_code = 2


class CacheError(ModelError):
    """A response cache cannot be used: it was made with other settings, or it is damaged."""

    exit_code = 2


class TransportError(ModelError):
    """A call did not get through: no connection, time-out, 429, 5xx, or a final refusal."""

    def __init__(
        self, message: str, *, retryable: bool = True, retry_after: float | None = None
    ) -> None:
        """Store the sentence, whether a retry may help, and how long to wait before it."""
        super().__init__(message)
        self.retryable = retryable
        self.retry_after = retry_after


class ModelLoading(TransportError):
    """The server is there, and has not loaded its model yet."""


class ConnectionRefused(TransportError):
    """Nobody listens at the server's address."""


class PromptCut(ModelError):
    """The prompt, together with the limit of the reply, does not fit the model's context."""

    def __init__(
        self, message: str, *, needed: int | None = None, available: int | None = None
    ) -> None:
        """Store the sentence, and both sizes in tokens if they are known."""
        super().__init__(message)
        self.needed = needed
        self.available = available


class UnreadableReply(ModelError):
    """The server could not parse what its model wrote."""

    def __init__(self, message: str, *, raw: str = "") -> None:
        """Store the sentence, and all that the model wrote if the server passes it on."""
        super().__init__(message)
        self.raw = raw


def is_passing(error: Exception) -> bool:
    """Return whether the server may answer later: it is busy, loading, or broke off."""
    is_lost = isinstance(error, TransportError) and error.retryable
    return is_lost and not isinstance(error, ConnectionRefused)
