"""All that is wrong with a set of templates is told, each with its file and line."""

from collections.abc import Mapping

import pytest

from smolville.prompts.contract import BoundTemplate, LintFinding
from smolville.prompts.folder import shipped_texts, strange_name
from smolville.prompts.lint import lint
from smolville.prompts.prompt import TemplateSet

VISIT = BoundTemplate("visit.jinja", "VisitInput", frozenset({"guest", "hour", "me"}))
GOOD = """{# Who comes: the answer is read as Visit. #}
{% block system %}
Be kind.
{{ format }}
{% include "_who.jinja" %}
{% endblock %}
{% block human %}
{{ guest }} comes at {{ hour }}.
{% endblock %}
"""


def found(own: Mapping[str, str]) -> list[LintFinding]:
    texts = {**shipped_texts(), "visit.jinja": GOOD, **own}
    known = [VISIT]
    return [each for each in lint(texts, own.keys(), known) if each.kind != "name"]


def told(own: Mapping[str, str] | str) -> list[str]:
    own = {"visit.jinja": own} if isinstance(own, str) else own
    return [f"{each.severity[0]} {each.where}: {each.text}" for each in found(own)]


def test_every_unknown_variable_is_told_where_it_stands() -> None:
    text = GOOD.replace("Be kind.", "{{ gest }}\n{{ sky }}").replace("at {{", "{{ gest }} at {{")
    assert told(text) == [
        "e visit.jinja, line 3: `gest` does not exist (did you mean `guest`?)",
        "e visit.jinja, line 4: `sky` does not exist; VisitInput has: `guest`, `hour`, `me`",
        "e visit.jinja, line 9: `gest` does not exist (did you mean `guest`?)",
    ]


def test_what_is_included_in_vain_is_told() -> None:
    assert told(GOOD.replace("_who.jinja", "_woh.jinja")) == [
        "e visit.jinja, line 5: there is no template _woh.jinja (did you mean `_who`?)",
    ]


def test_a_syntax_error_is_told_with_the_line_itself() -> None:
    (one,) = found({"visit.jinja": GOOD.replace("{{ hour }}", "{% for %}")})
    assert (one.kind, one.severity, one.line) == ("syntax", "error", 8)
    assert one.text.endswith("`{{ guest }} comes at {% for %}.`")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD.replace("Be kind.", "Be kind. "), 3, "blanks at the end of the line"),
        (f"{GOOD}\n", 11, "exactly one end of line"),
        (GOOD.split("\n", 1)[1], 1, "the first line should be a comment"),
        (GOOD.replace("{{ format }}\n", ""), None, "nothing shows `format`"),
        (GOOD.replace("Be kind.", "{{ hour }}"), 4, "`format` stands behind `hour`"),
    ],
)
def test_what_works_but_worse_is_a_warning(text: str, line: int | None, said: str) -> None:
    findings = found({"visit.jinja": text})
    assert {each.severity for each in findings} == {"warning"}
    assert [each.line for each in findings if said in each.text] == [line]


def test_a_gone_formatter_is_told_where_shipped_templates_call_it() -> None:
    """A file of the folder can break one that is not in it."""
    call = GOOD.replace("{{ guest }}", "{{ name_list(guest) }}")
    texts = {**shipped_texts(), "visit.jinja": call}
    texts["_macros.jinja"] = "{% macro other() %}\n{% endmacro %}\n"
    told = [
        (each.severity, each.where, each.text) for each in lint(texts, ["_macros.jinja"], [VISIT])
    ]
    assert told == [
        (
            *("error", "visit.jinja, line 8"),
            "`name_list` does not exist; VisitInput has: `guest`, `hour`, `me`",
        ),
    ]


def test_a_file_that_no_step_has_and_one_that_nobody_includes_are_errors() -> None:
    own = {"plan_dya.jinja": GOOD, "_hat.jinja": "A hat.\n"}
    findings = lint({**shipped_texts(), **own}, own, [])
    hat, plan = [each for each in findings if each.severity == "error"]
    assert (hat.kind, plan.kind) == ("name", "name")
    assert hat.text.startswith("no template includes _hat.jinja")
    assert plan.text == "there is no step for plan_dya.jinja (did you mean `plan_day`?)"


def test_the_repair_message_and_the_examples_have_contracts_too() -> None:
    files = {
        "repair.jinja": "{# R. #}\n{% block human %}\nNo.\n{% endblock %}\n",
        "_examples.jinja": "{# E. #}\n{% block human %}\n{{ exmples }}\n{% endblock %}\n",
    }
    said = told(files)
    assert "e repair.jinja, line 2: nothing shows `problems`, which repair has" in said
    assert "e _examples.jinja, line 3: `exmples` does not exist (did you mean `examples`?)" in said


def test_a_folder_may_say_its_language():
    assert strange_name("_language.jinja", shipped_texts()) == ""
    assert TemplateSet({**shipped_texts(), "_language.jinja": "de\n"}).language == "de"
    assert TemplateSet().language == "en"
