"""A reader model: it reads answers blind, and is itself measured on labelled answers.

`labelled.jsonl` beside this file holds answers whose label is known. They are read among the
answers of a run, without a sign of where an answer comes from. Its labels:

- `good`: written by hand, by a capable writer, from the question alone; and answers of a small
  model (Qwen2.5-Coder 1.5B) that one strict reader called sensible;
- `odd`, `senseless`: answers of the same small model and of SmolLM2 135M, so labelled by readers;
- `dice`: what `benchmarks/dice.py` answered to the same questions.

None of them is among the examples of the prompt, so all are held out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, TypeAdapter

from smolville.agents.chance import draw
from smolville.agents.errors import RunError
from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count
from smolville.graphs.alone import NOBODY, persona_of
from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep, Step
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import words_of
from smolville.history.reader import RunReader
from smolville.lab.evaluation.answers import outline
from smolville.lab.evaluation.asking import ready
from smolville.lab.evaluation.statistics import Interval, Share, share_of, wilson
from smolville.lab.judging.contest import case_of, who_of
from smolville.lab.judging.judge import JudgeCalls, judge_templates
from smolville.lab.judging.verdicts import NONE, PairVerdict, Verdicts
from smolville.lab.moments.finding import moments_at, uses_in
from smolville.lab.moments.moment import moment_digits
from smolville.lab.single_step import PreparedStep, take_alone
from smolville.lab.tracing.listing import thought_digits
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer
from smolville.parsers.prompt_inputs import PromptInput

Word = Literal["sensible", "odd", "senseless"]
WORDS: tuple[Word, ...] = get_args(Word)
Label = Literal["good", "odd", "senseless", "dice"]
LABELS: tuple[Label, ...] = get_args(Label)
SAMPLE = 60
"""Usual number of a run's answers that are read."""
LEAST = 0.75
"""Balanced accuracy below which a reader's verdicts on a run are not shown."""
CHANCE = 0.6
"""A reader whose interval reaches down to this cannot be told from one that guesses."""
READINGS = Path(".readings") / "readings.jsonl"
"""File of all readings, in the folder of runs: a reader reads labelled answers only once."""
LONGEST = 1200
"""Maximum number of characters of a line of a case; a longer one is cut in its middle."""


class ReadInput(PromptInput):
    """The inputs that the prompt `read` shows."""

    who: tuple[str, ...]
    """The person who was asked, in a few lines."""
    task: str
    """What was asked for: `the next line of a talk`."""
    case: tuple[str, ...]
    """The situation, in a few lines."""
    told: tuple[str, ...]
    """The answer, in a few lines."""


class Reading(Answer):
    """Whether an answer makes sense, with the reason first."""

    reason: Annotated[str, Field(max_length=240)] = Field(
        description="what fits or does not fit, in one short sentence",
        json_schema_extra={"trims": True, "aliases": ["why", "reasoning", "explanation"]},
    )
    verdict: Word = Field(
        description="whether the answer makes sense",
        json_schema_extra={"aliases": ["answer", "label", "judgement", "sense"]},
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(reason="Nobody eats breakfast at that hour.", verdict="odd")


def fallback(inputs: ReadInput) -> Reading:
    """Return a verdict that is never used: a fallback counts as no verdict."""
    return Reading(reason="", verdict="odd")


def sample(scene: Scene) -> ReadInput:
    """Return plausible inputs, made from a scene."""
    return ReadInput(
        who=(f"{scene.me.name}, {scene.me.age} years old",),
        task="the next line of a talk",
        case=(f"It is {scene.now}.",),
        told=("text: Good morning.",),
    )


def standin(inputs: ReadInput, dice: Dice) -> RuleAnswer:
    """Call an answer sensible if its words are all different: a fixed rule, not a judgement."""
    words = words_of(" ".join(inputs.told))
    verdict = "sensible" if len(set(words)) == len(words) else "odd"
    return RuleAnswer({"reason": "It may be so.", "verdict": verdict})


STEP = Step(
    name="read",
    about="whether an answer makes sense",
    inputs=ReadInput,
    answer=Reading,
    gather=take_given,
    apply=keep_answer,
    fallback=fallback,
    sample=sample,
    standin=standin,
    seen=StepState,
    temperature=0.0,
    max_tokens=160,
    templates=judge_templates,
)


class ClaimInput(ReadInput):
    """The inputs that the prompt `claim` shows."""

    claim: str
    """What may be true of the answer: `mentions a third person`."""


class ClaimReading(Answer):
    """Whether a claim is true of an answer, with the reason first."""

    reason: Annotated[str, Field(max_length=240)] = Field(
        description="the words of the answer that decide it, in one short sentence",
        json_schema_extra={"trims": True, "aliases": ["why", "reasoning", "explanation"]},
    )
    verdict: Literal["yes", "no"] = Field(
        description="whether the claim is true of the answer",
        json_schema_extra={"aliases": ["answer", "label", "holds", "is_true"]},
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(reason="Dora is neither the speaker nor the listener.", verdict="yes")


def claim_sample(scene: Scene) -> ClaimInput:
    """Return plausible inputs, made from a scene."""
    return ClaimInput(**vars(sample(scene)), claim="greets somebody")


def claim_standin(inputs: ClaimInput, dice: Dice) -> RuleAnswer:
    """Say yes if the answer has a word of the claim: a fixed rule, not a judgement."""
    has_one = {*words_of(" ".join(inputs.told))} & {*words_of(inputs.claim)}
    return RuleAnswer({"reason": "It says so.", "verdict": "yes" if has_one else "no"})


CLAIM_STEP = Step(
    name="claim",
    about="whether a claim is true of an answer",
    inputs=ClaimInput,
    answer=ClaimReading,
    gather=take_given,
    apply=keep_answer,
    fallback=lambda inputs: ClaimReading(reason="", verdict="no"),
    sample=claim_sample,
    standin=claim_standin,
    seen=StepState,
    temperature=0.0,
    max_tokens=160,
    templates=judge_templates,
)


@dataclass(frozen=True, kw_only=True)
class Item:
    """One answer to be read, with as much of its question as a reader needs."""

    step: str
    who: tuple[str, ...]
    task: str
    case: tuple[str, ...]
    answer: tuple[str, ...]
    claim: str = ""
    """A claim that is to be told true or not; empty if the answer is read for its sense."""
    label: Label | None = None
    """The label; None for an answer of the run."""
    moment: str = ""
    """Id of the run's moment; empty for a labelled answer."""
    agent: str = ""
    time: str = ""
    thought: str = ""
    """Digits by which `smolville trace` opens the thought."""

    @property
    def inputs(self) -> ReadInput:
        """The inputs of the question; they do not show where the answer comes from."""
        told = ReadInput(who=self.who, task=self.task, case=self.case, told=self.answer)
        return ClaimInput(**vars(told), claim=self.claim) if self.claim else told

    @property
    def reading_step(self) -> AnyStep:
        """The step that reads it."""
        return CLAIM_STEP if self.claim else STEP

    @property
    def key(self) -> str:
        """Sixteen hex digits of the question as it is asked, so that a change is asked anew."""
        text = (
            f"{judge_templates().prompt(self.reading_step).version}{self.inputs.model_dump_json()}"
        )
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def item_of(use: PreparedStep, answer: Any, **more: Any) -> Item:
    """Return an answer to a prepared step as an item, its situation shortened."""
    return Item(
        step=use.step.name,
        who=tuple(map(_shorten, who_of(use))),
        task=use.step.about,
        case=tuple(map(_shorten, case_of(use))),
        answer=tuple(outline(answer)),
        **more,
    )


def _shorten(line: str) -> str:
    """Return a line, cut in its middle if it is long: what was said last stands at its end."""
    if len(line) <= LONGEST:
        return line
    return f"{line[: LONGEST // 3]} … {line[-2 * LONGEST // 3 :]}"


@cache
def labelled_items() -> tuple[Item, ...]:
    """Return the labelled answers that ship with the program."""
    text = files("smolville.lab.judging").joinpath("labelled.jsonl").read_text(encoding="utf-8")
    return tuple(TypeAdapter(Item).validate_json(line) for line in text.splitlines())


def run_items(reader: RunReader, count: int) -> tuple[Item, ...]:
    """Return a sample of the answers that models wrote in a run, drawn by hash of run and moment.

    Raises RunError when there is none.
    """
    run = reader.spec.name
    uses = [use for use in uses_in(reader) if use.outcome != "fallback"]
    if not uses:
        raise RunError(f"The run {run!r} has no answer by a model yet.")
    drawn = sorted(uses, key=lambda use: draw("read", run, moment_digits(*use.key)))[:count]
    return tuple(
        item_of(
            ready(each).use,
            each.answer,
            moment=each.id,
            agent=each.agent,
            time=town_time(each.at),
            thought=thought_digits(each.record.owner, each.record.tick),
        )
        for each in moments_at(reader, [use.key for use in drawn])
    )


async def read_items(items: Sequence[Item], verdicts: Verdicts, calls: JudgeCalls) -> None:
    """Let a model read every item that it has not read yet, all mixed, one question for each.

    Each verdict is saved at once. Raises the error of a model that can no longer be asked:
    ModelError or StoppedError.
    """
    client, judge = calls.client(), calls.chat.spec
    known = verdicts.of(judge)
    left = [*{item.key: item for item in items if item.key not in known}.values()]
    left.sort(key=lambda item: (draw("reading order", judge, item.key), item.key))

    async def ask(item: Item) -> None:
        use = PreparedStep(
            step=item.reading_step,
            inputs=item.inputs,
            persona=persona_of(NOBODY),
            owner=f"read/{item.key}",
            tick=0,
        )
        took = await take_alone(client, use)
        found = took.answer if took.outcome not in (None, "fallback") else None
        told = found if isinstance(found, Reading | ClaimReading) else None
        verdicts.keep(
            PairVerdict(
                pair=item.key,
                judge=judge,
                prefers=told.verdict if told else NONE,
                moment=item.moment,
                reason=told.reason if told else "",
            )
        )

    await calls.ask_all(left, len({item.key for item in items}) - len(left), ask)


@dataclass(frozen=True, kw_only=True)
class ReaderTally:
    """What a reader made of labelled answers, and of a run's if it can tell the former apart."""

    reader: str
    items: Sequence[Item]
    verdicts: dict[str, PairVerdict]
    """Verdicts by the key of the item."""

    @property
    def is_whole(self) -> bool:
        """Whether every item was read."""
        return all(item.key in self.verdicts for item in self.items)

    def count(self, label: Label | None, word: str) -> int:
        """Return how many items with a label got a verdict."""
        return sum(self._word(item) == word for item in self._of(label))

    def share(self, label: Label | None) -> Share:
        """Return the share that was called sensible, among the items with a verdict."""
        words = map(self._word, self._of(label))
        return share_of([[[word == "sensible"]] for word in words if word in WORDS])

    @property
    def accuracy(self) -> tuple[float, Interval]:
        """Balanced accuracy in telling good answers from others, with its 95 % interval.

        Half of the share of good answers called sensible, and half of the share of others called
        odd or senseless; a labelled answer without a verdict counts as not told. The interval is
        Wilson's for as many answers of each kind as there are of the rarer one.
        """
        others = [label for label in LABELS if label != "good"]
        good, bad = len(self._of("good")), sum(len(self._of(each)) for each in others)
        right = self.count("good", "sensible")
        rest = sum(self.count(each, word) for each in others for word in ("odd", "senseless"))
        middle, count = (right / good + rest / bad) / 2, 2 * min(good, bad)
        return middle, wilson(middle * count, count)

    @property
    def is_trusted(self) -> bool:
        """Whether this reader tells labelled answers apart well enough to be listened to."""
        middle, interval = self.accuracy
        return self.is_whole and middle >= LEAST and interval.low > CHANCE

    @property
    def too_little(self) -> str:
        """Why nothing is said by a reader that is not trusted."""
        return (
            f"That is too little: at least {100 * LEAST:.0f} % are needed, and an interval above "
            f"{100 * CHANCE:.0f} %."
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """How well the reader reads, and what it makes of the run if that is worth telling."""
        middle, (low, high) = self.accuracy
        labelled = sum(item.label is not None for item in self.items)
        first = (
            f"{self.reader} read {format_count(labelled, 'labelled answer')}: balanced accuracy "
            f"{100 * middle:.0f} % ({100 * low:.0f}–{100 * high:.0f}) in telling good ones apart."
        )
        if not self.is_trusted:
            return first, f"{self.too_little} Nothing is said of the run."
        run, dice = (_format_share(self.share(label)) for label in (None, "dice"))
        return first, f"Of the run's answers it called {run} sensible; of those of dice {dice}."

    @property
    def senseless(self) -> list[Item]:
        """The run's answers that the reader called senseless, oldest first."""
        return [item for item in self._of(None) if self._word(item) == "senseless"]

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys; `run` is None if the reader is not trusted."""
        middle, interval = self.accuracy

        def called(label: Label | None) -> dict[str, int]:
            return {word: self.count(label, word) for word in (*WORDS, NONE)}

        run = {
            "answers": len(self._of(None)),
            "verdicts": called(None),
            "sensible": self.share(None).plain(),
            "dice_sensible": self.share("dice").plain(),
            "senseless": [
                {
                    **{
                        name: getattr(item, name)
                        for name in ("moment", "thought", "agent", "step", "time")
                    },
                    "reason": self.verdicts[item.key].reason,
                }
                for item in self.senseless
            ],
        }
        return {
            "reader": self.reader,
            "balanced_accuracy": round(middle, 4),
            "low": round(interval.low, 4),
            "high": round(interval.high, 4),
            "labelled": {label: called(label) for label in LABELS},
            "is_trusted": self.is_trusted,
            "sentences": list(self.sentences),
            "run": run if self.is_trusted else None,
        }

    def _of(self, label: Label | None) -> list[Item]:
        return [item for item in self.items if item.label == label]

    def _word(self, item: Item) -> str:
        verdict = self.verdicts.get(item.key)
        return NONE if verdict is None else verdict.prefers


def _format_share(share: Share) -> str:
    told = f"{share.count} of {share.of}"
    return f"{told} ({share.percentage}, {share.bounds})" if share.of else told
