"""Write the pins of requirements.lock into pyproject.toml as uv's constraints.

`uv run` obeys them without a committed uv.lock. `--check` only says whether the two are equal;
`--clear` takes the pins out, without which nothing newer could be resolved.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BEGIN, END = "# pins: begin (written by `make lock`)\n", "# pins: end\n"


def pins(lock: str) -> list[str]:
    """Return every requirement of the lock, with its marker, without its hashes."""
    return [
        found.group(1).strip()
        for found in re.finditer(r"^([A-Za-z0-9][^\\\n]*?)\s*\\?$", lock, re.MULTILINE)
    ]


def main() -> int:
    """Write or check the constraints; return the exit code."""
    lock = "" if "--clear" in sys.argv else (ROOT / "requirements.lock").read_text()
    lines = [f"    {pin!r},\n" for pin in pins(lock)]
    block = BEGIN + "constraint-dependencies = [\n" + "".join(lines) + "]\n" + END
    project = ROOT / "pyproject.toml"
    text = project.read_text()
    start, end = text.index(BEGIN), text.index(END) + len(END)
    if "--check" in sys.argv:
        if text[start:end] != block:
            sys.stderr.write("pyproject.toml and requirements.lock differ; run `make lock`\n")
            return 1
        return 0
    project.write_text(text[:start] + block + text[end:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
