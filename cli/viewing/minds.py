"""Open the model clients for the browser app: a run's own models, or another one."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from history.spec import RunSpec
    from models.embedding.embedder import Embedder
    from viewer.house import AppModels


@dataclass(frozen=True)
class MindsOf:
    """Opens model clients according to the settings; the code for it is imported when called."""

    settings: Path | None

    @contextmanager
    def __call__(self, spec: "RunSpec", model: str | None = None) -> "Iterator[AppModels]":
        """Open the model clients of a run, or of another model.

        Nobody is at this process's terminal: a model that is still loading, or a server that keys
        may not go to, gives an error in the page; it is not waited for, and no question is asked.
        """
        from cli.run.holding import asking_now, open_chats, tiers_now
        from cli.run.started import means_now
        from cli.settings.choosing import choose
        from cli.settings.key_hosts import key_hosts
        from viewer.house import AppModels

        chosen = choose({"model": model} if model else {}, self.settings)
        fast, strong = tiers_now(chosen, spec)
        asking, may_send = asking_now(chosen, spec), key_hosts(chosen, asks=False)
        with ExitStack() as open_until:
            chats, why = open_chats(
                fast,
                strong,
                spec.seed,
                settings=asking,
                env=chosen.surroundings,
                may_send=may_send,
                patience=0.0,
            )
            means = means_now(chosen, asking, open_until, may_send)
            is_real = not all(chat.wants_inputs for chat in chats)
            yield AppModels(chats=chats, means=means, rules=chosen.rules(is_real=is_real), why=why)

    def embedder(self, spec: "RunSpec") -> "Embedder":
        """Open the embedder of a run's memories."""
        from cli.settings.choosing import choose
        from cli.settings.key_hosts import key_hosts
        from models.embedding.embedder import open_embedder

        chosen = choose(file=self.settings)
        may_send = key_hosts(chosen, asks=False)
        return open_embedder(spec.models.embedder, env=chosen.surroundings, may_send=may_send)
