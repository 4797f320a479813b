"""The worker processes of a run, if it uses more than its own process."""

from agents.errors import RunError
from cli.settings.choosing import ResolvedSettings
from models.request import ModelSettings
from world.run_resources import WorkerPlan
from world.workers.ray_cluster import plan_of


def workers_now(chosen: ResolvedSettings, asking: ModelSettings) -> WorkerPlan | None:
    """Return the worker processes; RunError if they cannot be started."""
    values = chosen.values
    if values.workers is None:
        return None
    for name, is_set in (
        ("prompts", values.prompts is not None),
        ("examples_from_run", values.examples_from_run),
    ):
        if is_set:
            raise RunError(
                f"{chosen.origin('workers').of('workers')} and "
                f"{chosen.origin(name).of(name)} cannot be combined: workers are told of a run "
                "once, and see nothing of what changes during it"
            )
    return plan_of(values.workers, asking)
