"""Folders of templates: the shipped one, and folders that are laid over it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from prompts.errors import PromptFolderError

FOLDER = Path(__file__).parent
"""Where the shipped templates are."""
OVERLAYS = FOLDER / "overlays"
"""Folders that come with the program, each named by what it is for."""
SHIPPED = "shipped"
"""Names the shipped templates where a folder could be named."""
SUFFIX = ".jinja"
LANGUAGE = "_language.jinja"
"""In a folder of templates in another language: its code, `de`. Sense checks that read English are
silent then."""
SENSE = "sense.toml"
"""In a folder of templates: phrases that make an answer odd (`graphs.sense.phrases`)."""
JUDGING = (LANGUAGE, SENSE)
"""Files that nothing shows: by them answers are judged."""
VISIBLE = f"[!.]*{SUFFIX}"
"""Editors keep files of their own beside one that is edited; their names begin with a dot."""
LARGEST = 256 * 1024
"""Bytes of a template: more than any prompt has."""

Texts = Mapping[str, str]
"""File name to text."""


@cache
def shipped_texts() -> Texts:
    """Return the shipped templates and partials."""
    return _read(FOLDER)


def overlay_texts(folder: Path) -> dict[str, str]:
    """Return the templates of a folder, by file name; PromptFolderError when it has none."""
    if not folder.is_dir():
        raise PromptFolderError(f"there is no folder of templates {str(folder)!r}")
    texts = _read(folder)
    if not texts:
        raise PromptFolderError(
            f"the folder {str(folder)!r} holds no template: they are called <step>{SUFFIX}, as "
            "`smolville prompt eject` writes them"
        )
    return texts


def overlaid(folder: Path | None) -> Texts:
    """Return the shipped templates, with a folder's files in place of those of the same name."""
    return shipped_texts() if folder is None else {**shipped_texts(), **overlay_texts(folder)}


def not_as_shipped(texts: Texts) -> tuple[str, ...]:
    """Return the names of the files that are not as shipped, sorted."""
    shipped = shipped_texts()
    return tuple(sorted(name for name, text in texts.items() if shipped.get(name) != text))


def named(name: Path) -> Path | None:
    """Return the folder that a name means: a folder, a shipped overlay, or None for `shipped`.

    Raises PromptFolderError when it means none of them.
    """
    if name.is_dir():
        return name
    if str(name) == SHIPPED:
        return None
    if str(name) in shipped_overlays():
        return OVERLAYS / name
    known = ", ".join([SHIPPED, *shipped_overlays()])
    raise PromptFolderError(
        f"there is no folder of templates {str(name)!r}, and no shipped one of that name: {known}"
    )


def shipped_overlays() -> list[str]:
    """Return the names of the folders that come with the program."""
    return sorted(each.name for each in OVERLAYS.glob("[!._]*") if each.is_dir())


def _read(folder: Path) -> dict[str, str]:
    """Return the templates that lie in a folder itself, and what is judged by beside them."""
    return {path.name: _text(path) for path in files_in(folder)}


def files_in(folder: Path) -> list[Path]:
    """Return the files of a folder of templates that are read, by their names."""
    return sorted([*folder.glob(VISIBLE), *folder.glob(SENSE)])


def _text(path: Path) -> str:
    """Return a template's text; PromptFolderError when it is none, or lies elsewhere."""
    try:
        if path.resolve().parent != path.parent.resolve():
            raise PromptFolderError(f"{str(path)!r} leads out of its folder; copy the file there")
        if path.stat().st_size > LARGEST:
            raise PromptFolderError(f"{str(path)!r} is larger than {LARGEST // 1024} kB")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise PromptFolderError(f"{str(path)!r}, line {line}, is not UTF-8 text") from error
    except OSError as error:
        raise PromptFolderError(f"{str(path)!r} cannot be read: {error.strerror}") from error
