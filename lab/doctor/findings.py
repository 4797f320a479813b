"""What the doctor finds out about a model: findings, advice, and settings to copy."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from smolville.lab.doctor.servers import ServerSeen
from smolville.models.embedding.embedder import QUICK
from smolville.models.open import (
    SHORT_OF_MEANING,
    SMALL,
    SUGGESTED,
    is_below,
    warn_if_small,
)
from smolville.models.request import ModelSettings
from smolville.models.servers.address import LLAMACPP_URL

WISHED_CONTEXT = ModelSettings().num_ctx
LEAST_CONTEXT, STEP = 4096, 1024
"""Tokens below which prompts lack room; recommended contexts are multiples of the second number."""
ROOM = 1.5
"""Context size from which an example is shown, as a multiple of the longest prompt's tokens."""
MORE_SLOTS = 4

Mark = Literal["good", "note", "bad", "unknown"]
"""The rating of a finding."""


@dataclass(frozen=True, kw_only=True)
class DoctorFinding:
    """A finding expressed as a sentence."""

    probe: str
    mark: Mark
    text: str


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One piece of advice, with a command to copy if there is one."""

    text: str
    command: str = ""


@dataclass(kw_only=True)
class Findings:
    """All findings on one model; a value is None where its probe could not find it."""

    asked: str | None
    usable: bool = False
    """Whether there is a model that can be used."""
    spec: str = ""
    name: str = ""
    server: str = ""
    parameters: str = ""
    quantization: str = ""
    context_length: int | None = None
    """Context length that the model was trained for, in tokens."""
    slots: int = 1
    """Number of calls that a run would have in flight at the same time."""
    is_standin: bool = False
    problem: str = ""
    """Why the model cannot be used."""
    may_pass: bool = False
    """Whether the problem may go away by itself: the server is busy or still loading."""
    servers: tuple[ServerSeen, ...] = ()
    system_role: bool | None = None
    stops_thinking: bool | None = None
    """Whether a model that thinks aloud stops when it is told to; None if it does not think."""
    schema_holds: bool | None = None
    """Whether a reply fits a schema although the prompt asks for something else: only a server that
    constrains decoding achieves that."""
    schema_sent: bool | None = None
    """Whether a run sends a schema to this model by default."""
    num_ctx: int | None = None
    """Context of one call in tokens, as requested from the server or reported by it."""
    longest_prompt: int | None = None
    """Tokens of the longest prompt that arrived whole."""
    is_cut: bool = False
    """Whether a prompt that should fit was cut or refused."""
    needed: int | None = None
    """Tokens of the program's longest sample prompt together with its reply."""
    speed: dict[int, float] = field(default_factory=dict)
    """Tokens written per second, by the number of calls in flight."""
    seconds_a_call: float | None = None
    """Seconds by which an average call prolongs a run, if its reply needs no repair."""
    embedder: str = ""
    findings: list[DoctorFinding] = field(default_factory=list)
    advice: tuple[Advice, ...] = ()
    settings: str = ""
    """Recommended settings file for this machine, as TOML; empty when no model can be used."""

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return asdict(self)

    def tell(self, probe: str, mark: Mark, text: str) -> None:
        """Add a finding."""
        self.findings.append(DoctorFinding(probe=probe, mark=mark, text=text))

    def answering(self, kind: str) -> ServerSeen | None:
        """Return the server of this kind if it answers."""
        return next((each for each in self.servers if each.kind == kind and each.answers), None)

    @property
    def room(self) -> int | None:
        """Tokens that a prompt with its reply may have."""
        return self.longest_prompt if self.is_cut else self.num_ctx


def advise(found: Findings) -> tuple[Advice, ...]:
    """Return the advice, most important first."""
    if found.usable and not found.is_standin:
        return (*_about_model(found), *_about_embedder(found))
    if found.may_pass:
        words = ["smolville", "doctor", *(["--model", found.asked] if found.asked else [])]
        text = "The server is there and busy, or still loading the model. Look again in a minute:"
        return (Advice(text=text, command=shlex.join(words)),)
    standin = Advice(
        text="To see a town without any model, with the built-in stand-in:",
        command="smolville run --model standin",
    )
    return (*_to_get_a_model(found), *([] if found.is_standin else [standin]))


def _to_get_a_model(found: Findings) -> Iterator[Advice]:
    ollama, spec = found.answering("ollama"), found.spec
    wanted = spec.removeprefix("ollama:").partition("?")[0] if spec.startswith("ollama:") else ""
    if ollama is None:
        yield Advice(
            text="With Ollama: install it, start it, and get a small model. OLLAMA_HOST says where "
            "it listens if that is not the usual port.",
            command=f"ollama serve & ollama pull {SUGGESTED}",
        )
    else:
        chats = [model.name for model in ollama.models if model.chats]
        missing = wanted if wanted and f"{wanted}:latest" not in chats else ""
        if missing not in chats and (missing or not chats):
            text = f"Ollama answers and does not have {missing or 'a chat model'}. Get it:"
            yield Advice(text=text, command=f"ollama pull {missing or SUGGESTED}")
        if others := [name for name in chats if name not in (wanted, f"{wanted}:latest")]:
            yield Advice(
                text=f"Ollama has {len(others)} other chat model(s); to look at the newest:",
                command=f"smolville doctor --model ollama:{others[0]}",
            )
            return
    if found.answering("llamacpp") is None:
        yield Advice(
            text=f"With llama.cpp: start its server on {LLAMACPP_URL} with a chat model as a GGUF "
            f"file, {MORE_SLOTS} slots and {WISHED_CONTEXT} tokens for each:",
            command=_llama_server(MORE_SLOTS),
        )


def _about_model(found: Findings) -> Iterator[Advice]:
    if warning := warn_if_small(found.parameters):
        yield Advice(text=f"{warning[:1].upper()}{warning[1:]}.")
    room, wanted = found.room, max(LEAST_CONTEXT, found.needed or 0)
    if room is not None and room < wanted:
        commands = {
            "ollama": f"smolville run --model ollama:{found.name}?num_ctx={WISHED_CONTEXT}",
            "llamacpp": _llama_server(max(1, found.slots)),
        }
        yield Advice(
            text=f"Prompts of {room} tokens get through, some need {wanted}: memories will be left "
            "out. Give the model a larger context, which takes memory, or take another one.",
            command=commands.get(found.spec.partition(":")[0], ""),
        )
    if found.schema_holds is False and found.spec.startswith(("ollama:", "llamacpp:")):
        yield Advice(
            text="The server takes a JSON schema and does not hold the model to it. A current "
            "version of Ollama or llama.cpp does (for llama-server: with --jinja)."
        )
    if found.stops_thinking is False:
        yield Advice(
            text="The model thinks aloud even when it is told not to: each call costs more. Use "
            "one that obeys, or give it room with thinking_tokens."
        )


def _about_embedder(found: Findings) -> Iterator[Advice]:
    if found.embedder in QUICK:
        yield Advice(
            text="Memories are compared by what is built in. An embedding model reads whole "
            "sentences; on llama.cpp it is a second server, `llama-server --embeddings`:",
            command="ollama pull nomic-embed-text",
        )
    trial = f"smolville doctor --try --model {found.spec}"
    yield Advice(text="Then, to see how it answers:", command=trial)


def _llama_server(slots: int) -> str:
    return f"llama-server -m MODEL.gguf -c {slots * WISHED_CONTEXT} -np {slots} --jinja"


def recommend_profile(found: Findings) -> list[str]:
    """Return the lines of the examined model's profile, each with its reason; empty if none."""
    if not found.usable or found.is_standin:
        return []
    size, few = found.parameters, (found.room or 0) < ROOM * (found.needed or 0)
    examples, why = 1, "one example with each question shows the form of an answer"
    if is_below(size, SMALL):
        examples, why = 0, f"a model of {size} parameters copies what is shown"
    elif found.room is not None and few:
        examples, why = 0, f"{found.room} tokens of context are too few for prompts with an example"
    constrain = "none" if found.schema_holds is False else "auto"
    if found.schema_holds and found.schema_sent is False:
        constrain = "schema"
    held = {
        True: "the server holds the model to a schema",
        False: "the server does not hold the model to a schema; the reader copes",
        None: "whether the server holds the model to a schema could not be determined",
    }[found.schema_holds]
    is_short = is_below(size, SHORT_OF_MEANING)
    rarely = f"more repairs rarely help a model of {size} parameters"
    return [
        f"[profiles.{json.dumps(found.spec, ensure_ascii=False)}]",
        *(f"# {why}", f"examples = {examples}"),
        *(f"# {held}", f'constrain = "{constrain}"'),
        f"# {rarely if is_short else 'a wrong answer goes back with what is wrong with it'}",
        f"repairs = {1 if is_short else 3}",
    ]


def settings_text(found: Findings) -> str:
    """Return a `smolville.toml` for the findings; empty when no model can be used.

    The stand-in counts as a model only if it was requested: a model that failed may soon work
    again.
    """
    if not found.usable:
        return ""
    size = ", ".join(filter(None, (found.parameters, found.quantization)))
    lines = [
        "# Written by `smolville doctor`. A flag or a SMOLVILLE_* variable comes before this file.",
        f"# {found.name}{f' ({size})' if size else ''} on {found.server}",
        f"model = {json.dumps(found.spec, ensure_ascii=False)}",
        *([f"embedder = {json.dumps(found.embedder)}"] if found.embedder else []),
    ]
    if not found.is_standin:
        if found.spec.startswith("ollama:"):
            context = min(WISHED_CONTEXT, found.context_length or WISHED_CONTEXT)
            if found.is_cut and found.longest_prompt is not None:
                context = max(STEP, min(WISHED_CONTEXT, found.longest_prompt // STEP * STEP))
            lines += ["# asked of Ollama with every call", f"num_ctx = {context}"]
        if found.system_role is False:
            lines += ["# the chat template has no system role", 'template_style = "merged"']
        lines += ["# thinking aloud costs time, and rarely helps here", "thinking = false", ""]
    return "\n".join([*lines, *recommend_profile(found), ""])
