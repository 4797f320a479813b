"""Choose one of several models of a server: one that chats and fits into memory."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from models.servers.ollama import OllamaModel

GIB = 2**30
CGROUP = Path("/sys/fs/cgroup/memory.max")
"""File with the memory limit of a container; `max` if there is none."""
SWELLING, AROUND = 1.2, GIB
"""A loaded model takes this factor times its file size, plus this many bytes for its context."""


def choose_model(models: Sequence[OllamaModel], memory: int | None) -> tuple[OllamaModel, str]:
    """Return the best chat model, and a phrase that says why.

    It is the newest that fits into `memory` (in bytes, None if unknown), else the smallest.
    """
    if memory is None:
        return models[0], _among(models, "the newest")
    fitting = [model for model in models if _needed(model) <= memory]
    if not fitting:
        least = min(models, key=_needed)
        none = "none of them fits" if models[1:] else "it hardly fits"
        return least, f"{_among(models, 'the smallest')}, though {none}: {_told(least, memory)}"
    taken, passed_over = fitting[0], models[: models.index(fitting[0])]
    among = _among(models, "the newest")
    if not taken.size:
        return taken, among
    if not passed_over:
        return taken, f"{among} and fits into memory ({_told(taken, memory)})"
    first = passed_over[0]
    return taken, (
        f"{among} that fits into memory ({_told(taken, memory)}; {first.name} would take about "
        f"{_gib(_needed(first))})"
    )


def machine_memory() -> int | None:
    """Return the memory in bytes of this machine, or the limit of this container."""
    known: list[int] = []
    with suppress(OSError, ValueError, AttributeError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):
        known.append(int(CGROUP.read_text(encoding="ascii")))
    return min((each for each in known if each > 0), default=None)


def _among(models: Sequence[OllamaModel], which: str) -> str:
    return f"{which} of its {len(models)} chat models" if models[1:] else "its chat model"


def _needed(model: OllamaModel) -> float:
    """Return the approximate memory of a loaded model in bytes; 0 if its size is unknown."""
    return SWELLING * model.size + AROUND if model.size else 0.0


def _told(model: OllamaModel, memory: int) -> str:
    return f"about {_gib(_needed(model))} of {_gib(memory)}"


def _gib(size: float) -> str:
    return f"{size / GIB:.1f} GB"
