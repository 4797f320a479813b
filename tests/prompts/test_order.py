"""What stays the same stands first in every prompt: a server's prefix cache serves it."""

import pytest

from smolville.prompts.environment import open_environment
from smolville.prompts.folder import FOLDER, read_overlaid_texts
from smolville.prompts.lint import find_misplaced

STEPS = sorted(
    path.name for path in FOLDER.glob("*.jinja") if path.name[0] != "_" and path.stem != "repair"
)

BAD = """{% block system %}
It is {{ now }}.
{{ format }}
{% include "_who.jinja" %}
{% endblock %}
{% block human %}
{{ memory_list(memories) }}
Today is {{ date }}.
{% endblock %}
"""


@pytest.mark.parametrize("file", STEPS)
def test_no_template_shows_what_changes_before_what_stays(file):
    assert find_misplaced(open_environment(), file) == []


def test_what_stands_too_late_is_named_with_file_and_line(tmp_path):
    (tmp_path / "react.jinja").write_text(BAD)
    found = find_misplaced(open_environment(read_overlaid_texts(tmp_path)), "react.jinja")
    assert found == [("format", "now", 3), ("me", "now", 4), ("date", "now", 8)]
