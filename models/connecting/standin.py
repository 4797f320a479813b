"""Connect to the built-in stand-in."""

from models.chat import Chat
from models.connecting.limits import first_line
from models.errors import SpecError
from models.spec import Spec

STANDIN_SLOTS = 16


def connect_standin(spec: Spec, seed: int) -> Chat:
    """Return the chat with the built-in stand-in."""
    from models.standin import build

    try:
        model = build(dict(spec.options), seed)
    except ValueError as error:
        told = f"The model spec {str(spec)!r} does not open: {first_line(error)}."
        raise SpecError(told) from error
    return Chat(
        spec=str(spec),
        name="stand-in",
        model=model,
        slots=STANDIN_SLOTS,
        wants_inputs=True,
        server="the stand-in",
    )
