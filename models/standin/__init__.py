"""The built-in stand-in: a chat model of rules, for a town without any model."""

from models.standin.model import StandIn, StandInError, build
from models.standin.settings import MISTAKES

__all__ = ["MISTAKES", "StandIn", "StandInError", "build"]
