"""How the tests of the doctor look: quickly, and at nothing but what they name."""

from lab.doctor.bounded import Probes
from lab.doctor.examine import examine
from lab.doctor.findings import Findings
from models.settings import Settings
from tests.fixtures.loopback import free_port

QUICK = Probes(first=20, template=20, thinking=20, schema=20, context=30, speed=20, embedder=20)


def nowhere() -> str:
    """An address at which nothing listens."""
    return f"http://127.0.0.1:{free_port()}"


async def look(spec: str | None, ollama: str = "", *, num_ctx: int = 8192) -> Findings:
    """The findings about a spec, with Ollama at an address (or nowhere)."""
    return await examine(
        spec,
        {"OLLAMA_HOST": ollama or nowhere()},
        Settings(num_ctx=num_ctx),
        llamacpp_url=nowhere(),
        probes=QUICK,
    )


def told(found: Findings, probe: str) -> str:
    """What is said about a probe."""
    return " ".join(each.text for each in found.findings if each.probe == probe)


def commands(found: Findings) -> str:
    """All commands of the advice."""
    return "\n".join(each.command for each in found.advice)
