"""Chat models in GGUF files on this machine, found in the folders where people keep them."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from smolville.models.errors import SpecError
from smolville.models.servers.gguf_file import check_chats
from smolville.models.spec import Spec

MOST = 12
"""Maximum number of chat models returned."""
MOST_FILES = 60
"""Maximum number of files that are read; each takes about a tenth of a second."""
DEPTH = 4
"""Maximum depth of a file below one of the folders."""
_LATER_PART = re.compile(r"-0*(?:[2-9]|[1-9]\d+)-of-\d+$")
"""End of the name of a split model's second or later file; only the first file is listed."""


@dataclass(frozen=True, kw_only=True)
class LocalModel:
    """A chat model in a file."""

    path: Path
    parameters: str
    """Number of parameters, such as `3.2B`; empty if the file does not say it."""
    quantization: str
    bytes: int

    @property
    def spec(self) -> str:
        """The spec that opens the model; the opened chat reports the same spec."""
        return str(Spec("gguf", str(self.path)))


def can_open_files() -> bool:
    """Return whether the package that serves GGUF files is installed."""
    return find_spec("xllamacpp") is not None


def model_folders(env: Mapping[str, str], here: Path) -> tuple[Path, ...]:
    """Return the folders to search: the working folder, and folders where programs keep models."""
    home = Path(env.get("HOME") or Path.home())
    cache = Path(env.get("XDG_CACHE_HOME") or home / ".cache")
    return (
        here,
        cache / "smolville",
        cache / "llama.cpp",
        home / "models",
        home / ".lmstudio" / "models",
    )


def find_local_models(folders: Iterable[Path]) -> list[LocalModel]:
    """Return the chat models in these folders, smallest first; other files are passed over."""
    found: dict[Path, LocalModel] = {}
    for number, path in enumerate(_list_files(folders)):
        if number == MOST_FILES or len(found) == MOST:
            break
        try:
            told = check_chats(path)
            size = path.stat().st_size
        except (SpecError, OSError):
            continue
        found[path] = LocalModel(
            path=path, parameters=told.parameters, quantization=told.quantization, bytes=size
        )
    return sorted(found.values(), key=lambda model: (model.bytes, str(model.path)))


def _list_files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the GGUF files of the folders, each once, without hidden folders below them."""
    seen: set[Path] = set()
    for folder in folders:
        for place, below, names in os.walk(folder):
            depth = len(Path(place).relative_to(folder).parts)
            below[:] = sorted(name for name in below if name[0] != "." and depth < DEPTH - 1)
            for name in sorted(names):
                path = Path(place, name)
                is_model = path.suffix == ".gguf" and not _LATER_PART.search(path.stem)
                if is_model and (real := path.resolve()) not in seen:
                    seen.add(real)
                    yield real
