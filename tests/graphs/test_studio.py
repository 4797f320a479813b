"""The graphs that `langgraph.json` names are there, and compile."""

import importlib
import json
from pathlib import Path

import pytest

CONFIG = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text())


@pytest.mark.parametrize(("name", "where"), sorted(CONFIG["graphs"].items()))
def test_every_graph_for_langgraphs_own_tools_can_be_opened(name: str, where: str):
    path, factory = where.removeprefix("./").split(":")
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    graph = getattr(module, factory)()
    assert graph.name == name
    assert graph.get_graph().nodes
