"""Opens the models that the app asks: a run's own, or another one."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cli.run.begun import means_now
from cli.run.chats import open_chats
from cli.run.holding import asking_now, tiers_now
from cli.settings.choosing import choose
from viewer.house import Minds
from world.runs.folder import RunSpec


@dataclass(frozen=True)
class MindsOf:
    """Opens models as the settings of this place say."""

    settings: Path | None

    @contextmanager
    def __call__(self, spec: RunSpec, model: str | None = None) -> Iterator[Minds]:
        """Open the models a run is asked with, or another one."""
        chosen = choose({"model": model} if model else {}, self.settings)
        fast, strong = tiers_now(chosen, spec)
        asking = asking_now(chosen, spec)
        with ExitStack() as open_until:
            chats, why = open_chats(
                fast, strong, spec.seed, settings=asking, env=chosen.surroundings
            )
            means = means_now(chosen, asking, open_until)
            yield Minds(chats=chats, means=means, rules=chosen.rules(is_real=True), why=why)
