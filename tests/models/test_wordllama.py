"""The built-in embedder by meaning: whole numbers, the same everywhere, near when meant alike."""

import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import smolville.models.embedding.wordllama as module
from smolville.history.folder import SMALL_SAMPLE, RunFolder, sample_folder
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import open_embedder
from smolville.models.embedding.wordllama import LENGTH, TOKENIZER, WEIGHTS, WordLlama
from smolville.models.errors import ModelError
from tests.models.test_embedder import TEXTS

pytestmark = pytest.mark.skipif(
    module.package_folder() is None, reason="the package wordllama is not installed"
)


def cosines(asked: str, *texts: str) -> list[float]:
    rows = WordLlama().embed([asked, *texts]).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [float(each) for each in rows[1:] @ rows[0]]


def test_what_is_meant_is_near_though_no_word_is_shared() -> None:
    cooking, sweeping, closing = cosines(
        "cooking a meal",
        "Rosa Marin is preparing dinner on the stove.",
        "Milo Varga is sweeping the floor of the shop.",
        "The library closes at six.",
    )
    assert cooking > 0.3
    assert max(sweeping, closing) < 0.1


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        (
            "I am headed to the pet store to pick out a new pet",
            "I have a fear of dogs since getting bitten as a child.",
        ),
        (
            "Making food for people when they visit is a great joy",
            "I love cooking, especially for friends and family.",
        ),
    ],
)
def test_what_a_forerunner_wanted_recalled_comes_first_of_a_whole_day(
    said: str, remembered: str
) -> None:
    """Two cases of simulacra, without a shared word, among all memories of the recorded day."""
    folder = sample_folder(SMALL_SAMPLE)
    with RunReader(RunFolder.open(folder.parent, folder.name)) as reader:
        day = {each.text for name in reader.agents() for each in reader.memories(name)}
    assert len(day) > 100
    wanted, *others = cosines(said, remembered, *sorted(day))
    assert wanted > max(others)


def test_vectors_are_the_same_to_the_bit_everywhere() -> None:
    rows = WordLlama().embed([*TEXTS, "Das Café schließt um sechs. 🎉", "日本"])
    digest = blake2b(rows.astype("<i2").tobytes(), digest_size=8).hexdigest()
    assert digest == "6c7958e65938a226"


@given(st.lists(st.text(max_size=80), max_size=4))
def test_any_text_gives_whole_numbers_of_one_length(texts: list[str]) -> None:
    rows = WordLlama().embed([*texts, "bread", "\ud800 half a pair", "<s></s>"])
    assert (rows == np.rint(rows)).all()
    lengths = np.linalg.norm(rows, axis=1)
    assert ((lengths == 0) | (abs(lengths - LENGTH) < 10)).all()
    assert lengths[-3:].all()


def test_its_code_is_never_imported() -> None:
    code = (
        "import sys; from smolville.models.embedding.embedder import open_embedder;"
        "open_embedder('wordllama').embed(['bread']); sys.exit('wordllama' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ({}, "cannot be read"),
        ({WEIGHTS: b"torn"}, "is damaged, or of another version"),
        ({WEIGHTS: None, TOKENIZER: b"{}"}, "is damaged, or of another version"),
    ],
)
def test_files_that_are_missing_or_damaged_are_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    there: dict[str, bytes | None],
    said: str,
) -> None:
    real = module.package_folder()
    assert real is not None
    for name, data in there.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((real / name).read_bytes() if data is None else data)
    monkeypatch.setattr(module, "package_folder", lambda: tmp_path)
    with pytest.raises(
        ModelError, match=f"{said}.*Reinstall the package wordllama, or .* with --embedder words"
    ):
        open_embedder("wordllama")
    assert open_embedder("words").name == "words"
