"""Count a prompt's tokens with the help of the server that will read it."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from models.request import Request
from models.servers.address import is_loopback
from models.tokens import Counted, estimate_prompt

if TYPE_CHECKING:
    from httpx import AsyncClient
    from langchain_core.messages import BaseMessage
    from langchain_ollama import ChatOllama

    from models.chat import Dialect
    from models.servers.llamacpp import LlamaCppServer

ROLES = {"system": "system", "human": "user", "ai": "assistant"}
SECONDS = 30.0
"""Seconds that llama.cpp's server may take to count; it does so between two tokens of a reply."""
UNTELLING = frozenset({400, 404, 405, 500, 501})
"""Statuses of a server without such a route, or whose template refuses the messages."""
KNOWN = (
    "Mara opened the bakery at six, set two trays of rolls on the counter and wiped the window. "
    "It had rained all night; the square was empty but for the postman, who waved and went on.\n"
    "What Mara remembers:\n"
    "1. (yesterday, 17:40) Jonas asked whether the oven could be mended before Friday.\n"
    "2. (today, 06:15) The flour is nearly used up: 3 sacks are left of 12.\n"
    "3. (today, 07:05) Ilse said, “Keep me two loaves, will you? I'll come by at noon.”\n"
    "4. (12 May, 21:30) Mara thinks that people talk more when the tables stand closer.\n"
    "Places she may choose from: bakery (counter, oven, store room), market square (bench, well), "
    "Jonas's workshop, the library, home.\n"
    'Answer with one object like this: {"place": "bakery", "minutes": 45, "why": "The rolls must '
    'be sold while they are warm.", "with": ["Ilse", "Jonas"], "sure": true}\n'
    "Every field is needed. minutes is a whole number from 5 to 180. why is one sentence. Do not "
    "write anything before or after the object, and choose only a place that stands in the list "
    "above; where none fits, choose home.\n"
)
"""Text similar to a town's prompts: prose, a list, times, talk, a JSON object, rules."""
PLAUSIBLE = (0.6, 4.0)
"""Plausible range of a count relative to the estimate. Lower counts come from a prompt partly in
the server's cache, higher ones from a long text in the model's own template: both are useless."""


class LlamaCppCounter:
    """Counts with llama.cpp's own template and tokenizer: exact."""

    def __init__(self, server: "LlamaCppServer", template: Mapping[str, Any]) -> None:
        """Store the server and the arguments of its chat template; nothing is requested yet."""
        self.server = server
        self.template = dict(template)
        self._client: AsyncClient | None = None

    async def __call__(self, messages: "Sequence[BaseMessage]") -> Counted:
        """Return the count; an estimate if the server cannot count."""
        text = await self.written(messages)
        tokens = None if text is None else await self.tokens(text)
        if tokens is None:
            return Counted(estimate_prompt(messages), is_exact=False)
        return Counted(len(tokens), is_exact=True)

    async def written(self, messages: "Sequence[BaseMessage]") -> str | None:
        """Return the text that the server's template renders from messages.

        None if the server has no such route, or its template refuses them.
        """
        turns = [{"role": ROLES[m.type], "content": str(m.text)} for m in messages]
        told = await self._post(
            "/apply-template", {"messages": turns, "chat_template_kwargs": self.template}
        )
        prompt = told.get("prompt")
        return prompt if isinstance(prompt, str) else None

    async def tokens(self, text: str, *, begins: bool = True) -> list[int] | None:
        """Return a prompt's tokens; None if the server does not return them.

        With `begins` the tokenizer adds the special tokens at the start of every prompt.
        """
        asked = {"content": text, "add_special": begins, "parse_special": True}
        tokens = (await self._post("/tokenize", asked)).get("tokens")
        return tokens if isinstance(tokens, list) else None

    async def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the server's answer; empty if it does not support the request."""
        answer = await self._connected().post(path, json=body)
        if answer.status_code in UNTELLING:
            return {}
        told = answer.raise_for_status().json()
        return told if isinstance(told, dict) else {}

    def _connected(self) -> "AsyncClient":
        """Return the client, which belongs to the event loop of the first count."""
        if self._client is None:
            from httpx import AsyncClient

            self._client = AsyncClient(
                base_url=self.server.url,
                timeout=SECONDS,
                headers={"Authorization": f"Bearer {self.server.key}"},
                trust_env=not is_loopback(self.server.url),
            )
        return self._client

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()


class OllamaCounter:
    """Estimates with a factor measured once, on a known text: Ollama has no tokenizer route.

    The factor is the model's own count of the text divided by our estimate, in steps of a
    hundredth, so that every run with this model has the same one.
    """

    def __init__(self, model: "ChatOllama", dialect: "Dialect") -> None:
        """Store the model; it is called at the first count."""
        self.model = model
        self.dialect = dialect
        self.factor: float | None = None
        self._lock = asyncio.Lock()

    async def __call__(self, messages: "Sequence[BaseMessage]") -> Counted:
        """Return the calibrated estimate."""
        async with self._lock:
            if self.factor is None:
                self.factor = await self._measured()
        return Counted(math.ceil(estimate_prompt(messages) * self.factor), is_exact=False)

    async def _measured(self) -> float:
        """Return the factor; 1 if the server's count is not plausible."""
        from langchain_core.messages import HumanMessage

        sent = [HumanMessage(KNOWN)]
        request = Request(messages=sent, max_tokens=1)
        message = await self.model.ainvoke(sent, **self.dialect.arguments(request))
        counted = message.response_metadata.get("prompt_eval_count")
        share = counted / estimate_prompt(sent) if isinstance(counted, int) else 0.0
        return round(share, 2) if PLAUSIBLE[0] <= share <= PLAUSIBLE[1] else 1.0
