"""Runs days whose first answers have the slips of small models put in, and judges what came of it.

    python -m benchmarks.slips [--rates R ...] [--cast N] [--hours N] [--template NAME]
    python -m benchmarks.slips --upstream URL [--rates R]     # serve the proxy alone, until Ctrl-C

The slips are put in by a proxy in front of any server of OpenAI's protocol; in the days it is the
stand-in behind llama.cpp's. The proxy knows no step: it finds a slip's place from the answer's
schema and the prompt. A slip is *sticky*: it returns until a repair message names what is wrong, so
that asking blindly again is no help. With a template the proxy refuses, as llama.cpp's server does,
what this chat template refuses.
"""

import argparse
import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from jinja2 import TemplateError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from benchmarks.table import machine, print_figures, print_table
from smolville.agents.times import clock
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.rules import Rules
from smolville.history.records import StepView
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.models.standin.mistakes import AskedCall, Mistake, is_healed, make_mistake
from smolville.models.standin.rule import Dice
from smolville.reports.health import health
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun, opened_run
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import Simulation, open_simulation
from tests.fixtures.chat_templates import SYSTEM_ROLE, write_by
from tests.fixtures.completion import answered
from tests.fixtures.loopback import serve
from tests.fixtures.standin_server import hash_of, serve_standin, teaching

WEIGHTS = {
    **{"copied": 20, "missing": 18, "truncation": 12, "wrong_choice": 12, "hour": 8},
    **{"chatter": 8, "fences": 8, "forgotten": 7, "out_of_range": 7},
}
"""The parts of the slips among all; docs/reference/reliability.md says which are measured."""
ENDS = (
    *("mended", "mended otherwise", "repaired", "escalated", "odd"),
    *("clean", "unnoticed", "fallback"),
)
OPTIONS = ("cast", "hours", "seed", "template")
CONTEXT = 4096
BY_NAME = {step.name: step for step in STEPS}


@dataclass
class SlipProxy:
    """The proxy, and what it has put in."""

    upstream: str
    rate: float
    seed: int = 0
    template: str = ""
    """Name of the chat template that the server is said to have; empty for the upstream's."""
    firsts: dict[str, Mistake | None] = field(default_factory=dict)
    """The hash of each question, as it was first asked, to the slip in its answers."""
    made: dict[int, tuple[Mistake | None, str]] = field(default_factory=dict)
    """The seed of each call to its slip and the answer that was meant."""
    refused: int = 0
    """Number of prompts that the chat template refused."""

    def app(self) -> Starlette:
        """Return the application: everything but chats and templates is passed on."""
        return Starlette(routes=[Route("/{path:path}", self.take, methods=["GET", "POST"])])

    async def take(self, request: Request) -> Response:
        """Answer one request."""
        path, raw = request.url.path, await request.body()
        asked = json.loads(raw) if raw else {}
        is_chat = path.endswith("/chat/completions")
        if self.template and (is_chat or path == "/apply-template"):
            try:
                written = write_by(SYSTEM_ROLE[self.template][0], asked["messages"])
            except TemplateError as error:
                self.refused += is_chat
                return JSONResponse({"error": {"code": 500, "message": str(error)}}, 500)
            if not is_chat:
                return JSONResponse({"prompt": written})
        sent = {**asked, "stream": False} if is_chat else asked
        async with httpx.AsyncClient(base_url=self.upstream, timeout=600, trust_env=False) as to:
            came = await to.request(request.method, path, json=sent if raw else None)
        if not is_chat or came.is_error:
            return Response(came.content, came.status_code, media_type=came.headers["content-type"])
        told = came.json()
        choice = told["choices"][0]
        slip = self.slip(asked, choice["message"]["content"])
        if slip is not None:
            choice["message"]["content"] = slip.text
            choice["finish_reason"] = "length" if slip.is_cut else choice["finish_reason"]
        return answered(asked, told)

    def slip(self, asked: Mapping[str, Any], meant: str) -> Mistake | None:
        """Return the slip to put into an answer; None if it has none, or none any more."""
        messages = asked["messages"]
        for end in range(len(messages) - 2, 0, -2):
            first = hash_of(messages[:end])
            if first in self.firsts:
                made = self.firsts[first]
                repairs = [each["content"] for each in messages[end + 1 :: 2]]
                made = None if made is None or is_healed(made, repairs) else made
                break
        else:
            first = hash_of(messages)
            if first not in self.firsts:
                self.firsts[first] = self._new(first, asked, meant)
            made = self.firsts[first]
        self.made[asked.get("seed", 0)] = made, meant
        return made

    def _new(self, first: str, asked: Mapping[str, Any], meant: str) -> Mistake | None:
        try:
            answer = json.loads(meant)
        except ValueError:
            return None
        held = asked.get("response_format", {}).get("json_schema", {}).get("schema", {})
        prompt = "\n".join(each["content"] for each in asked["messages"])
        rates = {kind: self.rate * part / sum(WEIGHTS.values()) for kind, part in WEIGHTS.items()}
        return make_mistake(rates, AskedCall(held, prompt), answer, meant, Dice(self.seed, first))


def live(
    runs: Path,
    rate: float,
    *,
    cast: int = 3,
    hours: int = 24,
    seed: int = 0,
    template: str = "",
) -> tuple[dict[str, Any], Counter[tuple[str, str]], list[str]]:
    """Run a day behind the proxy as a real model would, in a small context and with an example.

    Returns its figures, how often a step with each slip in its first answer ended how, and what was
    taken otherwise than it was meant, or lost.
    """
    with serve_standin(slots=8) as server:
        proxy = SlipProxy(server.url, rate, seed, template)
        with serve(proxy.app()) as url:
            chat, _ = open_chat(f"llamacpp:{url}", settings=ModelSettings(num_ctx=CONTEXT))
            chat = teaching(chat, server)
            rules = Rules(examples=1)
            order = RunRequest(cast=cast, seed=seed, rules=rules)
            folder = create_run(runs, "slips", order, (chat, chat))
            with open_simulation(folder, (chat, chat)) as simulation:
                asyncio.run(_lived(simulation, chat, hours * 3600))
    with opened_run(runs, "slips") as run:
        return _judged(run, proxy)


async def _lived(simulation: Simulation, chat: Chat, seconds: int) -> None:
    await simulation.run(seconds)
    await chat.aclose()


def _judged(
    run: OpenRun, proxy: SlipProxy
) -> tuple[dict[str, Any], Counter[tuple[str, str]], list[str]]:
    ends, told = Counter[tuple[str, str]](), list[str]()
    forgotten: list[tuple[str, dict[str, Any]]] = []
    seen = [view for key in run.reader.use_keys(run.tick) if (view := run.reader.step(key))]
    calls = [attempt.call for view in seen for attempt in view.attempts]
    for view in (each for each in seen if each.attempts):
        slip, meant = proxy.made[view.attempts[0].call.seed]
        if slip is None:
            continue
        record, end = view.record, "odd" if view.record.odd else str(view.record.outcome)
        other = "" if end == "fallback" else _other(view, meant)
        if other:
            told.append(f"{slip.kind}, {record.step}, {end}: {other}")
            end = {"clean": "unnoticed", "mended": "mended otherwise"}.get(end, end)
        if slip.kind == "forgotten" and end == "unnoticed" and record.step == "conclude_talk":
            agreed = json.loads(meant)[slip.field]
            forgotten += [(record.agent, each) for each in agreed if isinstance(each, dict)]
        ends[slip.kind, end] += 1
    total, by_end = health(run.reader).total, Counter[str]()
    for (_, end), count in ends.items():
        by_end[end] += count
    figures: dict[str, Any] = {
        "steps": total.steps,
        "slips": ends.total(),
        **{name: by_end[name] for name in ENDS},
        "fallbacks, all": round(total.outcomes.get("fallback", 0) / max(1, total.steps), 4),
        "failed thoughts": sum(bool(row.failed) for row in run.reader.thoughts()),
        "refused by the template": proxy.refused,
        "longest prompt, tokens": max(call.prompt_tokens or 0 for call in calls),
        "cut or shortened prompts": sum(call.cuts + call.dropped for call in calls),
    }
    minds = {name: mind_of(run.reader, name, run.tick) for name in run.reader.agents()}
    held = {(name, each) for name, mind in minds.items() if mind for each in mind.appointments}
    known = {(name, each.day, each.start) for name, each in held}
    partners = [(each, name) for _, each in held for name in each.partners if name in minds]
    one_sided = {each for each, name in partners if (name, each.day, each.start) not in known}
    lost = [
        f"forgotten by {name}, and known to nobody: {agreed}"
        for name, agreed in forgotten
        if not any(
            name in (who, *each.partners) and agreed.get("time") in (None, clock(each.start))
            for who, each in held
        )
    ]
    told += [*(f"known to one side: {each}" for each in one_sided), *lost]
    figures["agreements: held, one-sided, lost"] = f"{len(held)}, {len(one_sided)}, {len(lost)}"
    return figures, ends, told


def _other(view: StepView, meant: str) -> str:
    step, call = BY_NAME[view.record.step], view.attempts[0].call
    inputs = step.inputs.model_validate_json(call.inputs)
    facts = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    right = step.parser.read(meant, facts).value
    wanted = None if right is None else json.loads(right.model_dump_json())
    accepted = json.loads(view.record.answer)
    return "" if wanted == accepted else f"meant {wanted}, accepted {accepted}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.15, 0.3])
    parser.add_argument("--cast", type=int, default=3)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--template", choices=SYSTEM_ROLE, default="")
    parser.add_argument("--upstream", help="address of a server: serve the proxy in front of it")
    asked = parser.parse_args(arguments)
    if asked.upstream:
        proxy = SlipProxy(asked.upstream, asked.rates[-1], asked.seed, asked.template)
        with serve(proxy.app()) as url, contextlib.suppress(KeyboardInterrupt):
            print(f"{asked.rates[-1]:.0%} slips at {url}", flush=True)
            asyncio.run(asyncio.Event().wait())
        return
    options = {name: getattr(asked, name) for name in OPTIONS}
    days = {}
    for rate in asked.rates:
        with TemporaryDirectory() as runs:
            days[f"{rate:.0%}"] = live(Path(runs), rate, **options)
    of_days = {rate: figures for rate, (figures, *_) in days.items()}
    print_table(
        f"{asked.hours} hours of {asked.cast} agents by rate of slips ({machine()})",
        ("", *days),
        [
            (name, *(each[name] for each in of_days.values()))
            for name in next(iter(of_days.values()))
        ],
    )
    for rate, (_, ends, told) in days.items():
        rows = [(kind, *(ends[kind, end] for end in ENDS)) for kind in WEIGHTS]
        print_table(f"By slip, {rate}", ("slip", *ENDS), rows)
        print("\n".join(told))
    print_figures(of_days)


if __name__ == "__main__":
    main()
