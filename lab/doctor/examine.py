"""Examine the models of this machine: every probe in turn, none of which can stop the others."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from langchain_core.messages import HumanMessage

from lab.doctor.advice import advise
from lab.doctor.bounded import PROBE_PATIENCE, Probes, RetryingChat, bounded, opening
from lab.doctor.context import probe_context
from lab.doctor.embedders import probe_embedder
from lab.doctor.estimate import estimate_days
from lab.doctor.findings import (
    ContextFound,
    EmbedderFound,
    Findings,
    ModelSeen,
    Patient,
    SchemaFound,
    ServerSeen,
    SpeedFound,
    TemplateFound,
    ThinkingFound,
)
from lab.doctor.looking import ODD, look_at_llamacpp, look_at_ollama
from lab.doctor.schema import probe_schema
from lab.doctor.settings_text import settings_text
from lab.doctor.speed import probe_speed
from lab.doctor.template import probe_template
from lab.doctor.thinking import probe_thinking
from lab.doctor.told import tell
from lab.identity import model_of
from models.chat import Chat
from models.errors import TransportError
from models.keys import Named
from models.open import find_model, open_chat
from models.pacing import OnRetry, ask_with_backoff
from models.request import Settings
from models.servers.address import LLAMACPP_URL
from models.servers.ollama import OllamaServer
from models.spec import Spec, parse_spec

Progress = Callable[[str], None]

LOOK_SECONDS = 3.0
"""How long a server that answers with a passing fault is looked at again."""


async def examine(
    spec: str | None,
    env: Mapping[str, str],
    settings: Settings,
    *,
    llamacpp_url: str = LLAMACPP_URL,
    probes: Probes | None = None,
    progress: Progress = lambda doing: None,
    on_retry: OnRetry | None = None,
) -> Findings:
    """Return what was found about the model of a spec, or about the one this machine offers.

    Lost calls are retried, as a run does, and `on_retry` hears of each. Raises SpecError for a spec
    that cannot be read; everything else is a finding.
    """
    asked = parse_spec(spec) if spec is not None else None
    plan = probes or Probes()
    progress("looking for Ollama and llama.cpp's server")
    where = asked.target if asked is not None and asked.kind == "llamacpp" else llamacpp_url
    look = _Look(env, where, min(LOOK_SECONDS, plan.patience))
    servers = look.at_servers()
    found = Findings(asked=spec, usable=False, servers=servers)
    chosen = asked or find_model(env, where).spec
    if chosen.kind == "standin":
        found = replace(found, usable=asked is not None, model=_standin(chosen, asked))
    else:
        opened = _Opened(chosen, env, settings, plan, progress, on_retry or _telling(progress))
        found = await opened.examined(found, look)
    progress("looking for an embedder")
    embedder = await bounded(
        lambda: probe_embedder(found.servers, env),
        plan.embedder,
        lambda why: EmbedderFound(problem=why),
    )
    return _concluded(replace(found, embedder=embedder))


def _standin(chosen: Spec, asked: Spec | None) -> Patient:
    """Return the stand-in, if it was asked for; nobody otherwise."""
    if asked is None:
        return Patient()
    return Patient(spec=str(chosen), name="stand-in", server="the stand-in", is_standin=True)


def _telling(progress: Progress) -> OnRetry:
    """Return what hears of lost calls and tells them as progress."""

    def lost(error: TransportError, seconds: float) -> None:
        progress(f"waiting {seconds:.1f} s to ask again ({str(error).rstrip('.')})")

    return lost


@dataclass(frozen=True)
class _Look:
    """Where servers are looked for, and how patiently."""

    env: Mapping[str, str]
    llamacpp_url: str
    patience: float

    def at_servers(self) -> tuple[ServerSeen, ...]:
        """Return what both servers say of themselves."""
        return (
            look_at_ollama(self.env, self.patience),
            look_at_llamacpp(self.llamacpp_url, self.env, self.patience),
        )


@dataclass(frozen=True)
class _Opened:
    """One model that is opened and examined."""

    spec: Spec
    env: Mapping[str, str]
    settings: Settings
    probes: Probes
    progress: Progress
    on_retry: OnRetry

    async def examined(self, found: Findings, look: _Look) -> Findings:
        """Return the findings with everything about the model."""
        self.progress(f"opening {self.spec}")

        async def once() -> Chat:
            return open_chat(Named(self.spec), settings=self.settings, env=self.env)[0]

        try:
            chat = await ask_with_backoff(
                once, backoff=opening(self.probes.patience), on_retry=self.on_retry
            )
        except ODD as error:
            return replace(found, model=Patient(spec=str(self.spec), problem=str(error)))
        seen = found.server(self.spec.kind)
        if seen is not None and not seen.answers:
            found = replace(found, servers=look.at_servers())
        try:
            return await self._asked(found, chat)
        finally:
            await chat.aclose()

    async def _asked(self, found: Findings, chat: Chat) -> Findings:
        """Return the findings with every probe of an open chat, if it answers a first question."""
        spec, probes = self.spec, self.probes
        server, seen = model_of(found.server(spec.kind), spec)
        self.progress("asking a first question; a model that is not loaded takes a while")
        first = RetryingChat.of(chat, min(probes.patience, 0.8 * probes.first), self.on_retry)
        patient = await bounded(
            lambda: _first(first, spec, server, seen),
            probes.first,
            lambda why: Patient(spec=str(spec), name=chat.name, server=chat.server, problem=why),
        )
        if patient.problem:
            return replace(found, model=patient)
        patient = replace(patient, gpu_share=_gpu_share(spec, self.env))
        later = RetryingChat.of(chat, min(probes.patience, PROBE_PATIENCE), self.on_retry)
        examination = Examination(later, spec, server, seen, probes, self.progress)
        found = await examination.manners(replace(found, usable=True, model=patient))
        if found.schema.is_silent and not patient.wrote:
            silent = replace(patient, problem=_silent(chat))
            return replace(found, usable=False, model=silent)
        return await examination.measures(found)


def _silent(chat: Chat) -> str:
    """Return the sentence about a model whose every reply is empty."""
    return (
        f"{chat.name} on {chat.server} answers, and every reply is empty: it cannot be used. Its "
        "chat template may be missing, or its file broken."
    )


@dataclass(frozen=True)
class Examination:
    """One open chat, and how its probes are run."""

    chat: Chat
    spec: Spec
    server: ServerSeen | None
    seen: ModelSeen | None
    probes: Probes
    progress: Progress

    async def manners(self, found: Findings) -> Findings:
        """Return the findings with how the model takes roles, thinking and schemas."""
        chat, server = self.chat, self.server
        declared = self.seen.thinks if self.seen is not None else None
        self.progress("looking at the chat template")
        template = await bounded(
            lambda: probe_template(chat, server),
            self.probes.template,
            lambda why: TemplateFound(problem=why),
        )
        self.progress("listening for thinking aloud")
        thinking = await bounded(
            lambda: probe_thinking(chat, declared),
            self.probes.thinking,
            lambda why: ThinkingFound(problem=why),
        )
        self.progress("trying a JSON schema")
        schema = await bounded(
            lambda: probe_schema(chat), self.probes.schema, lambda why: SchemaFound(problem=why)
        )
        return replace(found, template=template, thinking=thinking, schema=schema)

    async def measures(self, found: Findings) -> Findings:
        """Return the findings with context, speed, and what a day would take."""
        chat, probes = self.chat, self.probes
        self.progress("sending prompts of known length")
        context = await bounded(
            lambda: probe_context(chat, probes.context, probes.templates),
            probes.context,
            lambda why: ContextFound(num_ctx=chat.num_ctx, problem=why),
        )
        self.progress("measuring speed at 1, 2, 4 and 8 calls at a time")
        speed = await bounded(
            lambda: probe_speed(chat, probes.speed, probes.templates),
            probes.speed,
            lambda why: SpeedFound(problem=why),
        )
        days = estimate_days(context, speed, chat.slots)
        return replace(found, context=context, speed=speed, estimate=days)


async def _first(
    chat: Chat, spec: Spec, server: ServerSeen | None, seen: ModelSeen | None
) -> Patient:
    """Return who is examined, after a first small call."""
    started = time.perf_counter()
    reply = await chat.ask([HumanMessage("Say good morning.")], max_tokens=8)
    return Patient(
        spec=chat.spec,
        name=chat.name,
        server=chat.server,
        version=server.version if server is not None else "",
        parameters=seen.parameters if seen is not None else chat.parameters,
        quantization=seen.quantization if seen is not None else chat.quantization,
        context_length=seen.context_length if seen is not None else None,
        slots=chat.slots,
        first_seconds=round(time.perf_counter() - started, 3),
        wrote=bool(reply.text.strip() or reply.thinking.strip()),
    )


def _gpu_share(spec: Spec, env: Mapping[str, str]) -> float | None:
    """Return which part of an Ollama model lies in a GPU's memory, None where nobody tells."""
    if spec.kind != "ollama":
        return None
    try:
        loaded = OllamaServer.of(env).loaded(spec.target)
    except ODD:
        return None
    return loaded.gpu_share if loaded is not None else None


def _concluded(found: Findings) -> Findings:
    """Return the findings with sentences, advice and a settings file."""
    found = replace(found, settings=settings_text(found), advice=advise(found))
    return replace(found, findings=tell(found))
