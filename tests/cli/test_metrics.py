"""`smolville metrics`: the nine files, from the history alone."""

import json
from pathlib import Path
from typing import Any

from smolville.graphs.catalogue import STEPS
from tests.cli.conftest import Command

FILES = {
    *("function_name_count", "function_name_token", "function_name_time"),
    *("model_count", "model_token", "function_name_fail_count", "function_name_fail_reason"),
    "detail_info",
    *("function_name_prompt_token", "function_name_completion_token"),
    *("model_prompt_token", "model_completion_token"),
}
CAST = {"Ada Brook", "Ben Hollis", "Cora Vance"}
FIELDS = {"task", "parent", "is_new", "duration", "time", "chat"}


def read(folder: Path, name: str) -> Any:
    """Return a file's content."""
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def test_all_files_are_there_with_their_meanings(morning: Command, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "metrics"
    said = morning("export", "amber", "--format", "metrics", str(folder))
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{len(FILES | CAST)} files written to {folder}.\n"
    assert {path.stem for path in folder.iterdir()} == FILES | CAST
    total = morning("health", "amber", "--json").json["total"]
    details = read(folder, "detail_info")
    assert len(details) == total["attempts"]
    assert {"function_name", "model", "token", "time"} <= set(details[0])
    assert all(each["token"] == each["prompt_token"] + each["completion_token"] for each in details)
    for way in ("function_name", "model"):
        counts = read(folder, f"{way}_count")
        assert sum(counts.values()) == total["attempts"]
        for kind, key in (("prompt", "prompt_tokens"), ("completion", "completion_tokens")):
            tokens = read(folder, f"{way}_{kind}_token")
            assert {name: len(each) for name, each in tokens.items()} == counts
            assert sum(map(sum, tokens.values())) == total[key]
    assert set(read(folder, "model_count")) == {"standin"}
    names = set(read(folder, "function_name_count"))
    assert {"talk.say"} < names <= {"talk.say", *(f"mind.{step.name}" for step in STEPS)}
    times = read(folder, "function_name_time")
    assert all(seconds > 0 for each in times.values() for seconds in each)
    failed = read(folder, "function_name_fail_count")
    assert sum(failed.values()) == total["attempts"] - total["steps_taken"]
    assert read(folder, "function_name_fail_reason").keys() == failed.keys()


def test_the_action_log_has_the_six_fields(morning: Command, tmp_path: Path) -> None:
    assert morning("export", "amber", "--format", "metrics", str(tmp_path / "m")).code == 0
    logs = {name: read(tmp_path / "m", name) for name in CAST}
    for log in logs.values():
        assert all(set(entry) == FIELDS for entry in log)
        assert [entry["time"] for entry in log] == sorted(entry["time"] for entry in log)
    ben = logs["Ben Hollis"]
    assert ben[0] == {
        "task": "sleeping",
        "parent": "root",
        "is_new": True,
        "duration": 420,
        "time": "2024-05-06 00:00:00",
        "chat": None,
    }
    hours = morning("show", "amber", "ben", "plan", "--json").json["hours"]
    planned = {block["activity"] for block in hours}
    parents = {entry["parent"] for entry in ben}
    assert {"root", "react"} < parents <= planned | {"root", "react"}
    (talk, *_) = (entry for entry in ben if entry["chat"])
    assert talk["parent"] == "react"
    speakers = {line["person"] for line in talk["chat"]}
    assert len(speakers) == 2 and "Ben Hollis" in speakers < set(CAST)
    assert all(set(line) == {"person", "message"} for line in talk["chat"])


def test_a_folder_that_holds_files_is_left_alone(morning: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    said = morning("export", "amber", "--format", "metrics", str(tmp_path))
    assert (said.code, said.out) == (2, "")
    assert said.err.strip() == (
        f"{str(tmp_path)!r} is not empty; name another folder, or add --overwrite."
    )
    assert morning("export", "amber", "--format", "metrics", str(tmp_path), "--overwrite").code == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert (tmp_path / "detail_info.json").is_file()


def test_a_file_is_no_folder(morning: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "m"):
        said = morning("export", "amber", str(folder), "--format", "metrics")
        assert said.code == 2 and "cannot be written" in said.err
