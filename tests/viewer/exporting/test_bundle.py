"""The stage's modules as one script: the same program, and a clear word where it cannot be."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from agents.errors import InternalError
from viewer.exporting.bundle import bundle, in_order
from viewer.exporting.page import ENTRY, SHEETS, STAGE
from viewer.town_page import STYLES


def write(folder: Path, **modules: str) -> Path:
    """Write modules and return their folder; `_` in a name stands for a slash."""
    for name, text in modules.items():
        path = folder / (name.replace("_", "/") + ".js")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_every_way_of_import_and_export_means_the_same(tmp_path: Path, page: Page) -> None:
    folder = write(
        tmp_path,
        main='import { a, b as two } from "./deep_er/x.js".replace;\n'.replace(
            '"./deep_er/x.js".replace', '"./deep/x.js"'
        )
        + 'import * as y from "./y.js";\nimport "./side.js";\n'
        "import {\n  Sum,\n  later,\n} from \"./y.js\";\n"
        "later().then((ten) => { window.told = [a, two(), new Sum().of(1, 2), y.c, y.again, ten]; });",
        deep_x='import { c } from "../y.js";\nexport const a = `a${c}`;\n'
        'export function b() {\n  return "b";\n}\n',
        y='export const c = "c";\nexport class Sum {\n  of(...all) {\n    return all.length;\n  }\n}\n'
        'export async function later() {\n  return 10;\n}\nconst hidden = "h";\n'
        'export { hidden as again };\nexport { loud } from "./side.js";\n',
        side='export const loud = 1;\nwindow.side = "yes";\n',
    )  # fmt: skip
    assert in_order(folder, "main.js") == ["side.js", "y.js", "deep/x.js", "main.js"]
    page.add_script_tag(content=bundle(folder, "main.js"))
    page.wait_for_function("window.told")
    assert page.evaluate("[told, window.side]") == [["ac", "b", 2, "c", "h", 10], "yes"]


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;",
        "export let a = 1;",
        'import x from "./b.js";',
        'import { x } from "far";',
        'const x = await import("./b.js");',
        "const here = import.meta.url;",
    ],
)
def test_what_cannot_be_carried_is_refused_by_name(tmp_path: Path, text: str) -> None:
    write(tmp_path, a=text, b="export const x = 1;")
    with pytest.raises(InternalError, match=r"a\.js has what a bundle cannot carry"):
        bundle(tmp_path, "a.js")


def test_modules_in_a_circle_are_refused(tmp_path: Path) -> None:
    write(
        tmp_path,
        a='import { b } from "./b.js";\nexport const a = b;\n',
        b='import { a } from "./a.js";\nexport const b = a;\n',
    )
    with pytest.raises(InternalError, match=r"in a circle: a\.js > b\.js > a\.js"):
        bundle(tmp_path, "a.js")


def test_the_whole_stage_is_carried() -> None:
    names = in_order(STAGE, ENTRY)
    assert {"main.js", "map/view.js", "people/panel.js", "feed.js", "source.js"} <= set(names)
    script = bundle(STAGE, ENTRY).lower()
    assert "</script" not in script
    assert "<!--" not in script


def test_a_page_has_every_style_that_the_served_one_has() -> None:
    served = [name for name in STYLES if (STAGE / name).is_file() and name != "dialogs.css"]
    assert list(SHEETS) == ["theme.css", *served]
