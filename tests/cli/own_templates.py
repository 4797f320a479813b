"""A template of one's own, and what a run tells of it."""

from pathlib import Path

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.prompts.folder import shipped_texts
from tests.cli.conftest import Command

FILE = "decompose.jinja"
STEP = "decompose"
MARK = "Think of the weather, too."


def text(mark: str = MARK) -> str:
    """A shipped template with one sentence more among its rules."""
    return shipped_texts()[FILE].replace("\n\nRules:\n", f"\n{mark}\n\nRules:\n", 1)


def shown(runs: Path, name: str, mark: str = MARK) -> set[tuple[str, bool]]:
    """The version of each call of the step, and whether it shows the mark."""
    with RunReader(RunFolder.open(runs, name)) as reader:
        found = set()
        for owner in reader.agents():
            for row in reader.thoughts(owner):
                thought = reader.thought(owner, row.tick)
                for used in thought.steps if thought is not None else ():
                    if used.record.step == STEP:
                        calls = [each.call for each in used.attempts]
                        found |= {(call.template, mark in call.messages) for call in calls}
        return found


def edits(runs: Path, name: str) -> list[tuple[int, str]]:
    """The tick and the files of each edit of a run's templates."""
    with RunReader(RunFolder.open(runs, name)) as reader:
        found = [each for each in reader.interventions() if each.kind == "templates"]
        return [(each.tick, each.target) for each in found]


def log(command: Command, name: str) -> str:
    return (command.runs / name / "run.log").read_text()
