"""Errors of templates; every message is for the person who edits them.

PromptError
├─ PromptContractError   a template that does not fit its input model, or cannot be compiled
└─ PromptFolderError     a folder of templates that cannot be used
"""


class PromptError(Exception):
    """Something is wrong with templates."""

    exit_code = 2


class PromptContractError(PromptError, TypeError):
    """A template that does not fit its input model, so that one of them has to be changed."""

    file = ""
    """The faulty template's file; empty if none is at fault."""
    line: int | None = None
    what = ""
    """Description of the problem, without its place."""

    @classmethod
    def at(cls, file: str, line: int | None, what: str) -> "PromptContractError":
        """Return the error with the place of the problem: `say.jinja, line 7: what`."""
        where = file if line is None else f"{file}, line {line}"
        error = PromptContractError(f"{where}: {what}")
        error.file, error.line, error.what = file, line, what
        return error


class PromptFolderError(PromptError):
    """A folder of templates that cannot be used."""
