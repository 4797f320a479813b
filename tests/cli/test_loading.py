"""A server that is still loading its model is waited for, from the start."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from smolville.cli.run.prepare import open_chats
from smolville.models.errors import ModelLoading, TransportError
from tests.cli.conftest import Command
from tests.fixtures.faulty_server import PROPS, template
from tests.fixtures.loopback import free_port, serve
from tests.fixtures.waiting import HANGING


def loading(times: int) -> Starlette:
    """A llama.cpp server that has loaded its model when it was asked so often."""
    left = times

    async def props(_: Request) -> JSONResponse:
        nonlocal left
        left -= 1
        if left >= 0:
            return JSONResponse({"error": {"code": 503, "message": "Loading model"}}, 503)
        return JSONResponse(PROPS)

    return Starlette(
        routes=[Route("/props", props), Route("/apply-template", template, methods=["POST"])]
    )


def test_a_model_that_is_being_loaded_is_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    with serve(loading(1)) as url:
        (fast, strong), _ = open_chats(f"llamacpp:{url}", f"llamacpp:{url}", 0, patience=HANGING)
    assert fast is strong
    assert "is still loading its model. Asking again." in " ".join(capsys.readouterr().err.split())


def test_patience_with_a_loading_model_ends() -> None:
    with serve(loading(99)) as url, pytest.raises(ModelLoading, match="still loading its model"):
        open_chats(f"llamacpp:{url}", f"llamacpp:{url}", 0, patience=0.0)


def test_a_server_that_is_not_there_is_not_waited_for(smolville: Command, tmp_path: Path) -> None:
    spec = f"llamacpp:http://127.0.0.1:{free_port()}"
    with pytest.raises(TransportError, match="is it running"):
        open_chats(spec, spec, 0)
    said = smolville("run", "amber", "--model", spec)
    assert said.code == 1
    assert not (tmp_path / "runs" / "amber").exists()
