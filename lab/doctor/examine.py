"""The examination of this machine's models: runs the probes in turn, each isolated from failures.

A failing probe does not stop the others. All probes together have a time limit
(`ProbeLimits.seconds`); whatever was not examined by then is reported.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from langchain_core.messages import HumanMessage

from smolville.lab.doctor.advice import advise
from smolville.lab.doctor.bounded import (
    PROBE_PATIENCE,
    ProbeFailure,
    ProbeLimits,
    RetryingChat,
    TimeLeft,
    opening,
    run_bounded,
    run_in_thread,
    try_probe,
)
from smolville.lab.doctor.context import probe_context
from smolville.lab.doctor.estimate import by_the_way, estimate_days
from smolville.lab.doctor.findings import (
    ContextFound,
    EmbedderFound,
    ExaminedModel,
    Findings,
    ModelSeen,
    SchemaFound,
    ServerSeen,
    SpeedFound,
    TemplateFound,
    ThinkingFound,
)
from smolville.lab.doctor.findings_text import format_findings
from smolville.lab.doctor.measured import PlansMeasured
from smolville.lab.doctor.probes import probe_embedder, probe_schema, probe_template, probe_thinking
from smolville.lab.doctor.servers import ServerSearch, model_of
from smolville.lab.doctor.settings_text import settings_text
from smolville.lab.doctor.speed import probe_speed
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.pacing import OnRetry, ask_with_backoff
from smolville.models.request import ModelSettings
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.servers.ollama import OllamaLoaded, OllamaServer
from smolville.models.spec import Spec, parse_spec

Progress = Callable[[str], None]


async def examine(
    spec: str | None,
    env: Mapping[str, str],
    settings: ModelSettings,
    *,
    llamacpp_url: str = LLAMACPP_URL,
    probes: ProbeLimits | None = None,
    progress: Progress = lambda doing: None,
    on_retry: OnRetry | None = None,
) -> Findings:
    """Return the findings about the model that `spec` names.

    If `spec` is None, the model is the one that this machine offers.

    Lost calls are retried, as in a run, and reported to `on_retry`. Raises SpecError for a spec
    that cannot be parsed; everything else is a finding.
    """
    asked = parse_spec(spec) if spec is not None else None
    if asked is not None and asked.host:
        env = {**env, "OLLAMA_HOST": asked.host}
    time_left = TimeLeft(probes or ProbeLimits())
    progress("looking for Ollama and llama.cpp's server")
    where = asked.target if asked is not None and asked.kind == "llamacpp" else llamacpp_url
    look = ServerSearch(env, where, time_left)
    servers = await look.at_servers()
    found = Findings(asked=spec, usable=False, servers=servers)
    chosen = asked or await look.for_a_model()
    if chosen.kind == "standin":
        found = replace(found, usable=asked is not None, model=_standin(chosen, asked))
    else:
        opened = _Opened(
            chosen, env, settings, time_left, progress, on_retry or _make_retry_callback(progress)
        )
        found = await opened.examine_model(found, look)
    # An embedder's spec has no host, so one beside a model elsewhere could not be found again.
    of_embedders = [each for each in found.servers if not chosen.host or each.kind != "ollama"]
    progress("looking for an embedder")
    embedder = await run_bounded(
        lambda: probe_embedder(of_embedders, env, time_left.of("embedder")),
        time_left.of("embedder"),
        lambda why: EmbedderFound(problem=why),
    )
    return _add_conclusions(replace(found, embedder=embedder))


def _standin(chosen: Spec, asked: Spec | None) -> ExaminedModel:
    """Return the stand-in if it was requested, otherwise an empty `ExaminedModel`."""
    if asked is None:
        return ExaminedModel()
    return ExaminedModel(spec=str(chosen), name="stand-in", server="the stand-in", is_standin=True)


def _make_retry_callback(progress: Progress) -> OnRetry:
    """Return a retry callback that reports lost calls as progress."""

    def report_lost_call(error: TransportError, seconds: float) -> None:
        progress(f"waiting {seconds:.1f} s to ask again ({str(error).rstrip('.')})")

    return report_lost_call


@dataclass(frozen=True)
class _Opened:
    """A model under examination: opens it and runs all probes."""

    spec: Spec
    env: Mapping[str, str]
    settings: ModelSettings
    time_left: TimeLeft
    progress: Progress
    on_retry: OnRetry

    async def examine_model(self, found: Findings, look: ServerSearch) -> Findings:
        """Open the model and return the findings with everything about it."""
        self.progress(f"opening {self.spec}")

        chat = await try_probe(self._open, self.time_left.of("opening"))
        if isinstance(chat, ProbeFailure):
            asked = ExaminedModel(spec=str(self.spec))
            return replace(found, model=_failed(asked, chat, f"{self.spec} was not opened"))
        seen = found.server(self.spec.kind)
        if seen is not None and not seen.answers:
            found = replace(found, servers=await look.at_servers())
        try:
            return await self._run_probes(found, chat)
        finally:
            await chat.aclose()

    async def _open(self) -> Chat:
        """Open the chat, retrying while the server is still loading."""

        def once() -> Chat:
            return open_chat(UserSpec(self.spec), settings=self.settings, env=self.env)[0]

        patience = opening(self.time_left.probes.patience)
        return await ask_with_backoff(
            lambda: run_in_thread(once), backoff=patience, on_retry=self.on_retry
        )

    async def _run_probes(self, found: Findings, chat: Chat) -> Findings:
        """Return the findings with the results of all probes.

        The probes run only if the model answers a first question.
        """
        spec, patience = self.spec, self.time_left.probes.patience
        server, seen = model_of(found.server(spec.kind), spec)
        self.progress("asking a first question; a model that is not loaded takes a while")
        seconds = self.time_left.of("first")
        first = RetryingChat.of(chat, min(patience, 0.8 * seconds), self.on_retry)
        patient = await try_probe(lambda: _first(first, spec, server, seen), seconds)
        if isinstance(patient, ProbeFailure):
            asked = ExaminedModel(spec=str(spec), name=chat.name, server=chat.server)
            late = f"{chat.name} on {chat.server} did not answer a first question"
            return replace(found, model=_failed(asked, patient, late))
        patient = replace(patient, gpu_share=await self._gpu_share())
        later = RetryingChat.of(chat, min(patience, PROBE_PATIENCE), self.on_retry)
        examination = Examination(later, server, seen, self.time_left, self.progress)
        found = await examination.manners(replace(found, usable=True, model=patient))
        if found.schema.is_silent and not patient.wrote:
            silent = replace(patient, problem=_silent(chat))
            return replace(found, usable=False, model=silent)
        return await examination.measures(found)

    async def _gpu_share(self) -> float | None:
        """Return the share of an Ollama model that is in GPU memory, or None when it is unknown."""
        if self.spec.kind != "ollama":
            return None
        server = OllamaServer.of(self.env)
        loaded = await try_probe(
            lambda: run_in_thread(lambda: server.read_loaded_model(self.spec.target)),
            self.time_left.of("servers"),
        )
        return loaded.gpu_share if isinstance(loaded, OllamaLoaded) else None


def _failed(patient: ExaminedModel, trouble: ProbeFailure, late: str) -> ExaminedModel:
    """Return the model with the reason why it cannot be examined.

    `late` says what took too long.
    """
    why = f"{late} in the time that the doctor takes." if trouble.is_late else trouble.why
    return replace(patient, problem=why, may_pass=trouble.may_pass)


def _silent(chat: Chat) -> str:
    """Return the message about a model whose replies are all empty."""
    return (
        f"{chat.name} on {chat.server} answers, and every reply is empty: it cannot be used. Its "
        "chat template may be missing, or its file broken."
    )


@dataclass(frozen=True)
class Examination:
    """Runs the probes of one open chat."""

    chat: RetryingChat
    server: ServerSeen | None
    seen: ModelSeen | None
    time_left: TimeLeft
    progress: Progress

    async def manners(self, found: Findings) -> Findings:
        """Return the findings, completed with how the model handles roles, thinking and schemas."""
        chat, server = self.chat, self.server
        declared = self.seen.thinks if self.seen is not None else None
        self.progress("looking at the chat template")
        template = await run_bounded(
            lambda: probe_template(chat, server),
            self.time_left.of("template"),
            lambda why: TemplateFound(problem=why),
        )
        self.progress("listening for thinking aloud")
        thinking = await run_bounded(
            lambda: probe_thinking(chat, declared),
            self.time_left.of("thinking"),
            lambda why: ThinkingFound(problem=why),
        )
        self.progress("trying a JSON schema")
        seconds = self.time_left.of("schema")
        schema = await run_bounded(
            lambda: probe_schema(chat, seconds), seconds, lambda why: SchemaFound(problem=why)
        )
        return replace(found, template=template, thinking=thinking, schema=schema)

    async def measures(self, found: Findings) -> Findings:
        """Return the findings with context, speed, and estimates for a town day."""
        chat, templates = self.chat, self.time_left.probes.templates
        self.progress("sending prompts of known length")
        seconds = self.time_left.of("context")
        context = await run_bounded(
            lambda: probe_context(chat, seconds, templates),
            seconds,
            lambda why: ContextFound(num_ctx=chat.num_ctx, problem=why),
        )
        self.progress("measuring speed at 1, 2, 4 and 8 calls at a time")
        seconds = self.time_left.of("speed")
        speed = await run_bounded(
            lambda: probe_speed(chat, seconds, templates),
            seconds,
            lambda why: SpeedFound(problem=why),
        )
        context, speed = by_the_way(chat.replies, context, speed)
        days = estimate_days(context, speed, chat.slots)
        return replace(found, context=context, speed=speed, estimate=days)


async def _first(
    chat: Chat, spec: Spec, server: ServerSeen | None, seen: ModelSeen | None
) -> ExaminedModel:
    """Return the examined model's details, and how long a first small call took."""
    started = time.perf_counter()
    reply = await chat.ask([HumanMessage("Say good morning.")], max_tokens=8)
    return ExaminedModel(
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


def with_measured(found: Findings, measured: PlansMeasured) -> Findings:
    """Return the findings with a measurement, and the settings that follow from it."""
    return _add_conclusions(replace(found, measured=measured))


def _add_conclusions(found: Findings) -> Findings:
    """Return the findings completed with sentences, advice and a settings file."""
    found = replace(found, settings=settings_text(found), advice=advise(found))
    return replace(found, findings=format_findings(found))
