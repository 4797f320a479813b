"""The built-in semantic embedder: it adds up the stored vectors of a text's word pieces.

Weights and tokenizer are files of the package `wordllama`, whose code is never imported: its loader
looks for a folder that its wheel does not have, and importing it takes over a second. All sums are
of whole numbers, so equal texts have equal vectors, and equal scores, on every machine.
"""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from smolville.models.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
CHECK_SUMS = {WEIGHTS: 0x56C6AE6F, TOKENIZER: 0x3FAF5800}
"""Checksums of the files: other files would give other vectors than earlier runs have stored."""
TENSOR = "embedding.weight"
DIMENSION = 256
SCALE = 2048
"""Factor that turns weights, all below 8.02, into whole numbers with eleven binary digits."""
PART = 500
"""Rows converted to whole numbers at once."""
LENGTH = 2000
"""Length of a vector before rounding: inner products stay below 2**24, so float32 holds them."""
LONGEST = 4096
"""Maximum number of tokens of a text that are read; the rest is ignored."""


class WordLlama:
    """An embedder: a text's token vectors added up, scaled to `LENGTH` and rounded, as float32."""

    name = "wordllama"
    dimension = DIMENSION

    def __init__(self) -> None:
        """Load both files, once per process. Raises ModelError if a file is missing or damaged."""
        folder = package_folder()
        if folder is None:
            raise ModelError(
                "The embedder wordllama needs the package wordllama, which is not installed: "
                "pip install wordllama, or compare memories by their words with --embedder words."
            )
        self._table, self._tokenizer = _load(folder)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text; a text without a token is all zeros.

        Half a surrogate pair counts as a question mark.
        """
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in zip(rows, texts, strict=True):
            whole = text.encode("utf-8", "replace").decode()
            tokens = self._tokenizer.encode(whole, add_special_tokens=False).ids
            row[:] = _to_vector(self._table[tokens].sum(axis=0, dtype=np.int64))
        return rows


def package_folder() -> Path | None:
    """Return the folder of the package's files; None if it is not installed."""
    try:
        return Path(str(distribution("wordllama").locate_file("wordllama")))
    except PackageNotFoundError:
        return None


@cache
def _load(folder: Path) -> "tuple[NDArray[np.int16], Tokenizer]":
    """Return the weights, shape (pieces of words, dimension), and the tokenizer."""
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    table = _to_integer_weights(load(_read(folder, WEIGHTS))[TENSOR])
    tokenizer = Tokenizer.from_str(_read(folder, TOKENIZER).decode())
    tokenizer.enable_truncation(max_length=LONGEST)
    tokenizer.encode_special_tokens = True
    return table, tokenizer


def _to_integer_weights(weights: NDArray[np.float16]) -> NDArray[np.int16]:
    """Return the weights as whole numbers; converting in parts takes a third of the memory."""
    table = np.zeros(weights.shape, np.int16)
    for start in range(0, len(weights), PART):
        part = slice(start, start + PART)
        table[part] = np.rint(weights[part].astype(np.float32) * SCALE)
    return table


def _read(folder: Path, name: str) -> bytes:
    wrong = "is damaged, or of another version"
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        data, wrong = b"", f"cannot be read ({error.strerror})"
    if crc32(data) != CHECK_SUMS[name]:
        raise ModelError(
            f"The embedder wordllama cannot be used: {folder / name} {wrong}. Reinstall the "
            "package wordllama, or compare memories by their words with --embedder words."
        )
    return data


def _to_vector(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the sums as a vector of `LENGTH`, rounded to whole numbers.

    Root and division are exact to the last digit by IEEE 754, so they are equal on any machine.
    """
    length = np.sqrt(np.float64((sums * sums).sum()))
    scaled: NDArray[np.float64] = sums * LENGTH / max(length, 1.0)
    return scaled.round()
