"""`smolville replay --verify`: rebuild a run from its record without a model, and compare it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.cli.options import AsJson, RunName, command, runs_dir, settings_of
from smolville.cli.screen import show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.reports.runs import OpenRun
    from smolville.reports.verification import Verification

Verify = Annotated[
    bool, typer.Option("--verify", help="Rebuild the run from its record, and compare it.")
]
DIFFERENT = 1
"""Exit code if the rebuilt run differs from the original."""


def replay(
    context: typer.Context, run: RunName, verify: Verify = False, as_json: AsJson = False
) -> None:
    """Rebuild a run from its record, without a model, and compare it.

    The run is repeated in a temporary folder: recorded replies stand in for the models, and events
    from outside arrive at the same moments. The rebuilt run must be equal to the original up to the
    last complete tick. The exit code is 0 if it is, 1 if it is not, and 2 if the check is
    impossible. The run itself is only read.
    """
    from smolville.cli.settings.key_hosts import key_hosts
    from smolville.reports.runs import opened_run
    from smolville.reports.verification import verify_run

    runs = runs_dir(context)
    if not verify:
        raise RunError(
            f"add --verify to rebuild {run!r} and compare it; to watch it again: "
            f"{command(runs, 'view', run)}"
        )
    chosen = settings_of(context)
    with opened_run(runs, run) as opened:
        found = verify_run(opened, key_hosts(chosen))
        show_view(VerificationView(opened, found), as_json=as_json)
    if not found.is_same:
        raise typer.Exit(DIFFERENT)


@dataclass(frozen=True)
class VerificationView:
    """The result of rebuilding a run."""

    run: "OpenRun"
    found: "Verification"

    def plain(self) -> object:
        """Return the verdict, and the place and cause of the first difference."""
        from smolville.cli.diff import plain_first

        found = self.found
        question = found.unrecorded
        return {
            "run": found.name,
            "same": found.is_same,
            "digest": found.digest,
            "at": moment(found.at),
            "rebuilt": moment(found.rebuilt),
            "sentence": self.sentence(),
            "difference": None if found.difference is None else plain_first(found.difference),
            "unrecorded": None if question is None else str(question),
            "other_versions": list(found.versions),
        }

    def sentence(self) -> str:
        """Return the verdict in a sentence."""
        found = self.found
        when = self.run.format_time(found.at)
        if found.is_same:
            return (
                f"{found.name} is rebuilt from its record up to {when}, the same: {found.digest}."
            )
        if found.difference is not None:
            return f"{found.name} is not what its record gives; the rebuilt run differs."
        return f"{found.name} cannot be rebuilt by this program: {self._format_question()}."

    def _format_question(self) -> str:
        """Return a question of the rebuilt run that was not recorded, and when it was asked."""
        question = self.found.unrecorded
        if question is None:
            return "nothing is missing"
        if question.recorded is None:
            return f"after {self.run.format_time(self.found.rebuilt)}, {question}"
        at = question.recorded.key.tick * self.run.folder.spec.tick_seconds
        return f"on {self.run.format_time(at)}, {question}"

    def _format_versions(self) -> str:
        """Return which version of the program the run needs."""
        found = self.found
        if found.versions:
            return f"It needs the versions that made it: {', '.join(found.versions)}."
        program = self.run.folder.spec.versions.get("smolville", "unknown")
        return (
            f"It was made by this version, smolville {program}; so the run's folder was changed, "
            "or the program is in another state of that version."
        )

    def render(self) -> "RenderableType":
        """Return the verdict, where the rebuilt run first differs, and which version is needed."""
        from rich.console import Group

        from smolville.cli.diff import doing_table, render_first
        from smolville.lab.styled import Text

        found = self.found
        lines: list[RenderableType] = [Text(self.sentence(), style="bold")]
        if found.difference is not None:
            lines += render_first(found.difference, self.run)
            if found.deeds is not None:
                names = ("recorded", "rebuilt")
                lines.append(doing_table(names, found.deeds.at, found.deeds.sides))
            if found.unrecorded is not None:
                lines.append(Text(f"It ends early: {self._format_question()}."))
        if not found.is_same:
            lines.append(Text(self._format_versions(), style="dim"))
        return Group(*lines)
