"""Reads a YAML file of a town node by node, and reports every fault with its line."""

from collections.abc import Collection
from pathlib import Path

import yaml

from smolville.agents.text_files import read_text
from smolville.agents.wording import visible_line
from smolville.world.town.townfiles import nearest

_LARGEST = 1_000_000
"""Maximum size of a file in bytes."""


class YamlReader:
    """Reads the nodes of one file, and records their faults."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._faults: list[str] = []

    def compose(self, folder: Path) -> yaml.Node | None:
        """Return the root node of a file in a town's folder; None if it is missing or faulty."""
        path = folder / self._file
        try:
            if not path.exists():
                return None
            return yaml.compose(read_text(path, largest=_LARGEST), Loader=yaml.SafeLoader)
        except OSError as error:
            told = f" cannot be read: {error.strerror}."
        except RecursionError:
            told = " cannot be read: it is nested too deep."
        except yaml.YAMLError as error:
            told = _format_error(error)
        self._faults.append(f"{self._file}{told}")
        return None

    def _mapping(self, node: yaml.Node, known: Collection[str]) -> dict[str, yaml.Node]:
        """Return the values of a mapping by key; unknown and repeated keys become faults."""
        if not isinstance(node, yaml.MappingNode):
            self._fault(node, f"there should be keys here: {', '.join(known)}.")
            return {}
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name not in known:
                self._fault(key, f"`{visible_line(name)}` is no key here.{nearest(name, known)}")
            elif name in found:
                self._fault(key, f"`{name}` is there twice; leave one out.")
            found[name] = value
        return found

    def _fault(self, node: yaml.Node, sentence: str) -> None:
        """Record a fault with the line of its node."""
        self._faults.append(f"{self._file}, line {node.start_mark.line + 1}: {sentence}")


def _format_error(error: yaml.YAMLError) -> str:
    """Return a parser's error as the end of a sentence that names the line."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is no YAML"
    at = f", line {mark.line + 1}" if mark is not None else ""
    return f"{at}: {visible_line(str(what))}; it must be YAML."
