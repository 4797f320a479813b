"""Find the person that a name means, and the object that a name or address means."""

import difflib
from collections.abc import Collection, Sequence

from agents.errors import RunError
from agents.places import split_address
from world.town.townfiles import nearest
from world.town.townmap import TownMap


def find_person(wanted: str, names: Collection[str], where: str) -> str:
    """Return the full name somebody means: the name itself, or an unambiguous first name.

    Raises RunError with the nearest names; `where` says what these people belong to.
    """
    folded = " ".join(wanted.split()).casefold()
    found = [name for name in names if name.casefold() == folded]
    found = found or [name for name in names if name.casefold().split()[0] == folded]
    if len(found) == 1:
        return found[0]
    if found:
        raise RunError(f"{wanted!r} could be {' or '.join(found)}; give the full name.")
    raise RunError(f"Nobody in {where} is called {wanted!r}.{nearest(folded or ' ', names)}")


def find_object(wanted: str, town_map: TownMap) -> str:
    """Return the address of the object somebody means. Raises RunError with the nearest ones.

    The address may be written in any case, and rooms may be left out if the rest is unambiguous:
    `oak cottage: stove`.
    """
    parts = [part.casefold() for part in split_address(wanted) if part]
    found = [address for address in town_map.objects if _means(parts, address)]
    exact = [address for address in found if len(split_address(address)) == len(parts)]
    if len(exact) == 1:
        return exact[0]
    if len(found) == 1:
        return found[0]
    if found:
        raise RunError(f"{wanted!r} could be {_either(found)}; write the whole address in quotes.")
    raise RunError(f"The town has no object {wanted!r}.{_near(wanted, town_map)}")


def _means(parts: Sequence[str], address: str) -> bool:
    """Return True when `parts` (casefolded) name this object, in order, its own name last."""
    whole = [part.casefold() for part in split_address(address)]
    if not parts or parts[-1] != whole[-1]:
        return False
    left = iter(whole)
    return all(part in left for part in parts)


def _near(wanted: str, town_map: TownMap) -> str:
    """Return ` Did you mean ...?` with the nearest addresses, or where to look."""
    spelled = {address.casefold(): address for address in town_map.objects}
    close = difflib.get_close_matches(wanted.casefold(), spelled, n=3, cutoff=0.6)
    if not close:
        last = split_address(wanted)[-1].casefold()
        called = {address.casefold().split(": ")[-1]: address for address in town_map.objects}
        close = [called[name].casefold() for name in difflib.get_close_matches(last, called, n=3)]
    if close:
        return f" Did you mean {' or '.join(repr(spelled[each]) for each in close)}?"
    return (
        " Write it as the map has it, for example " + repr(next(iter(town_map.objects), "")) + "."
    )


def _either(addresses: Sequence[str]) -> str:
    """Return at most four addresses, joined by `or`."""
    more = f" (or {len(addresses) - 4} more)" if len(addresses) > 4 else ""
    return " or ".join(repr(address) for address in addresses[:4]) + more
