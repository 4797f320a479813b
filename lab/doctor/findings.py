"""What the doctor finds out about a model: findings, advice, and settings to copy."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from smolville.lab.doctor.servers import ServerSeen
from smolville.models.open import (
    SHORT_OF_MEANING,
    SMALL,
    SUGGESTED,
    is_below,
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
PROBES = (
    *("servers", "model", "template", "context", "schema", "answers", "thinking", "speed"),
    *("repairs", "examples", "memories"),
)
"""What findings are about, in the order in which they are shown."""
MOST_ADVICE = 2
"""Maximum number of things to try next with a model that can be used."""


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

    @property
    def wanting(self) -> int:
        """Tokens that a call needs if it has less room than that; otherwise 0."""
        wanted = max(LEAST_CONTEXT, self.needed or 0)
        return wanted if self.room is not None and self.room < wanted else 0

    @property
    def command(self) -> str:
        """The command that examines this model again."""
        spec = self.asked or self.spec
        return shlex.join(["smolville", "doctor", *(["--model", spec] if spec else [])])


def advise(found: Findings, *, is_kept: bool = False) -> tuple[Advice, ...]:
    """Return the advice, most important first; `is_kept` says that the settings are in a file."""
    if found.usable and not found.is_standin:
        return tuple(_about_model(found, is_kept=is_kept))[:MOST_ADVICE]
    if found.may_pass:
        text = "The server is there and busy, or still loading the model. Look again in a minute:"
        words = ["smolville", "doctor", *(["--model", found.asked] if found.asked else [])]
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


def _about_model(found: Findings, *, is_kept: bool) -> Iterator[Advice]:
    kind, name = found.spec.partition(":")[0], (found.asked or found.spec).partition("?")[0]
    command = _llama_server(max(1, found.slots)) if kind == "llamacpp" else ""
    if kind in ("ollama", "gguf") and (found.num_ctx or 0) < WISHED_CONTEXT:
        command = f"smolville doctor --model {shlex.quote(f'{name}?num_ctx={WISHED_CONTEXT}')}"
    if found.wanting and command:
        text = "Give the model a larger context, which takes memory:"
        yield Advice(text=text, command=command)
    ollama = found.answering("ollama")
    if is_below(found.parameters, SHORT_OF_MEANING) and ollama is not None:
        for each in ollama.models:
            if each.chats and each.parameters and not is_below(each.parameters, SHORT_OF_MEANING):
                larger = f"smolville doctor --model ollama:{each.name}"
                yield Advice(text=f"Ollama has a larger one ({each.parameters}):", command=larger)
                break
    if not is_kept:
        keep = f"{found.command} --write smolville.toml"
        yield Advice(text="Keep these settings, which every run here then uses:", command=keep)
    yield Advice(text="See how it answers each step's questions:", command=f"{found.command} --try")
    yield Advice(text="See a town with it:", command="smolville run")


def _llama_server(slots: int) -> str:
    return f"llama-server -m MODEL.gguf -c {slots * WISHED_CONTEXT} -np {slots} --jinja"


@dataclass(frozen=True, kw_only=True)
class Recommended:
    """The recommended value of a setting, and the reason."""

    value: int | str
    why: str


def profile_of(found: Findings) -> dict[str, Recommended]:
    """Return the settings in the examined model's profile; empty if no model can be used."""
    if not found.usable or found.is_standin:
        return {}
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
    repairs, sent = 3, "a wrong answer goes back with what is wrong with it"
    if is_below(size, SHORT_OF_MEANING):
        repairs, sent = 1, f"more repairs rarely help a model of {size} parameters"
    return {
        "examples": Recommended(value=examples, why=why),
        "constrain": Recommended(value=constrain, why=held),
        "repairs": Recommended(value=repairs, why=sent),
    }


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
        if found.spec.startswith(("ollama:", "gguf:")):
            lines += ["# asked for with every call", f"num_ctx = {_context(found)}"]
        if found.system_role is False:
            lines += ["# the chat template has no system role", 'template_style = "merged"']
        lines += ["# thinking aloud costs time, and rarely helps here", "thinking = false"]
        lines += ["", f"[profiles.{json.dumps(found.spec, ensure_ascii=False)}]"]
        for name, each in profile_of(found).items():
            lines += [f"# {each.why}", f"{name} = {json.dumps(each.value)}"]
    return "\n".join([*lines, ""])


def _context(found: Findings) -> int:
    """Return the context that was examined, or less if not all of it arrived."""
    context = found.num_ctx or WISHED_CONTEXT
    if found.is_cut and found.longest_prompt is not None:
        context = max(STEP, min(context, found.longest_prompt // STEP * STEP))
    return context
