"""How the tests of the doctor look: with patience, and at nothing but what they name."""

import tomllib
from typing import Any

from smolville.lab.doctor.bounded import ProbeLimits
from smolville.lab.doctor.examine import examine
from smolville.lab.doctor.findings import Findings
from smolville.models.request import ModelSettings
from tests.fixtures.loopback import free_port
from tests.fixtures.waiting import HANGING

NAMES = (
    *("servers", "opening", "first", "template", "thinking", "schema", "context", "speed"),
    "embedder",
)
PATIENT = ProbeLimits(patience=0.3, seconds=80 * HANGING, **dict.fromkeys(NAMES, 4 * HANGING))
"""No probe is cut short here, however slow the machine; a lost call is asked again once or so."""


def nowhere() -> str:
    """An address at which nothing listens."""
    return f"http://127.0.0.1:{free_port()}"


async def look(spec: str | None, ollama: str = "", *, num_ctx: int = 8192) -> Findings:
    """The findings about a spec, with Ollama at an address (or nowhere)."""
    return await examine(
        spec,
        {"OLLAMA_HOST": ollama or nowhere()},
        ModelSettings(num_ctx=num_ctx),
        llamacpp_url=nowhere(),
        probes=PATIENT,
    )


def told(found: Findings, probe: str) -> str:
    """What is said about a probe."""
    return " ".join(each.text for each in found.findings if each.probe == probe)


def commands(found: Findings) -> str:
    """All commands of the advice."""
    return "\n".join(each.command for each in found.advice)


def profile_of(found: Findings) -> dict[str, Any]:
    """The profile of the model in the recommended settings."""
    profiles: dict[str, dict[str, Any]] = tomllib.loads(found.settings)["profiles"]
    return profiles[found.model.spec]
