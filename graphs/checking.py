"""Whether templates can be asked with: every step's, not only those that somebody edited."""

import difflib
from collections.abc import Iterable

from graphs.catalogue import STEPS, kept
from graphs.loop.template_set import TemplateSet
from graphs.samples import OTHER_SAMPLES, SAMPLES
from prompts.contract import FAULTS
from prompts.errors import PromptContractError, PromptError, PromptFolderError
from prompts.examples import ShippedCase, examples_template, examples_text, shipped_cases
from prompts.folder import SUFFIX, Texts, shipped_texts

CASE = ShippedCase("A case.", {"thought": "An answer."})
"""Shown where a step has no cases of its own."""


def checked(texts: Texts) -> TemplateSet:
    """Return templates that can be asked with; PromptError, with file and line, when they cannot.

    Every step must find its template, and each must fit its input model and show the samples.
    """
    try:
        _check_names([name for name in texts if not name.startswith("_")], shipped_texts())
        templates = TemplateSet(texts)
        used = {name for each in kept(templates).values() for name in each.files}
        _check_names(texts, {*shipped_texts(), *used})
        _check_shown(templates)
    except PromptError:
        raise
    except FAULTS as error:
        raise PromptContractError(f"the templates cannot be read: {error}") from error
    return templates


def _check_names(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise PromptFolderError for the first file that nothing asks with."""
    stems = sorted(name.removesuffix(SUFFIX) for name in known)
    for name in sorted(names):
        stem = name.removesuffix(SUFFIX)
        if stem in stems:
            continue
        near = difflib.get_close_matches(stem, stems, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {_steps()}."
        what = "no template includes" if name.startswith("_") else "there is no step for"
        raise PromptFolderError(f"{what} {name}: {hint}")


def _check_shown(templates: TemplateSet) -> None:
    """Raise PromptContractError for a template that cannot show a sample of its step."""
    cases = examples_template(templates.environment)
    for step in STEPS:
        prompt = templates.prompt(step)
        for samples in (SAMPLES, OTHER_SAMPLES):
            prompt.render(samples[step.name])
        shown = shipped_cases(step.name) or (CASE,)
        examples_text(cases, [(each.case, str(each.answer)) for each in shown])
    for missing in (None, "2, 4"):
        for cut in (False, True):
            templates.repair.text(["A problem."], cut=cut, missing=missing, shortened=cut)


def _steps() -> str:
    return ", ".join(step.name for step in STEPS)
