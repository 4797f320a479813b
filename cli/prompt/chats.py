"""Options of what asks models again, and the models that they mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.settings.choosing import Chosen
    from graphs.loop.rules import Rules
    from models.chat import Chat

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="A model, as often as there are: ollama:<name>, llamacpp:<url>, standin, ...",
    ),
]
Repairs = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Repairs before a step falls back; 0: first answers."),
]
Examples = Annotated[
    int | None,
    typer.Option(metavar="K", min=0, max=10, help="Example answers shown; as then without it."),
]
Patience = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", min=0, help="Wait so long for a lost server."),
]


@dataclass(frozen=True, kw_only=True)
class Means:
    """What asks: settings, and what was said on the command line."""

    chosen: "Chosen"
    models: Sequence[str]
    """Specs; none for the model of the settings, or the one that this machine offers."""
    examples: int | None
    """Example cases; None: as many as were shown then."""
    folders: tuple[Path, ...] = ()
    """Of templates, as they were typed; none where nothing was said or set."""

    @property
    def rules(self) -> "Rules":
        """What every question obeys."""
        return self.chosen.rules(is_real=True)

    def opened(self, seed: int) -> "list[Chat]":
        """Return the chats, each model once; `seed` is the run's, for the stand-in."""
        from cli.run.holding import open_chats
        from cli.screen import say
        from models.keys import Named

        values = self.chosen.values
        found: dict[str, Chat] = {}
        for spec in dict.fromkeys(self.models) or [values.fast]:
            (chat, _), (why,) = open_chats(
                spec and Named(spec),
                spec and Named(spec),
                seed,
                settings=self.chosen.models(),
                env=self.chosen.surroundings,
                patience=values.patience,
            )
            if spec is None:
                say(f"model  {why}", "dim", on_stderr=True)
            found.setdefault(chat.spec, chat)
        return list(found.values())


def means(
    context: typer.Context,
    *,
    models: Sequence[str] | None,
    repairs: int | None,
    examples: int | None,
    patience: float | None,
) -> Means:
    """Return what asks; SettingError or PromptFolderError for what cannot be."""
    from cli.options import prompts_said, settings_file, templates_folder
    from cli.settings.choosing import choose

    said = {"repairs": repairs, "patience": patience}
    chosen, folders = choose(said, settings_file(context)), prompts_said(context)
    if not folders and chosen.values.prompts is not None:
        templates_folder(chosen)
        folders = (chosen.values.prompts,)
    return Means(chosen=chosen, models=models or (), examples=examples, folders=folders)
