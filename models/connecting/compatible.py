"""Connect to any server with OpenAI's protocol: vLLM, LM Studio and others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.chat import Chat, held_to
from models.connecting.limits import HOSTED_SLOTS, count, system_role
from models.connecting.llamacpp import client_of
from models.errors import SpecError
from models.keys import KEYS, key_for
from models.request import ModelSettings, Request
from models.servers.compatible import ABILITIES, CompatibleServer
from models.spec import Spec


@dataclass(frozen=True)
class CompatibleDialect:
    """OpenAI's protocol, with the extensions of vLLM and LM Studio."""

    settings: ModelSettings
    takes_template: bool = False
    """Whether the server accepts `chat_template_kwargs`, and so other extensions too."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return sampling arguments and the extra body.

        `max_tokens` is in the extra body: `ChatOpenAI` would write it in a way that only the newest
        servers know. `min_p` goes only to servers with extensions to OpenAI's protocol.
        """
        body: dict[str, Any] = {"max_tokens": request.max_tokens, **self.settings.sampling()}
        if self.takes_template:
            body["chat_template_kwargs"] = {"enable_thinking": self.settings.thinking}
        else:
            body.pop("min_p", None)
        if request.schema is not None:
            body["response_format"] = held_to(request.schema)
        return {
            "temperature": request.temperature,
            "seed": request.server_seed,
            "extra_body": body,
        }


def connect_compatible(spec: Spec, settings: ModelSettings, env: Mapping[str, str]) -> Chat:
    """Return the chat model of a compatible server, after testing the server's abilities once."""
    url, _, name = spec.target.partition("#")
    server = CompatibleServer(url, key_for(KEYS["openai"], env))
    server.refuse_ollama(name)
    found = server.pick(name)
    wanted = [a for a in ABILITIES if a != "schema" or settings.constrain != "none"]
    able = server.try_out(found.name, wanted)
    if settings.constrain == "schema" and "schema" not in able:
        raise SpecError(
            f"{server.name} does not hold the replies of {found.name} to a schema: take "
            "--constrain none (or auto)."
        )
    model, close = client_of(url, found.name, server.key, settings, streams=False)
    num_ctx = count(spec, "num_ctx", found.num_ctx or 0) or None
    target = f"{url}#{found.name}" if "?" not in found.name else spec.target
    return Chat(
        spec=str(Spec("openai", target, spec.options)),
        name=found.name,
        model=model,
        slots=count(spec, "slots", HOSTED_SLOTS),
        constrains="schema" in able,
        num_ctx=num_ctx,
        system_role=system_role(settings, "system" in able),
        thinking_tokens=settings.thinking_tokens if settings.thinking else 0,
        cuts_in_silence=True,
        dialect=CompatibleDialect(settings, "template" in able),
        server=server.name,
        key=server.key,
        close=close,
    )
