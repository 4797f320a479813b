"""What can be wrong with templates; every sentence is for whoever edits them.

PromptError
├─ PromptContractError   a template that does not fit its input model, or cannot be compiled
└─ PromptFolderError     a folder of templates that cannot be used
"""


class PromptError(Exception):
    """Something is wrong with templates."""

    exit_code = 2


class PromptContractError(PromptError, TypeError):
    """A template that does not fit its input model; for whoever edits the template or the model."""


class PromptFolderError(PromptError):
    """A folder of templates that cannot be used."""
