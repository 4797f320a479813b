"""Make the chat for each kind of spec."""

from collections.abc import Mapping

from models.chat import Chat
from models.dialect import LlamaCppDialect, OllamaDialect, PlainDialect
from models.errors import SpecError
from models.servers.address import is_loopback
from models.servers.llamacpp import LlamaCppServer, api_key
from models.servers.ollama import OllamaServer
from models.servers.transport import Translated
from models.settings import Settings
from models.spec import Spec

CONNECT_SECONDS = 10.0
"""How long the first contact of a call may take, however long the reply may."""
HOSTED_SLOTS = 4
"""Calls in flight for a hosted model, whose limits are not known."""
STANDIN_SLOTS = 16


def connect_ollama(spec: Spec, settings: Settings, env: Mapping[str, str]) -> Chat:
    """Return the chat with a model of the Ollama server that the environment names."""
    server = OllamaServer.of(env)
    found = server.chat_model(spec.target)
    from httpx import Timeout
    from langchain_ollama import ChatOllama

    wanted = int(dict(spec.options).get("num_ctx", settings.num_ctx))
    num_ctx = min(wanted, found.context_length or wanted)
    model = ChatOllama(
        model=found.name,
        base_url=server.url,
        num_ctx=num_ctx,
        client_kwargs={
            "timeout": Timeout(settings.timeout, connect=CONNECT_SECONDS),
            "trust_env": not is_loopback(server.url),
        },
    )
    return Chat(
        spec=str(spec),
        name=found.name,
        model=model,
        slots=_slots(env.get("OLLAMA_NUM_PARALLEL")),
        constrains=True,
        num_ctx=num_ctx,
        system_role=found.system_role,
        cuts_in_silence=True,
        dialect=OllamaDialect(settings, num_ctx, found.thinks),
        server=server.name,
        close=model._async_client.close,
    )


def connect_llamacpp(spec: Spec, settings: Settings) -> Chat:
    """Return the chat with the model that a llama.cpp server has loaded."""
    server = LlamaCppServer(spec.target)
    facts = server.facts()
    from openai import DefaultAsyncHttpxClient, Timeout
    from pydantic import SecretStr

    from models.servers.llamacpp_chat import LlamaCppChat

    http = DefaultAsyncHttpxClient(trust_env=not is_loopback(server.url))
    model = LlamaCppChat(
        model=facts.alias,
        base_url=f"{server.url}/v1",
        api_key=SecretStr(api_key()),
        timeout=Timeout(settings.timeout, connect=CONNECT_SECONDS),
        max_retries=0,
        use_responses_api=False,
        http_async_client=http,
    )
    return Chat(
        spec=str(spec),
        name=facts.name,
        model=model,
        slots=facts.slots,
        constrains=True,
        num_ctx=facts.num_ctx,
        system_role=facts.system_role,
        dialect=LlamaCppDialect(settings),
        server=server.name,
        close=http.aclose,
    )


def connect_langchain(spec: Spec, settings: Settings) -> Chat:
    """Return the chat with a model that LangChain's `init_chat_model` knows."""
    provider, _, name = spec.target.partition("/")
    from langchain.chat_models import init_chat_model

    server = f"{provider}'s {name}"
    try:
        with Translated(server):
            model = init_chat_model(name, model_provider=provider)
    except ImportError as error:
        raise SpecError(f"The model spec {str(spec)!r} needs a package: {_line(error)}") from error
    except ValueError as error:
        raise SpecError(f"The model spec {str(spec)!r} does not open: {_line(error)}") from error
    fields = type(model).model_fields
    names = {*fields, *(field.alias for field in fields.values() if field.alias)}
    known = frozenset(names & {"temperature", "seed", "max_tokens"})
    return Chat(
        spec=str(spec),
        name=name,
        model=model,
        slots=HOSTED_SLOTS,
        dialect=PlainDialect(known),
        server=server,
    )


def connect_standin(spec: Spec, seed: int) -> Chat:
    """Return the chat with the built-in stand-in."""
    from models.standin import build

    try:
        model = build(dict(spec.options), seed)
    except ValueError as error:
        raise SpecError(f"The model spec {str(spec)!r} does not open: {_line(error)}.") from error
    return Chat(
        spec=str(spec),
        name="stand-in",
        model=model,
        slots=STANDIN_SLOTS,
        wants_inputs=True,
        server="the stand-in",
    )


def _slots(parallel: str | None) -> int:
    """Return how many calls Ollama works on at once, 1 unless its environment says more."""
    return max(1, int(parallel)) if parallel and parallel.isdecimal() else 1


def _line(error: Exception) -> str:
    """Return the first line of an error's text."""
    return str(error).strip().partition("\n")[0]
