"""`smolville prompt list`: a table with a row for every step's template."""

import typer

from cli.options import AsJson, runs_dir
from cli.prompt.named import templates_said


def list_prompts(context: typer.Context, as_json: AsJson = False) -> None:
    """List the templates: their variables, sizes, and results.

    Sizes are estimated tokens of the sample prompt: those that stay the same for every agent, which
    a server's cache serves, and the rest. Shares are of the latest runs that used exactly this
    template.
    """
    from cli.prompt.listed import ListView
    from cli.screen import present
    from lab.prompting.listing import list_templates

    texts, _ = templates_said(context)
    rows = list_templates(runs_dir(context), texts)
    present(ListView(rows), as_json=as_json)
