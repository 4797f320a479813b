"""Connect to models that LangChain's `init_chat_model` knows: OpenAI, Azure, Gemini and others."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from models.chat import Chat, PlainDialect
from models.connecting.limits import CONNECT_SECONDS, HOSTED_SLOTS, first_line, system_role
from models.errors import SpecError
from models.request import ModelSettings
from models.servers.odd_answer import look_inside_async
from models.servers.transport import TranslatedErrors
from models.spec import Spec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

OPENAI = ("openai", "azure_openai")
SAMPLING = frozenset({"temperature", "seed", "max_tokens", "top_p", "min_p"})
HOLD_TO_SCHEMAS = "langchain_openai"
"""The package whose classes pass a schema on unchanged."""


def connect_hosted(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a provider; its key comes from the provider's own variable."""
    provider, _, name = spec.target.partition("/")
    from langchain.chat_models import init_chat_model

    server = f"{provider}'s {name}"
    more, close = _connection(settings) if provider in OPENAI else ({}, None)
    try:
        with TranslatedErrors(server):
            model = init_chat_model(name, model_provider=provider, **more)
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

    The connections are our own: those that LangChain shares outlive the event loop they belong to.
    Lost calls are retried by us, in one place.
    """
    from openai import DefaultAsyncHttpxClient, Timeout

    http = DefaultAsyncHttpxClient(event_hooks={"response": [look_inside_async]})
    timeout = Timeout(settings.timeout, connect=CONNECT_SECONDS)
    made = {"http_async_client": http, "http_socket_options": (), "timeout": timeout}
    return {**made, "max_retries": 0}, http.aclose


def chat_of(
    model: "BaseChatModel", spec: Spec, name: str, server: str, settings: ModelSettings
) -> Chat:
    """Return the chat around a model of any LangChain class."""
    fields = type(model).model_fields
    names = {*fields, *(field.alias for field in fields.values() if field.alias)}
    constrains = settings.constrain == "schema"
    if constrains and not _holds_to_schemas(model):
        raise SpecError(
            f"{type(model).__name__} cannot be held to a schema: take --constrain none (or auto)."
        )
    return Chat(
        spec=str(spec),
        name=name,
        model=model,
        slots=HOSTED_SLOTS,
        constrains=constrains,
        system_role=system_role(settings, found=True),
        thinking_tokens=settings.thinking_tokens if settings.thinking else 0,
        dialect=PlainDialect(frozenset(names & SAMPLING), settings),
        server=server,
    )


def _holds_to_schemas(model: "BaseChatModel") -> bool:
    """Return True for OpenAI's classes and their subclasses."""
    return any(c.__module__.partition(".")[0] == HOLD_TO_SCHEMAS for c in type(model).__mro__)
