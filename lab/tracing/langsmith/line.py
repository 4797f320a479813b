"""The line to LangSmith: the official client, with short waits and a word on what arrived.

The client posts from threads of its own and swallows what goes wrong. Here a batch is sent and
waited for, so that it is known whether it arrived; nothing that a server does takes longer than the
waits below.
"""

import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from lab.tracing.langsmith.marks import marks_of
from lab.tracing.langsmith.runs import runs_of
from lab.tracing.langsmith.target import Target
from lab.tracing.span import Span

if TYPE_CHECKING:
    from langsmith import Client
    from langsmith.schemas import LangSmithInfo

CONNECT, ANSWER = 2.0, 5.0
"""Seconds that one request waits for its connection, and for its answer."""
ARRIVED = 30.0
"""Seconds after which a batch is taken for lost, whatever its requests still do."""
REFUSED = (401, 403)
"""Answers that no patience changes."""
UNKNOWING = (400, 403, 404, 405, 422)
"""Answers of one who takes traces and will not talk of projects."""


class NotSent(Exception):
    """A batch did not arrive; `str` says why in a few words."""

    def __init__(self, why: str, *, is_final: bool = False) -> None:
        super().__init__(why)
        self.is_final = is_final
        """True when trying again cannot help."""


@dataclass
class Line:
    """Sends trees to one project; opened by its first batch. For one thread at a time."""

    target: Target
    most: int = 100
    """Runs and feedback in one request, where the server does not say."""
    _client: "Client | None" = None
    _project: UUID | None = None
    _takes_marks: bool = True
    _ends: float | None = None
    """When there is no time left, by the steady clock."""
    _trouble: str = ""
    """What was wrong with the last request, if anything was."""
    _status: int = 0
    _lost: list[Exception] = field(default_factory=list)
    """What the client gave up, since the batch began."""

    def send(self, trees: Iterable[Span]) -> None:
        """Send trees and wait until they are there; raises NotSent."""
        client = self._client = self._client or self._opened()
        self._lost.clear()
        self._trouble = ""
        for tree in trees:
            for run in runs_of(tree):
                client.create_run(**run.asked(), project_name=self.target.project)
                for mark in marks_of(run) if self._takes_marks else ():
                    self._mark(client, mark)
        client.flush(timeout=min(ARRIVED, self._left()))
        if self._lost or self._left() <= 0.0:
            raise self._not_sent()

    def end_at(self, moment: float) -> None:
        """Let no request last beyond a moment of the steady clock."""
        self._ends = moment

    def close(self) -> None:
        """Let go of the client and its threads; what is still on its way is not waited for."""
        if self._client is not None:
            self._client.close(timeout=0)
            self._client = None

    def _opened(self) -> "Client":
        """Return the client, once the server has said what it takes."""
        from langsmith.schemas import LangSmithInfo
        from langsmith.utils import LangSmithError, LangSmithNotFoundError

        asking = self._made(batches=False)
        try:
            try:
                told = asking.request_with_retries("GET", "/info").json()
            except LangSmithNotFoundError:
                told = {}
            self._project = self._project_id(asking)
            return self._made(batches=True, info=LangSmithInfo(**told))
        except (LangSmithError, OSError, ValueError, TypeError):
            raise self._not_sent() from None
        finally:
            asking.close(timeout=0)

    def _made(self, *, batches: bool, info: "LangSmithInfo | None" = None) -> "Client":
        """Return a client whose requests are short."""
        from langsmith import Client
        from langsmith.utils import LangSmithRetry

        target = self.target
        client = Client(
            api_url=target.url,
            api_key=target.key,
            workspace_id=target.workspace,
            info=info,
            auto_batch_tracing=batches,
            # Without `read=False` a late answer would look like no connection, and be tried again.
            retry_config=LangSmithRetry(total=0, read=False),
            tracing_sampling_rate=1.0,
            tracing_mode="langsmith",
            tracing_error_callback=self._lost.append,
            hide_inputs=target.hides_inputs,
            hide_outputs=target.hides_outputs,
            hide_metadata=target.hides_metadata,
            omit_traced_runtime_info=True,
            disable_prompt_cache=True,
        )
        shortly = self._short(client.session.request)
        client.session.request = shortly  # type: ignore[method-assign]
        return client

    def _short(self, request: Callable[..., Any]) -> Callable[..., Any]:
        """Return a session's `request` that waits shortly and remembers what was wrong."""

        def shortly(method: str, url: str, **how: Any) -> Any:
            left = self._left()
            if left <= 0.0:
                raise TimeoutError("there is no time left")
            try:
                answer = request(
                    method, url, **how | {"timeout": (min(CONNECT, left), min(ANSWER, left))}
                )
            except OSError as error:
                is_late = "timeout" in type(error).__name__.lower()
                self._trouble = "it did not answer in time" if is_late else "no connection"
                self._status = 0
                raise
            self._status = answer.status_code
            if answer.status_code >= 400:
                self._trouble = f"it answered {answer.status_code}"
            return answer

        return shortly

    def _project_id(self, client: "Client") -> UUID | None:
        """Return the project's id, which feedback wants; None where nobody tells it."""
        from langsmith.utils import LangSmithError

        name = self.target.project
        try:
            return _known(client, name) or _made(client, name)
        except LangSmithError:
            if self._status not in UNKNOWING:
                raise
            # Who takes traces and tells of no projects: feedback does without.
            warnings.filterwarnings("ignore", message="Creating feedback for a run without")
            return None

    def _mark(self, client: "Client", mark: dict[str, Any]) -> None:
        """Send one feedback; a server that takes none is not asked again."""
        from langsmith.utils import LangSmithError

        try:
            client.create_feedback(**mark, session_id=self._project, stop_after_attempt=1)
        except (LangSmithError, OSError, ValueError):
            self._takes_marks = False

    def _not_sent(self) -> NotSent:
        """Return why, as far as it is known."""
        is_refused = self._status in REFUSED
        late = "it did not answer in time" if self._left() > 0.0 else "there was no time left"
        why = "the key was refused" if is_refused else self._trouble or late
        return NotSent(why, is_final=is_refused)

    def _left(self) -> float:
        """Return the seconds that are left."""
        return ARRIVED if self._ends is None else self._ends - time.monotonic()


def _known(client: "Client", name: str) -> UUID | None:
    """Return the id of a project, None when there is none of that name."""
    from langsmith.utils import LangSmithNotFoundError

    try:
        return UUID(str(client.read_project(project_name=name).id))
    except LangSmithNotFoundError:
        return None


def _made(client: "Client", name: str) -> UUID | None:
    """Return the id of a project that is made, by us or by somebody else in that moment."""
    from langsmith.utils import LangSmithConflictError

    try:
        return UUID(str(client.create_project(name).id))
    except LangSmithConflictError:
        return _known(client, name)
