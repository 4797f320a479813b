"""The message that sends an answer back to the model, with its problems."""

from collections.abc import Sequence

from jinja2 import Environment, Template

from smolville.prompts.contract import BoundTemplate, Format, check_contract, write_block
from smolville.prompts.environment import compiled, open_environment
from smolville.prompts.facts import TemplateFacts, read_facts

REPAIR_FILE = "repair.jinja"
MOST_PROBLEMS = 5
"""Maximum number of problems shown: a small model mends only a few at a time."""
BOUND_REPAIR = BoundTemplate(
    REPAIR_FILE,
    "repair",
    frozenset({"problems", "cut", "missing", "shortened"}),
    ("human",),
    former=frozenset({"form"}),
)


class RepairPrompt:
    """The repair template, compiled and checked."""

    def __init__(self, environment: Environment | None = None) -> None:
        """Compile the template. Raises PromptContractError if its blocks or variables are wrong."""
        environment = environment or open_environment()
        self.facts: TemplateFacts = read_facts(environment, REPAIR_FILE)
        check_contract(BOUND_REPAIR, self.facts, environment.globals)
        self._template: Template = compiled(environment, REPAIR_FILE)

    @property
    def version(self) -> str:
        """The version of the template, computed like `Prompt.version`."""
        return self.facts.version

    def text(
        self,
        problems: Sequence[str],
        *,
        cut: bool,
        missing: str | None,
        shortened: bool = False,
        form: Format = "json",
    ) -> str:
        """Return the human message that lists the problems and asks for the answer again.

        `problems` are full sentences, the most important first; five are shown. `cut` says that the
        reply ended in the middle. `missing` lists the items of a list that are still needed (`2,
        4`), or is None if the whole answer is asked for. `shortened` says that only the beginning
        of the wrong answer is shown again. `form` is how the answer is to be written.
        """
        context = self._template.new_context(
            {
                "problems": tuple(problems[:MOST_PROBLEMS]),
                "cut": cut,
                "missing": missing or "",
                "shortened": shortened,
                "form": form,
            }
        )
        return write_block(self._template, "human", context, REPAIR_FILE)
