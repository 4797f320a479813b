"""Guess what somebody meant by a spec that cannot be read."""

import difflib

from models.specs.forms import FORMS, OTHER_NAMES, PROVIDERS, WAYS


def unknown_kind(text: str) -> str:
    """Return the sentence for a spec of a kind that does not exist."""
    if not text:
        return f"The model spec is empty: write {WAYS}."
    return f"The model spec {text!r} cannot be read: write {WAYS}. Did you mean {nearest(text)}?"


def nearest(text: str) -> str:
    """Return the spec that the writer of `text` most likely meant."""
    kind, _, rest = text.partition(":")
    near = difflib.get_close_matches(kind.lower(), FORMS, n=1, cutoff=0.8)
    if near:
        return f"{near[0]}{text[len(kind) :]}"
    if kind.lower() in OTHER_NAMES:
        return f"{OTHER_NAMES[kind.lower()]}:{rest}"
    if rest.startswith("//"):
        return f"openai:{text}" if "/v1" in rest else f"llamacpp:{text}"
    if text.partition("?")[0].lower().endswith(".gguf"):
        return f"gguf:{text}"
    if kind in PROVIDERS and rest:
        return f"langchain:{kind}/{rest}"
    if text.startswith("Chat") and text.partition("?")[0].isidentifier():
        return f"community:{text}"
    return f"ollama:{text}"
