"""Connection to LangSmith: the official client, with short time-outs and delivery reports.

The client posts from its own threads and hides errors. Here each batch is sent and waited for, so
that it is known whether it arrived; whatever the server does, a batch takes no longer than the
limits below.
"""

import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from langsmith import Client
from langsmith.schemas import LangSmithInfo, TracerSession
from langsmith.utils import (
    LangSmithConflictError,
    LangSmithError,
    LangSmithNotFoundError,
    LangSmithRetry,
)
from requests import Session
from requests.exceptions import InvalidProxyURL, InvalidSchema

from smolville.lab.tracing.langsmith.runs import Body, marks_of, masking, runs_of
from smolville.lab.tracing.langsmith.target import LangSmithTarget
from smolville.lab.tracing.span import Span
from smolville.models.servers.address import is_loopback

CONNECT, ANSWER = 2.0, 5.0
"""Time-outs of a request in seconds, for connecting and for the answer."""
ARRIVED = 30.0
"""Seconds after which a batch is considered lost, whatever state its requests are in."""
REFUSED = (401, 403)
"""Status codes for which a retry is pointless."""
UNKNOWING = (400, 403, 404, 405, 422)
"""Status codes of servers that accept traces but do not support queries for projects."""


class NotSent(Exception):
    """A batch did not arrive; `str` gives a short reason."""

    def __init__(self, why: str, *, is_final: bool = False) -> None:
        super().__init__(why)
        self.is_final = is_final
        """True when a retry cannot help."""


@dataclass
class TreeSender:
    """Sends trees to one project; connects with the first batch. Not thread-safe."""

    target: LangSmithTarget
    ends: float | None = None
    """Deadline for all requests, by the monotonic clock."""
    note: str = ""
    """A remark about missing information from the server, for the user."""
    trouble: str = ""
    """The problem of the last request, if any."""
    status: int = 0
    """Status code of the last answer; 0 when there was none."""
    _client: Client | None = None
    _project: TracerSession | None = None
    _takes_marks: bool = True
    _lost: list[Exception] = field(default_factory=list)
    """Errors reported by the client since the batch began."""

    def send(self, trees: Iterable[Span], people: Iterable[str] = ()) -> None:
        """Send trees and wait until they have arrived; raises NotSent.

        `people` are the names to be masked if the target asks for it.
        """
        client = self._client = self._client or self._open_client()
        if self.seconds_left() <= 0.0:
            raise self._not_sent()
        self._lost.clear()
        self.trouble = ""
        url = (self._project.url if self._project else None) or ""
        for tree in trees:
            hide = masking(self.target.mask, people, tree)
            for span, run in runs_of(tree, url):
                client.create_run(**hide(run), project_name=self.target.project)
                for mark in marks_of(span, run) if self._takes_marks else ():
                    self._mark(client, mark)
        client.flush(timeout=min(ARRIVED, self.seconds_left()))
        if self._lost or self.seconds_left() <= 0.0:
            raise self._not_sent()

    def link(self, root: Span) -> str:
        """Return the browser address of a tree. Raises NotSent if it cannot be found."""
        name = self.target.project
        with self._asking() as client:
            try:
                url = client.read_project(project_name=name).url
            except LangSmithNotFoundError:
                raise NotSent(f"it has no project {name!r} yet") from None
        return f"{url}/r/{UUID(root.id)}?poll=true"

    def close(self) -> None:
        """Close the client and its threads, without waiting for pending requests."""
        if self._client is not None:
            self._client.close(timeout=0)
            self._client = None

    def seconds_left(self) -> float:
        """Return the seconds left for requests."""
        return ARRIVED if self.ends is None else self.ends - time.monotonic()

    def _open_client(self) -> Client:
        """Return the client, opened with the capabilities that the server reports."""
        answer = {}
        with self._asking() as client:
            with suppress(LangSmithNotFoundError):
                answer = client.request_with_retries("GET", "/info").json()
            info = LangSmithInfo(**answer)
            self._project = self._find_project(client)
        return self._make_client(info)

    @contextmanager
    def _asking(self) -> Iterator[Client]:
        """Yield a client for queries; its errors are raised as NotSent."""
        client = self._make_client()
        try:
            yield client
        except (LangSmithError, OSError):
            raise self._not_sent() from None
        except (ValueError, TypeError):
            raise NotSent(f"it answered {self.status} and is no LangSmith") from None
        finally:
            client.close(timeout=0)

    def _make_client(self, info: LangSmithInfo | None = None) -> Client:
        """Return a client with short time-outs, which batches requests if `info` is given."""
        target = self.target
        return Client(
            api_url=target.url,
            api_key=target.key,
            workspace_id=target.workspace,
            session=_Hasty(self),
            info=info,
            auto_batch_tracing=info is not None,
            # Without `read=False` a late answer would count as a lost connection and be retried.
            retry_config=LangSmithRetry(total=0, read=False),
            tracing_sampling_rate=1.0,
            tracing_mode="langsmith",
            tracing_error_callback=self._lost.append,
            hide_inputs="inputs" in target.hidden,
            hide_outputs="outputs" in target.hidden,
            hide_metadata="metadata" in target.hidden,
            omit_traced_runtime_info=True,
            disable_prompt_cache=True,
        )

    def _find_project(self, client: Client) -> TracerSession | None:
        """Return the project, created if needed; None when the server does not report it."""
        read = partial(client.read_project, project_name=self.target.project)
        make = partial(client.create_project, self.target.project)
        try:
            for ask in (read, make, read):
                with suppress(LangSmithNotFoundError, LangSmithConflictError):
                    found: TracerSession = ask()
                    return found
        except LangSmithError:
            if self.status not in UNKNOWING:
                raise
        except ValueError:
            # An answer without the project: the server accepts anything, or is another service.
            self.note = (
                f"it answered {self.status} to the question for the project without telling which "
                "it is, so feedback names none and there are no links"
            )
        warnings.filterwarnings("ignore", message="Creating feedback for a run without")
        return None

    def _mark(self, client: Client, mark: Body) -> None:
        """Send one feedback; after a failure no more feedback is sent."""
        project = self._project.id if self._project else None
        try:
            client.create_feedback(**mark, session_id=project, stop_after_attempt=1)
        except (LangSmithError, OSError, ValueError):
            self._takes_marks = False

    def _not_sent(self) -> NotSent:
        """Return the error with its reason, as far as known."""
        is_refused = self.status in REFUSED
        late = (
            "it did not answer in time" if self.seconds_left() > 0.0 else "there was no time left"
        )
        why = "the key was refused" if is_refused else self.trouble or late
        return NotSent(why, is_final=is_refused)


class _Hasty(Session):
    """An HTTP session with short time-outs that reports each request's result to the sender."""

    def __init__(self, line: TreeSender) -> None:
        super().__init__()
        self.trust_env = not is_loopback(line.target.url or "")
        self._line = line

    def request(self, *args: Any, **how: Any) -> Any:
        """Make a request; TimeoutError when there is no time left for it."""
        line, left = self._line, self._line.seconds_left()
        if left <= 0.0:
            raise TimeoutError("there is no time left")
        line.status = 0
        try:
            answer = super().request(
                *args, **how | {"timeout": (min(CONNECT, left), min(ANSWER, left))}
            )
        except OSError as error:
            is_late = "timeout" in type(error).__name__.lower()
            line.trouble = "it did not answer in time" if is_late else "no connection"
            if isinstance(error, InvalidSchema | InvalidProxyURL):
                line.trouble = f"the proxy in the environment cannot be used: {error}".rstrip(".")
            raise
        line.status = answer.status_code
        if line.status >= 400:
            line.trouble = f"it answered {line.status}"
        return answer
