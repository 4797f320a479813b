"""Advice that names a command: it starts the very server that was looked at."""

import pytest

from smolville.lab.doctor.advice import advise
from smolville.lab.doctor.findings import ContextFound, ExaminedModel, Findings
from smolville.models.size import warn_if_small


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


@pytest.mark.parametrize(
    ("parameters", "gigabytes", "told"),
    [
        ("1.5B", 16, "take an instruct model of 7 to 8 billion parameters"),
        ("135M", 8, "take an instruct model of 3 to 4 billion parameters"),
        ("1B", 2, "this machine's memory holds no larger one"),
        ("1B", None, "take an instruct model of 7 to 8 billion parameters"),
        ("3B", 16, ""),
        ("", 16, ""),
    ],
)
def test_a_model_too_small_to_speak_for_itself_is_named(
    parameters: str, gigabytes: int | None, told: str
) -> None:
    said = warn_if_small(parameters, gigabytes and gigabytes * 2**30)
    assert told in said and bool(said) == bool(told)


def test_the_doctor_names_a_model_that_is_too_small() -> None:
    small = ExaminedModel(spec="ollama:tiny", parameters="1.1B")
    advice = advise(Findings(asked="ollama:tiny", usable=True, model=small))
    assert advice[0].text.startswith("A model of 1.1B parameters is too small to speak for itself")
