"""Servers with OpenAI's protocol (vLLM, LM Studio, ...): what they can do, and the chat on them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from smolville.models.chat import Chat, held_to
from smolville.models.errors import ModelError, SpecError, UnknownModel
from smolville.models.keys import KEYS, hide, key_for
from smolville.models.request import HOSTED_SLOTS, ModelSettings, Request
from smolville.models.servers.http_client import client_settings
from smolville.models.servers.llamacpp import client_of
from smolville.models.servers.transport import (
    ErrorInside,
    TranslatedErrors,
    refuse_keyless,
    words_in,
)
from smolville.models.spec import Spec

if TYPE_CHECKING:
    from httpx import Client

Ability = Literal["template", "system", "schema"]
"""What a server can do: accept `chat_template_kwargs`, take a system role, constrain replies to a
schema."""
BLAME: dict[Ability, tuple[str, ...]] = {
    "template": ("chat_template_kwargs", "enable_thinking", "unrecognized", "unsupported param"),
    "system": ("system", "role", "jinja", "alternate"),
    "schema": ("schema", "response_format", "grammar", "guided"),
}
"""Words in a server's error that show which ability it refuses. If it does not say which one, they
are given up one by one, in this order."""
TRIAL_SECONDS = 120.0
"""Seconds for the trial call: LM Studio loads the model at the first call."""
TRIAL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
OLLAMA_GREETS = "Ollama is running"
"""Ollama's answer to a browser."""


class CompatibleServer:
    """One server with OpenAI's protocol."""

    def __init__(self, url: str, key: str) -> None:
        """Store address and key; nothing is requested yet."""
        self.url = url
        self.key = key
        self.name = f"the server at {url}"

    def pick(self, name: str) -> tuple[str, int | None]:
        """Return the name and the context of the model of that name, or of the first chat model.

        The context is None if the server does not report it. Raises UnknownModel if there is none,
        and SpecError when this is Ollama, whose `/v1` ignores `num_ctx`.
        """
        listed = self._models()
        if listed is None and name:
            return name, None
        chatting = [each for each in listed or {} if "embed" not in each.lower()]
        found = name or next(iter(chatting), "")
        if found and listed is not None and found in listed:
            return found, listed[found]
        there = ", ".join(chatting) or "none that can be listed"
        wanted = f"no model {name!r}" if name else "no chat model"
        raise UnknownModel(
            f"{self.name[0].upper()}{self.name[1:]} has {wanted}. It has: {there}. "
            f"Write openai:{self.url}#<name>."
        )

    def _models(self) -> dict[str, int | None] | None:
        """Return the contexts of the models listed by `/models`; None if there is no such list."""
        home = self.url.removesuffix("/v1")
        with TranslatedErrors(self.name, key=self.key), self._client(5.0) as client:
            if client.get(f"{home}/").text.startswith(OLLAMA_GREETS):
                raise SpecError(
                    f"What answers at {home} is Ollama: write ollama:<name> and set "
                    f"OLLAMA_HOST={home}. Through {self.url} it would cut long prompts in silence."
                )
            answer = client.get("models")
            refuse_keyless(answer, self.name, self.key, KEYS["openai"])
            if answer.status_code in (404, 405):
                return None
            told = answer.raise_for_status().json()
        rows = told.get("data") if isinstance(told, dict) else None
        if not isinstance(rows, list):
            raise ModelError(f"What answers at {self.url} does not speak OpenAI's protocol.")
        named = [row for row in rows if isinstance(row, dict) and row.get("id")]
        return {str(row["id"]): _context(row) for row in named}

    def try_out(self, name: str, wanted: Sequence[Ability]) -> list[Ability]:
        """Return the abilities of the model's server, as small test calls show them.

        Usually this takes one call, and one more for each ability that the server refuses.
        """
        asked = list(wanted)
        with TranslatedErrors(self.name, key=self.key), self._client(TRIAL_SECONDS) as client:
            while True:
                answer = client.post("chat/completions", json=_trial(name, asked))
                told = hide(answer.text).lower()
                named = [each for each in asked if any(word in told for word in BLAME[each])]
                if answer.status_code in (400, 422) and asked:
                    asked.remove(named[0] if named else asked[0])
                elif answer.status_code == 500 and "system" in named:
                    asked.remove("system")
                else:
                    break
            body = answer.raise_for_status().json()
            if words_in(body):
                raise ErrorInside(body)
        if "schema" in asked and not _holds(body):
            asked.remove("schema")
        return asked

    def _client(self, seconds: float) -> "Client":
        from httpx import Client

        return Client(
            base_url=f"{self.url}/",
            timeout=seconds,
            headers={"Authorization": f"Bearer {self.key}"},
            **client_settings(self.url),
        )


def _context(row: dict[str, Any]) -> int | None:
    """Return the context of one call in tokens, if the server reports it (vLLM, llama.cpp)."""
    meta = row.get("meta")
    told = row.get("max_model_len") or (meta.get("n_ctx") if isinstance(meta, dict) else None)
    return told if isinstance(told, int) and told > 0 else None


def _trial(name: str, asked: Sequence[Ability]) -> dict[str, Any]:
    """Return the body of a test call that uses these abilities of a server.

    The question invites prose: if the reply is prose, the server has ignored the schema.
    """
    turns = [{"role": "user", "content": "Greet me in one short sentence."}]
    if "system" in asked:
        turns.insert(0, {"role": "system", "content": "You are friendly."})
    body: dict[str, Any] = {"model": name, "messages": turns, "max_tokens": 48, "temperature": 0}
    if "template" in asked:
        body["chat_template_kwargs"] = {"enable_thinking": False}
    if "schema" in asked:
        body["response_format"] = held_to(TRIAL_SCHEMA)
    return body


def _holds(told: Any) -> bool:
    try:
        answer = json.loads(told["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError, ValueError):
        return False
    return isinstance(answer, dict) and [type(value) for value in answer.values()] == [bool]


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
    url, _, asked = spec.target.partition("#")
    server = CompatibleServer(url, key_for(KEYS["openai"], env))
    name, num_ctx = server.pick(asked)
    able = server.try_out(name, [a for a in BLAME if a != "schema" or settings.constrain != "none"])
    if settings.constrain == "schema" and "schema" not in able:
        raise SpecError(
            f"{server.name} does not hold the replies of {name} to a schema: take "
            "--set constrain=none (or auto)."
        )
    model, close = client_of(url, name, server.key, settings, streams=False)
    return Chat(
        spec=str(Spec("openai", f"{url}#{name}" if "?" not in name else spec.target, spec.options)),
        name=name,
        model=model,
        slots=spec.count("slots", HOSTED_SLOTS),
        constrains="schema" in able,
        num_ctx=spec.count("num_ctx", num_ctx or 0) or None,
        system_role=settings.keeps_system_role("system" in able),
        timeout=settings.timeout,
        thinking_tokens=settings.thinking_tokens if settings.thinking else 0,
        cuts_in_silence=True,
        dialect=CompatibleDialect(settings, "template" in able),
        server=server.name,
        key=server.key,
        close=close,
    )
