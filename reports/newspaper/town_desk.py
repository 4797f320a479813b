"""The newspaper's desk for the town: gatherings, insights, feelings, objects, outside events."""

from collections import Counter

from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.places import arena_of
from smolville.history.records import Deed, Intervention, ObjectState
from smolville.reports.from_outside import OUTSIDE, VISITS, outside_words, visit_sentence
from smolville.reports.newspaper.material import Material
from smolville.reports.newspaper.sheet import Article, Quote, Source, names, spell_count
from smolville.reports.relations import TURNS, Feeling
from smolville.reports.stretches import spoken_place

FEWEST_TOGETHER = 3
MOST_INSIGHTS = 4
HIGH = 7
"""Importance from which on an insight is printed."""
MOST_FEELINGS = 4
MOST_THINGS = 4
MOST_QUEUES = 4
SELDOM = 1
"""An object's state is unusual if it occurred at most this often in the whole run."""
USED = "used for "
"""Beginning of states that only say that an object is in use."""


def outside_article(day: Material) -> Article | None:
    """Return an article on operators' interventions."""
    if not day.interventions:
        return None
    quotes = tuple(_outside_quote(day, each) for each in day.interventions)
    number = spell_count(len(quotes), "thing")
    return Article(
        kicker="From outside",
        headline=f"{number} that nobody in town began",
        quotes=quotes,
    )


def happening_article(day: Material) -> Article | None:
    """Return an article on happenings that the world and the plot caused, but not on letters."""
    made = [each for each in day.happenings if each.kind not in ("weather", "letter")]
    if not made:
        return None
    quotes = tuple(_happening_quote(day, each) for each in made)
    return Article(
        kicker="In town",
        headline=f"{spell_count(len(quotes), 'thing')} that nobody had planned",
        quotes=quotes,
    )


def gathering_article(day: Material) -> Article | None:
    """Return an article on the place where most awake people were together."""
    place, at, people = _fullest(day)
    if len(people) < FEWEST_TOGETHER:
        return None
    doing = Counter(
        deed.action.activity
        for deed in day.accepted
        if deed.agent in people and deed.action.start <= at < deed.action.end
    )
    common, count = doing.most_common(1)[0]
    facts = [f"At the fullest moment of the day {names(people, 12)} were there."]
    if count > 1:
        facts.append(f"{spell_count(count)} of them were at the same thing: {common}.")
    return Article(
        kicker="Gathered",
        headline=f"{spell_count(len(people), 'person', 'people')} at once in {spoken_place(place)}",
        facts=tuple(facts),
        source=Source(at=at, who=people[0]),
    )


def insight_article(day: Material) -> Article | None:
    """Return an article on the insights with the highest ratings, one for each person."""
    found = [
        memory
        for memory in day.memories
        if "/reflect_insights/" in memory.id and (memory.importance or 0) >= HIGH
    ]
    found.sort(key=lambda memory: (-(memory.importance or 0), memory.created, memory.id))
    best = list({memory.agent: memory for memory in reversed(found)}.values())
    best.sort(key=lambda memory: (-(memory.importance or 0), memory.created, memory.id))
    if not best:
        return None
    quotes = tuple(_insight_quote(memory) for memory in best[:MOST_INSIGHTS])
    return Article(
        kicker="On people's minds",
        headline=f"What {names([quote.by.split()[0] for quote in quotes])} came to think",
        quotes=quotes,
    )


def feeling_article(day: Material) -> Article | None:
    """Return an article on feelings that grew warm or turned cold, with the cold ones first."""
    changed = [each for each in day.feelings if each.is_changed and each.turn != "unclear"]
    known = [each for each in changed if not each.is_first or each.turn == "cools"]
    chosen = sorted(known, key=lambda each: (each.turn != "cools", each.at, each.who))
    one_each = list({each.who: each for each in reversed(chosen)}.values())[::-1]
    if not one_each:
        return None
    cooled = any(each.turn == "cools" for each in one_each)
    return Article(
        kicker="Hearts",
        headline="Some warmer, some cooler" if cooled else "Warmer words than before",
        quotes=tuple(map(_feeling_quote, one_each[:MOST_FEELINGS])),
    )


def things_article(day: Material) -> Article | None:
    """Return an article on objects in unusual states, with those changed from outside first."""
    before = Counter((each.address, each.state) for each in [*day.earlier, *day.objects])
    states = Counter(each.state for each in [*day.earlier, *day.objects])
    set_so = {(each.target, each.text) for each in day.interventions}
    outside = [each for each in day.objects if (each.address, each.state) in set_so and not each.by]
    rare = [
        each
        for each in day.objects
        if each.by
        and not each.state.startswith(USED)
        and before[each.address, each.state] <= SELDOM >= states[each.state]
    ]
    chosen = [*outside, *rare]
    if not chosen:
        return None
    return Article(
        kicker="Things",
        headline="Not seen every day",
        quotes=tuple(_thing_quote(day, each) for each in chosen[:MOST_THINGS]),
    )


def queue_article(day: Material) -> Article | None:
    """Return an article on the people whose intended actions were refused."""
    refused = [deed for deed in day.deeds if deed.outcome == "refused" and deed.reason]
    if not refused:
        return None
    one_each = list({deed.agent: deed for deed in reversed(refused)}.values())[::-1]
    number = spell_count(len(refused), "time")
    return Article(
        kicker="Complaints",
        headline="Kindly form a queue",
        facts=(f"{number} today the town had to say no.",),
        quotes=tuple(_refused_quote(deed) for deed in one_each[:MOST_QUEUES]),
    )


def _fullest(day: Material) -> tuple[str, int, list[str]]:
    """Return the arena with the most awake people at one time, that time, and their names."""
    spans: dict[str, list[Deed]] = {}
    for deed in day.accepted:
        arena = arena_of(deed.action.place)
        if deed.action.kind != "sleep" and ": " in arena:
            spans.setdefault(arena, []).append(deed)
    best: tuple[str, int, list[str]] = ("", 0, [])
    for arena, deeds in sorted(spans.items()):
        for at in sorted({deed.action.start for deed in deeds}):
            here = {deed.agent for deed in deeds if deed.action.start <= at < deed.action.end}
            if len(here) > len(best[2]):
                best = (arena, at, sorted(here))
    return best


def _outside_quote(day: Material, each: Intervention) -> Quote:
    source = Source(
        at=each.tick * day.seconds, who=each.target if each.target in day.people else ""
    )
    if each.kind in VISITS:
        return Quote(text=visit_sentence(each), by="From outside", source=source)
    speaker = OUTSIDE.get(each.kind, each.kind.replace("_", " "))
    target = spoken_place(each.target)
    text = outside_words(each)[1] or target
    return Quote(text=text, by=speaker.replace("{target}", target), source=source)


def _happening_quote(day: Material, each: Happening) -> Quote:
    source = Source(at=each.tick * day.seconds, who=each.who if each.who in day.people else "")
    by = "News" if each.kind == "news" else f"A {each.kind}"
    return Quote(text=each.text, by=f"{by} for {each.who}" if each.who else by, source=source)


def _insight_quote(memory: Memory) -> Quote:
    return Quote(
        text=memory.text,
        by=memory.agent,
        source=Source(at=memory.created, who=memory.agent, tick=memory.tick),
        note=f"rated {memory.importance} of 10",
    )


def _feeling_quote(each: Feeling) -> Quote:
    before = f"; before: “{each.before}”" if each.before else ""
    return Quote(
        text=each.feeling,
        by=f"{each.who} about {each.of}",
        source=Source(at=each.at, who=each.who, talk=each.talk, tick=each.tick),
        note=f"it {TURNS[each.turn]}{before}",
    )


def _thing_quote(day: Material, each: ObjectState) -> Quote:
    return Quote(
        text=each.state,
        by=spoken_place(each.address),
        source=Source(at=each.tick * day.seconds, who=each.by),
        note=f"by {each.by}" if each.by else "from outside",
    )


def _refused_quote(deed: Deed) -> Quote:
    return Quote(
        text=deed.reason,
        by=deed.agent,
        source=Source(at=deed.action.start, who=deed.agent, tick=deed.tick),
        note=f"wanted: {deed.action.activity}",
    )
