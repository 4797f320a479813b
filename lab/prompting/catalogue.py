"""The steps' templates: a table of them, one with its contract, and copies to edit."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from smolville.agents.errors import RunError, SettingError
from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.loop.step import AnyStep
from smolville.models.tokens import estimate_prompt
from smolville.parsers.prompt_inputs import PromptInput, read_field_notes
from smolville.prompts.environment import MACROS
from smolville.prompts.folder import FOLDER, SUFFIX, Texts, nearest, shipped_texts
from smolville.prompts.prompt import TemplateSet

_MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=\w)")
_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+).*?\{%-?\s*endmacro\s*-?%\}", re.S)


@dataclass(frozen=True, kw_only=True)
class TemplateRow:
    """A row about one step's template."""

    step: str
    tier: str
    variables: tuple[str, ...]
    version: str
    tokens: int
    """Estimated tokens of the prompt for the step's sample."""


def list_templates(texts: Texts | None = None) -> list[TemplateRow]:
    """Return a row per step, in the order of a day; `texts` default to the shipped templates.

    Raises PromptContractError when a template does not fit its step.
    """
    templates = TemplateSet(texts)
    rows = []
    for step in STEPS:
        prompt = templates.prompt(step)
        rows.append(
            TemplateRow(
                step=step.name,
                tier=step.tier,
                variables=tuple(step.inputs.model_fields),
                version=prompt.version,
                tokens=estimate_prompt(prompt.render(SAMPLES[step.name])),
            )
        )
    return rows


class InputField(NamedTuple):
    """A variable of a template, or an attribute of a value it shows."""

    name: str
    type: str
    """The type as Python source: `tuple[Recalled, ...]`."""
    meaning: str


@dataclass(frozen=True, kw_only=True)
class TemplateView:
    """A step's template with its contracts for inputs and answer."""

    step: str
    version: str
    tier: str
    temperature: float
    max_tokens: int
    """Maximum number of tokens of the reply."""
    sheds: tuple[str, ...]
    """Lists whose entries are dropped when the prompt is too long, in the order of dropping."""
    files: dict[str, str]
    """The text of the template and of its partials, by file name, and of the macros it calls."""
    inputs: dict[str, tuple[InputField, ...]]
    """The template's variables, and the fields of each record that they hold, by type."""
    instructions: str
    """The description of the answer that the template shows as `format`."""
    fallback: str
    """What happens when there is no usable answer."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        inputs = {kind: [each._asdict() for each in found] for kind, found in self.inputs.items()}
        return {**asdict(self), "inputs": inputs}


def show_step(step: AnyStep, texts: Texts | None = None) -> TemplateView:
    """Return a step's template from these texts; None means the shipped ones.

    Raises PromptContractError when it does not fit.
    """
    prompt = TemplateSet(texts).prompt(step)
    facts = prompt.facts
    macros = _MACRO.finditer(facts.texts.get(MACROS, ""))
    called = [found[0] for found in macros if found[1] in facts.formatters]
    files = {name: text for name, text in facts.texts.items() if name != MACROS}
    return TemplateView(
        step=step.name,
        version=prompt.version,
        tier=step.tier,
        temperature=step.temperature,
        max_tokens=step.max_tokens,
        sheds=step.sheds,
        files=files | ({f"of {MACROS}": "\n".join(called)} if called else {}),
        inputs=_inputs(step.inputs),
        instructions=prompt.answer_instructions,
        fallback=(step.fallback.__doc__ or "").strip().partition("\n")[0].removeprefix("Return "),
    )


def _inputs(model: type[BaseModel]) -> dict[str, tuple[InputField, ...]]:
    """Return the fields of an input model, and of the records that its fields contain."""
    found: dict[str, tuple[InputField, ...]] = {}
    waiting: list[Any] = [model]
    while waiting:
        kind = waiting.pop(0)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            notes = read_field_notes(kind) if issubclass(kind, PromptInput) else {}
            found[kind.__name__] = tuple(
                InputField(
                    name, _type_name(field.annotation), " ".join(notes.get(name, "").split())
                )
                for name, field in kind.model_fields.items()
            )
            waiting += [field.annotation for field in kind.model_fields.values()]
        else:
            waiting += get_args(kind)
    return found


def _type_name(kind: Any) -> str:
    """Return an annotation as Python source, without the modules of its names."""
    return (
        kind.__name__
        if isinstance(kind, type) and not get_args(kind)
        else _MODULES.sub("", str(kind))
    )


def eject(
    folder: Path, names: Sequence[str], texts: Texts | None = None, *, overwrite: bool = False
) -> tuple[list[str], list[str]]:
    """Copy templates into a folder; return the files written, and those kept as they were edited.

    `names` are steps, each copied with the partials it includes, or other files by their stem
    (`repair`, `_who`); without names everything is copied. Raises SettingError for an unknown name,
    RunError when it cannot be written.
    """
    texts = shipped_texts() if texts is None else texts
    if folder.resolve() == FOLDER:
        raise SettingError(f"{str(folder)!r} is where the shipped templates are; name another one.")
    written, kept = [], []
    try:
        for file in _files(names, texts):
            path, new = folder / file, texts[file].encode()
            if path.exists() and not overwrite and path.read_bytes() != new:
                kept.append(file)
                continue
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(new)
            written.append(file)
    except OSError as error:
        raise RunError(
            f"The templates cannot be written into {str(folder)!r}: {error.strerror}."
        ) from error
    return written, kept


def _files(names: Sequence[str], texts: Texts) -> list[str]:
    """Return the files for these names; SettingError for the first unknown name."""
    templates, steps = TemplateSet(texts), {step.name: step for step in STEPS}
    found: dict[str, None] = {}
    for name in names:
        stem = name.removesuffix(SUFFIX)
        if stem in steps:
            included = templates.prompt(steps[stem]).facts.texts
            found |= dict.fromkeys(file for file in included if file != MACROS)
        elif f"{stem}{SUFFIX}" in texts:
            found[f"{stem}{SUFFIX}"] = None
        else:
            stems = [file.removesuffix(SUFFIX) for file in texts]
            raise SettingError(
                f"There is no step {name!r}{nearest(stem, stems)}. All: {', '.join(steps)}."
            )
    return list(found) or sorted(texts)
