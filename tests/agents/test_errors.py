"""Errors for operators carry their exit code."""

import pytest

from smolville.agents import errors


@pytest.mark.parametrize(
    ("name", "code"),
    [("TownError", 2), ("RunError", 2), ("StoppedError", 1), ("InternalError", 1)],
)
def test_an_error_knows_its_exit_code(name, code):
    kind = getattr(errors, name)
    assert issubclass(kind, errors.SmolvilleError) and kind.exit_code == code
    assert name in str(errors.__doc__)
