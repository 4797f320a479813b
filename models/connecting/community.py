"""Connect to a chat model of langchain-community, by the name of its class.

That package is no longer maintained and says so at import; it is an optional extra.
"""

import difflib
import json
import warnings
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from models.chat import Chat
from models.connecting.hosted import chat_of
from models.connecting.limits import first_line
from models.errors import SpecError
from models.keys import hide
from models.request import ModelSettings
from models.servers.odd_answer import short
from models.spec import Spec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

SUNSET = "`langchain-community` is being sunset"
"""Beginning of the package's warning at import."""
NAMED = 3
"""Number of similar names shown in an error message."""


def connect_community(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a class of langchain-community, made with the spec's settings.

    Values that are valid JSON become numbers and booleans, all others texts. Keys come from the
    environment variables that the class reads.
    """
    kind = _class(spec)
    try:
        model = kind(**{key: _value(value) for key, value in spec.options})
    except ImportError as error:
        told = f"{spec.target} needs a package of its own: {first_line(error)}"
        raise SpecError(told) from error
    except (ValueError, TypeError) as error:
        told = f"The model spec {str(spec)!r} does not open: {hide(short(error))}"
        raise SpecError(told) from error
    name = next((str(value) for key, value in spec.options if key.startswith("model")), spec.target)
    chat = chat_of(model, spec, name, f"{spec.target} of langchain-community", settings)
    chat.slots = 1
    chat.is_foreign = True
    chat.close = _closer(model)
    return chat


def _class(spec: Spec) -> "type[BaseChatModel]":
    """Return the class that the spec names. Raises SpecError with the most similar names."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=SUNSET, category=DeprecationWarning)
            from langchain_community import chat_models
    except ImportError as error:
        raise SpecError(
            "A community: model needs the package langchain-community: install smolville with its "
            "extra community (smolville[community])."
        ) from error
    names = sorted(chat_models.__all__)
    if spec.target not in names:
        near = difflib.get_close_matches(spec.target, names, n=NAMED, cutoff=0.4) or names[:NAMED]
        raise SpecError(
            f"langchain-community has no chat model {spec.target!r}. The nearest of its "
            f"{len(names)}: {', '.join(near)}."
        )
    found: type[BaseChatModel] = getattr(chat_models, spec.target)
    return found


def _closer(model: "BaseChatModel") -> "Callable[[], Awaitable[None]] | None":
    """Return the function that closes the connections of a class based on OpenAI's client."""
    client = getattr(getattr(model, "async_client", None), "_client", None)
    close: Callable[[], Awaitable[None]] | None = getattr(client, "close", None)
    return close if iscoroutinefunction(close) else None


def _value(text: str) -> Any:
    """Return a setting's value with the type that the class needs."""
    try:
        return json.loads(text)
    except ValueError:
        return text
