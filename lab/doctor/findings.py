"""What the doctor finds out about a model: plain data with stable keys, and sentences."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from smolville.lab.doctor.servers import ServerSeen

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
    """One piece of advice."""

    text: str
    command: str = ""
    """A command to copy; empty when there is none."""


@dataclass(frozen=True, kw_only=True)
class SpeedAt:
    """Speed of one round of concurrent calls."""

    in_flight: int
    tokens_per_second: float
    """Tokens written per second, over all concurrent calls."""
    seconds: float


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
    gpu_share: float | None = None
    """Share of the model in GPU memory, 0 to 1."""
    is_standin: bool = False
    problem: str = ""
    """Why the model cannot be used."""
    may_pass: bool = False
    """Whether the problem may go away by itself: the server is busy or still loading."""
    servers: tuple[ServerSeen, ...] = ()
    system_role: bool | None = None
    thinks: bool | None = None
    """Whether the model thinks aloud when it may."""
    stops_thinking: bool | None = None
    """Whether a model that thinks stops when it is told to."""
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
    speed: tuple[SpeedAt, ...] = ()
    pays: int | None = None
    """Number of concurrent calls beyond which replies are not written faster."""
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


def share_calls(found: Sequence[Findings]) -> DoctorFinding:
    """Return whether a run can use all these servers as one model."""
    absent = [each.spec or str(each.asked) for each in found if not each.usable]
    names = {each.name for each in found}
    mark: Mark = "bad"
    if absent:
        text = f"A run would begin without {' and '.join(absent)}."
    elif len(names) > 1:
        told = ", ".join(f"{each.spec} has {each.name}" for each in found)
        text = f"They have different models, and a run refuses that: {told}."
    else:
        slots = sum(each.slots for each in found)
        text, mark = f"They have the same model and can share its calls, {slots} at once.", "good"
    return DoctorFinding(probe="together", mark=mark, text=text)
