"""Servers that fail, hang up or take too long are findings of the doctor, never crashes."""

import tomllib

import pytest

from lab.doctor.bounded import Probes
from lab.doctor.examine import examine
from models.errors import SpecError
from models.settings import Settings
from tests.fixtures.faulty_server import serve_faults, serve_hang_ups
from tests.lab.looking import look, nowhere, told


@pytest.mark.parametrize("way", ["broken", "busy", "locked", "lost", "overflow", "page"])
@pytest.mark.parametrize("kind", ["ollama", "llamacpp"])
async def test_a_server_that_fails_is_a_finding(kind: str, way: str) -> None:
    with serve_faults() as url:
        if kind == "ollama":
            found = await look("ollama:m", f"{url}/{way}")
        else:
            found = await look(f"llamacpp:{url}/{way}")
    assert not found.usable
    assert found.model.problem
    assert told(found, "model") == found.model.problem
    assert found.advice


async def test_a_server_that_hangs_up_is_a_finding() -> None:
    with serve_hang_ups() as url:
        found = await look(f"llamacpp:{url}", url)
    assert not found.usable
    assert all(server.problem for server in found.servers)


async def test_a_probe_out_of_time_is_a_finding(short_url: str) -> None:
    found = await examine(
        f"llamacpp:{short_url}",
        {"OLLAMA_HOST": nowhere()},
        Settings(),
        probes=Probes(schema=0.0, context=0.0, speed=0.0),
    )
    assert found.usable
    for probe in ("schema", "context", "speed"):
        assert "not finished within" in told(found, probe)
    assert tomllib.loads(found.settings)["constrain"] == "auto"


async def test_a_spec_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(SpecError, match="Did you mean ollama:x"):
        await look("olama:x")
