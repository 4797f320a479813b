"""Write the settings that `smolville doctor` recommends to a file, keeping the user's own lines."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from smolville.agents.errors import SettingError
from smolville.agents.text_files import read_text
from smolville.cli.screen import print_problem, say
from smolville.lab.doctor.findings_text import model_finding
from smolville.lab.doctor.profile import merge_profile, profiles_in, read_toml, recommend_profile
from smolville.lab.safe_files import check_free, written_whole

if TYPE_CHECKING:
    from smolville.lab.doctor.findings import Findings


def check_place(file: Path, spec: str | None, *, overwrite: bool) -> None:
    """Raise SettingError if no settings can be written to `file`; called before the examination.

    An existing file that is not replaced can only be given a model's profile. The stand-in has no
    profile, so its settings need a new file, or `overwrite`.
    """
    has_profile = spec is None or not spec.startswith("standin")
    check_free(file, overwrite=overwrite or has_profile)
    if not file.parent.is_dir():
        raise SettingError(f"{str(file.parent)!r} is no folder in which to write settings.")
    if file.exists() and not overwrite:
        _read(file)


def write_settings(
    found: "Findings", file: Path, *, overwrite: bool, on_stderr: bool = False
) -> None:
    """Write all recommended settings to a new file, or the model's profile into an existing one.

    Prints what was written. With `overwrite` the file is replaced, except for the profiles of other
    models. If no model can be used, prints why and exits with 1.
    """
    if not found.usable:
        print_problem(f"Nothing was written to {file}: {model_finding(found).text}")
        raise typer.Exit(1)
    spec, profile = found.model.spec, recommend_profile(found)
    old = _read(file) if file.exists() and not overwrite else None
    if old is None:
        text = found.settings + (_others(file, spec) if file.exists() else "")
        _write(file, text)
        say(f"Written to {file}.", on_stderr=on_stderr)
        return
    merged = merge_profile(old, spec, profile)
    _write(file, merged.text)
    say(
        f"The profile of {spec} is written to {file}; everything else in it stays as it was.",
        on_stderr=on_stderr,
    )
    for each in profile:
        if each.name in merged.kept:
            say(
                f"{each.name} stays as you set it there; the doctor would set {each.value}.",
                on_stderr=on_stderr,
            )
        if each.name in read_toml(old):
            say(
                f"{each.name} is also set for all models in {file}, which comes before the "
                "profile: take that line out for the profile to hold.",
                on_stderr=on_stderr,
            )


def _others(file: Path, spec: str) -> str:
    """Return the profiles of other models in a file that is to be replaced."""
    try:
        return profiles_in(_read(file), besides=spec)
    except SettingError:
        return ""


def _read(file: Path) -> str:
    """Return the text of a settings file; SettingError if it cannot be added to."""
    try:
        text = read_text(file, newline="")
    except OSError as error:
        raise SettingError(f"{str(file)!r} cannot be read: {error.strerror}.") from error
    try:
        read_toml(text)
    except SettingError as error:
        raise SettingError(f"{str(file)!r} cannot be added to: {error}") from error
    return text


def _write(file: Path, text: str) -> None:
    """Replace a file with a text, whole or not at all."""
    with written_whole(file.resolve()) as draft:
        draft.write_bytes(text.encode("utf-8"))
