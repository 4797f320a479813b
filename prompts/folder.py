"""Folders of templates: the shipped one, and overlays that replace some of its files."""

import codecs
import difflib
import io
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from smolville.prompts.errors import PromptFolderError

FOLDER = Path(__file__).parent
"""Folder of the shipped templates."""
OVERLAYS = FOLDER / "overlays"
"""Folder of the shipped overlays, each named by its purpose."""
SHIPPED = "shipped"
"""Name that stands for the shipped templates instead of a folder."""
SUFFIX = ".jinja"
REPAIR = "repair"
"""Stem of the only template without a step: the message that asks the model to answer again."""
LANGUAGE = "_language.jinja"
"""File with the language code, such as `de`, of a folder whose templates are in another language.
Sense checks that need English are then skipped."""
VISIBLE = f"[!.]*{SUFFIX}"
"""Pattern of template files; it excludes temporary files of editors, which begin with a dot."""
LARGEST = 256 * 1024
"""Maximum size of a template in bytes, which is more than any prompt has."""

CUTOFF = 0.6
"""Minimum similarity of two names, 0 to 1, for one to be suggested in place of the other."""

Texts = Mapping[str, str]
"""Texts of files by file name."""


def language_of(texts: Texts) -> str:
    """Return the language of the prompts, `en` unless the templates name another one."""
    return texts.get(LANGUAGE, "").strip() or "en"


@cache
def shipped_texts() -> Texts:
    """Return the shipped templates and partials."""
    return _read(FOLDER)


def step_names() -> tuple[str, ...]:
    """Return the name of every step, from the file names of the templates."""
    stems = (path.stem for path in FOLDER.glob(f"[a-z]*{SUFFIX}"))
    return tuple(sorted(stem for stem in stems if stem != REPAIR))


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


def read_overlaid_texts(folder: Path | None) -> Texts:
    """Return the shipped templates, with a folder's files replacing those of the same name."""
    return shipped_texts() if folder is None else {**shipped_texts(), **overlay_texts(folder)}


def not_as_shipped(texts: Texts) -> tuple[str, ...]:
    """Return the names of the files that differ from the shipped ones, sorted."""
    shipped = shipped_texts()
    return tuple(sorted(name for name, text in texts.items() if shipped.get(name) != text))


def find_template_folder(name: Path) -> Path | None:
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
    return {path.name: read_template(path) for path in sorted(folder.glob(VISIBLE))}


def read_template(path: Path) -> str:
    """Return a template's text.

    Raises PromptFolderError if the file is unreadable, too large, or a link out of its folder.
    """
    try:
        if path.resolve().parent != path.parent.resolve():
            raise PromptFolderError(f"{str(path)!r} leads out of its folder; copy the file there")
        if path.stat().st_size > LARGEST:
            raise PromptFolderError(f"{str(path)!r} is larger than {LARGEST // 1024} kB")
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
        return io.StringIO(data.decode("utf-8"), newline=None).read()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise PromptFolderError(f"{str(path)!r}, line {line}, is not UTF-8 text") from error
    except OSError as error:
        raise PromptFolderError(f"{str(path)!r} cannot be read: {error.strerror}") from error


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a suggestion of a known name, ` (did you mean `now`?)`, or an empty text."""
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=CUTOFF)
    return f" (did you mean `{found[0]}`?)" if found else ""


def strange_name(file: str, known: Iterable[str]) -> str:
    """Return an error for an unknown template file name, with similar names; empty if known."""
    stem, stems = file.removesuffix(SUFFIX), sorted(name.removesuffix(SUFFIX) for name in known)
    if stem in stems or file == LANGUAGE:
        return ""
    steps = ", ".join(each for each in stems if not each.startswith("_"))
    hint = nearest(stem, stems) or f"; there are: {steps}"
    what = "no template includes" if file.startswith("_") else "there is no step for"
    return f"{what} {file}{hint}"
