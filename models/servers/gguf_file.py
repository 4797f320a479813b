"""Metadata of a GGUF file: architecture, size, quantisation, and whether it can chat.

Only the file's header is read, in a tenth of a second. The `gguf` package makes an object of every
token of the vocabulary, which takes 3 to 8 seconds even for a small model's file.
"""

import mmap
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from smolville.models.errors import SpecError
from smolville.models.servers.llamacpp import parameters_in_words, quantization_of

MAGIC = b"GGUF"
"""The first bytes of every GGUF file."""
VERSIONS = (2, 3)
TEMPLATE = "tokenizer.chat_template"
TOKENS = "tokenizer.ggml.tokens"
ALIGNMENT = 32
"""The weights start at a multiple of this number of bytes, unless the file gives another number."""
NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
"""The `struct` format character of each type of value."""
STRING, ARRAY = 8, 9
FILE_TYPES = {
    **{0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K"},
    **{11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S"},
    **{17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS"},
    **{23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S"},
    **{29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4"},
}
"""The usual name of the quantisation for each value of `general.file_type`."""
BLOCKS = {
    **{0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34)},
    **{10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210)},
    **{16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110)},
    **{22: (256, 82), 23: (256, 136), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66)},
    39: (32, 17),
}
"""For each tensor type, a number of weights and the bytes they take; tensors of other types are not
measured."""


@dataclass(frozen=True, kw_only=True)
class GgufFile:
    """The metadata in the header of a file."""

    architecture: str
    parameters: str
    """Number of parameters as Ollama writes it: `3.2B`; empty if the file does not say."""
    quantization: str
    """Quantisation as Ollama writes it: `Q4_K_M`; empty if neither the file nor its name says."""
    context_length: int | None
    """Context size of the training, in tokens."""
    template: str = field(repr=False)
    """The chat template, in Jinja; empty if there is none."""
    bos: str
    """The token that begins a text, as templates write it; empty if there is none."""
    eos: str
    """The token that ends an answer."""
    embeds: bool
    """Whether it is an embedding model."""
    size: int
    """Bytes that the file must have at least."""


def check_chats(path: Path) -> GgufFile:
    """Return the metadata of a chat model's file. Raises SpecError for any other file."""
    told = read_gguf(path)
    if told.size > path.stat().st_size:
        raise SpecError(
            f"The model file {str(path)!r} is cut short: it has {path.stat().st_size:,} bytes of "
            f"{told.size:,}. Bring it again."
        )
    if told.template:
        return told
    if told.embeds:
        raise SpecError(f"{str(path)!r} is a model for embeddings and cannot chat.")
    raise SpecError(
        f"{str(path)!r} is no chat model: it has no chat template (architecture "
        f"{told.architecture!r}). Take an instruct version; one that chats all the same can be "
        "served by llama-server with --chat-template, and named as llamacpp:<url>."
    )


def read_gguf(path: Path) -> GgufFile:
    """Return a file's metadata. Raises SpecError if there is no GGUF file."""
    check_gguf(path)
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read(_Cursor(data), path)
    except (struct.error, IndexError) as error:
        raise SpecError(
            f"The model file {str(path)!r} is cut short or damaged: it ends within its own list "
            "of contents. Bring it again."
        ) from error
    except OSError as error:
        raise _unreadable(path, error) from error


def check_gguf(path: Path) -> None:
    """Raise SpecError unless the path is a file that begins like a GGUF file."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise SpecError(f"The model file {str(path)!r} {what}: give the path of a GGUF file.")
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise _unreadable(path, error) from error
    if begins != MAGIC:
        raise SpecError(f"{str(path)!r} is no GGUF file: llama.cpp reads nothing else.")


def _unreadable(path: Path, error: OSError) -> SpecError:
    return SpecError(f"The model file {str(path)!r} cannot be read: {error.strerror}.")


class _Cursor:
    """Reads values one after another. Raises struct.error or IndexError at the end of the data."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self.at = len(MAGIC)

    def number(self, kind: str) -> Any:
        """Return the next number, with a `struct` format character as its type."""
        (value,) = struct.unpack_from(f"<{kind}", self._data, self.at)
        self.at += struct.calcsize(f"<{kind}")
        return value

    def text(self) -> str:
        """Return the next text."""
        length = self.number("Q")
        if self.at + length > len(self._data):
            raise IndexError(length)
        self.at += length
        return self._data[self.at - length : self.at].decode("utf-8", "replace")

    def value(self) -> Any:
        """Return the next value; for an array, the position of its first entry."""
        kind = self.number("I")
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            return self._pass_array()
        if kind not in NUMBERS:
            raise IndexError(kind)
        return self.number(NUMBERS[kind])

    def entry(self, start: int, index: int) -> str:
        """Return an entry of an array of texts; the first entry is at the position `start`."""
        back, self.at = self.at, start
        for _ in range(index):
            self.at += 8 + struct.unpack_from("<Q", self._data, self.at)[0]
        found, self.at = self.text(), back
        return found

    def _pass_array(self) -> int:
        """Skip an array, and return the position of its first entry."""
        kind, count = self.number("I"), self.number("Q")
        start = self.at
        if kind in NUMBERS:
            self.at += count * struct.calcsize(f"<{NUMBERS[kind]}")
        elif kind == STRING:
            unpack, data, at = struct.Struct("<Q").unpack_from, self._data, self.at
            for _ in range(count):
                at += 8 + unpack(data, at)[0]
            self.at = at
        else:
            raise IndexError(kind)
        return start


def _read(cursor: _Cursor, path: Path) -> GgufFile:
    version = cursor.number("I")
    if version not in VERSIONS:
        raise SpecError(
            f"{str(path)!r} is a GGUF file of version {version}; versions "
            f"{' and '.join(map(str, VERSIONS))} are read."
        )
    tensors, pairs = cursor.number("Q"), cursor.number("Q")
    told = {cursor.text(): cursor.value() for _ in range(pairs)}
    weights, end = _weights(cursor, tensors)
    architecture = str(told.get("general.architecture") or "unknown")
    alignment = _count(told.get("general.alignment")) or ALIGNMENT
    start = -(-cursor.at // alignment) * alignment
    is_part = (_count(told.get("split.count")) or 1) > 1
    return GgufFile(
        architecture=architecture,
        parameters=str(told.get("general.size_label") or "")
        if is_part
        else parameters_in_words(weights or None),
        quantization=FILE_TYPES.get(told.get("general.file_type", -1), "")
        or quantization_of(path.name),
        context_length=_count(told.get(f"{architecture}.context_length")),
        template=str(told.get(TEMPLATE) or ""),
        bos=_token(cursor, told, "bos"),
        eos=_token(cursor, told, "eos"),
        embeds=f"{architecture}.pooling_type" in told,
        size=start + end if end else cursor.at,
    )


def _token(cursor: _Cursor, told: dict[str, Any], which: str) -> str:
    """Return the vocabulary's `bos` or `eos` token; empty if there is none."""
    index, start = told.get(f"tokenizer.ggml.{which}_token_id"), told.get(TOKENS)
    if not (isinstance(index, int) and isinstance(start, int)):
        return ""
    return cursor.entry(start, index)


def _count(value: object) -> int | None:
    """Return a positive count; None for anything else."""
    return value if isinstance(value, int) and value > 0 else None


def _weights(cursor: _Cursor, tensors: int) -> tuple[int, int]:
    """Return the number of weights, and the position in bytes at which the last tensor ends."""
    weights = end = 0
    for _ in range(tensors):
        cursor.text()
        count = prod(cursor.number("Q") for _ in range(cursor.number("I")))
        kind, offset = cursor.number("I"), cursor.number("Q")
        block, size = BLOCKS.get(kind, (1, 0))
        weights += count
        end = max(end, offset + count // block * size)
    return weights, end
