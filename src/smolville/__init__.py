"""A town of generative agents; its rooms are the parts of this package."""

# Nothing is imported that Python has not loaded anyway: see `smolville.cli.main`.
import os

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_ROOM = os.path.join(_HERE, "agents")  # noqa: PTH118
if os.path.islink(_ROOM) or os.path.isfile(_ROOM):  # noqa: PTH113, PTH114
    # A checkout: the rooms lie at its top. Here are only links for tools that read files, which are
    # small text files where the system knows no links.
    __path__ = [os.path.dirname(os.path.dirname(_HERE)), _HERE]  # noqa: PTH120
