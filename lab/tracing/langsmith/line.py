"""The line to LangSmith: the official client, with short waits and a word on what arrived.

The client posts from threads of its own and swallows what goes wrong. Here a batch is sent and
waited for, so that it is known whether it arrived; nothing that a server does takes longer than the
waits below.
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

from lab.tracing.langsmith.runs import Body, marks_of, masking, runs_of
from lab.tracing.langsmith.target import Target
from lab.tracing.span import Span

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
    ends: float | None = None
    """When there is no time left for any request, by the steady clock."""
    note: str = ""
    """What the server left unsaid that somebody should know."""
    trouble: str = ""
    """What was wrong with the last request, if anything was."""
    status: int = 0
    """How the last request was answered; 0 where it was not."""
    _client: Client | None = None
    _project: TracerSession | None = None
    _takes_marks: bool = True
    _lost: list[Exception] = field(default_factory=list)
    """What the client gave up, since the batch began."""

    def send(self, trees: Iterable[Span], people: Iterable[str] = ()) -> None:
        """Send trees and wait until they are there; raises NotSent.

        `people` are those whose names are masked, where the target asks for that.
        """
        client = self._client = self._client or self._opened()
        if self.left() <= 0.0:
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
        client.flush(timeout=min(ARRIVED, self.left()))
        if self._lost or self.left() <= 0.0:
            raise self._not_sent()

    def link(self, root: Span) -> str:
        """Return where a tree is seen in a browser, if it was sent; raises NotSent."""
        name = self.target.project
        with self._asking() as client:
            try:
                url = client.read_project(project_name=name).url
            except LangSmithNotFoundError:
                raise NotSent(f"it has no project {name!r} yet") from None
        return f"{url}/r/{UUID(root.id)}?poll=true"

    def close(self) -> None:
        """Let go of the client and its threads; what is still on its way is not waited for."""
        if self._client is not None:
            self._client.close(timeout=0)
            self._client = None

    def left(self) -> float:
        """Return the seconds that are left."""
        return ARRIVED if self.ends is None else self.ends - time.monotonic()

    def _opened(self) -> Client:
        """Return the client, once the server has said what it takes."""
        told = {}
        with self._asking() as client:
            with suppress(LangSmithNotFoundError):
                told = client.request_with_retries("GET", "/info").json()
            info = LangSmithInfo(**told)
            self._project = self._found(client)
        return self._made(info)

    @contextmanager
    def _asking(self) -> Iterator[Client]:
        """Give a client for questions; what goes wrong is raised as NotSent."""
        client = self._made()
        try:
            yield client
        except (LangSmithError, OSError):
            raise self._not_sent() from None
        except (ValueError, TypeError):
            raise NotSent(f"it answered {self.status} and is no LangSmith") from None
        finally:
            client.close(timeout=0)

    def _made(self, info: LangSmithInfo | None = None) -> Client:
        """Return a client whose requests are short; one that batches where the server is known."""
        target = self.target
        return Client(
            api_url=target.url,
            api_key=target.key,
            workspace_id=target.workspace,
            session=_Hasty(self),
            info=info,
            auto_batch_tracing=info is not None,
            # Without `read=False` a late answer would look like no connection, and be tried again.
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

    def _found(self, client: Client) -> TracerSession | None:
        """Return the project, made where there is none; None where nobody tells of it."""
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
            # An answer without the project: who takes everything, or another service.
            self.note = (
                f"it answered {self.status} to the question for the project without telling which "
                "it is, so feedback names none and there are no links"
            )
        warnings.filterwarnings("ignore", message="Creating feedback for a run without")
        return None

    def _mark(self, client: Client, mark: Body) -> None:
        """Send one feedback; a server that takes none is not asked again."""
        project = self._project.id if self._project else None
        try:
            client.create_feedback(**mark, session_id=project, stop_after_attempt=1)
        except (LangSmithError, OSError, ValueError):
            self._takes_marks = False

    def _not_sent(self) -> NotSent:
        """Return why, as far as it is known."""
        is_refused = self.status in REFUSED
        late = "it did not answer in time" if self.left() > 0.0 else "there was no time left"
        why = "the key was refused" if is_refused else self.trouble or late
        return NotSent(why, is_final=is_refused)


class _Hasty(Session):
    """Makes requests that wait shortly, and tells the line what became of the last one."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def request(self, *args: Any, **how: Any) -> Any:
        """Make a request; TimeoutError when there is no time left for one."""
        line, left = self._line, self._line.left()
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
            raise
        line.status = answer.status_code
        if line.status >= 400:
            line.trouble = f"it answered {line.status}"
        return answer
