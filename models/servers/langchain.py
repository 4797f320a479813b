"""Any chat model that LangChain's `init_chat_model` opens, or a class of langchain-community.

langchain-community is no longer maintained and says so at import; it is an optional extra.
"""

import json
import os
import warnings
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from smolville.models.chat import Chat, PlainDialect
from smolville.models.errors import SpecError
from smolville.models.keys import hide
from smolville.models.request import HOSTED_SLOTS, ModelSettings
from smolville.models.servers.llamacpp import openai_clients
from smolville.models.servers.transport import TranslatedErrors, short
from smolville.models.spec import Spec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

OPENAI = ("openai", "azure_openai")
OPENAI_ADDRESSES = ("AZURE_OPENAI_ENDPOINT", "OPENAI_API_BASE", "OPENAI_BASE_URL")
"""Variables with the address that OpenAI's classes ask instead of OpenAI's own."""
OPENAI_URL = "https://api.openai.com/v1"
SUNSET = "`langchain-community` is being sunset"
"""Beginning of the package's warning at import."""
SAMPLING = frozenset({"temperature", "seed", "max_tokens", "top_p", "min_p"})
GEMINI_LIMIT = "max_output_tokens"
"""Name of a reply's limit in a call of Gemini's class, which refuses the alias `max_tokens`."""


def connect_hosted(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a provider; its key comes from the provider's own variable."""
    from langchain.chat_models import init_chat_model

    provider, _, name = spec.target.partition("/")
    server, close = f"{provider}'s {name}", None
    more: dict[str, Any] = {}
    if provider in OPENAI:
        url = next(filter(None, map(os.environ.get, OPENAI_ADDRESSES)), OPENAI_URL)
        more, close = openai_clients(url, settings)
    with TranslatedErrors(server):
        try:
            model = init_chat_model(name, model_provider=provider, **more)
        except ImportError as error:
            told = f"The model spec {str(spec)!r} needs a package: {str(error).splitlines()[0]}"
            raise SpecError(told) from error
        except ValueError as error:
            # Nothing was asked yet: the class refuses its settings, a missing key for example.
            told = hide(" ".join(str(error).split()))
            raise SpecError(f"The model spec {str(spec)!r} does not open: {told}.") from error
    chat = chat_of(model, spec, name, server, settings)
    chat.close = close
    return chat


def connect_community(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a class of langchain-community, made with the spec's settings.

    Values that are valid JSON become numbers and booleans, all others texts. Keys come from the
    environment variables that the class reads.
    """
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=SUNSET, category=DeprecationWarning)
            from langchain_community import chat_models
    except ImportError as error:
        raise SpecError(
            "A community: model needs the package langchain-community: install smolville with its "
            "extra community (smolville[community])."
        ) from error
    if spec.target not in chat_models.__all__:
        raise SpecError(f"langchain-community has no chat model {spec.target!r}.")
    try:
        kind = getattr(chat_models, spec.target)
        model = kind(**{key: _value(value) for key, value in spec.options})
    except (ImportError, ValueError, TypeError) as error:
        told = f"The model spec {str(spec)!r} does not open: {hide(short(error))}"
        raise SpecError(told) from error
    name = next((value for key, value in spec.options if key.startswith("model")), spec.target)
    chat = chat_of(model, spec, name, f"{spec.target} of langchain-community", settings)
    chat.slots = 1
    # Classes based on OpenAI's client hold its connections.
    close = getattr(getattr(getattr(model, "async_client", None), "_client", None), "close", None)
    chat.close = close if iscoroutinefunction(close) else None
    return chat


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def chat_of(
    model: "BaseChatModel", spec: Spec, name: str, server: str, settings: ModelSettings
) -> Chat:
    """Return a `Chat` that calls a model of any LangChain class."""
    fields = type(model).model_fields
    names = {*fields, *(field.alias for field in fields.values() if field.alias)}
    constrains = settings.constrain == "schema"
    holds = any(c.__module__.startswith("langchain_openai.") for c in type(model).__mro__)
    if constrains and not holds:
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
