"""`smolville town`: check a town's folder, and draw its map."""

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="A town's folder; the shipped one by default.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the map to this file.")
]
MOST = 20
"""Maximum number of faults printed; where there are more, most usually have one cause."""


def town(folder: Folder = None, svg: Svg = None) -> None:
    """Check a town and print what is wrong; --svg draws its map."""
    from agents.errors import TownError
    from cli.screen import print_problem, say
    from lab.safe_files import written_whole
    from world.town.check import check_town
    from world.town.drawing import draw_map
    from world.town.town import Town, shipped_town

    folder = folder or shipped_town()
    faults = check_town(folder)
    if faults:
        for fault in faults[:MOST]:
            print_problem(fault)
        if len(faults) > MOST:
            print_problem(f"And {len(faults) - MOST} more; mend these first.")
        raise typer.Exit(TownError.exit_code)
    found = Town.load(folder)
    places = found.map
    say(
        f"{found.name} is in order: {len(found.personas)} people, {len(places.sectors)} sectors, "
        f"{len(places.arenas)} arenas and {len(places.objects)} objects on "
        f"{places.width} x {places.height} tiles."
    )
    for note in found.notes:
        say(note, "yellow")
    if svg is None:
        return
    with written_whole(svg) as draft:
        draft.write_text(draw_map(places), encoding="utf-8")
    say(f"The map is drawn in {svg}.")
