"""The line to LangSmith: the official client, with short waits and a word on what arrived.

The client posts from threads of its own and swallows what goes wrong. Here a batch is sent and
waited for, so that it is known whether it arrived; nothing that a server does takes longer than the
waits below.
"""

import time
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lab.tracing.langsmith.runs import marks_of, masking, run_id, runs_of
from lab.tracing.langsmith.target import Target
from lab.tracing.span import Span

if TYPE_CHECKING:
    from langsmith import Client
    from langsmith.schemas import LangSmithInfo, TracerSession

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
    people: tuple[str, ...] = ()
    """Whose names are masked, where the target asks for that."""
    ends: float | None = None
    """When there is no time left for any request, by the steady clock."""
    note: str = ""
    """What the server left unsaid that somebody should know."""
    _client: "Client | None" = None
    _project: "TracerSession | None" = None
    _takes_marks: bool = True
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
        url = (self._project.url if self._project else None) or ""
        for tree in trees:
            hide = masking(self.target.mask, self.people, tree)
            for span, run in runs_of(tree, url):
                client.create_run(**hide(run), project_name=self.target.project)
                for mark in marks_of(span, run) if self._takes_marks else ():
                    self._mark(client, mark)
        client.flush(timeout=min(ARRIVED, self._left()))
        if self._lost or self._left() <= 0.0:
            raise self._not_sent()

    def link(self, root: Span) -> str:
        """Return where a tree is seen in a browser, if it was sent; raises NotSent."""
        from langsmith.utils import LangSmithError, LangSmithNotFoundError

        client, name = self._made(), self.target.project
        try:
            url = _read(client, name).url
        except LangSmithNotFoundError:
            raise NotSent(f"it has no project {name!r} yet") from None
        except ValueError:
            raise NotSent(f"it answered {self._status} and told no project") from None
        except (LangSmithError, OSError):
            raise self._not_sent() from None
        finally:
            client.close(timeout=0)
        return f"{url}/r/{run_id(root.id, root.start)}?poll=true"

    def close(self) -> None:
        """Let go of the client and its threads; what is still on its way is not waited for."""
        if self._client is not None:
            self._client.close(timeout=0)
            self._client = None

    def _opened(self) -> "Client":
        """Return the client, once the server has said what it takes."""
        from langsmith.schemas import LangSmithInfo
        from langsmith.utils import LangSmithError, LangSmithNotFoundError

        asking, told = self._made(), {}
        try:
            with suppress(LangSmithNotFoundError):
                told = asking.request_with_retries("GET", "/info").json()
            self._project = self._found(asking)
            return self._made(LangSmithInfo(**told))
        except (LangSmithError, OSError):
            raise self._not_sent() from None
        except (ValueError, TypeError):
            raise NotSent(f"it answered {self._status} and is no LangSmith") from None
        finally:
            asking.close(timeout=0)

    def _made(self, info: "LangSmithInfo | None" = None) -> "Client":
        """Return a client whose requests are short; one that batches where the server is known."""
        from langsmith import Client
        from langsmith.utils import LangSmithRetry

        target = self.target
        client = Client(
            api_url=target.url,
            api_key=target.key,
            workspace_id=target.workspace,
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
        request = client.session.request

        def shortly(method: str, url: str, **how: Any) -> Any:
            """Make a request that waits shortly, and remember what was wrong."""
            left = self._left()
            if left <= 0.0:
                raise TimeoutError("there is no time left")
            waits = {"timeout": (min(CONNECT, left), min(ANSWER, left))}
            self._status = 0
            try:
                answer = request(method, url, **how | waits)
            except OSError as error:
                is_late = "timeout" in type(error).__name__.lower()
                self._trouble = "it did not answer in time" if is_late else "no connection"
                raise
            self._status = answer.status_code
            if self._status >= 400:
                self._trouble = f"it answered {self._status}"
            return answer

        client.session.request = shortly  # type: ignore[method-assign, assignment]
        return client

    def _found(self, client: "Client") -> "TracerSession | None":
        """Return the project, made where there is none; None where nobody tells of it."""
        from langsmith.utils import LangSmithConflictError, LangSmithError, LangSmithNotFoundError

        name = self.target.project
        try:
            with suppress(LangSmithNotFoundError):
                return _read(client, name)
            with suppress(LangSmithConflictError):
                made: TracerSession = client.create_project(name)
                return made
            return _read(client, name)
        except LangSmithError:
            if self._status not in UNKNOWING:
                raise
        except ValueError:
            # An answer without the project: who takes everything, or another service.
            self.note = (
                f"it answered {self._status} to the question for the project without telling which "
                "it is, so feedback names none and there are no links"
            )
        warnings.filterwarnings("ignore", message="Creating feedback for a run without")
        return None

    def _mark(self, client: "Client", mark: dict[str, Any]) -> None:
        """Send one feedback; a server that takes none is not asked again."""
        from langsmith.utils import LangSmithError

        try:
            project = self._project.id if self._project else None
            client.create_feedback(**mark, session_id=project, stop_after_attempt=1)
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
        return ARRIVED if self.ends is None else self.ends - time.monotonic()


def _read(client: "Client", name: str) -> "TracerSession":
    """Return a project; ValueError where the answer is none."""
    project: TracerSession = client.read_project(project_name=name)
    return project
