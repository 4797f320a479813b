"""Choose the view of `smolville show` that the options ask for."""

from collections.abc import Callable, Sequence

from agents.errors import RunError
from cli.screen import View
from cli.show.card import card_view
from cli.show.memories import KINDS, memories_view
from cli.show.places import places_view
from cli.show.plan import plan_view
from cli.show.social import social_view
from cli.show.talks import talks_view
from cli.show.thoughts import thoughts_view
from cli.show.tile import tile_view
from cli.show.town import town_view
from reports.opening import OpenRun

OF_SOMEBODY: dict[str, Callable[[OpenRun, str], View]] = {
    "--plan": plan_view,
    "--memories": memories_view,
    "--talks": talks_view,
    "--thoughts": thoughts_view,
    "--place": places_view,
    "--social": social_view,
}


def choose(
    run: OpenRun, agent: str | None, flags: Sequence[str], tile: str | None, kind: str | None
) -> View:
    """Return the view that the options ask for; raise RunError for several, or none that fits."""
    wanted = [*flags, *(["--tile"] if tile is not None else [])]
    if len(wanted) > 1:
        raise RunError(f"Ask for one thing at a time: {' or '.join(wanted)}.")
    _check_kind(flags, kind)
    if tile is not None:
        return tile_view(run, tile)
    if agent is None:
        if flags:
            raise RunError(f"Say of whom: smolville show {run.folder.name} NAME {flags[0]}")
        return town_view(run)
    name = run.person(agent)
    if flags == ["--memories"]:
        return memories_view(run, name, kind)
    return OF_SOMEBODY[flags[0]](run, name) if flags else card_view(run, name)


def _check_kind(flags: Sequence[str], kind: str | None) -> None:
    """Raise RunError for an unknown kind of memory, or for --kind without --memories."""
    if kind is None:
        return
    if "--memories" not in flags:
        raise RunError("--kind goes with --memories.")
    if kind not in KINDS:
        raise RunError(f"There is no kind of memory {kind!r}; there are: {', '.join(KINDS)}.")
