"""The settings file recommended by the doctor, as TOML with a reason for each line."""

import json

from smolville.lab.doctor.findings import Findings
from smolville.lab.doctor.profile import merge_profile, recommend_profile
from smolville.models.embedding.embedder import BUILT_IN
from smolville.models.request import ModelSettings

WISHED_CONTEXT = ModelSettings().num_ctx
LEAST_CONTEXT = 4096
STEP = 1024
"""Recommended contexts are multiples of this number of tokens."""


def settings_text(found: Findings) -> str:
    """Return a `smolville.toml` for the findings; empty when no model can be used.

    The stand-in counts as such a model only if it was requested: a model that failed may soon work
    again.
    """
    if not found.usable:
        return ""
    lines = [
        "# Written by `smolville doctor`.",
        "# A flag or a SMOLVILLE_* variable comes before this file.",
        *_line("model", _model_value(found), _about_model(found)),
        '# fast = "ollama:..."    # another model for small steps',
        '# strong = "ollama:..."  # another one for plans, talks and insights',
    ]
    if found.embedder.spec:
        lines += _line("embedder", found.embedder.spec, _about_embedder(found))
    if not found.model.is_standin:
        lines += _model_lines(found)
    text = "\n".join(lines) + "\n"
    profile = recommend_profile(found)
    return merge_profile(text, found.model.spec, profile).text if profile else text


def best_context(found: Findings) -> int:
    """Return the context to set, in tokens: the usual size, or less if a long prompt was cut."""
    context = found.context
    if not context.is_cut or context.largest is None:
        return min(WISHED_CONTEXT, found.model.context_length or WISHED_CONTEXT)
    return max(STEP, min(WISHED_CONTEXT, context.largest // STEP * STEP))


def _model_lines(found: Findings) -> list[str]:
    """Return the lines about how the model is used."""
    template = found.template
    lines = []
    if found.model.spec.startswith("ollama:"):
        said = "tokens; asked of Ollama with every call, the same for the whole run"
        lines += _line("num_ctx", best_context(found), said)
        lines += _line("keep_alive", "30m", "how long Ollama keeps the model loaded")
    elif found.context.num_ctx:
        lines.append(f"# the context is the server's own: {found.context.num_ctx} tokens a slot")
    style = "merged" if template.system_role is False else "auto"
    about = (
        "the chat template has no system role"
        if style == "merged"
        else "the chat template takes a system role, as far as could be seen"
    )
    return [
        *lines,
        *_line("template_style", style, about),
        *_line("thinking", False, _about_thinking(found)),
        *_line("timeout", 600, "seconds without a word from the server until a call is lost"),
    ]


def _model_value(found: Findings) -> str | list[str]:
    """Return the setting `model`: the model's spec, or a list of its servers."""
    spec = found.model.spec
    return [spec, *found.others] if found.others else spec


def _line(name: str, value: str | int | bool | list[str], about: str) -> list[str]:
    """Return a setting's lines, with the reason as a comment above it."""
    return [f"# {about}", f"{name} = {json.dumps(value, ensure_ascii=False)}"]


def _about_model(found: Findings) -> str:
    """Return the reason for recommending this model."""
    if found.model.is_standin:
        return "built in, answers by rules"
    told = ", ".join(filter(None, (found.model.parameters, found.model.quantization)))
    return f"{found.model.name}{f' ({told})' if told else ''} on {found.model.server}"


def _about_embedder(found: Findings) -> str:
    """Return the comment about the embedder."""
    if found.embedder.spec == "words":
        return "compares words, no model; see the advice for a better one"
    if found.embedder.spec == BUILT_IN:
        return "built in, compares by meaning; see the advice for a better one"
    return f"vectors of {found.embedder.dimension} numbers"


def _about_thinking(found: Findings) -> str:
    """Return what is known about the model's thinking."""
    if found.thinking.thinks is None:
        return "thinking aloud costs tokens and time, and rarely helps here"
    if not found.thinking.thinks:
        return "the model does not think aloud"
    if found.thinking.switches_off:
        return "the model can think aloud, and stops when told to"
    return "the model thinks aloud even when it is told not to; see thinking_tokens"
