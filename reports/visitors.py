"""The visitors of a run: who is in town, whose name is known, and who may walk in."""

from smolville.agents.errors import RunError
from smolville.history.inbox import OperatorRequest, read_waiting
from smolville.reports.runs import OpenRun


def visitors_in_town(run: OpenRun) -> list[str]:
    """Return the names of the visitors in town at the end of a run, the last to come first."""
    stays = (each for each in reversed(run.reader.visits(run.tick)) if not each.by_telephone)
    return [each.name for each in stays if each.left is None]


def known_name(run: OpenRun, name: str) -> str:
    """Return a name as a known visitor spells it, or `name` if no visitor has it.

    Capitals make no difference in the comparison.
    """
    known = [each.name for each in run.reader.visits(run.tick)]
    known += [each.target for each in read_waiting(run.folder) if each.kind.startswith("visitor_")]
    asked = " ".join(name.split()).casefold()
    return next((each for each in known if each.casefold() == asked), name)


def refuse_second_visit(run: OpenRun, name: str) -> None:
    """Raise RunError for a visitor who is in town or about to come, because nobody comes twice."""
    waiting = [each for each in read_waiting(run.folder) if each.target == name]
    is_here = name in visitors_in_town(run)
    if _will_be_in_town(waiting, is_here=is_here):
        raise RunError(f"{name} is {'in town' if is_here else 'on the way'} already.")


def _will_be_in_town(waiting: list[OperatorRequest], *, is_here: bool) -> bool:
    """Return whether a visitor will be in town once the waiting requests are taken in."""
    for each in waiting:
        if each.kind in ("visitor_enters", "visitor_leaves"):
            is_here = each.kind == "visitor_enters"
    return is_here
