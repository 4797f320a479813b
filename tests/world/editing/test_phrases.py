"""What answers are judged by belongs to a run as its templates do: kept, edited, taken away."""

from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.prompts.folder import LANGUAGE, SENSE, shipped_texts
from smolville.prompts.prompt import TemplateSet
from smolville.world.editing import record_templates
from tests.world.editing.editor import NINE, UNTIL, Editor, Mine, edits, live

LISTED = '[any]\nvoice = ["having breakfast", "working", "on my way"]\n'


def test_phrases_hold_from_the_tick_of_the_edit_until_they_are_taken_away(
    folder: RunFolder, mine: Mine
) -> None:
    due = {NINE: lambda: mine.write(LISTED, SENSE), NINE + 360: lambda: mine.remove(SENSE)}
    editor = live(folder, UNTIL, mine, Editor(due))
    first, second = edits(folder)
    assert (first.target, second.target) == (SENSE, SENSE)
    assert editor.refusals == []
    assert f" on: {SENSE} (" in editor.said[0]
    assert editor.said[1].endswith(f" on: {SENSE} (taken away).")
    with RunReader(folder) as reader:
        assert reader.templates_at(first.tick)[SENSE] == LISTED
        assert SENSE not in reader.templates_at(first.tick - 1)
        assert SENSE not in reader.templates_at(second.tick)


def test_a_list_that_cannot_be_is_refused_with_its_line(folder: RunFolder, mine: Mine) -> None:
    wrong = "[any]\nvoise = []\n"
    editor = live(folder, UNTIL, mine, Editor({NINE: lambda: mine.write(wrong, SENSE)}))
    assert edits(folder) == []
    (refusal,) = editor.refusals
    assert refusal.startswith("Edit not taken: sense.toml: `voise` is no kind of oddity")


def test_a_run_knows_the_language_of_its_templates_ever_after(folder: RunFolder) -> None:
    german = TemplateSet({**shipped_texts(), LANGUAGE: "de\n", SENSE: LISTED})
    with History(folder) as history:
        record_templates(history, TemplateSet(), german, NINE)
        _, (tick, texts) = history.template_sets()
        again = TemplateSet(texts)
        assert (tick, again.language, again.phrases) == (NINE, "de", LISTED)
        assert record_templates(history, again, german, NINE) is None
        record_templates(history, german, TemplateSet(), NINE + 1)
        assert TemplateSet(history.template_sets()[-1][1]).language == "en"
