"""The guide is true: its example is what the command prints, its table is the code's."""

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from smolville.cli.app import app
from smolville.lab.tracing.span import Span
from smolville.lab.tracing.tree import hour_span
from tests.lab.tracing.conftest import everything

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "tracing.md"
UPDATE = os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1"
TIME = re.compile(r"[\d.,]+ (?:ms|s)\b( +[\d.,]+ (?:ms|s) of it waiting)?")


def part(name: str) -> str:
    """What stands between a pair of markers."""
    found = re.search(f"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", GUIDE.read_text(), re.S)
    assert found is not None, f"docs/guides/tracing.md has no part {name!r}"
    return found.group(1)


def write(name: str, wanted: str) -> None:
    """Put a part anew."""
    old = f"<!-- {name}: begin -->\n{part(name)}<!-- {name}: end -->"
    new = f"<!-- {name}: begin -->\n{wanted}<!-- {name}: end -->"
    GUIDE.write_text(GUIDE.read_text().replace(old, new))


def test_the_guide_lists_every_field_and_the_spans_that_have_it(trees: list[Span]) -> None:
    rows = [line.split(" | ") for line in part("fields").splitlines()[2:]]
    listed = {name.strip("| `"): set(kinds.strip(" |").split(", ")) for name, *_, kinds in rows}
    seen: dict[str, set[str]] = {}
    hour = hour_span(trees[:3])
    assert hour is not None
    spans = [*(each for tree in trees for each in everything(tree)), hour]
    for span in spans:
        for name in span.metadata:
            seen.setdefault(name, set()).add(span.kind)
    every = {span.kind for span in spans}
    # The stand-in has no cache, no slots and no clock of its own, and is held to no schema.
    silent = {"cached_tokens", "cached_share", "prompt_ms", "reply_ms", "slot", "server", "schema"}
    assert listed.keys() - seen.keys() <= silent
    for name, kinds in seen.items():
        wanted = {"all"} if kinds == every else kinds
        assert listed.get(name) == wanted, f"docs/guides/tracing.md: {name} is of {sorted(wanted)}"


def test_the_example_is_what_the_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = "run clumsy --model standin:mistakes=0.3 --for 10h --quiet"
    shown = "trace clumsy Nadia 07:00"
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
