"""Advice that names a command: it starts the very server that was looked at."""

import pytest

from lab.doctor.advice import advise
from lab.doctor.findings import ContextFound, ExaminedModel, Findings


@pytest.mark.parametrize(
    ("url", "end"),
    [
        ("http://127.0.0.1:8080", "-np 2 --jinja"),
        ("http://127.0.0.1:9000", "-np 2 --jinja --port 9000"),
    ],
)
def test_a_server_is_started_again_where_it_listened(url: str, end: str) -> None:
    found = Findings(
        asked=f"llamacpp:{url}",
        usable=True,
        model=ExaminedModel(spec=f"llamacpp:{url}", slots=2),
        context=ContextFound(num_ctx=512),
    )
    commands = [advice.command for advice in advise(found)]
    assert f"llama-server -m MODEL.gguf -c 16384 {end}" in commands
