"""Thoughts made by workers give the same history, and nothing but plain data crosses."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from smolville.agents.errors import RunError, StoppedError
from smolville.history.folder import RunFolder
from smolville.models.request import ModelSettings
from smolville.world.run_request import RunRequest
from smolville.world.run_resources import Part, RunResources, WorkerPlan
from smolville.world.simulation import open_simulation
from smolville.world.workers.ray_cluster import plan_of, ray_workers
from smolville.world.workers.worker import REPLY, ThoughtReply, ThoughtWorker
from tests.whole.lives import begin, differing, parts, standin
from tests.whole.visits import MORNING

EARLY = 8 * 3600
ROOT = Path(__file__).parents[2]


class WorkersHere:
    """Two workers in this process, which know of the engine what crosses and nothing else."""

    def __init__(self, setup: bytes) -> None:
        self.workers = ThoughtWorker(setup), ThoughtWorker(setup)
        self.thoughts = [0, 0]
        self.plain = [setup]

    async def think(
        self, agent: str, request: bytes, mind: bytes, vectors: bytes
    ) -> AsyncIterator[Part]:
        """Ask the worker of an agent."""
        at = sorted(("Ada Brook", agent)).index(agent)
        self.thoughts[at] += 1
        self.plain += [request, *filter(None, [mind])]
        async for kind, data in self.workers[at].think(request, mind, vectors):
            self.plain.append(data)
            yield kind, data


def live_with(folder: RunFolder, until: int, plan: WorkerPlan) -> None:
    """Live a run until a town second, with thoughts made by workers."""
    chat = standin(folder.spec.seed)
    with open_simulation(folder, (chat, chat), means=RunResources(workers=plan)) as simulation:
        asyncio.run(simulation.run(until))


def test_a_run_with_workers_begun_and_gone_on_with_is_the_run_without(
    small: RunRequest, morning: RunFolder, tmp_path: Path
) -> None:
    opened: list[WorkersHere] = []

    @contextmanager
    def start(setup: bytes) -> Iterator[WorkersHere]:
        opened.append(WorkersHere(setup))
        yield opened[-1]

    plan = WorkerPlan(asking=ModelSettings(), open=start, count=2)
    folder = begin(tmp_path, "apart", small)
    for until in (EARLY, MORNING):
        live_with(folder, until, plan)
    assert differing(parts(morning), parts(folder)) == []
    assert len(opened) == 2 and all(all(each.thoughts) for each in opened)
    for each in opened:
        assert all(type(data) is bytes and json.loads(data) for data in each.plain)


def test_a_worker_that_cannot_go_on_stops_the_run_with_its_sentence(
    small: RunRequest, tmp_path: Path
) -> None:
    class Stuck:
        async def think(
            self, agent: str, request: bytes, mind: bytes, vectors: bytes
        ) -> AsyncIterator[Part]:
            yield "reply", REPLY.dump_json(ThoughtReply(stopped="the server of the model is gone"))

    @contextmanager
    def start(setup: bytes) -> Iterator[Stuck]:
        yield Stuck()

    plan = WorkerPlan(asking=ModelSettings(), open=start, count=1)
    with pytest.raises(StoppedError, match="the server of the model is gone"):
        live_with(begin(tmp_path, "stuck", small), EARLY, plan)


def test_workers_of_another_kind_are_refused() -> None:
    with pytest.raises(RunError, match="--workers cannot be 'dask': write ray for processes"):
        plan_of("dask", ModelSettings())


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_it_is_said_what_to_install() -> None:
    with pytest.raises(RunError, match=r"not installed: pip install 'smolville\[ray\]'"):
        plan_of("ray", ModelSettings())


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: smolville[ray]")
@pytest.mark.enable_socket
def test_a_morning_on_two_ray_workers_under_uv_run_is_the_morning_without(
    small: RunRequest, morning: RunFolder, tmp_path: Path
) -> None:
    # A shell that is called `uv run` stands for uv, whose environment Ray would build anew.
    (tmp_path / "run").write_text('"$PYTHON" -m tests.whole.test_workers "$RUNS"\nexit $?\n')
    folder = begin(tmp_path, "ray", small)
    named = {
        "PYTHON": sys.executable,
        "RUNS": str(tmp_path),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}",
    }
    done = subprocess.run(
        ["uv", "run"],
        executable="/bin/sh",
        cwd=tmp_path,
        env={**os.environ, **named},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert differing(parts(morning), parts(folder)) == []


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: smolville[ray]")
@pytest.mark.enable_socket
def test_a_ray_worker_that_does_not_start_ends_the_wait_with_a_sentence() -> None:
    late = ray_workers("", b"", count=1, seconds=0.001)
    with pytest.raises(RunError, match="1 of 1 Ray workers on this machine had not started"), late:
        pass


if __name__ == "__main__":
    live_with(
        RunFolder.open(Path(sys.argv[1]), "ray"), MORNING, plan_of("ray", ModelSettings(), count=2)
    )
