"""Copies templates out of the program, to be edited and used as an overlay of the shipped ones."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.errors import RunError, SettingError
from graphs.catalogue import STEPS
from prompts.environment import MACROS
from prompts.folder import FOLDER, SUFFIX, Texts, shipped_texts
from prompts.nearest import nearest
from prompts.prompt import TemplateSet


@dataclass(frozen=True, kw_only=True)
class EjectResult:
    """The result of copying templates into a folder."""

    folder: str
    written: tuple[str, ...]
    """Names of the files written."""
    kept: tuple[str, ...]
    """Files that existed with different content and were left unchanged."""
    same: tuple[str, ...]
    """Files that existed with the same content."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return asdict(self)


def eject(
    folder: Path, names: Sequence[str], texts: Texts | None = None, *, overwrite: bool = False
) -> EjectResult:
    """Copy templates into a folder, which is created if needed, and return the result.

    `names` are steps, each copied with the partials it includes, or other files by their stem
    (`repair`, `_who`); without names everything is copied. Existing files are kept unless they may
    be overwritten. Raises SettingError for an unknown name, RunError when it cannot be written.
    """
    texts = shipped_texts() if texts is None else texts
    files = _files(names, texts)
    if folder.resolve() == FOLDER:
        raise SettingError(f"{str(folder)!r} is where the shipped templates are; name another one.")
    try:
        return _copied(folder, files, texts, overwrite=overwrite)
    except OSError as error:
        raise RunError(
            f"The templates cannot be written into {str(folder)!r}: {error.strerror}."
        ) from error


def _copied(folder: Path, files: Iterable[str], texts: Texts, *, overwrite: bool) -> EjectResult:
    """Copy these files; may raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    kept: list[str] = []
    same: list[str] = []
    for file in files:
        path = folder / file
        new = texts[file].encode()
        if path.exists() and path.read_bytes() == new:
            same.append(file)
        elif path.exists() and not overwrite:
            kept.append(file)
        else:
            path.write_bytes(new)
            written.append(file)
    return EjectResult(
        folder=str(folder), written=tuple(written), kept=tuple(kept), same=tuple(same)
    )


def _files(names: Sequence[str], texts: Texts) -> list[str]:
    """Return the files for these names; SettingError for the first unknown name."""
    if not names:
        return sorted(texts)
    templates, steps = TemplateSet(texts), {step.name: step for step in STEPS}
    found: dict[str, None] = {}
    for name in names:
        stem = name.removesuffix(SUFFIX)
        if stem in steps:
            included = templates.prompt(steps[stem]).facts.texts
            found |= dict.fromkeys(file for file in included if file != MACROS)
        elif f"{stem}{SUFFIX}" in texts:
            found[f"{stem}{SUFFIX}"] = None
        else:
            stems = [file.removesuffix(SUFFIX) for file in texts]
            raise SettingError(
                f"There is no step {name!r}{nearest(stem, stems)}. All: {', '.join(steps)}."
            )
    return list(found)
