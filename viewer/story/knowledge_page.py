"""The page about what somebody knows: relations between names, as a graph and as a table."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from nicegui import ui

from smolville.agents.wording import format_count
from smolville.graphs.knowledge import Fact, facts_of, sizes
from smolville.reports.runs import OpenRun
from smolville.viewer.charts.echarts import INK, SOFT
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
    sound,
    words,
)
from smolville.viewer.frame import frame
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.relation_graph import circle
from smolville.viewer.story.run_links import SECONDS, RunLinks, read
from smolville.viewer.styles import style

MOST_NAMES = 40
"""Maximum number of names in the graph: those with the most relations. The table has all."""
MOST_ROWS = 300
LONGEST = 60


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
            _page(ways, people, name, facts)


def _read(run: OpenRun, who: str) -> tuple[tuple[str, ...], str, list[Fact]]:
    """Return all people, the person chosen, and that person's knowledge."""
    people = run.reader.agents()
    name = who if who in people else next(iter(people), "")
    if not name:
        return people, "", []
    return people, name, facts_of(run.persona(name), run.reader.memories(name, run.tick))


def _page(ways: RunLinks, people: Sequence[str], name: str, facts: Sequence[Fact]) -> None:
    count = sizes(facts)
    names, relations = (format_count(count[f"{each}s"], each) for each in ("name", "relation"))
    words("h2", name)
    words(
        "p",
        f"Knows {names} and {relations} between them, read by rule from memories. The larger a dot "
        "and the thicker a line, the more is known of it.",
        "soft",
    )
    with box("div", "relations-picture"):
        chart = ui.echart(_options(people, name, facts), renderer="svg").classes("relations-graph")
        set_attributes(chart, role="img", aria_label="The table below says the same")
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


def _options(people: Sequence[str], name: str, facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the chart options: names as nodes, and a line for each known relation.

    The people of the run have their own colours. The space for a dot on the circle depends on its
    size, and its name must fit into that space, so no dot is smaller than 10 pixels.
    """
    coats = {each: coat_of(number) for number, each in enumerate(people)}
    known = Counter(each for fact in facts for each in (fact.subject, fact.object) if each)
    names = sorted(known, key=lambda each: (-known[each], each))[:MOST_NAMES]
    told: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        if {fact.subject, fact.object} <= set(names):
            told.setdefault((fact.subject, fact.object), []).append(fact.relation)
    nodes = [
        {
            "name": sound(each),
            "value": known[each],
            "symbolSize": 10 + min(6, known[each] / 3),
            "itemStyle": {
                "color": coats.get(each, SOFT),
                "borderColor": INK if each == name else SOFT,
                "borderWidth": 3 if each == name else 1,
            },
        }
        for each in names
    ]
    links = [
        {
            "source": sound(one),
            "target": sound(other),
            "value": sound("; ".join(dict.fromkeys(how))[:LONGEST]),
            "lineStyle": {"width": min(5, 1 + len(how) / 3), "curveness": 0.2},
        }
        for (one, other), how in told.items()
    ]
    return circle(
        nodes,
        links,
        edgeSymbol=["none", "arrow"],
        edgeSymbolSize=6,
        emphasis={"focus": "adjacency"},
    )
