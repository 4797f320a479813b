"""Connect to any chat class of LangChain: a provider's class, or one of langchain-community.

langchain-community is no longer maintained and says so at import; it is an optional extra.
"""

import difflib
import json
import os
import warnings
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from smolville.models.chat import Chat, PlainDialect
from smolville.models.errors import SpecError
from smolville.models.keys import hide
from smolville.models.request import CONNECT_SECONDS, HOSTED_SLOTS, ModelSettings
from smolville.models.servers.http_client import async_client_settings, client_settings
from smolville.models.servers.odd_answer import first_line, look_inside_async, short
from smolville.models.servers.transport import TranslatedErrors
from smolville.models.spec import Spec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

OPENAI = ("openai", "azure_openai")
OPENAI_ADDRESSES = ("AZURE_OPENAI_ENDPOINT", "OPENAI_API_BASE", "OPENAI_BASE_URL")
"""Variables with the address that OpenAI's classes ask instead of OpenAI's own."""
OPENAI_URL = "https://api.openai.com/v1"
SAMPLING = frozenset({"temperature", "seed", "max_tokens", "top_p", "min_p"})
GEMINI_LIMIT = "max_output_tokens"
"""Name of a reply's limit in a call of Gemini's class, which refuses the alias `max_tokens`."""
HOLD_TO_SCHEMAS = "langchain_openai"
"""The package whose classes pass a schema on unchanged."""
SUNSET = "`langchain-community` is being sunset"
"""Beginning of the package's warning at import."""
NAMED = 3
"""Number of similar names shown in an error message."""


def connect_hosted(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a provider; its key comes from the provider's own variable."""
    from langchain.chat_models import init_chat_model
    from pydantic import ValidationError

    provider, _, name = spec.target.partition("/")
    server = f"{provider}'s {name}"
    more, close = _connection(settings) if provider in OPENAI else ({}, None)
    try:
        with TranslatedErrors(server):
            try:
                model = init_chat_model(name, model_provider=provider, **more)
            except ValidationError as error:
                # Nothing was asked yet: the class refuses its settings, a missing key for example.
                told = "; ".join(each["msg"] for each in error.errors())
                told = " ".join(hide(told.replace("Value error, ", "")).split())
                raise SpecError(f"{server} cannot be asked: {told}") from error
    except ImportError as error:
        told = f"The model spec {str(spec)!r} needs a package: {first_line(error)}"
        raise SpecError(told) from error
    except ValueError as error:
        told = f"The model spec {str(spec)!r} does not open: {' '.join(str(error).split())}."
        raise SpecError(told) from error
    chat = chat_of(model, spec, name, server, settings)
    chat.close = close
    return chat


def _connection(settings: ModelSettings) -> tuple[dict[str, Any], Callable[[], Awaitable[None]]]:
    """Return the arguments for OpenAI's classes, and the function that closes their connections.

    The connections are our own, because those that LangChain shares outlive their event loop.
    LangChain does not retry lost calls, because we do.
    """
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient, Timeout

    url = next(filter(None, map(os.environ.get, OPENAI_ADDRESSES)), OPENAI_URL)
    http = DefaultAsyncHttpxClient(**async_client_settings(url, look_inside_async))
    made = {
        "http_async_client": http,
        "http_client": DefaultHttpxClient(**client_settings(url)),
        "http_socket_options": (),
        "timeout": Timeout(settings.timeout, connect=CONNECT_SECONDS),
        "max_retries": 0,
    }
    return made, http.aclose


def chat_of(
    model: "BaseChatModel", spec: Spec, name: str, server: str, settings: ModelSettings
) -> Chat:
    """Return a `Chat` that calls a model of any LangChain class."""
    fields = type(model).model_fields
    names = {*fields, *(field.alias for field in fields.values() if field.alias)}
    constrains = settings.constrain == "schema"
    if constrains and not _holds_to_schemas(model):
        raise SpecError(
            f"{type(model).__name__} cannot be held to a schema: take --set constrain=none (or "
            "auto)."
        )
    return Chat(
        spec=str(spec),
        name=name,
        model=model,
        slots=HOSTED_SLOTS,
        constrains=constrains,
        system_role=settings.keeps_system_role(True),
        timeout=settings.timeout,
        thinking_tokens=settings.thinking_tokens if settings.thinking else 0,
        dialect=PlainDialect(
            frozenset(names & SAMPLING),
            settings,
            limit=GEMINI_LIMIT if GEMINI_LIMIT in fields else "max_tokens",
        ),
        server=server,
    )


def _holds_to_schemas(model: "BaseChatModel") -> bool:
    return any(c.__module__.partition(".")[0] == HOLD_TO_SCHEMAS for c in type(model).__mro__)


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
    try:
        return json.loads(text)
    except ValueError:
        return text
