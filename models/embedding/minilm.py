"""Vectors from all-MiniLM-L6-v2 on this machine: no server, no download, one thread."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from smolville.models.errors import ModelError, SpecError
from smolville.models.spec import Spec

if TYPE_CHECKING:
    from tokenizers import Encoding

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
"""The files that are read; other files in the folder are ignored."""
INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
LONGEST = 256
"""Maximum number of tokens of a text that are read, as in the model's training."""
BATCH = 32
"""Maximum number of texts per pass through the model."""


class MiniLM:
    """An embedder: a text's vector is the mean of its token vectors, normalised to length 1.

    Texts with the same number of tokens share a pass, so that nothing is ever padded: a text has
    the same vector whatever it is embedded with.
    """

    def __init__(self, spec: Spec) -> None:
        """Load both files. Raises ModelError if a file is missing or unreadable.

        The model runs on one thread; with two it is slower here.
        """
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer

        folder = Path(spec.target) if spec.target else usual_folder()
        self.name = str(spec)
        missing = [name for name in (MODEL, TOKENIZER) if not (folder / name).is_file()]
        if missing:
            raise SpecError(
                f"The embedder minilm needs {' and '.join(missing)} of all-MiniLM-L6-v2 (ONNX) in "
                f"{folder}: put them there, or name their folder with minilm:<folder>."
            )
        with _reading(folder / TOKENIZER):
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(max_length=LONGEST)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with _reading(folder / MODEL):
            self._session = onnxruntime.InferenceSession(
                folder / MODEL, options, providers=["CPUExecutionProvider"]
            )
        self._inputs = [one.name for one in self._session.get_inputs()]
        outputs = self._session.get_outputs()
        if not INPUTS.issuperset(self._inputs) or len(outputs[0].shape) != 3:
            raise SpecError(f"{folder / MODEL} is not a model of sentences such as MiniLM.")
        self.dimension = int(self._pass([self._tokenizer.encode("town")]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        read = self._tokenizer.encode_batch(list(texts))
        same: dict[int, list[int]] = {}
        for number, encoding in enumerate(read):
            same.setdefault(len(encoding.ids), []).append(number)
        for numbers in same.values():
            for start in range(0, len(numbers), BATCH):
                part = numbers[start : start + BATCH]
                rows[part] = self._pass([read[number] for number in part])
        return rows

    def _pass(self, encodings: "Sequence[Encoding]") -> NDArray[np.float32]:
        ids = np.asarray([one.ids for one in encodings], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        states = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        return unit_means(np.asarray(states, np.float32))


def unit_means(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean over each text's tokens, scaled to length 1; shape (texts, dimension)."""
    means = states.mean(axis=1, dtype=np.float32)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return np.asarray(means / np.maximum(lengths, 1e-12), np.float32)


def usual_folder() -> Path:
    """Return the folder into which Chroma downloads this very model."""
    return Path.home() / ".cache" / "chroma" / "onnx_models" / "all-MiniLM-L6-v2" / "onnx"


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn both libraries' errors about a file into one sentence.

    Neither library has an error class that could be caught by name: tokenizers raises `Exception`
    itself, and onnxruntime a dozen classes of a private module.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        short = " ".join(str(error).split())[:160]
        raise ModelError(f"{path} cannot be read: {short}") from error
