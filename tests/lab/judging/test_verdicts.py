"""The file of verdicts: a line each, nothing lost, nothing of anybody else's overwritten."""

from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.lab.judging.verdicts import SAME, PairVerdict, verdicts_in


def test_verdicts_stand_in_the_file_as_soon_as_they_are_given(tmp_path: Path) -> None:
    path = tmp_path / "report.judged.jsonl"
    with verdicts_in(path) as verdicts:
        verdicts.keep(PairVerdict(pair="a", judge="person", prefers=SAME, moment="m/1"))
        assert len(path.read_text().splitlines()) == 2
        with verdicts_in(path) as beside:
            assert beside.of("person")["a"].prefers == SAME


def test_of_a_broken_write_only_the_last_line_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "r.judged.jsonl"
    with verdicts_in(path) as verdicts:
        verdicts.keep(PairVerdict(pair="a", judge="person", prefers=SAME))
    with path.open("a") as file:
        file.write('{"pair": "b", "jud')
    with verdicts_in(path) as verdicts:
        assert list(verdicts.of("person")) == ["a"]
        verdicts.keep(PairVerdict(pair="c", judge="person", prefers=SAME))
    with verdicts_in(path) as verdicts:
        assert list(verdicts.of("person")) == ["a", "c"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Dear diary\n", "holds no verdicts; remove it to judge again"),
        ('{"smolville": "evaluation", "format": 1}\n', "holds no verdicts"),
        ('{"smolville": "verdicts", "format": 2}\n', "was written by a later Smolville"),
        ('{"smolville": "verdicts", "format": 1}\nx\n{"pair": "a"}\n', "line 2 is damaged"),
        ('{"smolville": "verdicts", "format": 1}\n{"pair": 3}\n', "is damaged: a verdict has"),
    ],
)
def test_another_file_is_left_alone(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "r.judged.jsonl"
    path.write_text(text)
    with pytest.raises(RunError, match=told), verdicts_in(path):
        pass
    assert path.read_text() == text
