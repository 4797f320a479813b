"""`smolville runs`: list the runs."""

import typer

from cli.options import AsJson, runs_dir


def runs(context: typer.Context, as_json: AsJson = False) -> None:
    """List the runs, the most recently begun first."""
    from cli.listed import read_listing
    from cli.screen import present, say

    folder = runs_dir(context)
    listing = read_listing(folder)
    if not listing.rows and not as_json:
        say(f"There are no runs in {folder} yet; begin one with: smolville run")
        say("A recorded day comes with the program: smolville view sample", "dim")
        return
    present(listing, as_json=as_json)
