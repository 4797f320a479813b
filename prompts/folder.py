"""Folders of templates: the shipped one, and overlays whose files replace shipped ones."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from prompts.errors import PromptFolderError

FOLDER = Path(__file__).parent
"""Folder of the shipped templates."""
OVERLAYS = FOLDER / "overlays"
"""Folder of the shipped overlays, each named by its purpose."""
SHIPPED = "shipped"
"""Stands for the shipped templates where the name of a folder is expected."""
SUFFIX = ".jinja"
LANGUAGE = "_language.jinja"
"""File in a folder of templates in another language with the language's code, `de`. Sense checks
that need English are then skipped."""
SENSE = "sense.toml"
"""File in a folder of templates with phrases that make an answer odd (`graphs.sense.phrases`)."""
JUDGING = (LANGUAGE, SENSE)
"""Files that are not shown in prompts, but control how answers are judged."""
VISIBLE = f"[!.]*{SUFFIX}"
"""Pattern of template files; it excludes temporary files of editors, which begin with a dot."""
LARGEST = 256 * 1024
"""Size of a template in bytes at most: more than any prompt has."""

Texts = Mapping[str, str]
"""File name to text."""


def language_of(texts: Texts) -> str:
    """Return the language of the prompts, `en` unless the templates name another one."""
    return texts.get(LANGUAGE, "").strip() or "en"


@cache
def shipped_texts() -> Texts:
    """Return the shipped templates and partials."""
    return _read(FOLDER)


def overlay_texts(folder: Path) -> dict[str, str]:
    """Return the templates of a folder by file name. Raises PromptFolderError when it has none."""
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
    """Return the shipped templates, with a folder's files replacing those of the same name."""
    return shipped_texts() if folder is None else {**shipped_texts(), **overlay_texts(folder)}


def not_as_shipped(texts: Texts) -> tuple[str, ...]:
    """Return the names of the files that differ from the shipped ones, sorted."""
    shipped = shipped_texts()
    return tuple(sorted(name for name, text in texts.items() if shipped.get(name) != text))


def named(name: Path) -> Path | None:
    """Return the folder with a name: a path, a shipped overlay, or None for `shipped`.

    Raises PromptFolderError when it is none of these.
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
    """Return the names of the shipped overlays."""
    return sorted(each.name for each in OVERLAYS.glob("[!._]*") if each.is_dir())


def _read(folder: Path) -> dict[str, str]:
    """Return the templates directly in a folder, and the files that control judging."""
    return {path.name: _text(path) for path in files_in(folder)}


def files_in(folder: Path) -> list[Path]:
    """Return the files of a folder of templates that are read, ordered by name."""
    return sorted([*folder.glob(VISIBLE), *folder.glob(SENSE)])


def _text(path: Path) -> str:
    """Return a template's text. Raises PromptFolderError if it is unreadable or lies elsewhere."""
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
