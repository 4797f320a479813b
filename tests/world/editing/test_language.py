"""The language by which answers are judged belongs to a run as its templates do."""

from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.prompts.folder import LANGUAGE, shipped_texts
from smolville.prompts.prompt import TemplateSet
from smolville.world.editing import record_templates
from tests.world.editing.editor import NINE


def test_a_run_knows_the_language_of_its_templates_ever_after(folder: RunFolder) -> None:
    german = TemplateSet({**shipped_texts(), LANGUAGE: "de\n"})
    with History(folder) as history:
        record_templates(history, TemplateSet(), german, NINE)
        _, (tick, texts) = history.template_sets()
        again = TemplateSet(texts)
        assert (tick, again.language) == (NINE, "de")
        assert record_templates(history, again, german, NINE) is None
        record_templates(history, german, TemplateSet(), NINE + 1)
        assert TemplateSet(history.template_sets()[-1][1]).language == "en"
