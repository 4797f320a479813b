"""The doctor's examination of a model: probes in turn, each isolated from failures.

All probes together have a time limit (`ProbeLimits.seconds`); one that fails, or that is not
reached in time, says so in a sentence and does not stop the others.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.lab.doctor.findings import PROBES, Findings, Mark, advise, profile_of, settings_text
from smolville.lab.doctor.servers import look_at_llamacpp, look_at_ollama
from smolville.lab.duration import calls_of_day, format_estimate
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import QUICK, find_embedder
from smolville.models.errors import (
    ModelError,
    PromptCut,
    is_passing,
)
from smolville.models.keys import UserSpec
from smolville.models.open import (
    SHORT_OF_MEANING,
    SUGGESTED,
    find_model,
    is_below,
    open_chat,
)
from smolville.models.pacing import Backoff, OnRetry, ask_with_backoff
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.servers.transport import short
from smolville.models.spec import Spec, parse_spec
from smolville.models.tokens import estimate_prompt, estimate_tokens
from smolville.prompts.prompt import TemplateSet, shipped_templates

T = TypeVar("T")
Progress = Callable[[str], None]
Probe = Callable[[], Awaitable[None]]

TROUBLE = (ModelError, TimeoutError, ValueError, TypeError, KeyError, AttributeError)
"""Exceptions that a call may raise: our own errors, a probe's time-out, and what clients raise when
a server sends an unexpected answer."""
REFUSED_SECONDS = 3.0
"""Seconds to wait for a server when nothing listens at its address."""
LEAST = 0.5
"""Seconds of which a probe needs at least so many; with less it is not started."""
TITLES = {"ollama": "Ollama", "llamacpp": "llama.cpp's server"}
LISTED = 12
"""Maximum number of a server's models that are listed."""
POEM = "Write two lines of a poem about the sea. Do not write JSON."
ERRAND = (
    'Write one JSON object and nothing else. It has these fields: "place" (one of "bakery", '
    '"library", "park"), "minutes" (a whole number from 5 to 60), "alone" (true or false). '
    "Rosa goes to buy bread with her sister. It takes her a quarter of an hour."
)
ERRAND_TOKENS, THINKING_TOKENS, FEW_TOKENS = 80, 64, 8
SENTENCE = "Rosa walks to the park and Milo waits at the gate. "
FEW, MORE = 4, 24
"""Numbers of repetitions in the two short prompts whose tokens the server counts first."""
NEAR, SHORT = 0.94, 0.9
"""Length of the longest prompt tried, as a share of the context; a prompt counts as cut when the
server read less than the second share of its tokens."""
TRIES, UNKNOWN_CONTEXT = 3, 8192
EMPTY = 2
"""Number of empty replies up to which a model may still be usable, if there are no others."""
AT_ONCE = (1, 2, 4, 8)
"""Numbers of concurrent calls of which the speed is measured."""
SPEED_STEP, SPEED_TOKENS = "say", 72
"""The step that a town calls most often, and the tokens of an average reply."""


class Errand(BaseModel):
    """A test answer that has what steps' answers have: required fields, an enum and a range."""

    model_config = ConfigDict(extra="forbid", strict=True)

    place: Literal["bakery", "library", "park"]
    minutes: int = Field(ge=5, le=60)
    alone: bool


@dataclass(frozen=True, kw_only=True)
class ProbeLimits:
    """Time limits in seconds, and the templates that the probes use."""

    patience: float = Backoff.patience_seconds
    """How long a lost call is retried."""
    seconds: float = 85.0
    """Time limit of all probes together, so that the doctor finishes within 90 seconds."""
    share: float = 0.5
    """Share of the time left that one probe may take; opening the model may take all of it."""
    templates: TemplateSet = field(default_factory=shipped_templates, repr=False)


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
    """Return the findings about the model that `spec` names, by default the one of this machine.

    Lost calls are retried, as in a run, and reported to `on_retry`. Raises SpecError for a spec
    that cannot be parsed; everything else is a finding.
    """
    asked = parse_spec(spec) if spec is not None else None
    if asked is not None and asked.host:
        env = {**env, "OLLAMA_HOST": asked.host}
    where = asked.target if asked is not None and asked.kind == "llamacpp" else llamacpp_url
    found = Findings(asked=spec)
    doctor = _Examination(found, env, settings, probes or ProbeLimits(), progress, on_retry)
    await doctor.look_at_servers(where)
    chosen = asked or (await in_thread(lambda: find_model(env, where))).spec
    if chosen.kind != "standin":
        await doctor.examine_model(chosen)
    elif asked is not None:
        found.usable = found.is_standin = True
        found.spec, found.name, found.server = str(chosen), "stand-in", "the stand-in"
        text = "The stand-in is no model: it answers by rules, at once, and needs no looking after."
        found.tell("model", "note", text)
    else:
        answers = any(each.answers for each in found.servers)
        text = "A server answers, and has no chat model." if answers else ""
        found.may_pass = any(each.may_pass for each in found.servers)
        found.tell("model", "bad", text or "No chat model answers on this machine.")
    # An embedder's spec has no host, so one beside a model elsewhere could not be found again.
    await doctor.bounded("memories", lambda: doctor.find_embedder(is_far=bool(chosen.host)))
    for name in ("examples", "repairs"):
        if setting := profile_of(found).get(name):
            found.tell(name, "note", f"{setting.value}: {setting.why}.")
    found.findings.sort(key=lambda each: PROBES.index(each.probe))
    found.settings, found.advice = settings_text(found), advise(found)
    return found


@dataclass
class _Examination:
    """The probes of one model; each adds to the findings."""

    found: Findings
    env: Mapping[str, str]
    settings: ModelSettings
    limits: ProbeLimits
    progress: Progress
    on_retry: OnRetry | None
    began: float = field(default_factory=time.monotonic)
    written: list[bool] = field(default_factory=list)
    """Whether each reply so far had any text or thinking."""
    number: int = field(default_factory=lambda: time.time_ns() // 1000 % 800_000 + 100_000)
    """A number at the beginning of a prompt, so that no part of it comes from a prefix cache."""

    @property
    def left(self) -> float:
        """Seconds left until the whole examination must be over."""
        return max(0.0, self.limits.seconds - (time.monotonic() - self.began))

    async def bounded(self, probe: str, work: Probe) -> None:
        """Run a probe; if it fails or takes too long, that is its finding."""
        seconds = self.left * self.limits.share
        try:
            if seconds < LEAST:
                raise TimeoutError
            async with asyncio.timeout(seconds):
                await work()
        except TimeoutError:
            why = f"not finished within {seconds:.0f} seconds"
            why = "there was no time left for it" if seconds < LEAST else why
            self.found.tell(probe, "unknown", f"{self._known(probe)}not found out: {why}.")
        except TROUBLE as error:
            self.found.tell(probe, "unknown", f"{self._known(probe)}not found out: {short(error)}")

    def _known(self, probe: str) -> str:
        """Return what is known of the context without the probe, else nothing."""
        if probe != "context" or not self.found.num_ctx:
            return ""
        return f"{self._context_in_words()}; whether all of it arrives was "

    def _context_in_words(self) -> str:
        """Return the context of a call, and what the longest question needs."""
        found = self.found
        needed = f"; the longest question with its reply needs about {found.needed}"
        return f"{found.num_ctx or 'unknown'} tokens a call{needed if found.needed else ''}"

    async def look_at_servers(self, llamacpp_url: str) -> None:
        """Look for Ollama and for llama.cpp's server."""
        self.progress("looking for Ollama and llama.cpp's server")
        looked = (
            lambda: look_at_ollama(self.env),
            lambda: look_at_llamacpp(llamacpp_url, self.env),
        )
        self.found.servers = tuple(await asyncio.gather(*map(in_thread, looked)))

    async def examine_model(self, spec: Spec) -> None:
        """Open the model and run all probes; without a first answer it cannot be used."""
        found, chat = self.found, None
        found.spec = str(spec)
        self.progress(f"opening {spec}")
        try:
            async with asyncio.timeout(self.left):
                chat = await self._retried(lambda: in_thread(lambda: self._open(spec)))
                self.progress("asking a first question; a model that is not loaded takes a while")
                await self._first(chat, spec)
        except TimeoutError:
            about = f"{spec} was not opened" if chat is None else f"{found.name} did not answer"
            found.problem = f"{about} in the time that the doctor takes."
            found.may_pass = True
        except TROUBLE as error:
            found.problem, found.may_pass = short(error), is_passing(error)
        try:
            if chat is None or found.problem:
                self._tell_servers()
                found.tell("model", "bad", found.problem)
            else:
                self.chat = chat
                await self._run_probes()
        finally:
            if chat is not None:
                await chat.aclose()

    def _open(self, spec: Spec) -> Chat:
        return open_chat(UserSpec(spec), settings=self.settings, env=self.env)[0]

    async def _first(self, chat: Chat, spec: Spec) -> None:
        """Ask a small question, and note what is known of the model.

        The server may have become reachable only now.
        """
        found = self.found
        found.slots, found.schema_sent = chat.slots, chat.constrains
        for name in ("spec", "name", "server", "parameters", "quantization", "context_length"):
            setattr(found, name, getattr(chat, name))
        found.num_ctx = chat.num_ctx
        await self._ask([HumanMessage("Say good morning.")], chat, max_tokens=FEW_TOKENS)
        if spec.kind in TITLES and found.answering(spec.kind) is None:
            await self.look_at_servers(spec.target if spec.kind == "llamacpp" else LLAMACPP_URL)

    async def _run_probes(self) -> None:
        found, wrote = self.found, self.written[0]
        found.usable = True
        size = ", ".join(filter(None, (found.parameters, found.quantization)))
        server = found.server.removesuffix(f" with {found.name}")
        text = f"{found.name}{f' ({size})' if size else ''} on {server}"
        if is_small := is_below(found.parameters, SHORT_OF_MEANING):
            text += ": too small to speak for itself; take an instruct model of 3 to 8 billion "
            text += f"parameters, such as {SUGGESTED}"
        mark: Mark = "bad" if is_small else "good" if wrote else "unknown"
        if not wrote:
            text += "; its first reply was empty"
        found.tell("model", mark, f"{text}.")
        found.system_role = self.chat.system_role
        if not found.system_role:
            found.tell("template", "note", "no system role: the rules go into the first question.")
        self.progress("listening for thinking aloud")
        await self.bounded("thinking", self._probe_thinking)
        self.progress("trying a JSON schema")
        await self.bounded("schema", self._probe_schema)
        self.progress("measuring speed at 1, 2, 4 and 8 calls at a time")
        await self.bounded("speed", self._probe_speed)
        self.progress("sending prompts of known length")
        await self.bounded("context", self._probe_context)
        if len(self.written) > EMPTY and not any(self.written):
            found.usable, found.problem = False, "Every reply was empty: take another model."
            found.tell("model", "bad", found.problem)

    async def _probe_thinking(self) -> None:
        found, quiet = self.found, cast("Any", self.chat.dialect)
        if hasattr(quiet, "settings"):
            quiet = replace(quiet, settings=replace(quiet.settings, thinking=False))
        asked = [HumanMessage("Which is larger, 9 or 11? Answer with one word.")]
        reply = await self._ask(
            asked, replace(self.chat, dialect=quiet), max_tokens=THINKING_TOKENS
        )
        if reply.thinking.strip() or "<think" in reply.text:
            found.stops_thinking = False
            text = "thinks aloud even when it is told not to: each call costs more. Take one that "
            found.tell("thinking", "bad", text + "obeys, or give it room with thinking_tokens.")
            return
        found.stops_thinking = True if self.chat.thinks else None
        text = "off: it can think aloud, and stops when told to."
        found.tell("thinking", "good", text if found.stops_thinking else "it does not think aloud.")

    async def _probe_schema(self) -> None:
        """Note whether the server holds a reply to a schema, and whether the model can write it.

        A schema is sent even if a run with this chat would not send one.
        """
        found, held = self.found, replace(self.chat, constrains=True)
        how: dict[str, Any] = {"schema": Errand.model_json_schema(), "max_tokens": ERRAND_TOKENS}
        found.schema_holds = against = _fits(await self._ask([HumanMessage(POEM)], held, **how))
        reply = await self._ask([HumanMessage(ERRAND)], held, **how)
        wanted = _fits(reply)
        if against:
            found.tell("schema", "good", "replies are held to a JSON schema.")
        elif against is None:
            text = "a reply under a JSON schema did not end within its allowance."
            found.tell("schema", "unknown", text)
        else:
            writes = "writes" if wanted else "does not write"
            text = "not honoured: asked for a poem, it wrote no JSON of that shape. "
            text += f"Asked for JSON, the model {writes} it by itself."
            if found.spec.startswith(("ollama:", "llamacpp:")):
                text += " A current Ollama or llama-server with --jinja holds it to one."
            found.tell("schema", "bad", text)
        if against is False and wanted is False:
            shown = " ".join(reply.text.split())[:120]
            found.tell(
                "answers",
                "bad",
                f"None of its replies is the JSON that it was asked for, such as {shown!r}. In a "
                "town most of its steps would end in their fallbacks: take another model.",
            )

    async def _probe_speed(self) -> None:
        """Measure the speed at several numbers of concurrent calls, as far as the time allows."""
        found, until = self.found, self.left * (1 - self.limits.share)
        step = next(each for each in STEPS if each.name == SPEED_STEP)
        prompt = await self.limits.templates.prompt(step).ainvoke(SAMPLES[SPEED_STEP])
        stopped, last = "", 0.0
        for count in AT_ONCE:
            if 2 * last > self.left - until:
                stopped = f" ({count} would take too long to try)"
                break
            started = time.perf_counter()
            written = await asyncio.gather(*(self._write(prompt, at) for at in range(count)))
            last = time.perf_counter() - started
            found.speed[count] = round(sum(written) / last, 1)
            if count <= max(1, found.slots):
                found.seconds_a_call = min(found.seconds_a_call or last, round(last / count, 4))
        rates = ", ".join(f"{rate:g} at {count}" for count, rate in found.speed.items())
        few, many = map(self._day, (3, 25))
        found.tell(
            "speed",
            "good",
            f"tokens a second by calls at a time: {rates}{stopped}; a run sends {found.slots}. "
            f"Without repairs a day of 3 people takes {few}, of 25 people {many}.",
        )

    def _day(self, people: int) -> str:
        seconds = calls_of_day(people) * (self.found.seconds_a_call or 0)
        return format_estimate(seconds)

    async def _write(self, prompt: list[BaseMessage], at: int) -> int:
        """Ask an average question, not from the cache; return the number of its reply's tokens."""
        asked = self._numbered(prompt)
        reply = await self._ask(asked, seed=at, temperature=0.7, max_tokens=SPEED_TOKENS)
        return reply.completion_tokens or estimate_tokens(reply.text)

    def _numbered(self, prompt: list[BaseMessage]) -> list[BaseMessage]:
        self.number += 1
        first, *rest = prompt
        return [first.model_copy(update={"content": f"Note {self.number}. {first.content}"}), *rest]

    async def _probe_context(self) -> None:
        """Find the longest prompt that arrives whole, by the server's own token counts.

        Two short prompts that repeat a sentence show how many tokens one repetition takes. From
        then on a prompt's length is known before it is sent, and the tokens that the server reports
        as read show whether all of it arrived.
        """
        found = self.found
        found.needed = await longest_sample(self.limits.templates)
        few, more = await self._count(FEW), await self._count(MORE)
        if few is None or more is None or more <= few:
            text = "not found out: the server does not count prompts' tokens."
            found.tell("context", "unknown", self._known("context") + text)
            return
        a_sentence = (more - few) / (MORE - FEW)
        around = few - a_sentence * FEW
        context = found.num_ctx or UNKNOWN_CONTEXT
        size, bad = int(context * NEAR) - FEW_TOKENS, ""
        for _ in range(TRIES):
            repeated = max(1, int((size - around) / a_sentence))
            sent, how = round(around + a_sentence * repeated), "cut without a word"
            try:
                counted = await self._count(repeated)
                if counted is None or counted >= sent * SHORT:
                    found.longest_prompt = sent
                    break
            except PromptCut as error:
                counted = None if self.chat.cuts_in_silence else error.available
                how = how if self.chat.cuts_in_silence else "refused"
            bad = bad or f"a prompt of {sent} was {how}{f' ({counted} read)' if counted else ''}"
            found.is_cut = True
            size = min(int(counted * NEAR), int(size * SHORT)) if counted else size // 2
        longest = found.longest_prompt or 0
        text = f"{self._context_in_words()}; one of {longest} came through whole."
        if bad:
            text = f"{self._context_in_words()}; {bad}; the longest that came through whole had "
            text += f"{longest}."
        if short := found.wanting:
            text += f" {short} are needed, or memories are left out."
        found.tell("context", "bad" if bad or short else "good", text)

    async def _count(self, repeated: int) -> int | None:
        text = f"{SENTENCE * repeated}Answer with one word: yes."
        asked = self._numbered([HumanMessage(text)])
        return (await self._ask(asked, max_tokens=FEW_TOKENS)).prompt_tokens

    async def find_embedder(self, *, is_far: bool) -> None:
        """Find an embedder: on Ollama, or built in."""
        self.progress("looking for an embedder")
        specs = [] if is_far else ["ollama:any"]
        opened, _ = await in_thread(lambda: find_embedder(specs, self.env))
        self.found.embedder = opened.name
        text = f"compared by {opened.name}."
        if opened.name in QUICK:
            text = f"compared by {opened.name}, built in; whole sentences need a model for it (on "
            text += "Ollama: ollama pull nomic-embed-text)."
        self.found.tell("memories", "note" if opened.name == "words" else "good", text)

    def _tell_servers(self) -> None:
        for seen in self.found.servers:
            title = f"{TITLES[seen.kind]} at {seen.url}"
            if not seen.answers:
                text = seen.problem if seen.url in seen.problem else f"{title}: {seen.problem}"
                self.found.tell("servers", "bad", text)
                continue
            chats, embeds = (
                [f"{m.name} ({size})" if (size := m.parameters) else m.name for m in models]
                for models in (
                    [each for each in seen.models if each.chats],
                    [each for each in seen.models if each.embeds],
                )
            )
            more = f" and {len(chats) - LISTED} more" if len(chats) > LISTED else ""
            chatting = f"chat: {', '.join(chats[:LISTED])}{more}" if chats else "no chat model"
            embedding = f"; embed: {', '.join(embeds)}" if embeds else ""
            slots = f"; {seen.slots} slots of {seen.num_ctx} tokens" if seen.slots else ""
            self.found.tell("servers", "good", f"{title} answers; {chatting}{embedding}{slots}.")

    async def _ask(
        self, messages: Sequence[BaseMessage], chat: Chat | None = None, **how: Any
    ) -> Reply:
        asked = chat or self.chat
        reply = await self._retried(lambda: asked.ask(list(messages), **how))
        self.written.append(bool(reply.text.strip() or reply.thinking.strip()))
        return reply

    async def _retried(self, ask: Callable[[], Awaitable[T]]) -> T:
        backoff = Backoff(
            patience_seconds=min(self.limits.patience, self.left), refused_seconds=REFUSED_SECONDS
        )
        return await ask_with_backoff(ask, backoff=backoff, on_retry=self.on_retry)


async def longest_sample(templates: TemplateSet) -> int:
    """Return the tokens of the program's longest sample prompt together with its reply."""
    longest = 0
    for step in STEPS:
        for samples in (SAMPLES, OTHER_SAMPLES):
            messages = await templates.prompt(step).ainvoke(samples[step.name])
            longest = max(longest, estimate_prompt(messages) + step.max_tokens)
    return longest


async def in_thread(work: Callable[[], T]) -> T:
    """Return the result of blocking work that runs in a thread of its own.

    When the caller is cancelled, nothing waits for that thread, not even the exit of the process.
    """
    done: Future[T] = Future()

    def run() -> None:
        with suppress(InvalidStateError):  # The caller was cancelled.
            try:
                done.set_result(work())
            except Exception as error:  # noqa: BLE001 - handed over to the caller
                done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)


def _fits(reply: Reply) -> bool | None:
    """Return whether a reply is a valid Errand; None when it was cut off at the token limit."""
    text = reply.text.strip()
    try:
        Errand.model_validate_json(text)
    except ValidationError:
        return None if reply.is_cut and text.startswith("{") else False
    return True
