"""The built-in stand-in: a chat model of rules, for a town without any model."""

from models.standin.errors import StandInError
from models.standin.model import StandIn, build
from models.standin.settings import MISTAKES

__all__ = ["MISTAKES", "StandIn", "StandInError", "build"]
