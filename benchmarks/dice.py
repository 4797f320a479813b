"""A chat server that answers by dice and understands nothing.

    python -m benchmarks.dice [--port N]

It speaks the OpenAI-compatible protocol on loopback and fills the schema of each question: an enum
by dice, a number within its range, a text with words drawn from the question. A figure of quality
that dice reach as well says nothing about a model, so each stands beside the figure of a run with
`--model openai:http://127.0.0.1:N/v1#dice`. Equal questions with equal seeds get equal answers.
"""

import argparse
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from smolville.lab.evaluation.dice import fill


def answer_to(asked: Mapping[str, Any]) -> dict[str, object]:
    """Return the completion of a chat request, as the protocol writes it."""
    shown = " ".join(str(each["content"]) for each in asked["messages"])
    form = asked.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema") or {"type": "string"}
    text = json.dumps(fill(schema, shown, asked.get("seed")))
    read, wrote = len(shown) // 4, len(text) // 4
    message = {"role": "assistant", "content": text}
    return {
        "id": "dice",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": "dice",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": wrote,
            "total_tokens": read + wrote,
        },
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer the list of models."""
        model = {"id": "dice", "object": "model", "max_model_len": 8192}
        self._send({"object": "list", "data": [model]})

    def do_POST(self) -> None:
        """Answer a chat request."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._send(answer_to(asked))

    def _send(self, body: Mapping[str, object]) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def dice_server(port: int = 0) -> Iterator[str]:
    """Serve while the block runs, on any free port by default; yield the model spec to ask."""
    with ThreadingHTTPServer(("127.0.0.1", port), _Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"openai:http://127.0.0.1:{server.server_address[1]}/v1#dice"
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=18778)
    with dice_server(parser.parse_args().port) as spec, suppress(KeyboardInterrupt):
        print(f"--model {spec}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
