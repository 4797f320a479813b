"""A memory of what was tried: `prompt history`, `prompt diff`, `eject --from`, cases in CI."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Command
from tests.fixtures.clumsy import CLUMSY, clumsy, moments

__all__ = ["clumsy", "moments"]
EVAL = ("prompt", "eval", "say", "--moments", "clumsy", "--model", CLUMSY, "--limit", "8")
REMINDER = "Check: nothing is cut, nothing is missing, every field is there.\n\n{{ format }}"


@pytest.fixture
def smolville(clumsy: Path, tmp_path: Path) -> Command:
    """The command on a run with mistakes, whose evaluations are kept elsewhere."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "clumsy").symlink_to(clumsy / "clumsy")
    return Command(tmp_path / "runs", tmp_path)


def edit(folder: str = "mine") -> str:
    """Edit a folder's `say`, and return its text."""
    path = Path(folder) / "say.jinja"
    path.write_text(path.read_text().replace("{{ format }}", REMINDER, 1))
    return path.read_text()


def test_from_a_wish_to_a_list_of_what_was_tried(smolville: Command) -> None:
    assert "There is no evaluation in" in smolville("prompt", "history").out
    smolville("prompt", "eject", "mine", "say", "--note", "Nothing is cut")
    first = edit()
    told = smolville("prompt", "lint", "mine").out.splitlines()[-1]
    assert told.startswith("Nothing is cut · from shipped ")
    assert smolville("prompt", "lint", "mine", "--json").json["note"] == "Nothing is cut"
    variants = ("--prompts", "shipped", "--prompts", "mine")
    assert smolville(*EVAL, *variants).code == 0
    edit()
    assert smolville(*EVAL, *variants).code == 0
    later, earlier = smolville("prompt", "history", "--json").json
    was, now = (each["variants"][1] for each in (earlier, later))
    assert (was["prompts"], was["note"], was["parent"]) == ("mine", "Nothing is cut", "shipped")
    assert was["version"] != now["version"]
    assert earlier["steps"] == {"say": 8} and earlier["moments_from"] == ["clumsy"]
    lines = smolville("prompt", "history").out.splitlines()
    assert lines[0].startswith(later["id"][:8]) and lines[0].endswith("8 moments of clumsy: say 8")
    assert f"  2  mine {now['version']} · Nothing is cut · from shipped" in lines[2]

    both = smolville("prompt", "history", earlier["id"][:8], later["id"], "--json").json
    labels = [f"mine {was['version']}", f"mine {now['version']}", "shipped"]
    assert [each["prompts"] for each in both["variants"]] == labels
    again = smolville("prompt", "history", earlier["id"][:8], "--json").json
    assert [each["prompts"] for each in again["variants"]] == ["shipped", "mine"]

    assert smolville("prompt", "eject", "old", "--from", was["version"]).code == 0
    assert Path("old/say.jinja").read_text() == first
    assert f'parent = "{was["version"]}"' in Path("old/set.toml").read_text()
    diff = smolville("prompt", "diff", "old", "mine")
    assert "say.jinja\n" in diff.out and diff.out.count("\n+Check: nothing is cut") == 1
    best = smolville("prompt", "history", "--best", "say")
    assert f"say on {CLUMSY}: no set is better than shipped beyond chance; 2 other" in best.out


def test_a_run_is_a_set(smolville: Command) -> None:
    same = smolville("prompt", "diff", "clumsy", "shipped").out
    assert "They are the same, to the letter." in same
    smolville("prompt", "eject", "mine", "--from", "german")
    files = {each.name for each in Path("mine").iterdir()}
    assert "say.jinja" in files and "set.toml" in files and "react.jinja" not in files
    told = smolville("prompt", "diff", "clumsy", "mine", "say", "--json").json
    assert told["b"]["parent"] == "german" and list(told["files"]) == ["say.jinja"]
    said = smolville("prompt", "eject", "theirs", "--from", "clumsy")
    assert (said.code, said.err) == (
        2,
        "clumsy has the shipped templates; name the steps to copy.\n",
    )
    assert smolville("prompt", "eject", "theirs", "say", "--from", "clumsy").code == 0


def test_cases_lie_beside_the_templates_and_run_in_ci(smolville: Command) -> None:
    smolville("prompt", "eject", "mine", "say")
    ids = [each["id"] for each in smolville("moments", "clumsy", "--step", "say", "--json").json]
    said = smolville("moments", "clumsy", ids[0], ids[1].rpartition("/")[2][:6], "--add", "mine")
    assert said.out.splitlines()[-1] == "2 moments added to mine/cases.jsonl, which has 2 now."
    more = smolville("moments", "clumsy", "--step", "say", "-n", "3", "--add", "mine/cases.jsonl")
    assert "3 moments added to mine/cases.jsonl, which has 5 now." in more.out
    assert "0 moments added" in smolville("moments", "clumsy", ids[0], "--add", "mine").out
    words = ("prompt", "eval", "--moments", "mine", "--prompts", "mine", "--model", CLUMSY)
    words += ("--set", "repairs=0", "--junit", "out/cases.xml", "--max-objected", "0", "--json")
    done = smolville(*words)
    suite = ElementTree.parse("out/cases.xml").getroot()[0]
    assert suite.attrib["name"] == f"mine · {CLUMSY}"
    assert {each.attrib["name"] for each in suite} == {ids[0], ids[1], *ids[-3:]}
    failures = suite.findall("testcase/failure")
    objected = done.json["variants"][0]["objected"]["count"]
    assert len(failures) == int(suite.attrib["failures"]) == objected
    assert done.code == (1 if objected else 0)
    assert all("First reply: " in (each.text or "") for each in failures)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("prompt", "history", "beef"), "There is no evaluation 'beef' in "),
        (("prompt", "history", "--best", "sya"), "There is no step 'sya' (did you mean"),
        (("prompt", "history", "--best", "say"), "No evaluation has asked moments of the step"),
        (("prompt", "diff", "shipped", "0123abcd"), "There is no folder of templates '0123abcd'"),
        (("prompt", "eject", "mine", "--from", "nowhere"), "There is no folder of templates 'now"),
        (("moments", "clumsy", "12", "--add", "mine"), "There is no moment '12' among these"),
    ],
)
def test_a_wrong_use_is_one_sentence(
    smolville: Command, words: tuple[str, ...], sentence: str
) -> None:
    said = smolville(*words)
    assert said.code == 2
    assert sentence in said.err and len(said.err.strip().splitlines()) == 1
    assert not Path("mine").exists()
