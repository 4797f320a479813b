"""The sentence model on this machine, run for real on a tiny model in the same files."""

import os
from pathlib import Path

import numpy as np
import pytest

from smolville.models.embedding.embedder import open_embedder
from smolville.models.embedding.minilm import LONGEST, usual_folder
from smolville.models.errors import ModelError, SpecError
from tests.fixtures.tiny_onnx import DIMENSION, WORDS, weights, write_tiny_minilm
from tests.models.test_embedder import keeps_its_promises

GIVEN = os.environ.get("SMOLVILLE_MINILM", str(usual_folder()))


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A folder with a tiny model."""
    return write_tiny_minilm(tmp_path / "minilm")


def expected(text: str) -> np.ndarray:
    """What the tiny model's vector of a text is, worked out by hand."""
    table, matrix = weights()
    words = ["[CLS]", *text.split(), "[SEP]"][:LONGEST]
    ids = [WORDS.index(word if word in WORDS else "[UNK]") for word in words]
    mean = (table[ids] @ matrix).mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_it_keeps_its_promises(tiny: Path) -> None:
    embedder = open_embedder(f"minilm:{tiny}")
    assert (embedder.name, embedder.dimension) == (f"minilm:{tiny}", DIMENSION)
    keeps_its_promises(embedder)


def test_a_vector_is_the_mean_over_the_text_s_own_tokens_with_length_one(tiny: Path) -> None:
    texts = ["bread", "the town bakes bread early and late", "rain", "rain", ""]
    rows = open_embedder(f"minilm:{tiny}").embed(texts)
    for row, text in zip(rows, texts, strict=True):
        assert np.allclose(row, expected(text), atol=1e-5), text
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_a_text_has_the_same_vector_to_the_bit_whatever_it_is_embedded_with(tiny: Path) -> None:
    embedder = open_embedder(f"minilm:{tiny}")
    texts = [" ".join(WORDS[4 : 5 + n % 9]) + f" {WORDS[4 + n % 11]}" for n in range(90)]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert (together == alone).all()


@pytest.mark.parametrize("absent", [["model.onnx"], ["tokenizer.json"], None])
def test_missing_files_are_named_with_where_they_belong(
    tiny: Path, absent: list[str] | None
) -> None:
    for name in absent or ["model.onnx", "tokenizer.json"]:
        (tiny / name).unlink()
    with pytest.raises(SpecError) as caught:
        open_embedder(f"minilm:{tiny}")
    named = " and ".join(absent or ["model.onnx", "tokenizer.json"])
    assert f"needs {named} of all-MiniLM-L6-v2 (ONNX) in {tiny}: put" in str(caught.value)


def test_without_a_folder_it_is_looked_for_where_chroma_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(SpecError, match=r"\.cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx"):
        open_embedder("minilm")
    write_tiny_minilm(usual_folder())
    assert open_embedder("minilm").name == "minilm"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_named(tiny: Path, name: str) -> None:
    (tiny / name).write_bytes(b"no such thing")
    with pytest.raises(ModelError, match=f"{name} cannot be read: "):
        open_embedder(f"minilm:{tiny}")


def test_the_real_model_finds_what_means_the_same() -> None:
    if not (Path(GIVEN) / "model.onnx").is_file():
        pytest.skip("all-MiniLM-L6-v2 is not here; SMOLVILLE_MINILM may name its folder")
    embedder = open_embedder(f"minilm:{GIVEN}")
    assert embedder.dimension == 384
    bread, baking, rain = embedder.embed(["She bakes bread.", "A loaf is in the oven.", "It rains"])
    assert bread @ baking > bread @ rain
    keeps_its_promises(embedder)
