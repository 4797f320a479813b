"""What the command imports at its start stays light."""

import subprocess
import sys

import pytest

LIGHT = [
    "smolville.models.spec",
    "smolville.models.reply",
    "smolville.models.errors",
    "smolville.models.embedding.embedder",
    "smolville.models.request",
]
OPENING = [
    "smolville.models.open",
    "smolville.models.chat",
    "smolville.models.pacing",
    "smolville.models.tokens",
]
HEAVY = ["langchain_ollama", "langchain_openai", "ollama", "httpx", "openai", "chromadb"]


@pytest.mark.parametrize(
    ("names", "heavy"), [(LIGHT, [*HEAVY, "numpy", "langchain_core"]), (OPENING, HEAVY)]
)
def test_importing_a_module_brings_no_vendor(names: list[str], heavy: list[str]) -> None:
    code = f"import sys, {', '.join(names)}; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
