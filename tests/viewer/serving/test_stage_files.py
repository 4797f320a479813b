"""The stage's files: one by one, or a module with all that it imports as one."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from smolville.viewer.serving.stage_files import stage_files


def stage(root: Path) -> TestClient:
    """What serves a stage of two modules."""
    (root / "deep").mkdir(parents=True)
    (root / "main.js").write_text('import { two } from "./deep/two.js";\nawait two();\n')
    (root / "deep" / "two.js").write_text("export function two() {}\n")
    (root / "notes.txt").write_text("nobody's business")
    return TestClient(Starlette(routes=[Route("/stage/{path:path}", stage_files(root))]))


def test_a_module_comes_with_all_it_imports_and_anew_when_one_changed(tmp_path: Path) -> None:
    client = stage(tmp_path / "stage")
    first = client.get("/stage/whole/main.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.text.index("function two") < first.text.index("await two()")
    assert "import " not in first.text
    asked = {"If-None-Match": first.headers["etag"]}
    assert client.get("/stage/whole/main.js", headers=asked).status_code == 304
    two = tmp_path / "stage" / "deep" / "two.js"
    two.write_text("export function two() { return 2; }\n")

    again = client.get("/stage/whole/main.js", headers=asked)
    assert again.status_code == 200
    assert "return 2" in again.text


def test_only_scripts_and_styles_of_the_stage_are_there(tmp_path: Path) -> None:
    client = stage(tmp_path / "stage")
    (tmp_path / "other.js").write_text("1")
    for path in ("notes.txt", "deep", "", "nothing.js", "..%2fother.js", "whole/..%2fother.js"):
        assert client.get(f"/stage/{path}").status_code == 404, path
