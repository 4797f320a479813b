"""Open the model for a new town or person, ask in one event loop, and show what is made."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from smolville.agents.errors import StoppedError
from smolville.cli.run.models import open_chats
from smolville.cli.run.prepare import means_now, models_now
from smolville.cli.run.settings import user_servers
from smolville.cli.screen import EveryMinute, console, say, say_waiting
from smolville.cli.settings.choosing import choose
from smolville.cli.settings.key_hosts import key_hosts
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.making.catalogue import check_making_templates
from smolville.history.observers import untraced
from smolville.lab.listening import HeardChat, PendingCalls
from smolville.lab.single_step import reason_of
from smolville.lab.styled import Text
from smolville.models.chat import Chat
from smolville.prompts.making import making_texts
from smolville.prompts.prompt import TemplateBook
from smolville.world.making.asking import Maker
from smolville.world.making.parts import read_parts

T = TypeVar("T")
WIDTH = 8
"""Width of the column that says what was made."""


@dataclass(kw_only=True)
class MakerModel:
    """A model that is asked for a new town or person."""

    maker: Maker
    chats: tuple[Chat, Chat]
    calls: PendingCalls

    def run(self, make: Callable[[Maker], Awaitable[T]]) -> T:
        """Return the result of `make`; if the model cannot be reached, exit with one sentence."""

        async def make_and_close() -> T:
            try:
                return await make(self.maker)
            finally:
                for chat in {id(chat): chat for chat in self.chats}.values():
                    await chat.aclose()

        with EveryMinute(lambda: f"waiting for the model: {self.calls.describe() or 'a moment'}"):
            try:
                return asyncio.run(untraced(make_and_close()))
            except StoppedError as error:
                raise reason_of(error) from None

    def tell(self, what: str, text: str) -> None:
        """Print a result: its kind, and a line of text."""
        line = Text.assemble((f"{what:<{WIDTH}}", "dim"), text)
        console().print(line, soft_wrap=True)

    def show_counts(self) -> None:
        """Print how many answers were used unchanged."""
        say(self.maker.describe_outcomes(), "dim")


@contextmanager
def asked(
    said: Mapping[str, Any], file: Path | None, templates: Path | None
) -> Iterator[MakerModel]:
    """Yield the model to ask, after all templates and settings were checked.

    Raises PromptError or TownError, with file and line, for templates that cannot be used.
    """
    texts = making_texts(templates)
    parts, book = read_parts(texts), TemplateBook(check_making_templates(texts))
    chosen, fast, strong = models_now(choose(said, file))
    values, settings = chosen.values, chosen.models()
    with ExitStack() as open_until:
        opened, why = open_chats(
            fast,
            strong,
            values.seed,
            servers=user_servers(chosen),
            settings=settings,
            env=chosen.surroundings,
            patience=values.patience,
        )
        calls = PendingCalls()
        chats = (HeardChat.of(opened[0], calls), HeardChat.of(opened[1], calls))
        means = means_now(chosen, settings, open_until, key_hosts(chosen))
        rules = chosen.rules(is_real=not all(chat.wants_inputs for chat in chats))
        client = ModelClient(
            fast=chats[0],
            strong=chats[1],
            journal=MemoryJournal(),
            seed=values.seed,
            rules=replace(rules, strict=False, strict_sense=(), examples=0, fast_examples=None),
            templates=book,
            backoff=means.backoff,
            cache=means.cache,
            waiting=say_waiting,
        )
        asking = MakerModel(maker=Maker(client=client, parts=parts), chats=chats, calls=calls)
        asking.maker.tell = asking.tell
        for line in why:
            asking.tell("model", line)
        yield asking
