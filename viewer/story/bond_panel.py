"""Details about a person or a pair: their talks, and how feelings changed, with the moments."""

from collections.abc import Callable, Sequence

from agents.numbers import many
from reports.relations import TURNS, Bond, Feeling
from viewer.story.run_links import RunLinks
from viewer.why.elements import box, link, named, short, words

MOST = 40
"""Maximum number of talks and changes listed, the latest ones."""


def bond_panel(ways: RunLinks, bond: Bond) -> None:
    """Add the talks and feelings of two people."""
    words("h2", f"{bond.pair[0]} and {bond.pair[1]}")
    words("h3", many(len(bond.talks), "talk"))
    with box("ul", "moments"):
        for talk in bond.talks[-MOST:]:
            with box("li"):
                link(ways.when(talk.start), ways.town(talk.start, talk.participants[0]))
                words("span", f" {many(len(talk.lines), 'line')} ", "soft")
                link("read it", ways.talk(talk.id), "way")
    if bond.feelings:
        words("h3", "Feelings")
        with box("ul", "moments"):
            for each in bond.feelings[-MOST:]:
                _feeling(ways, each)


def person_panel(
    ways: RunLinks, who: str, bonds: Sequence[Bond], choose: Callable[[tuple[str, str]], None]
) -> None:
    """Add the people that somebody talked with, most frequent first."""
    mine = [bond for bond in bonds if who in bond.pair]
    words("h2", who)
    if not mine:
        words("p", "Has talked with nobody so far.", "soft")
    with box("ul", "moments"):
        for bond in mine:
            other = bond.pair[0] if bond.pair[1] == who else bond.pair[1]
            with box("li"):
                made = named(words("button", other, "plain-button"), type="button")
                made.on("click", lambda _, pair=bond.pair: choose(pair))
                words("span", f" {many(len(bond.talks), 'talk')}", "soft")
                last = bond.last(who)
                if last is not None:
                    short("blockquote", last.feeling, longest=200)


def _feeling(ways: RunLinks, each: Feeling) -> None:
    with box("li"):
        link(ways.when(each.at), ways.town(each.at, each.who))
        words("span", f" {each.who}: ", "")
        short("q", each.feeling, longest=200)
        told = TURNS[each.turn]
        if each.is_first or each.is_changed:
            words("span", f" {'at first' if each.is_first else 'now'}, {told} ", "soft")
        else:
            words("span", " as before ", "soft")
        link("why", ways.why(each.who, each.tick), "way")
        if each.relationship != each.was:
            short("p", each.relationship, "soft", longest=300)
