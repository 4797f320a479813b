"""The tree of spans of a thought or talk, built from a run's history alone.

A thought has its graph's nodes as children, and a step those of its own graph. Viewers draw nested
bars, so every span lies within its parent and begins after the previous one. Where the history
knows no time, a span begins when the previous one ended.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from json import dumps
from typing import Any, Literal

import orjson

from smolville.agents.action import Talk
from smolville.agents.memory import memory_id, step_of
from smolville.agents.times import moment as town_time
from smolville.graphs.loop.ledger import Call, RecallRecord, StepRecord
from smolville.history.reader import RunReader
from smolville.history.records import StepView
from smolville.lab.moments.moment import moment_digits
from smolville.lab.tracing.listing import TraceKey, TraceRow, rows_of
from smolville.models.errors import SpecError
from smolville.models.spec import parse_spec
from smolville.reports.thought_reasons import (
    find_last_reaction,
    find_planning_record,
    format_plan,
    format_reaction_reason,
    unasked,
    why_talked,
    why_thought,
)

Kind = Literal["thought", "talk", "node", "step", "recall", "ask", "prompt", "model", "parse"]
COUNTED = ("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens", "model_ms")
"""The metadata that a span sums up over its descendants."""
OF_CALLS = (
    *("template", "model", "tier", "temperature", "max_tokens", "seed", "finish", "server"),
    *("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens", "retries", "cuts"),
)
"""Fields of a call that its span has too, under the same names."""
PROVIDERS = {"llamacpp": "llama.cpp", "gguf": "llama.cpp", "mistralai": "mistral_ai"}
"""The name that the conventions use for a provider, by our name, if the two differ."""
_HUB = re.compile(r"\{#-?\s*hub:\s*((?:[\w-]+/)?[\w-]+(?::\w+)?)\s*-?#\}")
"""Comment in a template that names its prompt in LangSmith's hub: `owner/name:commit`."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """A node of a tree of spans, independent of any tracing service."""

    name: str
    kind: Kind
    id: str
    """32 hex digits, the same whenever the same history is read."""
    start: float
    """Wall clock time in seconds since the epoch."""
    end: float
    inputs: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    """Plain values and lists of them, under the names listed in docs/guides/tracing.md."""
    error: str = ""
    """Why the span failed; for a parse, the problems of the reply."""
    children: tuple["Span", ...] = ()

    @property
    def milliseconds(self) -> float:
        """Duration in milliseconds."""
        return (self.end - self.start) * 1000.0

    @property
    def tags(self) -> tuple[str, ...]:
        """A step's or root's people, step and outcome; none for other spans."""
        if self.kind not in ("step", "thought", "talk"):
            return ()
        fields = self.metadata
        people = self.inputs["participants"] if self.kind == "talk" else [fields.get("agent")]
        return tuple(filter(None, (*people, fields.get("step"), fields.get("outcome"))))

    def walk(self) -> Iterator["Span"]:
        """Yield the span and its descendants, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def plain(self) -> dict[str, Any]:
        """Return the span and its descendants as plain data; times are seconds since the epoch."""
        names = ("name", "kind", "id", "start", "end", "milliseconds", "inputs", "outputs")
        fields = {name: getattr(self, name) for name in (*names, "metadata", "error")}
        return fields | {"children": [child.plain() for child in self.children]}


def tree_of(reader: RunReader, key: TraceKey) -> Span | None:
    """Return the tree of a thought or talk, or None when the history has no such entry."""
    return _talk(reader, key.owner) if key.kind == "talk" else _thought(reader, *key[1:])


def _thought(reader: RunReader, agent: str, tick: int) -> Span | None:
    thought = reader.thought(agent, tick)
    if thought is None:
        return None
    row, steps, seconds = thought.row, thought.steps, reader.spec.tick_seconds
    planned = find_planning_record(reader, row)
    # A memory's id is where it was made: agent/tick/step/ordinal/n. "0" follows "/".
    made = _memories(reader, f"{agent}/{tick}/", f"{agent}/{tick}0")
    listed = rows_of([row], (), [each.record for each in steps], seconds)[0]
    return _Tree(reader, listed, steps, made).root(
        row.started,
        row.path,
        {
            "nodes": list(row.path),
            "why": why_thought(row, steps, format_plan(planned, seconds) if planned else ""),
            "planned_by": _moment_id(reader, planned) if planned else None,
            **unasked(reader, agent, tick),
        },
        inputs={
            "stimuli": list(row.stimuli),
            "newly_seen": [each["text"] for each in made if each["step"] == "perceive"],
        },
        outputs={"intent": row.intent, "remembered": made},
        error=row.failed,
    )


def _talk(reader: RunReader, talk_id: str) -> Span | None:
    view = reader.talk(talk_id)
    if view is None:
        return None
    talk, steps, seconds = view.talk, view.steps, reader.spec.tick_seconds
    began = reader.thought(talk.participants[0], talk.start // seconds)
    last = find_last_reaction(began.steps if began else ())
    why = why_talked(talk, format_reaction_reason(last) if last else "")
    people = list(talk.participants)
    listed = rows_of((), [talk], [each.record for each in steps], seconds)[0]
    return _Tree(reader, listed, steps, talk=talk).root(
        min((each.record.started for each in steps), default=0.0),
        [each.record.step for each in steps],
        {
            "why": why,
            "begun_by": _moment_id(reader, last) if last else None,
            "place": talk.place,
            "lines": len(talk.lines),
            "ended_by": talk.ended_by,
        },
        inputs={"participants": people, "place": talk.place, "why": why},
        outputs={"lines": [f"{line.speaker}: {line.text}" for line in talk.lines]},
    )


@dataclass
class _Tree:
    """The tree of one thought or talk while it is built."""

    reader: RunReader
    row: TraceRow
    views: Sequence[StepView]
    made: Sequence[dict[str, Any]] = ()
    """The memories that the thought made."""
    talk: Talk | None = None

    def __post_init__(self) -> None:
        self._lines = enumerate(self.talk.lines if self.talk else (), 1)

    def root(
        self, start: float, path: Iterable[str], metadata: dict[str, Any], **more: Any
    ) -> Span:
        """Return the whole tree; `path` names the nodes that ran, steps among them."""
        waiting, at, children = list(self.views), start, list[Span]()
        for name in path:
            view = next((each for each in waiting if each.record.step == name), None)
            if view is None:
                children.append(self.span("node", name, at, at))
                continue
            waiting.remove(view)
            children.append(self.step(view, at))
            at = children[-1].end
        for view in waiting:
            children.append(self.step(view, at))
            at = children[-1].end
        agent = " & ".join(self.row.people)
        steps = [each.metadata for each in children if each.kind == "step"]
        fields = {
            "thread": f"{self.reader.spec.name}/{agent}",
            "thought": self.row.digits,
            "command": f"smolville trace {self.reader.spec.name} {self.row.digits}",
            **metadata,
            "outcome": self.row.outcome,
            "odd_kinds": list(dict.fromkeys(kind for step in steps for kind in step["odd_kinds"])),
            "calls": sum(step["attempts"] for step in steps),
            **sum_span_counts(steps),
        }
        end = max(start + self.row.milliseconds / 1000.0, at)
        spec, key = self.reader.spec, self.row.key
        root = self.span(key.kind, self.row.name, start, end, **more, **fields, children=children)
        return with_ids(root, spec.name, spec.created, key.owner, key.tick)

    def span(self, kind: Kind, name: str, start: float, end: float, **more: Any) -> Span:
        """Return a span, without an id yet; names unknown to Span are metadata."""
        own = {key: more.pop(key) for key in list(more) if key in Span.__dataclass_fields__}
        own["children"] = tuple(own.get("children", ()))
        spec, key = self.reader.spec, self.row.key
        shared = {
            "run": spec.name,
            "agent": " & ".join(self.row.people),
            "time": town_time(key.tick * spec.tick_seconds),
            "tick": key.tick,
        }
        fields = {name: value for name, value in (shared | more).items() if value is not None}
        return Span(name=name, kind=kind, id="", start=start, end=end, metadata=fields, **own)

    def step(self, view: StepView, after: float) -> Span:
        """Return a step as a span that begins no earlier than `after`."""
        record = view.record
        of_step, changed = self.change(record)
        moment = _moment_id(self.reader, record)
        at = max(after, record.started)
        first = view.attempts[0].call if view.attempts else None
        scores = {each["id"]: each for each in orjson.loads(first.recalled if first else "[]")}
        recalls = list[Span]()
        for recall in record.recalls:
            begun = recalls[-1].end if recalls else after
            recalls.append(self.recall(record.step, recall, scores, max(begun, recall.started)))
        ended = max(at, recalls[-1].end) if recalls else at
        begun = recalls[0].start if recalls else at
        gather = self.span("node", "gather", begun, ended, children=recalls, **of_step)
        parts = [gather]
        for number, attempt in enumerate(view.attempts):
            if number:
                asked = orjson.loads(view.attempts[number - 1].call.messages)
                added = [m for m in orjson.loads(attempt.call.messages) if m not in asked]
                now = parts[-1].end
                more = {"outputs": {"added": added}, **of_step}
                parts.append(self.span("node", "repair", now, now, **more))
            parts += self.attempt(view, number, parts[-1].end, of_step)
        readings = [each.reading for each in view.attempts if each.reading is not None]
        end = max(parts[-1].end, record.started + record.milliseconds / 1000.0)
        if record.outcome == "fallback":
            parts.append(self.span("node", "fall_back", end, end, **of_step))
        parts.append(self.span("node", "apply", end, end, outputs=changed, **of_step))
        return self.span(
            "step",
            f"{record.step} · line {of_step['line']}" if "line" in of_step else record.step,
            parts[0].start,
            end,
            inputs=orjson.loads(first.inputs) if first else {},
            outputs={"outcome": record.outcome, "answer": orjson.loads(record.answer)},
            children=parts,
            **of_step,
            outcome=record.outcome,
            moment=moment,
            command=f"smolville prompt render {moment}",
            attempts=record.attempts,
            problems=[problem for each in readings for problem in each.problems],
            odd=list(record.odd),
            odd_kinds=list(record.odd_kinds),
            **sum_span_counts(each.metadata for each in parts if each.kind == "ask"),
        )

    def change(self, record: StepRecord) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the metadata of all of a step, and what its answer became: memories or a line."""
        of_step: dict[str, Any] = {"agent": record.agent, "step": record.step}
        said = next((each for each in self._lines if each[1].speaker == record.agent), None)
        if self.talk is not None and said is not None:
            n, line = said
            of_step |= {"speaker": line.speaker, "to": list(self.talk.others(line.speaker))}
            return of_step | {"line": n}, {"line": line.text}
        place = memory_id(record.agent, record.tick, record.step, record.ordinal, 0)[:-1]
        kept = [each for each in self.made if each["id"].startswith(place)]
        return of_step, {"remembered": kept} if kept else {}

    def recall(
        self,
        step: str,
        recall: RecallRecord,
        scores: Mapping[str, dict[str, Any]],
        start: float,
    ) -> Span:
        """Return a recall: its queries, and its memories with their scores, the best first.

        A memory that was left out so that the prompt fits has no score and is not `shown`.
        """
        documents = []
        for id_ in sorted(recall.ids, key=lambda each: -scores.get(each, {"score": 0})["score"]):
            known = {"id": id_, **self.memories.get(id_, {})}
            text, known["rating"] = known.pop("text", ""), known.pop("importance", None)
            known |= {**scores.get(id_, {}), "shown": id_ in scores}
            documents.append({"type": "Document", "page_content": text, "metadata": known})
        return self.span(
            "recall",
            "recall",
            start,
            start + recall.milliseconds / 1000.0,
            inputs={"query": "\n".join(recall.queries)},
            outputs={"documents": documents},
            agent=recall.agent,
            step=step,
        )

    def attempt(
        self, view: StepView, number: int, after: float, of_step: dict[str, Any]
    ) -> Iterator[Span]:
        """Yield the `ask` of an attempt, with its prompt and its model call, and its `parse`.

        An attempt lasts until the next attempt's call, and the last one until the step's end. A
        call made before its step began was replayed from the journal and took no time here.
        """
        record, call = view.record, view.attempts[number].call
        reading = view.attempts[number].reading
        more = {**of_step, "attempt": call.key.attempt}
        if reading is not None:
            more["accepted"] = reading.accepted
        later = view.attempts[number + 1 :]
        is_here = not call.started or call.started >= record.started
        source = call.source if is_here else "journal"
        ends = record.started + record.milliseconds / 1000.0
        rendered = after + (0.0 if number else record.render_ms / 1000.0)
        model_s = call.milliseconds / 1000.0 if source == "model" else 0.0
        parse_s = reading.milliseconds / 1000.0 if reading else 0.0
        end = max(later[0].call.started if later else ends, rendered)
        if end == rendered:
            end += model_s + parse_s
        answered = max(rendered, end - parse_s)
        asked = max(rendered, answered - model_s)
        file = f"{record.step}.jinja"
        prompt = self.span(
            "prompt",
            file,
            after,
            rendered,
            inputs=orjson.loads(call.inputs),
            outputs={"messages": orjson.loads(call.messages)},
            template=call.template,
            template_name=file,
            hub=self.hub(file, call),
            examples=len(orjson.loads(call.examples)),
            dropped=call.dropped,
            **more,
        )
        provider, name = model_of(call.model)
        thinking = {"thinking": call.thinking} if call.thinking else {}
        model = self.span(
            "model",
            call.model,
            asked,
            answered,
            inputs={"messages": orjson.loads(call.messages)},
            outputs={"message": {"role": "assistant", "content": call.reply, **thinking}},
            **more,
            source=source,
            provider=provider,
            model_name=name,
            schema=call.schema or None,
            model_ms=round(call.milliseconds, 3),
            **{name: getattr(call, name) for name in OF_CALLS},
        )
        yield self.span(
            "ask",
            "ask",
            after,
            answered,
            children=(prompt, model),
            waited_ms=round((asked - rendered) * 1000.0, 3),
            **more,
            **sum_span_counts([model.metadata]),
        )
        if reading is None:
            return
        problems, mends = list(reading.problems), list(reading.mends)
        read = {"accepted": reading.accepted, "mended": mends, "problems": problems}
        yield self.span(
            "parse",
            "parse",
            answered,
            end,
            inputs={"reply": call.reply, "finish": call.finish},
            outputs=read | ({"answer": orjson.loads(record.answer)} if reading.accepted else {}),
            error="" if reading.accepted else "\n".join(problems) or "no answer",
            mends=mends,
            problems=problems,
            **more,
        )

    def hub(self, file: str, call: Call) -> str | None:
        """Return the prompt in LangSmith's hub that a call's template names, if it names one."""
        texts = self.reader.template(call.key.step, call.template) or {}
        named = _HUB.search(texts.get(file, ""))
        return named and named[1]

    @cached_property
    def memories(self) -> dict[str, dict[str, Any]]:
        """The memories found by the steps' recalls, by id."""
        ids = {id_ for view in self.views for recall in view.record.recalls for id_ in recall.ids}
        return {each["id"]: each for each in _memories(self.reader, "", "", ids)}


def _memories(
    reader: RunReader, after: str, before: str, ids: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """Return the memories with `ids` or between two ids, in the order in which they were made."""
    query = (
        "SELECT id, text, created, kind, importance FROM memories "
        "WHERE (id > ? AND id < ?) OR id IN (SELECT value FROM json_each(?)) ORDER BY n"
    )
    with reader.snapshot():
        rows = reader.connection.execute(query, (after, before, dumps(sorted(ids)))).fetchall()
    return [
        {"text": text, "step": step_of(id_), "id": id_, "kind": kind, "importance": rating}
        | {"time": town_time(created)}
        for id_, text, created, kind, rating in rows
    ]


def _moment_id(reader: RunReader, record: StepRecord) -> str:
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    return f"{reader.spec.name}/{digits}"


def sum_span_counts(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the summed tokens and milliseconds of some spans; None for values that are unknown."""
    known = list(parts)
    counts = {name: [p[name] for p in known if p.get(name) is not None] for name in COUNTED}
    return {name: round(sum(values), 3) if values else None for name, values in counts.items()}


def with_ids(span: Span, *place: object) -> Span:
    """Return a tree in which each span has an id: by its place, the same at every reading.

    It has the form of a version 7 UUID, which LangSmith requires: it begins with the start time.
    """
    digits = bytearray(blake2b("\0".join(map(str, place)).encode(), digest_size=16).digest())
    digits[:6] = int(max(0.0, span.start) * 1000).to_bytes(6, "big")
    digits[6] = 0x70 | digits[6] & 0x0F
    digits[8] = 0x80 | digits[8] & 0x3F
    below = (with_ids(child, *place, number) for number, child in enumerate(span.children))
    return replace(span, id=digits.hex(), children=tuple(below))


def model_of(spec: str) -> tuple[str, str]:
    """Return the provider and the model name of a spec: `ollama` and `mistral`.

    A spec that cannot be parsed, as a program may give one to its chat, is its own model name.
    """
    try:
        read = parse_spec(spec)
    except SpecError:
        return spec.partition(":")[0], spec
    provider, name = str(read.kind), read.target
    if provider == "langchain":
        provider, _, name = name.partition("/")
    elif provider in ("openai", "llamacpp"):
        name = name.partition("#")[2]
    return PROVIDERS.get(provider, provider), name or spec
