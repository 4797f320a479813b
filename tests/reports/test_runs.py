"""The list of runs: what a fork says of itself."""

from pathlib import Path

from smolville.history.cut import fork
from smolville.history.drafting import new_run
from smolville.reports.runs import describe_fork, read_rows
from tests.history.made_up import lived, spec


def test_a_fork_says_where_it_was_forked_even_if_its_inbox_is_damaged(tmp_path: Path) -> None:
    lived(new_run(tmp_path, spec()), range(10))
    forked = fork(tmp_path, "amber-otter", "what-if", 8)
    forked.inbox_path.write_bytes(b"no inbox at all" * 400)
    rows = {row.name: row for row in read_rows(tmp_path)}
    assert describe_fork(rows["amber-otter"]) == ""
    assert rows["what-if"].forked_at == "1 00:01:30"
    assert describe_fork(rows["what-if"]) == "fork of amber-otter at day 1, 00:01"
    assert (rows["what-if"].state, rows["what-if"].problem) == ("paused", "")
