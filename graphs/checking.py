"""Check that a set of templates can be used: those of all steps, not only the edited ones."""

from collections.abc import Collection, Iterable

from graphs.catalogue import STEPS, kept
from graphs.samples import OTHER_SAMPLES, SAMPLES
from graphs.sense.phrases import phrase_faults
from prompts.contract import FAULTS
from prompts.errors import PromptContractError, PromptError, PromptFolderError
from prompts.examples import ShippedCase, examples_template, examples_text, shipped_cases
from prompts.folder import SENSE, Texts, shipped_texts
from prompts.nearest import strange_name
from prompts.prompt import TemplateSet

CASE = ShippedCase("A case.", {"thought": "An answer."})
"""Case that is rendered for steps without shipped cases."""


def checked(texts: Texts) -> TemplateSet:
    """Return templates that can be used. Raises PromptError, with file and line, otherwise.

    Every step must find its template, and each template must fit its input model and render the
    step's samples.
    """
    try:
        check_names([name for name in texts if not name.startswith("_")], shipped_texts())
        templates = TemplateSet(texts)
        _check_phrases(templates)
        used = {name for each in kept(templates).values() for name in each.files}
        check_names(texts, {*shipped_texts(), *used})
        _check_shown(templates)
    except PromptError:
        raise
    except FAULTS as error:
        raise PromptContractError(f"the templates cannot be read: {error}") from error
    return templates


def check_names(names: Iterable[str], known: Collection[str]) -> None:
    """Raise PromptFolderError for the first file that nothing uses."""
    for name in sorted(names):
        wrong = strange_name(name, known)
        if wrong:
            raise PromptFolderError(wrong)


def _check_phrases(templates: TemplateSet) -> None:
    """Raise PromptContractError, with the line, for the first invalid list of phrases."""
    for fault in phrase_faults(templates.phrases, [step.name for step in STEPS]):
        raise PromptContractError.at(SENSE, fault.line, fault.text)


def _check_shown(templates: TemplateSet) -> None:
    """Raise PromptContractError for a template that fails to render a sample of its step."""
    for step in STEPS:
        prompt = templates.prompt(step)
        for samples in (SAMPLES, OTHER_SAMPLES):
            prompt.render(samples[step.name])
    check_others(templates)


def check_others(templates: TemplateSet) -> None:
    """Raise PromptContractError if the examples or the repair message cannot be rendered."""
    cases = examples_template(templates.environment)
    for step in STEPS:
        shown = shipped_cases(step.name) or (CASE,)
        examples_text(cases, [(each.case, str(each.answer)) for each in shown])
    for missing in (None, "2, 4"):
        for cut in (False, True):
            templates.repair.text(["A problem."], cut=cut, missing=missing, shortened=cut)
