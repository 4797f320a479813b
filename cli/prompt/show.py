"""`smolville prompt show`: show everything about one step's template."""

import typer

from cli.options import AsJson
from cli.prompt.named import StepName, step_named, templates_said


def show_prompt(context: typer.Context, step: StepName, as_json: AsJson = False) -> None:
    """Show a template, its variables, and what its answer may be.

    Includes its partials, the input model, the format instructions it shows, the answer model, and
    the sentences that a model is told when its answer is wrong.
    """
    from cli.prompt.shown import ShowView
    from cli.screen import present
    from lab.prompting.template_view import show_step

    texts, _ = templates_said(context)
    shown = show_step(step_named(step), texts)
    present(ShowView(shown), as_json=as_json)
