"""What can be wrong with templates; every sentence is for whoever edits them.

PromptError
├─ PromptContractError   a template that does not fit its input model, or cannot be compiled
│  └─ TemplateMissing    a template that is not there, or that another one includes in vain
├─ PromptFolderError     a folder of templates that cannot be used
└─ ChatTemplateError     a model's own chat template that cannot be rendered
"""


class PromptError(Exception):
    """Something is wrong with templates."""

    exit_code = 2


class PromptContractError(PromptError, TypeError):
    """A template that does not fit its input model; for whoever edits the template or the model."""

    file = ""
    """The template's file, where one is at fault."""
    line: int | None = None
    what = ""
    """What is wrong, without the place."""

    @classmethod
    def at(cls, file: str, line: int | None, what: str) -> "PromptContractError":
        """Return the error of one place: `say.jinja, line 7: what`."""
        where = file if line is None else f"{file}, line {line}"
        error = PromptContractError(f"{where}: {what}")
        error.file, error.line, error.what = file, line, what
        return error


class TemplateMissing(PromptContractError):
    """A template that is not there, or that another one includes in vain."""

    def __init__(self, what: str, missing: str, *, by: str = "", line: int | None = None) -> None:
        """Say what is missing; `by` names the file that includes it, if one does."""
        super().__init__(f"{by}, line {line}: {what}" if by else what)
        self.file, self.line, self.what, self.missing = by, line, what, missing


class PromptFolderError(PromptError):
    """A folder of templates that cannot be used."""


class ChatTemplateError(PromptError):
    """A model's own chat template that is no Jinja, fails, or refuses the messages."""
