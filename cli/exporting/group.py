"""`smolville export`: the commands that write a run for other programs."""

from cli.exporting.html import export_html
from cli.exporting.moments import export_moments
from cli.grouping import group

export = group(
    "Write what a run holds for other programs.",
    "Begin with: smolville export html RUN town.html",
)
export.command("html")(export_html)
export.command("moments")(export_moments)
