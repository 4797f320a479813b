"""Plants faults in the reader, the repair and recall, one by one, and counts those that survive.

    python -m benchmarks.mutations [--each 20] [--seed 0] [--part reader]

Run it in a checkout of its own: source files are changed while it runs, and restored. Sites are
drawn at random; some faults change nothing that anybody could notice, so no share is an aim.
"""

import argparse
import ast
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from benchmarks.table import print_figures, print_table

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "reader": ("parsers/reader.py", "parsers/reading/*.py"),
    "repair": ("graphs/loop/*.py",),
    "recall": ("agents/stream.py", "agents/memory.py", "graphs/recall.py"),
}
"""The files into which faults are planted, as patterns below the root, for each part."""
TESTS = {
    "reader": ("tests/parsers",),
    "repair": ("tests/graphs/test_loop.py", "tests/graphs/test_re*.py", "tests/graphs/test_*.py"),
    "recall": ("tests/agents", "tests/graphs/test_talk*.py", "tests/graphs/test_reflect.py"),
}
"""The tests that are to find them; those that find most faults come first."""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


def faults(text: str) -> list[tuple[ast.AST, str]]:
    """Return every part of a module's functions that a fault can replace, with the fault's text."""
    found: list[tuple[ast.AST, str]] = []
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                found += [(node, new) for node in ast.walk(statement) if (new := _fault(node))]
    return list({(n.lineno, n.col_offset, new): (n, new) for n, new in found}.values())  # type: ignore[attr-defined]


def _fault(node: ast.AST) -> str | None:  # noqa: C901 - a table of cases
    """Return the text of a fault in the place of a node; None if none can be planted there."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
            return ast.unparse(ast.Compare(left, [COMPARED[type(op)]()], [right]))
        case ast.BoolOp(op=op, values=values):
            return ast.unparse(
                ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            )
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"bool({ast.unparse(operand)})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in COUNTED:
            return ast.unparse(ast.BinOp(left, COUNTED[type(op)](), right))
        case ast.Constant(value=bool() as value):
            return str(not value)
        case ast.Constant(value=int() as value):
            return str(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"({ast.unparse(ast.IfExp(test, orelse, body))})"
        case ast.Continue():
            return "break"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return "return None"
    return None


def planted(text: str, node: ast.AST, fault: str) -> str:
    """Return a module's text with a fault in the place of a node."""
    lines = [0, *accumulate(len(line) for line in text.encode().splitlines(keepends=True))]
    start = lines[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
    end = lines[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
    put = fault if isinstance(node, ast.stmt) else f"({fault})"
    return (text.encode()[:start] + put.encode() + text.encode()[end:]).decode()


def drawn(part: str, number: int, seed: int) -> Iterator[tuple[Path, ast.AST, str]]:
    """Yield so many faults of a part: the file, the node and the fault's text."""
    paths = sorted(path for each in SOURCES[part] for path in ROOT.glob(each))
    sites = [(path, *fault) for path in paths for fault in faults(path.read_text("utf-8"))]
    yield from random.Random(f"{seed}-{part}").sample(sites, min(number, len(sites)))


def is_found(part: str) -> bool:
    """Return whether a test of a part fails."""
    tests = list(dict.fromkeys(str(at) for each in TESTS[part] for at in sorted(ROOT.glob(each))))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run([*command, *tests], cwd=ROOT, capture_output=True, timeout=900)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", type=int, default=20, help="faults planted in each part")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=sorted(SOURCES), action="append")
    asked = parser.parse_args(arguments)
    figures: dict[str, tuple[int, int]] = {}
    for part in asked.part or SOURCES:
        survived = number = 0
        for path, node, fault in drawn(part, asked.each, asked.seed):
            text = path.read_text("utf-8")
            try:
                path.write_text(planted(text, node, fault), "utf-8")
                found = is_found(part)
            finally:
                path.write_text(text, "utf-8")
            number, survived = number + 1, survived + (not found)
            line = f"{path.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]
            print(f"{'found' if found else 'SURVIVED'}  {line}  {fault[:70]!r}", flush=True)
        figures[part] = (survived, number)
    print_table("Faults", ("part", "survived", "planted"), [(k, *v) for k, v in figures.items()])
    print_figures({part: {"survived": s, "planted": n} for part, (s, n) in figures.items()})


if __name__ == "__main__":
    main()
