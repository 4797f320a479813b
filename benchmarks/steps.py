"""The costs that a cognitive step adds to a bare call of a chat model, part by part."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from statistics import median

import orjson

from benchmarks.constant import Constant, Exchange, bare_graph
from smolville.agents.persona import Persona
from smolville.graphs.alone import context_alone, make_empty_senses
from smolville.graphs.loop.graph import ask_step
from smolville.graphs.loop.ledger import Call, Journal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.prompt_inputs import PromptInput
from smolville.models.chat import Chat

Job = Callable[[int], Awaitable[object]]
"""One repetition of a measured part; the argument is its number."""

ROUNDS = 9


class Bench:
    """One step, its inputs, and a model that gives a correct answer at once."""

    def __init__(self, step: AnyStep, inputs: PromptInput, persona: Persona, disk: Journal) -> None:
        """Prepare everything once; the answer is the step's own fallback, which is always valid."""
        self.step = step
        self.inputs = inputs
        self.persona = persona
        self.disk = disk
        self.kept: list[Call] = []
        self.reply: str = step.fallback(inputs).model_dump_json()
        self.model = Constant(says=self.reply)
        self.chat = Chat(spec="constant", name="constant", model=self.model, constrains=True)
        self.messages = step.prompt.render(inputs)
        self.graph = bare_graph(self.model)
        self.context = {**step.context(inputs), "choices": dict(step.choices(inputs))}

    def find_stored(self, key: object, messages_hash: str) -> Call | None:
        """Return None: this journal stores only the last call, and finds none."""
        return None

    def store(self, call: Call) -> None:
        """Store a call, for writing it to a real journal later."""
        self.kept = [call]

    def give_up(self, call: Call) -> None:
        """Do nothing, because this model always answers."""

    async def bare_call(self, number: int) -> object:
        """Ask the model without anything else."""
        return await self.model.ainvoke(self.messages)

    async def bare_graph(self, number: int) -> object:
        """Ask the model from a graph with the same number of nodes."""
        return await self.graph.ainvoke(Exchange(messages=self.messages), version="v2")

    async def take(self, number: int) -> object:
        """Ask the step at a new tick, without a journal on disk."""
        client = ModelClient(fast=self.chat, strong=self.chat, journal=self, seed=0)
        context = context_alone(self.persona, make_empty_senses(number), client)
        ended = await ask_step(self.step, context, self.inputs, agent=self.persona.name)
        if ended.outcome != "clean":
            raise RuntimeError(f"the sample of {self.step.name} was not clean: {ended.outcome}")
        return ended

    async def render(self, number: int) -> object:
        """Render the prompt as a runnable of LangChain."""
        return await self.step.prompt.ainvoke(self.inputs)

    async def write_out(self, number: int) -> object:
        """Convert inputs and schema, with this call's choices, to the form for the journal."""
        schema = self.step.answer.call_schema(self.step.choices(self.inputs))
        return orjson.dumps(schema), orjson.dumps(self.inputs.model_dump(mode="json"))

    async def read(self, number: int) -> object:
        """Read and check the reply."""
        return self.step.parser.read(self.reply, self.context)

    async def journal(self, number: int) -> object:
        """Look a call up in a run's journal and write it, in a separate transaction."""
        key = replace(self.kept[0].key, tick=number)
        self.disk.find_stored(key, "")
        self.disk.store(replace(self.kept[0], key=key))
        return key


async def milliseconds(bench: Bench, repeats: int) -> dict[str, float]:
    """Return the median CPU milliseconds of every part; each round measures all parts."""
    jobs: Mapping[str, Job] = {
        "bare_call": bench.bare_call,
        "bare_graph": bench.bare_graph,
        "take": bench.take,
        "render": bench.render,
        "write_out": bench.write_out,
        "read": bench.read,
        "journal": bench.journal,
    }
    rounds: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(ROUNDS + 1):
        for name, job in jobs.items():
            started = time.process_time()
            for number in range(repeats):
                await job(turn * repeats + number)
            if turn:
                rounds[name].append((time.process_time() - started) / repeats * 1000.0)
    return {name: median(each) for name, each in rounds.items()}
