"""What the tests of the parsers share: every answer type, by the name of its step."""

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.parsers.answer import Answer

ANSWERS: dict[str, type[Answer]] = {step.name: step.answer for step in STEPS}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a `step` once for every step that has an answer."""
    if "step" in metafunc.fixturenames:
        metafunc.parametrize("step", list(ANSWERS))


@pytest.fixture
def answer(step: str) -> type[Answer]:
    """The answer type of the step under test."""
    return ANSWERS[step]


@pytest.fixture(scope="session")
def answers() -> dict[str, type[Answer]]:
    """Every answer type, by the name of its step."""
    return ANSWERS
