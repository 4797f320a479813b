"""The page about what somebody knows: relations between names, as a table."""

from collections.abc import Sequence

from nicegui import ui

from smolville.agents.wording import format_count
from smolville.graphs.knowledge import Fact, facts_of, sizes
from smolville.reports.runs import OpenRun
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    box,
    choice,
    form,
    link,
    nothing,
    send,
    set_attributes,
    short,
    words,
)
from smolville.viewer.frame import frame, style
from smolville.viewer.story.run_links import SECONDS, RunLinks, read

MOST_ROWS = 300


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/knowledge`."""

    @ui.page("/run/{run}/knowledge", response_timeout=SECONDS)
    async def knowledge_page(run: str, who: str = "") -> None:
        ways, (people, name, facts) = await read(config, run, lambda opened: _read(opened, who))
        style("story", "relations")
        with frame("Who knows what", ways.run, "People"):
            if not name:
                nothing("Nobody lives in this run.")
                return
            with form(ways.page("knowledge"), "Choose whose knowledge is shown"):
                choice("who", "Whose knowledge", {each: each for each in people}, name)
                send("Show")
            with box("p"):
                link("Who is close to whom", ways.page("relations", who=name), "way")
            _page(ways, name, facts)


def _read(run: OpenRun, who: str) -> tuple[tuple[str, ...], str, list[Fact]]:
    """Return all people, the person chosen, and that person's knowledge."""
    people = run.reader.agents()
    name = who if who in people else next(iter(people), "")
    if not name:
        return people, "", []
    return people, name, facts_of(run.persona(name), run.reader.memories(name, run.tick))


def _page(ways: RunLinks, name: str, facts: Sequence[Fact]) -> None:
    count = sizes(facts)
    names, relations = (format_count(count[f"{each}s"], each) for each in ("name", "relation"))
    words("h2", name)
    words(
        "p",
        f"Knows {names} and {relations} between them, read by rule from memories.",
        "soft",
    )
    card = box("div", "card scrolls")
    with (
        set_attributes(card, tabindex="0", role="region", aria_label="Relations"),
        box("table", "figures"),
    ):
        words("caption", f"What {name} knows, the latest first")
        with box("thead"), box("tr"):
            for title in ("Who or what", "How", "To what", "From"):
                set_attributes(words("th", title), scope="col")
        with box("tbody"):
            for fact in list(reversed(facts))[:MOST_ROWS]:
                with box("tr"):
                    set_attributes(words("th", fact.subject), scope="row")
                    short("td", fact.relation, longest=200)
                    words("td", fact.object)
                    with box("td"):
                        _source(ways, fact)


def _source(ways: RunLinks, fact: Fact) -> None:
    """Add the source of a fact: the thought that made the memory of it, or the persona file."""
    owner, tick = [*fact.memory.split("/"), ""][:2]
    if fact.at < 0:
        words("span", "at first", "soft")
    elif tick.isdigit():
        link(ways.format_time(fact.at), ways.why(owner, int(tick)), "way")
    else:
        words("span", ways.format_time(fact.at))
