"""The page on memories is true: LangChain's own retriever opens a run's memories."""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "memories.md").read_text(encoding="utf-8")
ALL = """
import json
print(json.dumps([[one.id, one.page_content, one.metadata] for one in
    memories.as_retriever(search_kwargs={"k": 10_000}).invoke("anything")]))
"""


def ran(runs: Path, code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=runs.parent,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "HOME": str(runs.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(
    find_spec("langchain_chroma") is None, reason="langchain-chroma is not installed"
)
def test_a_run_s_memories_open_as_a_retriever(day: RunFolder, tmp_path: Path) -> None:
    shutil.copytree(day.path, tmp_path / "runs" / "amber")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 12
    name = day.spec.cast[0]
    *found, everything = ran(tmp_path / "runs", code.replace("Rosa Marin", name) + ALL)
    with RunReader(day) as reader:
        memories = {one.id: one for each in day.spec.cast for one in reader.memories(each)}
    texts = [memory.text for memory in memories.values() if memory.agent == name]
    assert len(found) == 3
    for line in found:
        assert any(line.endswith(text) for text in texts)
    records = json.loads(everything)
    assert {one for one, _, _ in records} == set(memories)
    for one, text, cells in records:
        memory = memories[one]
        assert text == memory.text
        assert (cells["kind"], cells["created"]) == (memory.kind, memory.created)
        assert tuple(json.loads(cells["evidence"])) == memory.evidence
