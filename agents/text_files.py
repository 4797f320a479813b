"""Read text files that people edit: UTF-8, with or without a byte order mark, any line ends."""

import codecs
import errno
import io
from pathlib import Path

LARGEST = 64_000_000
"""Maximum size of a text file in bytes, unless a caller sets a lower one."""


def read_text(path: Path, *, largest: int = LARGEST, newline: str | None = None) -> str:
    """Return a file's text; `newline` is that of `open`.

    Raises OSError if the file cannot be read, is larger than `largest` bytes, or is not UTF-8. Its
    `strerror` ends a sentence such as `town.toml cannot be read: ...`.
    """
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        size = f"{largest / 1_000_000:g} MB"
        raise OSError(errno.EFBIG, f"it is larger than {size}", str(path))
    return io.StringIO(decode_text(data, path), newline).read()


def decode_text(data: bytes, path: Path, *, first_line: int = 1) -> str:
    """Return the text of a file's bytes, which begin at `first_line`.

    Raises OSError, whose `strerror` names the line, if they are not UTF-8.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        told = f"line {line} is not UTF-8 text; save the file as UTF-8"
        raise OSError(errno.EILSEQ, told, str(path)) from None
