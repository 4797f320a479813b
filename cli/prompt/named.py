"""Steps and templates as the operator names them."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from graphs.loop.step import AnyStep
    from prompts.folder import Texts

StepName = Annotated[
    str, typer.Argument(metavar="STEP", help="A step's name; see `smolville prompt list`.")
]
MaybeStep = Annotated[
    str | None, typer.Argument(metavar="STEP", help="A step's name; may be left out with --moment.")
]


def step_named(name: str) -> "AnyStep":
    """Return the step of this name; raise SettingError with similar names if there is none."""
    import difflib

    from agents.errors import SettingError
    from graphs.catalogue import STEPS

    known = {step.name: step for step in STEPS}
    if name in known:
        return known[name]
    nearest = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    meant = f"; did you mean {' or '.join(nearest)}?" if nearest else "."
    raise SettingError(f"There is no step {name!r}{meant} All: {', '.join(known)}.")


def templates_said(context: typer.Context) -> "tuple[Texts | None, str]":
    """Return the chosen templates, None if none were chosen, and a name for them.

    Raises PromptFolderError for a file that belongs to no step. Does not check whether the others
    fit their steps: a user who is fixing one template may have another that is still broken.
    """
    from cli.options import chosen_templates, prompts_flag

    texts, flag = chosen_templates(context), prompts_flag(context)
    if texts is None:
        return None, "shipped"
    from graphs.checking import check_names
    from prompts.folder import shipped_texts

    check_names([name for name in texts if not name.startswith("_")], shipped_texts())
    return texts, "those of the settings" if flag is None else str(flag)
