"""Asks a moment again: the same inputs and memories, with other templates or another model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
from pydantic import ValidationError

from smolville.agents.chance import draw
from smolville.agents.errors import RunError
from smolville.agents.memory import Memory
from smolville.agents.stream import Recollection
from smolville.graphs.alone import asked_person, persona_of
from smolville.graphs.loop.ledger import Call, CallReading, StepOutcome
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import AS_DECLARED, Rules, StepRule
from smolville.lab.evaluation.results import Result
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.rendering import inputs_of, step_of
from smolville.lab.single_step import PreparedStep, take_alone


@dataclass(frozen=True, kw_only=True)
class ReadyMoment:
    """A moment of a run, or a fixed one, that can be asked."""

    id: str
    use: PreparedStep
    seed: int = 0
    """The run's seed, from which those of the calls are derived."""
    examples: int | None = None
    """Number of example cases that were shown with its first call; None: as the rules say."""
    call: Call | None = None
    """Its first call, whose temperature and length of reply are kept; None for a fixed moment."""

    @property
    def step(self) -> str:
        """The step's name."""
        return self.use.step.name

    @property
    def person(self) -> str:
        """The person in a run, `clumsy/Junko Mori`; a fixed moment is nobody's but its own."""
        run = self.id.rpartition("/")[0]
        return self.id if self.call is None else f"{run}/{self.use.persona.name}"


def ready(moment: Moment) -> ReadyMoment:
    """Return a moment prepared to be asked again.

    Raises RunError when its step no longer exists or has changed.
    """
    call, record = moment.attempts[0].call, moment.record
    step = step_of(moment)
    inputs = inputs_of(step, call)
    try:
        persona = persona_of(asked_person(inputs))
    except ValidationError as error:
        message = error.errors(include_url=False)[0]["msg"]
        raise RunError(f"The moment {moment.id} is of nobody there can be: {message}.") from error
    return ReadyMoment(
        id=moment.id,
        use=PreparedStep(
            step=step,
            inputs=inputs,
            persona=persona,
            owner=record.owner,
            tick=record.tick,
            ordinal=record.ordinal,
            recalled=tuple(_read_recalled_memories(moment, call)),
        ),
        seed=moment.seed,
        examples=len(orjson.loads(call.examples)),
        call=call,
    )


async def ask_again(
    asked: ReadyMoment,
    client: ModelClient,
    *,
    turn: int = 0,
    variant: int = 0,
    examples: int | None = None,
) -> Result:
    """Return the result of asking a moment with the templates, model and rules of `client`.

    Turn 0 with the original templates and model repeats the very same call; other turns use other
    seeds. `examples` is the number of examples to show, by default as many as originally.
    Raises StoppedError when the server is gone for good.
    """
    rules = replace(client.rules, strict=False)
    if asked.call is not None:
        rules = _as_asked(rules, asked.call)
    count = asked.examples if examples is None else examples
    if count is not None:
        rules = replace(rules, examples=count)
    seed = asked.seed if turn == 0 else draw("turn", asked.seed, turn)
    took = await take_alone(replace(client, seed=seed, rules=rules), asked.use)
    first = took.readings[0] if took.readings else None
    result = _result(asked.id, took.outcome, took.calls, first)
    return replace(
        result,
        problems=result.problems if took.readings else took.problems,
        odd=took.odd,
        odd_kinds=took.odd_kinds,
        answer={} if took.answer is None else took.answer.model_dump(mode="json"),
        turn=turn,
        variant=variant,
    )


def recorded_result(moment: Moment) -> Result:
    """Return the result that a moment had in its run."""
    calls = [attempt.call for attempt in moment.attempts]
    return replace(
        _result(moment.id, moment.outcome, calls, moment.attempts[0].reading),
        answer=moment.answer,
        odd=moment.record.odd,
        odd_kinds=moment.record.odd_kinds,
    )


def _as_asked(rules: Rules, call: Call) -> Rules:
    """Return rules that ask as the recorded call asked, unless they set a value for the step."""
    step = call.key.step
    own = rules.steps.get(step, AS_DECLARED)
    rule = StepRule(
        tier=own.tier,
        temperature=call.temperature if own.temperature is None else own.temperature,
        max_tokens=own.max_tokens or call.max_tokens,
    )
    return replace(rules, steps={**rules.steps, step: rule})


def _read_recalled_memories(moment: Moment, call: Call) -> Iterable[Recollection]:
    """Yield the memories recalled for a call, with their scores.

    They decide what is left out of a prompt that is too long.
    """
    for row in orjson.loads(call.recalled):
        text = moment.memories.get(row["id"])
        if text is not None:
            place: dict[str, Any] = {"created": 0, "tick": 0, "accessed": 0}
            yield Recollection(
                memory=Memory(id=row["id"], agent=moment.agent, kind="event", text=text, **place),
                score=row["score"],
                recency=row["recency"],
                importance=row["importance"],
                relevance=row["relevance"],
                sentence=row.get("sentence"),
                keywords=row.get("keywords"),
            )


def _result(
    moment: str, outcome: StepOutcome | None, calls: Sequence[Call], first: CallReading | None
) -> Result:
    """Return what the calls of a moment tell; `first` is the reading of the first reply."""
    wrong = first if first is not None and not first.accepted else None
    return Result(
        moment=moment,
        variant=0,
        turn=0,
        outcome=outcome,
        reply=calls[0].reply if calls else "",
        attempts=len(calls),
        prompt_tokens=_sum_known([call.prompt_tokens for call in calls]),
        completion_tokens=_sum_known([call.completion_tokens for call in calls]),
        milliseconds=round(sum(call.milliseconds for call in calls), 3),
        problems=() if wrong is None else wrong.problems,
        kinds=() if wrong is None else wrong.kinds,
    )


def _sum_known(counts: list[int | None]) -> int | None:
    """Return the sum of the counts, or None if any of them is unknown."""
    known = [count for count in counts if count is not None]
    return sum(known) if counts and len(known) == len(counts) else None
