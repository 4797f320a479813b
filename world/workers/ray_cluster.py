"""Workers on a Ray cluster of one or several machines; Ray is imported only here.

An agent's thoughts are tasks of one Ray actor, which keeps the agent's memories. Ray carries
nothing but bytes: messages are JSON, written and validated by `world.workers.worker`.
"""

import logging
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from zlib import crc32

from smolville.agents.errors import RunError, StoppedError

if TYPE_CHECKING:
    from smolville.models.request import ModelSettings
    from smolville.world.run_resources import Part, WorkerPlan

KIND = "ray"
START_SECONDS = 300
"""Seconds within which Ray must start on this machine, and then again its workers."""
AT_ONCE = 256
"""Maximum number of thoughts that one worker makes at the same time; most wait for a model."""


def plan_of(spec: str, asking: "ModelSettings", count: int | None = None) -> "WorkerPlan":
    """Return the workers of a spec, `ray` or `ray:<address>`, after connecting to Ray.

    If no count is given, there are as many workers as the cluster has processors. Raises RunError
    if the spec is invalid, or if Ray is not installed or cannot be reached.
    """
    from smolville.world.run_resources import WorkerPlan

    kind, _, address = spec.partition(":")
    if kind != KIND:
        raise RunError(
            f"--workers cannot be {spec!r}: write ray for processes on this machine, or "
            "ray:<address> for a Ray cluster, such as ray:10.0.0.1:6379"
        )
    if find_spec(KIND) is None:
        raise RunError(
            "--workers ray needs Ray, which is not installed: pip install 'smolville[ray]', or "
            "leave --workers out"
        )
    found = count or _connect(address)
    return WorkerPlan(
        asking=asking, open=lambda setup: ray_workers(address, setup, found), count=found
    )


def _connect(address: str) -> int:
    # Under `uv run`, Ray would build that command's environment anew for each worker. Workers use
    # the one that is installed. Ray reads this when it is imported.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    import ray

    if not ray.is_initialized():
        os.environ.setdefault("RAY_raylet_start_wait_time_s", str(START_SECONDS))
        with _starting(address):
            ray.init(
                address=address or "local",
                include_dashboard=False if not address else None,
                configure_logging=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


@contextmanager
def _starting(address: str) -> Iterator[None]:
    """Turn any error during the start of Ray into one sentence.

    Ray has no error class of its own for that: a node that starts too slowly raises `Exception`.
    """
    try:
        yield
    except Exception as error:
        why = str(error).strip().splitlines()[0]
        raise RunError(f"no Ray cluster can be used {_place(address)}: {why}") from error


def _place(address: str) -> str:
    return f"at {address}" if address else "on this machine"


@contextmanager
def ray_workers(
    address: str, setup: bytes, count: int, seconds: float = START_SECONDS
) -> Iterator["RayWorkers"]:
    """Start workers on a cluster; at the end, stop them and close the connection.

    Raises RunError if a worker fails to start, or if not all have started after `seconds` seconds.
    """
    _connect(address)
    import ray

    from smolville.world.workers.worker import ThoughtWorker

    try:
        actor = ray.remote(ThoughtWorker)
        made = [
            actor.options(num_cpus=1, max_concurrency=AT_ONCE).remote(setup) for _ in range(count)
        ]
        _await_start(made, _place(address), seconds)
        yield RayWorkers(made)
    finally:
        ray.shutdown()


def _await_start(actors: Sequence[Any], place: str, seconds: float) -> None:
    """Wait until all workers are ready, at most `seconds` seconds.

    An actor for which there is no room would wait for ever.
    """
    import ray
    from ray.exceptions import RayError

    starting = [actor.__ray_ready__.remote() for actor in actors]
    started, missing = ray.wait(starting, num_returns=len(starting), timeout=seconds)
    try:
        ray.get(started)
    except RayError as error:
        why = str(error).strip().splitlines()[-1]
        raise RunError(f"a Ray worker {place} could not begin: {why}") from error
    if missing:
        raise RunError(
            f"{len(missing)} of {len(starting)} Ray workers {place} had not started after "
            f"{seconds:g} s: its processors may be taken by other work. Go on without --workers, "
            "or try again later"
        )


class RayWorkers:
    """The actors of a run (`world.workers.worker.Workers`)."""

    def __init__(self, actors: Sequence[Any]) -> None:
        self._actors = actors

    async def think(
        self, agent: str, request: bytes, mind: bytes, vectors: bytes
    ) -> "AsyncIterator[Part]":
        """Yield the parts of a worker's answer; raises StoppedError if the worker is lost."""
        from ray.exceptions import RayError

        actor = self._actors[crc32(agent.encode()) % len(self._actors)]
        asked = actor.think.options(num_returns="streaming").remote(request, mind, vectors)
        try:
            async for part in asked:
                yield await part
        except RayError as error:
            why = str(error).strip().splitlines()[-1]
            raise StoppedError(f"a Ray worker was lost while {agent} thought: {why}") from error
