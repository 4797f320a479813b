"""Errors that an operator reads: one sentence, what to do next, and an exit code.

SmolvilleError
├── TownError        a town, persona, map or history file is not as it should be (2)
├── RunError         a run cannot be created, opened or resumed (1 or 2)
│   └── DamagedError its history is damaged (2)
├── SettingError     a setting does not exist, or has an invalid value (2)
├── StoppedError     a run stopped before its end, with everything saved (1)
├── ContextError     a step does not fit the model's context, whatever is left out (1)
└── InternalError    a promise inside the program was broken (1)
"""


class SmolvilleError(Exception):
    """An error with one clear sentence for an operator, shown without a traceback."""

    exit_code: int = 1


class TownError(SmolvilleError):
    """A town, persona, map or history file is not as it should be."""

    exit_code = 2


class RunError(SmolvilleError):
    """A run cannot be created, opened or resumed."""

    exit_code = 2


class DamagedError(RunError):
    """A run's history is damaged."""


class SettingError(SmolvilleError):
    """A setting does not exist, has an invalid value, or cannot be read."""

    exit_code = 2


class StoppedError(SmolvilleError):
    """A run stopped before its end; everything up to the last commit is saved."""

    exit_code = 1


class ContextError(SmolvilleError):
    """A step's prompt does not fit the model's context, even without its optional parts."""

    exit_code = 1

    def __init__(self, message: str, *, step: str, needed: int, available: int | None) -> None:
        """Store the message, the step, and the tokens needed and available (None if unknown)."""
        super().__init__(message)
        self.step = step
        self.needed = needed
        self.available = available


class InternalError(SmolvilleError):
    """An internal consistency check failed: a bug in the program, to be reported."""

    exit_code = 1
