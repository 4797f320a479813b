"""What came from outside, as pages and newspapers tell it: in words, never as it is recorded."""

from pathlib import Path

import orjson

from smolville.history.drafting import new_run
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch, Intervention
from smolville.reports.happenings import happenings
from smolville.reports.newspaper import newspaper
from tests.history.made_up import CAST, spec

IVO, ROSA = "Ivo Lind", CAST[0]
SAID = orjson.dumps({"talk": "t", "n": 1, "text": "Hello.", "ends": False}).decode()
VISIT = (
    ("visitor_enters", IVO, '{"about": "a clown", "place": "Cafe: bar", "doing": "waving"}'),
    ("visitor_walks", IVO, "Cafe: bar"),
    ("visitor_acts", IVO, "juggling"),
    ("visitor_talks", IVO, ROSA),
    ("visitor_says", IVO, SAID),
    ("visitor_leaves", IVO, ""),
    ("visitor_calls", "Zoe {Far}", f'{{"about": "", "agent": "{ROSA}"}}'),
    ("templates", "act.j2, say.j2", '{"act.j2": "c0ffee"}'),
    ("announcement", "", "The bridge is closed"),
)


def test_nothing_of_a_visit_is_told_as_it_is_recorded(tmp_path: Path) -> None:
    folder = new_run(tmp_path, spec())
    acts = [
        Intervention(id=str(n), tick=n + 1, kind=kind, target=target, text=text)  # type: ignore[arg-type]
        for n, (kind, target, text) in enumerate(VISIT)
    ]
    with History(folder) as history:
        history.commit(CommitBatch(tick=20, at=200, agents=CAST, interventions=acts))
    with RunReader(folder) as reader:
        found = happenings(reader, 20)
        paper = newspaper(reader, 1, 20)
    assert [(each.text, each.more) for each in found] == [
        ("Ivo Lind, a clown, comes to Cafe, bar.", ()),
        ("Ivo Lind leaves the town.", ()),
        (f"Zoe {{Far}} rings {ROSA}.", ()),
        ("From here on with other templates (act.j2, say.j2).", ()),
        ("It is announced to everybody:", ("The bridge is closed",)),
    ]
    assert [each.who for each in found[:4]] == [(IVO,), (IVO,), ("Zoe {Far}",), ()]
    quotes = [quote.text for each in paper.articles for quote in each.quotes]
    assert found[0].text in quotes
    assert not any("{" in text.replace("{Far}", "") for text in quotes)
