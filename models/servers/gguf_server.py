"""llama.cpp's server, from the `xllamacpp` wheel, in a process of its own that ends with ours.

Not inside our own process: llama.cpp finishes the batch it is at before it lets itself be stopped,
which for a long prompt on a small machine takes half a minute.
"""

import json
import secrets
import subprocess
import sys
import weakref
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from models.errors import ModelError, SpecError
from models.servers.gguf_child import GgufWish

MAGIC = b"GGUF"
"""The first bytes of every GGUF file."""
CHILD = Path(__file__).with_name("gguf_child.py")


class GgufServer:
    """A server on a free loopback port that nobody else has the key of."""

    def __init__(self, wish: GgufWish) -> None:
        """Load the model; it listens when this returns. Raises ModelError."""
        check_gguf(Path(wish.path))
        if find_spec("xllamacpp") is None:
            raise SpecError(
                "A gguf: model is served by the package xllamacpp: "
                "install smolville with its extra gguf (smolville[gguf])."
            )
        self.key = secrets.token_hex(16)
        self.process = _begun()
        self.stop = weakref.finalize(self, _end, self.process)
        """Ends the server at once, whatever it does, and frees its memory."""
        try:
            self.url = _address(self.process, wish, self.key)
        except BaseException:
            self.stop()
            raise


def check_gguf(path: Path) -> None:
    """Raise SpecError unless a GGUF file lies there."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise SpecError(f"The model file {str(path)!r} {what}: give the path of a GGUF file.")
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise SpecError(
            f"The model file {str(path)!r} cannot be read: {error.strerror}."
        ) from error
    if begins != MAGIC:
        raise SpecError(f"{str(path)!r} is no GGUF file: llama.cpp reads nothing else.")


def _begun() -> "subprocess.Popen[str]":
    """Return the process, which waits for the wish."""
    return subprocess.Popen(  # noqa: S603 - our own file, no shell
        [sys.executable, "-P", str(CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # Ctrl-C at the terminal is for us; the server ends when we have.
        start_new_session=True,
    )


def _address(process: "subprocess.Popen[str]", wish: GgufWish, key: str) -> str:
    """Return the server's URL once the model is loaded; ModelError when it cannot be."""
    assert process.stdin is not None
    assert process.stdout is not None
    # Not on its command line, which everybody on the machine can read.
    process.stdin.write(json.dumps({"key": key, "wish": asdict(wish)}) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    told = json.loads(answer) if answer else {"error": f"it ended with {process.wait()}"}
    if "address" not in told:
        raise ModelError(
            f"llama.cpp cannot load {wish.path!r} ({told['error']}): the file may be "
            "incomplete, too new for this version of xllamacpp, or larger than the memory."
        )
    return str(told["address"])


def _end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
