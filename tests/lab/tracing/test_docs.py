"""The guide is true: its example is what the command prints, its table has the code's fields."""

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from smolville.cli.app import app
from smolville.lab.tracing.tree import Span

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "tracing.md"
UPDATE = os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1"
TIME = re.compile(r"[\d.,]+ (?:ms|s)\b(  waited [\d.,]+ (?:ms|s))?")


def test_the_guide_lists_every_field(trees: list[Span]) -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", GUIDE.read_text(), re.M))
    seen = {name for tree in trees for span in tree.walk() for name in span.metadata}
    # The stand-in has no cache and one server, is held to no schema, and no template names a hub.
    assert listed - seen <= {"cached_tokens", "server", "schema", "hub"}
    assert seen <= listed


def test_the_example_is_what_the_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = "run clumsy --model standin:mistakes=0.3 --for 8h --quiet"
    shown = "trace clumsy c004abb7"
    assert CliRunner().invoke(app, run.split()).exit_code == 0
    said = CliRunner().invoke(app, shown.split())
    assert said.exit_code == 0, said.stderr
    lines = "".join(f"{line.rstrip()}\n" for line in said.stdout.splitlines())
    wanted = f"```console\n$ smolville {shown}\n{lines}```\n"
    head, begin, rest = GUIDE.read_text().partition("<!-- example: begin -->\n")
    example, end, tail = rest.partition("<!-- example: end -->")
    if UPDATE:
        GUIDE.write_text(f"{head}{begin}{wanted}{end}{tail}")
        return
    assert TIME.sub("_", example) == TIME.sub("_", wanted), (
        "set SMOLVILLE_UPDATE_GOLDEN=1 to write it anew"
    )
