"""Measures how much of a lived run its model worded, and what came of its agreements and places.

    python -m benchmarks.life RUN [--runs DIR] [--agreements]

RUN is a run's folder or its name. Texts that people said, thought, planned and did are compared
with the recorded replies of the steps that made them, sentence by sentence; only words count.
`--agreements` prints each agreement with what came of it, for readers to judge.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from benchmarks.table import Cell, print_figures, print_table
from smolville.agents.action import Action
from smolville.agents.errors import SmolvilleError
from smolville.agents.mind import Appointment, Mind
from smolville.agents.places import OUTDOORS, arena_of, sector_of
from smolville.agents.plan import Block, block_at, is_sleep
from smolville.agents.times import DAY_SECONDS, at_of, clock, day_of, minute_at, minute_of
from smolville.agents.wording import join_words
from smolville.graphs.frame import DUTY, HABIT, PROMISE
from smolville.graphs.needs import NEED
from smolville.graphs.sense import free_texts
from smolville.history.records import StepView
from smolville.history.spec import SPEC_FILE
from smolville.parsers.conclude_talk import day_labels
from smolville.parsers.reading.sentences import sentences_of, words_of
from smolville.reports.health import format_answers, health
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun, opened_run

PLANNERS = frozenset(
    ("plan_day", "plan_hours", "decompose", "replan", "react", "wander", "conclude_talk")
)
"""Steps whose answers word wishes, hours and deeds."""
OWN, CODE = "own", "code"
PERSONA, WAITS, FALLBACK = "persona", "waits", "fallback"
APART = (PERSONA, NEED, WAITS, FALLBACK)
"""Texts that say themselves that no model worded them; they are counted apart."""


@dataclass(frozen=True)
class DoneDeed:
    """A deed as it was lived, with the block of the plan that it came from."""

    agent: str
    tick: int
    action: Action
    minutes: float
    block: Block | None
    """None if the deed is none of the plan."""


@dataclass
class Life:
    """All that is read from a run to judge it."""

    run: OpenRun
    views: list[StepView]
    worded: dict[str, dict[str, list[tuple[int, int]]]]
    """By name, the folded texts of planning answers: the tick of each answer, and how many words of
    the text are its reply's."""
    deeds: list[DoneDeed]
    minds: dict[tuple[str, int], Mind]
    """The mind of each agent at the end of each day."""

    @property
    def agent_days(self) -> float:
        """Days lived, of all agents together."""
        return len(self.run.reader.agents()) * self.run.at / DAY_SECONDS

    def own_in(self, name: str, text: str, tick: int) -> int | None:
        """Return how many words of a planned text are the model's, by the last answer that has it.

        Later answers than `tick` do not count. Two such texts joined by "and", as an agreement is
        with what is done at its place, are the model's too. None if no answer has the text.
        """
        known = self.worded[name].get(folded(text), ())
        found = next((own for at, own in reversed(known) if at <= tick), None)
        joints = [] if found is not None else [m.span() for m in re.finditer(" and ", text)]
        for start, end in joints:
            halves = [self.own_in(name, half, tick) for half in (text[:start], text[end:])]
            own = [half for half in halves if half is not None]
            if len(own) == len(halves):
                return sum(own)
        return found


def folded(text: str) -> str:
    """Return a text as its words alone: case, spacing and punctuation do not count."""
    return " ".join(words_of(text))


def reply_texts(view: StepView | None) -> str:
    """Return the folded texts of all replies of a step, each between bars."""
    found: list[str] = []
    for each in view.attempts if view else ():
        reply = each.call.reply
        try:
            texts = [text for _, text in free_texts(json.loads(reply[reply.index("{") :]))]
        except ValueError:
            texts = [reply]
        found += map(folded, texts)
    return f" {' | '.join(found)} "


def own_words(text: str, replies: str) -> int:
    """Return how many words of a text are in sentences that the replies have word for word."""
    said = (folded(sentence) for sentence in sentences_of(text))
    return sum(len(each.split()) for each in said if each and f" {each} " in replies)


def read_life(run: OpenRun) -> Life:
    """Return what is read from a run."""
    reader = run.reader
    views = [view for key in reader.use_keys(run.tick) if (view := reader.step(key))]
    worded: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for view in views:
        if view.record.step not in PLANNERS or not view.attempts:
            continue
        if view.record.outcome != "fallback":
            is_shared = view.record.step == "conclude_talk"
            replies = reply_texts(view)
            for _, text in free_texts(json.loads(view.record.answer)):
                for name in reader.agents() if is_shared else (view.record.agent,):
                    own = own_words(text, replies)
                    worded[name][folded(text)].append((view.record.tick, own))
    minds = {
        (name, day): mind
        for name in reader.agents()
        for day in range(1, day_of(max(run.at - 1, 0)) + 1)
        if (mind := mind_of(reader, name, last_tick(run, day))) is not None
    }
    return Life(run, views, worded, list(_deeds(run)), minds)


def last_tick(run: OpenRun, day: int) -> int:
    """Return the last tick of a day, as far as it was lived."""
    return min(at_of(day + 1, 0) // run.folder.spec.tick_seconds - 1, run.tick)


def _deeds(run: OpenRun) -> Iterator[DoneDeed]:
    for name in run.reader.agents():
        found = [
            each
            for each in run.reader.deeds(name, until=run.tick)
            if each.outcome == "accepted" and each.action.kind != "talk"
        ]
        starts = [each.action.start for each in found[1:]]
        for each, following in zip(found, [*starts, run.at], strict=True):
            end = min(following, each.action.end, run.at)
            plan = getattr(mind_of(run.reader, name, each.tick), "plan", None)
            block = None
            if plan is not None and plan.day == day_of(each.action.start):
                block = block_at(plan.blocks, minute_of(each.action.start))
            if block is not None and block.activity != each.action.activity:
                block = None
            yield DoneDeed(
                name, each.tick, each.action, max(0, end - each.action.start) / 60, block
            )


def origin(life: Life, name: str, text: str, block: Block | None, tick: int) -> str:
    """Return who worded a text of a plan that was in force at a tick."""
    if is_sleep(text) or (block is not None and block.source in (HABIT, DUTY)):
        return PERSONA
    if block is not None and block.source == NEED:
        return NEED
    if block is not None and block.fallback:
        return FALLBACK
    return OWN if life.own_in(name, text, tick) else CODE


def deed_origin(life: Life, deed: DoneDeed) -> str:
    """Return who worded a deed."""
    if deed.action.kind == "wait":
        return WAITS
    if deed.action.kind == "sleep":
        return PERSONA
    if deed.block is None and deed.action.fallback:
        return FALLBACK
    return origin(life, deed.agent, deed.action.activity, deed.block, deed.tick)


def done(life: Life) -> list[DoneDeed]:
    """Return the deeds that are neither sleep nor waiting."""
    return [deed for deed in life.deeds if deed.action.kind == "do"]


NEAR = 15
"""Minutes before and after the agreed time within which people must be there."""
AROUND = range(-NEAR, NEAR + 1)


@dataclass
class Agreement:
    """One agreement, as one or both sides recorded it."""

    terms: Appointment
    whats: list[str]
    """What is done, in the words of each who recorded it."""
    recorded: list[str]
    """Who recorded it."""
    planned: dict[str, bool] = field(default_factory=dict)
    """Whether it stood in the plan of its day, by the name of everybody who does it."""
    came: dict[str, bool] = field(default_factory=dict)
    """Whether each was there, or did it."""
    is_kept: bool = False
    """Whether all were in one room within 15 minutes of the time, or did it, each of them."""
    instead: dict[str, str] = field(default_factory=dict)
    """What each was doing at the agreed time, and where."""

    @property
    def is_missed(self) -> bool:
        """Whether nobody came."""
        return not self.is_kept and not any(self.came.values())


def agreements_of(life: Life) -> list[Agreement] | None:
    """Return the agreements for days lived; None if the run does not tell them, or its town."""
    concluded = [
        view for view in life.views if view.record.step == "conclude_talk" and view.attempts
    ]
    told = [view for view in concluded if "agreements" in json.loads(view.record.answer)]
    if (concluded and not told) or life.run.start_date is None:
        return None
    found: list[Agreement] = []
    for view in told:
        for terms in _terms(view, life.run.folder.spec.tick_seconds):
            agent = view.record.agent
            same = next((each for each in found if _is_same(each, terms, agent)), None)
            if same is None:
                found.append(Agreement(terms, [terms.what], [agent]))
            else:
                same.whats.append(terms.what)
                same.recorded = list(dict.fromkeys((*same.recorded, agent)))
    lived = [each for each in found if _is_over(each.terms, life.run.at)]
    for each in lived:
        judge(each, life)
    return lived


def _is_same(known: Agreement, terms: Appointment, agent: str) -> bool:
    return known.terms.is_same(replace(terms, by="" if agent in known.recorded else agent))


def _terms(view: StepView, tick_seconds: int) -> Iterator[Appointment]:
    inputs, at = json.loads(view.attempts[0].call.inputs), view.record.tick * tick_seconds
    labels, lines = day_labels(inputs.get("dates") or ("",)), inputs["lines"]
    for each in json.loads(view.record.answer)["agreements"]:
        if each["day"] in labels and 1 <= each["line"] <= len(lines):
            line = lines[each["line"] - 1]
            time = each.get("time")
            yield Appointment(
                day=day_of(at) + labels.index(each["day"]),
                start=minute_at(time) if isinstance(time, str) else time,
                partners=(),
                place=each.get("place") or "",
                what=each["what"],
                who=tuple(each["who"]),
                speaker=line["speaker"],
                said=line["text"],
                at=at,
                heard=(view.record.agent, *inputs["others"]),
            )


def _is_over(terms: Appointment, at: int) -> bool:
    ends = at_of(terms.day + 1, 0) if terms.start is None else at_of(terms.day, terms.start + NEAR)
    return ends <= at


def judge(each: Agreement, life: Life) -> None:
    """Note what came of an agreement."""
    terms = each.terms
    people = [name for name in terms.who if name in life.run.reader.agents()]
    wanted = {folded(what) for what in each.whats}
    start = at_of(terms.day, terms.start or 0)
    rooms = [] if terms.start is None else [_rooms(life.run, start + 60 * m) for m in AROUND]
    is_shared = any(_are_together(at, people) for at in rooms)
    did = {name: _did(name, wanted, terms, life) for name in people}
    seen = at_of(terms.day + 1, 0) - 1 if terms.start is None else max(start, terms.at)
    for name in people:
        each.planned[name] = _is_planned(life.run, name, wanted, terms.day, seen)
        is_there = any(_is_at(terms.place, at.get(name, "")) for at in rooms)
        each.came[name] = did[name] or is_there or is_shared
        each.instead[name] = _doing(name, seen, life)
    is_alone = len(people) == 1 and each.came[people[0]]
    each.is_kept = bool(people) and (is_shared or all(did.values()) or is_alone)


def _rooms(run: OpenRun, at: int) -> dict[str, str]:
    found = run.reader.positions(at // run.folder.spec.tick_seconds)
    return {name: run.town.map.arena_at(tile) for name, tile in found.items()}


def _doing(name: str, at: int, life: Life) -> str:
    past = [d.action for d in life.deeds if d.agent == name and d.action.start <= at]
    return f"{past[-1].activity} ({past[-1].place})" if past else "nothing"


def _did(name: str, wanted: set[str], terms: Appointment, life: Life) -> bool:
    since, until = max(terms.at, at_of(terms.day, 0)), at_of(terms.day + 1, 0)
    return any(
        each.agent == name
        and since <= each.action.start < until
        and _is_among(wanted, each.action.activity, each.block)
        for each in life.deeds
    )


def _is_planned(run: OpenRun, name: str, wanted: set[str], day: int, at: int) -> bool:
    mind = mind_of(run.reader, name, min(at // run.folder.spec.tick_seconds, run.tick))
    plan = None if mind is None or mind.plan is None or mind.plan.day != day else mind.plan
    return plan is not None and any(
        block.source == PROMISE and _is_among(wanted, block.activity, block)
        for block in plan.blocks
    )


def _is_among(wanted: set[str], activity: str, block: Block | None) -> bool:
    told = (folded(activity), folded(block.part_of if block else ""))
    return any(each in text for each in wanted for text in told)


def _are_together(rooms: Mapping[str, str], people: Sequence[str]) -> bool:
    there = {rooms.get(name, "") for name in people}
    return len(people) > 1 and len(there) == 1 and not there & {"", OUTDOORS}


def _is_at(place: str, room: str) -> bool:
    agreed = arena_of(place) if place else ""
    return agreed != "" and (agreed == room or (": " not in agreed and agreed == sector_of(room)))


def describe(each: Agreement, run: OpenRun) -> str:
    """Return an agreement and what came of it, in a few lines to read."""
    terms = each.terms
    hour = "no hour" if terms.start is None else clock(terms.start)
    told = [
        f"{run.day(at_of(terms.day, 0))}, {hour}: {join_words(terms.who)}: {terms.what}"
        f" ({terms.place or 'no place'})",
        f'  {terms.speaker} said on {run.format_time(terms.at)}: "{terms.said}"',
        f"  recorded by {join_words(each.recorded)}",
    ]
    for name in each.planned:
        planned = "planned" if each.planned[name] else "not planned"
        came = "came" if each.came[name] else "did not come"
        told.append(f"  {name}: {planned}; {came}; then: {each.instead[name]}")
    return "\n".join((*told, f"  {outcome_of(each)}"))


def outcome_of(each: Agreement) -> str:
    """Return what became of an agreement in one word."""
    return "kept" if each.is_kept else "missed" if each.is_missed else "partly"


THOUGHTS = {"reflect_insights": "insights", "dream": "dreams", "wander": "ideas"}
KINDS = ("lines", *THOUGHTS.values(), "wishes", "hours", "deeds", "summaries")


@dataclass
class Texts:
    """Texts of one kind: how many, and their words by origin."""

    count: int = 0
    words: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, worder: str, own: int | None = None) -> None:
        """Count a text; `own` of its words are the model's (by default all if it worded it)."""
        whole = len(words_of(text))
        mine = (whole if worder == OWN else 0) if own is None else own
        self.count += 1
        self.words[OWN] += mine
        self.words[CODE if worder == OWN else worder] += whole - mine

    def share(self) -> float | None:
        """Return the model's share of the words that are not apart; None without such words."""
        return share(self.words[OWN], self.words[OWN] + self.words[CODE])


def share(part: float, whole: float) -> float | None:
    """Return a share in percent; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def texts_of(life: Life) -> dict[str, Texts]:
    """Return the texts of each kind."""
    found = {kind: Texts() for kind in KINDS}
    _add_lines(life, found["lines"])
    _add_memories(life, found)
    for deed in life.deeds:
        words, worder = deed.action.activity, deed_origin(life, deed)
        _add_planned(life, found["deeds"], (deed.agent, words, deed.tick), worder)
    for (name, day), mind in life.minds.items():
        plan, tick = mind.plan, last_tick(life.run, day)
        if plan is None or plan.day != day:
            continue
        fixed = {b.activity for b in (*plan.hours, *plan.blocks) if b.source in (HABIT, DUTY)}
        for _, text in plan.strokes:
            worder = PERSONA if text in fixed else origin(life, name, text, None, tick)
            _add_planned(life, found["wishes"], (name, text, tick), worder)
        for block in plan.hours:
            worder = origin(life, name, block.activity, block, tick)
            _add_planned(life, found["hours"], (name, block.activity, tick), worder)
    return found


def _add_planned(life: Life, texts: Texts, planned: tuple[str, str, int], worder: str) -> None:
    texts.add(planned[1], worder, life.own_in(*planned) if worder == OWN else None)


def _add_lines(life: Life, texts: Texts) -> None:
    for talk in life.run.reader.talks(until=life.run.tick):
        recorded = life.run.reader.talk(talk.id)
        asked = [view for view in recorded.steps if view.record.step == "say"] if recorded else []
        for line in talk.lines:
            if line.speaker not in life.run.reader.agents():
                continue
            at = next((n for n, v in enumerate(asked) if v.record.agent == line.speaker), None)
            replies = reply_texts(None if at is None else asked.pop(at))
            is_marked = line.fallback
            own = 0 if is_marked else own_words(line.text, replies)
            texts.add(line.text, FALLBACK if is_marked else OWN, own)


def _add_memories(life: Life, found: Mapping[str, Texts]) -> None:
    by_key = {
        (v.record.owner, v.record.tick, v.record.step, v.record.ordinal): v for v in life.views
    }
    for name in life.run.reader.agents():
        for each in life.run.reader.memories(name, life.run.tick):
            agent, tick, step, ordinal, _ = (each.id.split("/") + [""] * 5)[:5]
            kind = "summaries" if each.kind == "talk" else THOUGHTS.get(step)
            if kind is None or not (tick.isdigit() and ordinal.isdigit()):
                continue
            view = by_key.get((agent, int(tick), step, int(ordinal)))
            text = each.object if kind == "ideas" else each.text
            if kind in ("dreams", "summaries"):
                text = text.partition(": ")[2]
            if view is not None and view.record.outcome == FALLBACK:
                found[kind].add(each.text, FALLBACK)
            else:
                found[kind].add(text, OWN, own_words(text, reply_texts(view)))


def minutes_of(life: Life) -> tuple[float, float]:
    """Return the minutes awake that the persona does not fix, and those that the model worded."""
    origins = [(deed_origin(life, deed), deed.minutes) for deed in life.deeds]
    free = sum(minutes for each, minutes in origins if each != PERSONA)
    return free, sum(minutes for each, minutes in origins if each == OWN)


def places_of(life: Life) -> dict[str, int]:
    """Return how many deeds have a place that was certain, asked for, used again, and so on."""
    tick_seconds = life.run.folder.spec.tick_seconds
    asked: dict[tuple[str, int, str], set[str | None]] = defaultdict(set)
    for view in life.views:
        if view.record.step == "ground_block" and view.attempts:
            day = day_of(view.record.tick * tick_seconds)
            for task in json.loads(view.attempts[0].call.inputs)["tasks"]:
                if task["letter"]:
                    asked[view.record.agent, day, task["activity"]].add(task.get("time"))
    found = dict.fromkeys(("certain", "asked", "reused", "nowhere fits", FALLBACK, "unknown"), 0)
    for deed in done(life):
        key = (deed.agent, day_of(deed.action.start), deed.action.activity)
        found[_place_found(deed.block, asked[key])] += 1
    return found


def _place_found(block: Block | None, asked: set[str | None]) -> str:
    """Return how the place of a block was found.

    `asked` are the times of its activity that were asked about; None in runs of earlier versions.
    """
    spot = block.spot if block is not None else None
    if block is None or spot is None:
        return "unknown"
    if spot.fallback:
        return FALLBACK
    if spot.nowhere:
        return "nowhere fits"
    if spot.by_rule:
        return "certain"
    return "reused" if asked.isdisjoint((None, clock(block.start))) else "asked"


def figures_of(life: Life, agreed: Sequence[Agreement] | None) -> dict[str, object]:
    """Return the figures of the JSON line; None stands for what the run does not tell."""
    texts, whole, days = texts_of(life), health(life.run.reader).total, life.agent_days
    everything = sum((each.words for each in texts.values()), Counter[str]())
    free, worded = minutes_of(life)
    deeds, shown = done(life), list(_shown_in_talk(life.views))
    ends = Counter(map(outcome_of, agreed or ()))
    planned = [all(each.planned.values()) for each in agreed or () if each.planned]
    came = [one for each in agreed or () for one in each.came.values()]
    return {
        "agent_days": round(days, 3),
        "outcomes": {str(name): count for name, count in whole.outcomes.items()},
        "odd": whole.odd,
        "own_words": share(everything[OWN], everything[OWN] + everything[CODE]),
        "own_words_of": {kind: each.share() for kind, each in texts.items()},
        "texts": {kind: each.count for kind, each in texts.items()},
        "words_apart": {name: everything[name] for name in APART},
        "words_by_code": everything[CODE],
        **{f"{kind}_per_agent_day": _each(texts[kind].count, days) for kind in KINDS[:4]},
        "free_minutes_per_agent_day": _each(free, days),
        "free_minutes_worded": share(worded, free),
        "median_deed_minutes": round(median(d.minutes for d in deeds), 1) if deeds else None,
        "agreements": None if agreed is None else len(agreed),
        "agreements_planned": share(sum(planned), len(planned)),
        "parties_came": share(sum(came), len(came)),
        **{name: None if agreed is None else ends[name] for name in ("kept", "partly", "missed")},
        "places": places_of(life),
        "most_memories_shown": max(shown, default=None),
        "calls_per_agent_day": _each(whole.recorded, days),
        "prompt_tokens_per_agent_day": _each(whole.prompt_tokens, days),
    }


def _each(number: float, days: float) -> float | None:
    return round(number / days, 1) if days else None


def _shown_in_talk(views: Iterable[StepView]) -> Iterator[int]:
    for view in views:
        if view.record.step == "say" and view.attempts:
            inputs = json.loads(view.attempts[0].call.inputs)
            yield len(inputs["memories"]) + bool(inputs.get("news"))


def show(life: Life, figures: Mapping[str, object]) -> None:
    """Print the figures as tables, and as one line of JSON."""
    print(format_answers(health(life.run.reader).total))
    rows: list[Sequence[Cell]] = []
    for kind, each in texts_of(life).items():
        apart = (each.words[name] for name in APART)
        rows.append(
            (kind, each.count, each.words.total(), _told(each.share()), each.words[CODE], *apart)
        )
    print_table(
        f"Words of the run {life.run.folder.name}, {life.agent_days:.2f} agent-days",
        ("kind", "texts", "words", "own, %", "by code", *APART),
        rows,
    )
    flat: list[Sequence[Cell]] = []
    for name, value in figures.items():
        if isinstance(value, dict) and name != "places":
            continue
        parts = value.items() if isinstance(value, dict) else [("", value)]
        flat += [(f"{name} {part}".strip(), _told(each)) for part, each in parts]
    print_table("Figures", ("", "value"), [(name.replace("_", " "), each) for name, each in flat])
    print_figures(figures)


def _told(value: object) -> Cell:
    return value if isinstance(value, (int, float, str)) else "unknown"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", help="a run's folder, or its name, such as `sample`")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of the runs")
    parser.add_argument("--agreements", action="store_true", help="list the agreements instead")
    asked = parser.parse_args(arguments)
    path = Path(asked.run)
    is_folder = (path / SPEC_FILE).is_file()
    runs, name = (
        (path.resolve().parent, path.resolve().name) if is_folder else (asked.runs, asked.run)
    )
    try:
        with opened_run(runs, name) as run:
            life = read_life(run)
            agreed = agreements_of(life)
            if asked.agreements:
                told = "\n\n".join(describe(each, run) for each in agreed or ())
                print("unknown" if agreed is None else told or "none")
            else:
                show(life, figures_of(life, agreed))
    except SmolvilleError as error:
        raise SystemExit(f"{str(error).rstrip('.')}.") from None


if __name__ == "__main__":
    main()
