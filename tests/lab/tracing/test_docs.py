"""The guide is true: its example is what the command prints, its table is the code's."""

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from lab.tracing.metadata import ALL, FIELDS, Field

GUIDE = Path(__file__).parents[3] / "docs" / "tracing.md"
UPDATE = os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1"
TIME = re.compile(r"[\d.,]+ (?:ms|s)\b( +[\d.,]+ (?:ms|s) of it waiting)?")


def part(name: str) -> str:
    """What stands between a pair of markers."""
    found = re.search(f"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", GUIDE.read_text(), re.S)
    assert found is not None, f"docs/tracing.md has no part {name!r}"
    return found.group(1)


def write(name: str, wanted: str) -> None:
    """Put a part anew."""
    old = f"<!-- {name}: begin -->\n{part(name)}<!-- {name}: end -->"
    new = f"<!-- {name}: begin -->\n{wanted}<!-- {name}: end -->"
    GUIDE.write_text(GUIDE.read_text().replace(old, new))


def row(field: Field) -> str:
    """A field as a line of the table."""
    kinds = "all" if field.kinds == ALL else ", ".join(field.kinds)
    return f"| `{field.name}` | {field.meaning} | {kinds} |\n"


def test_every_field_is_in_the_guide() -> None:
    wanted = "| field | meaning | spans |\n|---|---|---|\n" + "".join(map(row, FIELDS))
    if UPDATE:
        write("fields", wanted)
    assert part("fields") == wanted, "set SMOLVILLE_UPDATE_GOLDEN=1 to write it anew"


def test_the_example_is_what_the_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = "run clumsy --model standin:mistakes=0.3 --for 10h --quiet"
    shown = "trace clumsy Nadia 09:33"
    assert CliRunner().invoke(app, run.split()).exit_code == 0
    said = CliRunner().invoke(app, shown.split())
    assert said.exit_code == 0, said.stderr
    lines = "".join(f"{line.rstrip()}\n" for line in said.stdout.splitlines())
    wanted = f"```console\n$ smolville {shown}\n{lines}```\n"
    if UPDATE:
        write("example", wanted)
    assert TIME.sub("_", part("example")) == TIME.sub("_", wanted), (
        "set SMOLVILLE_UPDATE_GOLDEN=1 to write it anew"
    )
