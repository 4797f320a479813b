"""Options of the commands that ask models again, and the model clients that they select."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.settings.choosing import ResolvedSettings
    from graphs.loop.rules import Rules
    from models.chat import Chat

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="A model; may be repeated: ollama:<name>, llamacpp:<url>, standin, ...",
    ),
]
Repairs = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, help="Repairs before a step falls back; 0: first answers only."
    ),
]
Examples = Annotated[
    int | None,
    typer.Option(
        metavar="K", min=0, max=10, help="Example answers shown; by default as in the run."
    ),
]
Patience = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", min=0, help="How long to wait for a lost server."),
]


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """The models to ask and how: settings and command-line options."""

    chosen: "ResolvedSettings"
    models: Sequence[str]
    """Model specs; empty for the model of the settings, or the one that this machine offers."""
    examples: int | None
    """Number of example answers; None: as many as the recorded prompt showed."""
    folders: tuple[Path, ...] = ()
    """Template folders as they were typed; empty if none was given or set."""

    @property
    def rules(self) -> "Rules":
        """The rules of asking that hold for every question."""
        return self.chosen.rules(is_real=True)

    def opened(self, seed: int) -> "list[Chat]":
        """Return one model client per model; `seed` is the run's, for the stand-in."""
        from cli.run.holding import open_chats
        from cli.screen import say
        from models.keys import UserSpec

        values = self.chosen.values
        found: dict[str, Chat] = {}
        for spec in dict.fromkeys(self.models) or [values.fast]:
            (chat, _), (why,) = open_chats(
                spec and UserSpec(spec),
                spec and UserSpec(spec),
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
) -> ModelOptions:
    """Return the model options; raise SettingError or PromptFolderError for invalid ones."""
    from cli.options import prompts_said, settings_file, templates_folder
    from cli.settings.choosing import choose

    said = {"repairs": repairs, "patience": patience}
    chosen, folders = choose(said, settings_file(context)), prompts_said(context)
    if not folders and chosen.values.prompts is not None:
        templates_folder(chosen)
        folders = (chosen.values.prompts,)
    return ModelOptions(chosen=chosen, models=models or (), examples=examples, folders=folders)
