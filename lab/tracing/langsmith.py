"""LangSmith: a run's traces, built from its history and posted through the official client.

Nothing is traced while a mind thinks: after each commit, keys of thoughts go to a thread, which
builds their trees and gives them to the client. The client packs, posts and retries them by itself.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID, uuid5

import orjson

from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from smolville.lab.langsmith_target import LangSmithTarget, open_client
from smolville.lab.tracing.listing import TraceKey, TraceRow, rows_of
from smolville.lab.tracing.tree import Span, tree_of

if TYPE_CHECKING:
    from langsmith import Client

LOG = logging.getLogger("smolville")
PATIENCE = 5.0
"""Seconds that the end of a run waits for the remaining traces."""
WRONG = ("repaired", "escalated", "fallback", "failed")
"""Outcomes that count as a problem."""
SCORES = {"clean": 1.0, "mended": 0.75, "repaired": 0.5, "escalated": 0.25}
"""Score of each outcome as feedback; 0 for a fallback and a failed thought."""
RUN_TYPES = {"prompt": "prompt", "recall": "retriever", "model": "llm", "parse": "parser"}
"""LangSmith's run type for each kind of span; kinds that are not listed are chains."""
REASONS = {
    "LangSmithAuthError": "the key was refused",
    "LangSmithConnectionError": "no connection",
    "LangSmithRequestTimeout": "it did not answer in time",
}
"""The client's errors in words."""

Body = dict[str, Any]
Mode = Literal["off", "thoughts", "failures"]


class TraceSender(RunObserver):
    """Sends a run's thoughts and talks from a thread of its own."""

    def __init__(self, folder: RunFolder, target: LangSmithTarget, mode: Mode) -> None:
        self._folder, self._target, self._mode = folder, target, mode
        self._waiting: SimpleQueue[TraceKey | None] = SimpleQueue()
        self._taken = self._built = 0
        self._why = ""
        self._client: Client | None = None
        self._thread = threading.Thread(target=self._work, name="smolville-traces", daemon=True)

    def on_commit(self, batch: CommitBatch) -> None:
        """Queue the selected thoughts and talks of a commit."""
        seconds = self._folder.spec.tick_seconds
        self.take(rows_of(batch.thoughts, batch.talks, batch.steps, seconds))

    def take(self, rows: Iterable[TraceRow]) -> None:
        """Queue the selected thoughts and talks; return at once."""
        for row in rows:
            if is_wanted(row, self._mode):
                self._taken += 1
                self._waiting.put(row.key)
        if self._taken and self._thread.ident is None:
            self._thread.start()

    def finish(self, patience: float | None = None) -> tuple[int, str]:
        """Wait up to `patience` seconds (default PATIENCE) for queued traces.

        Returns how many were taken, and why some of them did not arrive, if so.
        """
        ends = time.monotonic() + (PATIENCE if patience is None else patience)
        if self._thread.ident is not None:
            self._waiting.put(None)
            self._thread.join(max(0.0, ends - time.monotonic()))
        if self._client is not None:
            if not self._why:
                self._client.flush(max(0.1, ends - time.monotonic()))
                queue = self._client.tracing_queue
                if queue is not None and queue.unfinished_tasks:
                    self._why = self._why or "there was no time left"
            self._client.close(timeout=0)
        if self._built < self._taken:
            self._why = self._why or "there was no time left"
        return self._taken, self._why

    def _work(self) -> None:
        """Build and pass on each queued tree, until the end is signalled."""
        try:
            client = self._open()
            # Told at once whether the server is there and takes the key.
            project = client.create_project(self._target.project, upsert=True).id
            with RunReader(self._folder) as reader:
                while key := self._waiting.get():
                    tree = tree_of(reader, key)
                    for run in runs_of(tree) if tree else ():
                        client.create_run(**run, project_name=self._target.project)
                        for mark in marks_of(run):
                            client.create_feedback(**mark, session_id=project)
                    self._built += 1
        except Exception as error:  # noqa: BLE001
            self._on_error(error)

    def _open(self) -> "Client":
        from langsmith.schemas import LangSmithInfo
        from langsmith.utils import LangSmithRetry

        self._client = client = open_client(
            self._target,
            self._on_error,
            timeout_ms=(2_000, 5_000),
            retry_config=LangSmithRetry(total=1, read=False),
            # Without its flag for compression, the client's queue works from the first run on.
            info=LangSmithInfo(version="0.14.0"),
        )
        return client

    def _on_error(self, error: Exception) -> None:
        kind = type(error).__name__
        self._why = self._why or REASONS.get(kind, kind)
        LOG.info("LangSmith: %s", self._why)


def is_wanted(row: TraceRow, mode: Mode) -> bool:
    """Return whether a thought or talk is sent: what asked a model, or failed."""
    return row.outcome in WRONG if mode == "failures" else mode == "thoughts" and not row.is_silent


def runs_of(root: Span) -> Iterator[Body]:
    """Yield a tree's spans as runs, as `Client.create_run` takes them, parents first."""
    thread = str(root.metadata.get("thread", ""))
    waiting: list[tuple[Span, datetime, UUID | None, str]] = [(root, _time(root.start), None, "")]
    while waiting:
        span, start, parent, above = waiting.pop()
        ident = UUID(span.id)
        order = f"{above}{start:%Y%m%dT%H%M%S%fZ}{ident}"
        metadata = {**span.metadata, "session_id": thread, "thread_id": thread}
        body: Body = {
            "id": ident,
            "name": span.name,
            "run_type": RUN_TYPES.get(span.kind, "chain"),
            "inputs": span.inputs,
            "outputs": span.outputs,
            "error": span.error or None,
            "start_time": start,
            "end_time": max(start, _time(span.end)),
            "trace_id": UUID(root.id),
            "parent_run_id": parent,
            "dotted_order": order,
            "tags": list(span.tags),
            "extra": {"metadata": metadata},
        }
        if "hub" in metadata:
            from langsmith.utils import parse_hub_identifier

            names = ("lc_hub_owner", "lc_hub_repo", "lc_hub_commit_hash")
            metadata |= zip(names, parse_hub_identifier(metadata["hub"]), strict=True)
        yield body | (_model(span, metadata) if span.kind == "model" else {})
        below = list[tuple[Span, datetime, UUID | None, str]]()
        for child in span.children:
            # LangSmith sorts by the start, in microseconds; some nodes take none.
            start = max(_time(child.start), start + timedelta(microseconds=1))
            below.append((child, start, ident, f"{order}."))
        waiting += reversed(below)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def marks_of(run: Body) -> Iterator[Body]:
    """Yield the feedback of a root's or step's run, as `Client.create_feedback` takes it.

    `outcome` holds the outcome with its score, and each kind of oddity is a feedback `odd`.
    """
    fields = run["extra"]["metadata"]
    outcome = fields.get("outcome")
    if not outcome or (run["parent_run_id"] and "moment" not in fields):
        return
    odd = [("odd", {"value": kind}) for kind in dict.fromkeys(fields["odd_kinds"])]
    whose = {"run_id": run["id"], "trace_id": run["trace_id"], "start_time": run["start_time"]}
    scored = {"value": outcome, "score": SCORES.get(outcome, 0.0)}
    for key, value in (("outcome", scored), *odd):
        ident = uuid5(run["id"], f"{key} {value['value']}")
        yield {"key": key, "feedback_id": ident, **whose, **value}


def _model(span: Span, metadata: Body) -> Body:
    """Return the extra fields of a model call's run, as LangSmith's playground expects them."""
    fields = span.metadata
    params = {"model": fields["model_name"]}
    params |= {key: fields[key] for key in ("temperature", "max_tokens", "seed")}
    if "schema" in fields:
        schema = {"name": fields["step"], "schema": orjson.loads(fields["schema"])}
        params["response_format"] = {"type": "json_schema", "json_schema": schema}
    usage = _usage(fields)
    metadata |= {
        "ls_provider": fields["provider"],
        "ls_model_name": fields["model_name"],
        "ls_model_type": "chat",
        "ls_temperature": fields["temperature"],
        "ls_max_tokens": fields["max_tokens"],
        "ls_invocation_params": params,
        **({"usage_metadata": usage} if usage else {}),
    }
    return {
        "outputs": {"messages": [span.outputs["message"]], "usage_metadata": usage},
        "extra": {"metadata": metadata, "invocation_params": params},
    }


def _usage(fields: Body) -> Body:
    """Return a call's token usage in LangSmith's form; empty when the server reported none."""
    prompt, completion = fields.get("prompt_tokens"), fields.get("completion_tokens")
    if prompt is None or completion is None:
        return {}
    usage: Body = {"input_tokens": prompt, "output_tokens": completion}
    usage["total_tokens"] = prompt + completion
    if fields.get("cached_tokens") is not None:
        usage["input_token_details"] = {"cache_read": fields["cached_tokens"]}
    if fields.get("thinking_tokens"):
        usage["output_token_details"] = {"reasoning": fields["thinking_tokens"]}
    return usage
