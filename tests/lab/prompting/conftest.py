"""A small town whose model makes mistakes and is told too little about them: many attempts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.moments.finding import moments_of
from smolville.lab.moments.moment import Moment
from tests.cli.conftest import Command
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import write_small_town
from tests.fixtures.viewing import copied

DULL = """{# Says too little. #}
{% block human %}
{% if problems or cut or missing or shortened %}
That was wrong.
{% endif %}
{% endblock %}
"""
"""A repair message that names nothing, so that the stand-in's mistakes return."""

SEED = 27
"""With this seed some lists of ratings, of which there are few in a day, are right in part."""


@pytest.fixture(scope="session")
def runs(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the run `dull`; only to be read."""

    def make(made: Path) -> None:
        command = Command(made / "runs", write_small_town(made / "town"))
        (made / "dull").mkdir()
        (made / "dull" / "repair.jinja").write_text(DULL)
        words = (
            *("--model", "standin:mistakes=0.6", "--prompts", str(made / "dull")),
            *("--set", "history=full", "--set", "examples=2"),
            *("--cast", "3", "--for", "20h", "--seed", str(SEED), "--quiet"),
        )
        said = command("run", "dull", "--town", str(command.town), *words)
        assert said.code == 0, said.err

    made = made_once(shared, "prompting", make)
    return copied(made / "runs", tmp_path_factory.mktemp("prompting"))


@pytest.fixture(scope="session")
def moments(runs: Path) -> Iterator[list[Moment]]:
    """All moments of the run."""
    with RunReader(RunFolder.open(runs, "dull")) as reader:
        yield list(moments_of(reader))
