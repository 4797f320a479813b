"""A chat server that answers by dice and understands nothing.

    python -m benchmarks.dice [--port N]

It speaks the OpenAI-compatible protocol on loopback and fills the schema of each question: an enum
by dice, a number within its range, a text with words drawn from the question. A figure of quality
that dice reach as well says nothing about a model, so each stands beside the figure of a run with
`--model openai:http://127.0.0.1:N/v1#dice`. Equal questions with equal seeds get equal answers.
"""

import argparse
import json
import random
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Filler:
    """Fills JSON schemas by dice, with texts made of some words."""

    words: Sequence[str]
    dice: random.Random
    known: Schema = field(default_factory=dict)
    """The definitions to which a schema may refer, by name."""

    def fill(self, schema: Schema) -> Any:
        """Return a value that fits a schema."""
        if "$ref" in schema:
            return self.fill(self.known[schema["$ref"].rsplit("/", 1)[1]])
        if "const" in schema:
            return schema["const"]
        if options := schema.get("enum"):
            return self.dice.choice(options)
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self.fill(self.dice.choice(schema[several]))
        kinds = schema.get("type", "string")
        return self._fill(self.dice.choice(kinds) if isinstance(kinds, list) else kinds, schema)

    def _fill(self, kind: str, schema: Schema) -> Any:
        match kind:
            case "object":
                return {name: self.fill(each) for name, each in schema["properties"].items()}
            case "array":
                fewest = schema.get("minItems", 0)
                most = min(schema.get("maxItems", fewest + 2), fewest + 2)
                return [self.fill(schema["items"]) for _ in range(self.dice.randint(fewest, most))]
            case "integer" | "number":
                lowest, highest = schema.get("minimum", 1), schema.get("maximum", 10)
                return self.dice.randint(int(lowest), int(highest))
            case "boolean":
                return self.dice.random() < 0.3
            case "null":
                return None
        text = " ".join(self.dice.choices(self.words, k=self.dice.randint(4, 9)))
        return text[: schema.get("maxLength", 200)]


def answer_to(asked: Mapping[str, Any]) -> dict[str, object]:
    """Return the completion of a chat request, as the protocol writes it."""
    shown = " ".join(str(each["content"]) for each in asked["messages"])
    words = re.findall(r"[A-Za-z']{2,}", shown) or ["word"]
    form = asked.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema") or {"type": "string"}
    dice = random.Random(f"{asked.get('seed')} {shown}")
    text = json.dumps(Filler(words, dice, schema.get("$defs", {})).fill(schema))
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
