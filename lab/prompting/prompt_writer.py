"""The exact string that a model's server makes of messages, and its tokens, if available.

A GGUF file contains its chat template, which is rendered here; llama.cpp's server reports the
string that it makes of messages. Other servers apply their templates internally.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from smolville.lab.prompting.rendering import ChatMessage, plain_messages
from smolville.models.chat import fit_roles
from smolville.models.connecting.gguf import GgufServer
from smolville.models.connecting.llamacpp import LlamaCppCounter, LlamaCppDialect
from smolville.models.errors import ModelError, SpecError
from smolville.models.keys import KEYS, key_for
from smolville.models.request import ModelSettings
from smolville.models.servers.gguf_child import GgufWish
from smolville.models.servers.gguf_file import GgufFile, check_chats
from smolville.models.servers.llamacpp import MARK, LlamaCppServer
from smolville.models.servers.ollama import OllamaServer
from smolville.models.servers.transport import TranslatedErrors
from smolville.models.spec import Spec
from smolville.prompts.chat_template import ChatTemplate
from smolville.prompts.errors import ChatTemplateError

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS: "dict[str, Callable[[str], BaseMessage]]" = {
    "system": lambda text: SystemMessage(text),
    "user": lambda text: HumanMessage(text),
    "assistant": lambda text: AIMessage(text),
}
COUNTING = 512
"""Context size, in tokens, of a server that only counts tokens and never generates anything."""
ESTIMATED = "estimated"
UNSEEN = {
    "ollama": "Ollama applies the model's template itself and shows nobody the result; these are "
    "the messages that it gets. `ollama show --template {name}` prints the template.",
    "standin": "The stand-in has no template: it answers by rules from the step's inputs, and "
    "looks into these messages.",
}
UNTOLD = (
    "The server does not tell what its template makes of them (it has no /apply-template, or the "
    "template refuses them); these are the messages it gets."
)
ELSEWHERE = "Its server applies a template that nobody else sees; these are the messages it gets."


@dataclass(frozen=True, kw_only=True)
class WrittenPrompt:
    """A prompt as a specific model gets it."""

    messages: tuple[ChatMessage, ...]
    """The messages as sent; without a system role, its text is part of the first user turn."""
    text: str | None
    """The string that the chat template makes of the messages; None if it is not accessible."""
    how: str
    """A sentence saying who made the string, or why there is none."""
    repairs: int = 0
    """Number of rejected answers at the end of the messages, each followed by a repair message."""


@dataclass(frozen=True, kw_only=True)
class PromptWriter:
    """Makes the prompt string for one model from messages, and counts its tokens."""

    how: str
    """A sentence saying who makes the string, or why there is none."""
    counted_by: str = ESTIMATED
    """How tokens are counted, in a few words; if they are only estimated, the reason."""
    has_system_role: bool = True
    template: ChatTemplate | None = None
    """The chat template of a GGUF file."""
    bos: str = ""
    """The text of the beginning-of-sequence token; when a string begins with it, the tokenizer does
    not add it."""
    counter: LlamaCppCounter | None = None
    thinking: bool = False
    server: str = ""

    async def write_prompt(
        self, messages: Sequence[ChatMessage], repairs: int = 0
    ) -> WrittenPrompt:
        """Return the prompt that the model gets for these messages.

        The messages end with `repairs` rejected answers, each followed by its repair message.
        Raises ModelError when the server cannot be asked.
        """
        turns = [KINDS[each.role](each.content) for each in messages]
        sent = fit_roles(turns, self.has_system_role)
        plain = plain_messages(sent)
        how, text = self.how, None
        if self.template is not None:
            text = self._render_messages(plain)
        elif self.counter is not None:
            with TranslatedErrors(self.server, key=self.counter.server.key):
                text = await self.counter.render_messages(sent)
            how = UNTOLD if text is None else how
        return WrittenPrompt(messages=plain, text=text, how=how, repairs=repairs)

    async def tokens(self, text: str) -> list[int] | None:
        """Return a string's tokens by the model's own tokenizer; None when it is unavailable."""
        if self.counter is None:
            return None
        begins = not (self.bos and text.startswith(self.bos))
        with TranslatedErrors(self.server, key=self.counter.server.key):
            return await self.counter.tokens(text, begins=begins)

    def _render_messages(self, messages: Sequence[ChatMessage]) -> str:
        assert self.template is not None
        plain = [{"role": each.role, "content": each.content} for each in messages]
        try:
            return self.template.write(plain, enable_thinking=self.thinking)
        except ChatTemplateError as error:
            why = str(error).rstrip(".")
            raise SpecError(f"The model's chat template refuses these messages: {why}.") from error


@asynccontextmanager
async def writer_of(
    spec: Spec, settings: ModelSettings, env: Mapping[str, str]
) -> AsyncIterator[PromptWriter]:
    """Yield the writer for a model's prompts, and close it at the end.

    A server that was started for the writer is stopped too. Raises ModelError for a file that is
    not a chat model or a server that does not answer.
    """
    if spec.kind == "gguf":
        async with _of_file(Path(spec.target).expanduser().resolve(), settings) as writer:
            yield writer
    elif spec.kind == "llamacpp":
        server = LlamaCppServer(spec.target, key=key_for(KEYS["llamacpp"], env))
        writer = await asyncio.to_thread(_of_server, server, settings)
        async with _closing(writer):
            yield writer
    elif spec.kind == "ollama":
        found = await asyncio.to_thread(
            OllamaServer.of(env, host=spec.host).chat_model, spec.target
        )
        how = UNSEEN["ollama"].format(name=found.name)
        yield PromptWriter(how=how, has_system_role=settings.keeps_system_role(found.system_role))
    else:
        takes = settings.keeps_system_role(True)
        yield PromptWriter(how=UNSEEN.get(spec.kind, ELSEWHERE), has_system_role=takes)


@asynccontextmanager
async def _of_file(path: Path, settings: ModelSettings) -> AsyncIterator[PromptWriter]:
    """Yield the writer for a GGUF file, with the file's template and llama.cpp as token counter."""
    file = await asyncio.to_thread(check_chats, path)
    writer = _reading(file, path, settings)
    if find_spec("xllamacpp") is None:
        why = f"{ESTIMATED}; the extra gguf (smolville[gguf]) counts with the model's own tokenizer"
        yield replace(writer, counted_by=why)
        return
    try:
        wish = GgufWish(path=str(path), num_ctx=COUNTING, slots=1)
        started = await asyncio.to_thread(GgufServer, wish)
    except ModelError as error:
        yield replace(writer, counted_by=f"{ESTIMATED}; {str(error).rstrip('.')}")
        return
    try:
        server = LlamaCppServer(started.url, key=started.key)
        server.name = f"llama.cpp with {path.name}"
        counter = LlamaCppCounter(server, {})
        counting = replace(
            writer, counter=counter, counted_by="by the model's own tokenizer", server=server.name
        )
        async with _closing(counting):
            yield counting
    finally:
        await asyncio.to_thread(started.stop)


def _reading(file: GgufFile, path: Path, settings: ModelSettings) -> PromptWriter:
    """Return a writer with a file's template; SpecError when the template cannot be rendered."""
    marked = [{"role": "system", "content": MARK}, {"role": "user", "content": "Hello."}]
    try:
        template = ChatTemplate(file.template, bos=file.bos, eos=file.eos)
        try:
            takes = MARK in template.write(marked, enable_thinking=settings.thinking)
        except ChatTemplateError:
            takes = False
            template.write(marked[1:], enable_thinking=settings.thinking)
    except ChatTemplateError as error:
        raise SpecError(
            f"The chat template of {str(path)!r} cannot be rendered: {str(error).rstrip('.')}."
        ) from error
    return PromptWriter(
        how="The string is made by the chat template in the file.",
        template=template,
        bos=file.bos,
        has_system_role=settings.keeps_system_role(takes),
        thinking=settings.thinking,
    )


def _of_server(server: LlamaCppServer, settings: ModelSettings) -> PromptWriter:
    """Return the writer for a llama.cpp server; ModelError when another kind of server answers."""
    facts = server.facts()
    return PromptWriter(
        how=f"The string is made by the server's own chat template ({facts.name}).",
        counted_by="by the model's own tokenizer",
        counter=LlamaCppCounter(server, LlamaCppDialect(settings).template),
        has_system_role=settings.keeps_system_role(facts.system_role),
        server=server.name,
    )


@asynccontextmanager
async def _closing(writer: PromptWriter) -> AsyncIterator[None]:
    """Close the connections of the token counter, in the event loop that they belong to."""
    try:
        yield
    finally:
        if writer.counter is not None:
            await writer.counter.aclose()
