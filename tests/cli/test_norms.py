"""What the command tells of a town's rules: which there are, what is wrong, how often broken."""

import pytest

from tests.cli.conftest import Command

RULES = """
[[rules]]
rule = "The park is closed"
where = ["Willow Park"]
[[rules]]
rule = "Guests leave before noon."
everybody_but = {work = "Copper Kettle"}
where = ["Copper Kettle: counter room"]
open = ["12:00-22:00"]
"""


@pytest.fixture
def ruled(smolville: Command) -> Command:
    """A command with a town that has rules."""
    (smolville.town / "rules.toml").write_text(RULES, encoding="utf-8")
    return smolville


def test_the_rules_of_a_town_are_listed(ruled: Command, smolville: Command) -> None:
    said = ruled("town", str(ruled.town))
    assert said.code == 0
    assert "Rule: The park is closed." in " ".join(said.out.split())


def test_faults_are_told_with_their_lines_and_not_all_at_once(smolville: Command) -> None:
    wrong = "[[rules]]\nrule = 'Closed'\nwhere = ['Nowhere']\n" * 25
    (smolville.town / "rules.toml").write_text(wrong, encoding="utf-8")
    said = smolville("town", str(smolville.town))
    assert said.code == 2
    told = " ".join(said.err.split())
    assert told.count("the map has no such place") == 20
    assert "rules.toml, line 3:" in told and "And 5 more; mend these first." in told
    said = smolville.live("amber", "--for", "1h", "--quiet")
    assert said.code == 2 and "rules.toml, line 3" in said.err


def test_broken_rules_are_counted_one_by_one_and_shown_where_they_were_refused(
    ruled: Command,
) -> None:
    said = ruled.live("amber", "--for", "11h", "--quiet", "--cast", "3")
    assert said.code == 0, said.err
    reasons = ruled("health", "amber", "--by", "reason", "--json").json["reasons"]
    broken = {name: each["count"] for name, each in reasons.items() if name.startswith("rule")}
    assert broken and all(count > 0 for count in broken.values())
    assert set(broken) <= {"rule: Guests leave before noon.", "rule: The park is closed."}
    told = " ".join(ruled("health", "amber", "--by", "reason").out.split())
    for name, count in broken.items():
        assert f"broke a rule: {name.removeprefix('rule: ')[:-1]}: {count} " in told
    thought = told.partition("broke a rule")[2].partition("smolville trace amber ")[2].split()[0]
    trace = " ".join(ruled("trace", "amber", thought).out.split())
    assert 'which breaks a rule: "' in trace
