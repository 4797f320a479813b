"""What the command imports at its start stays light."""

import subprocess
import sys

import pytest

LIGHT = [
    "models.spec",
    "models.reply",
    "models.errors",
    "models.embedding.embedder",
    "models.request",
]
OPENING = ["models.open", "models.chat", "models.pacing", "models.tokens"]
HEAVY = ["langchain_ollama", "langchain_openai", "ollama", "httpx", "openai", "chromadb"]


@pytest.mark.parametrize("name", [*LIGHT, *OPENING])
def test_importing_a_module_brings_no_vendor(name: str) -> None:
    heavy = [*HEAVY, "numpy", "langchain_core"] if name in LIGHT else HEAVY
    code = f"import sys, {name}; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
