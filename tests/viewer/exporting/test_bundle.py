"""The stage's modules as one script: the same program, and a clear word where it cannot be."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from smolville.agents.errors import InternalError
from smolville.viewer.bundle import STAGE, bundle, in_order
from smolville.viewer.export import ENTRY


def write(folder: Path, **modules: str) -> Path:
    """Write modules and return their folder; `_` in a name stands for a slash."""
    for name, text in modules.items():
        path = folder / (name.replace("_", "/") + ".js")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


MAIN = """
import { a, b as two } from "./deep/x.js";
import "./side.js";
import {
  c,
  Sum,
  later,
} from "./y.js";
const told = [a, two(), new Sum().of(1, 2), c];
later().then((ten) => Object.assign(window, { told: [...told, ten] }));
"""
DEEP = """
import { c } from "../y.js";
export const a = `a${c}`;
export function b() {
  return "b";
}
"""
Y = """
export const c = "c";
export class Sum {
  of(...all) {
    return all.length;
  }
}
export async function later() {
  return 10;
}
"""


def test_every_way_of_import_and_export_means_the_same(tmp_path: Path, page: Page) -> None:
    side = 'export const loud = 1;\nwindow.side = "yes";\n'
    folder = write(tmp_path, main=MAIN, deep_x=DEEP, y=Y, side=side)
    assert in_order(folder, "main.js") == ["y.js", "deep/x.js", "side.js", "main.js"]
    page.add_script_tag(content=bundle(folder, "main.js"))
    page.wait_for_function("window.told")
    assert page.evaluate("[told, window.side]") == [["ac", "b", 2, "c", 10], "yes"]


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;",
        'import * as x from "./b.js";',
        'const x = await import("./b.js");',
        "const here = import.meta.url;",
    ],
)
def test_what_cannot_be_carried_is_refused_by_name(tmp_path: Path, text: str) -> None:
    write(tmp_path, a=text, b="export const x = 1;")
    with pytest.raises(InternalError, match=r"a\.js has what a bundle cannot carry"):
        bundle(tmp_path, "a.js")


def test_the_whole_stage_is_carried() -> None:
    names = in_order(STAGE, ENTRY)
    assert {"main.js", "map/view.js", "people/panel.js", "feed.js", "source.js"} <= set(names)
    script = bundle(STAGE, ENTRY).lower()
    assert "</script" not in script
    assert "<!--" not in script
