"""What `smolville run` is asked to do, and whether it goes together."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agents.errors import RunError
from world.finding import find_person
from world.runs.folder import RunSpec
from world.runs.naming import check_name


@dataclass(frozen=True, kw_only=True)
class Order:
    """The command line of `smolville run`; None for what was not said."""

    name: str | None = None
    town: Path | None = None
    cast: int | None = None
    agents: str | None = None
    fast: str | None = None
    strong: str | None = None
    embedder: str | None = None
    duration: str | None = None
    until: str | None = None
    tick: int | None = None
    seed: int | None = None
    schedule: Literal["serial", "lockstep"] | None = None
    repairs: int | None = None
    strict: bool | None = None
    resume: bool = False
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False

    def check(self) -> None:
        """Raise RunError when the name cannot be, or two options exclude each other."""
        if self.name is not None:
            check_name(self.name)
        pairs = (
            ("--cast", self.cast is not None, "--agents", self.agents is not None),
            ("--for", self.duration is not None, "--until", self.until is not None),
            ("--resume", self.resume, "--overwrite", self.overwrite),
            ("--quiet", self.quiet, "--verbose", self.verbose),
        )
        for first, has_first, second, has_second in pairs:
            if has_first and has_second:
                raise RunError(f"{first} and {second} exclude each other; leave one out.")


def contradiction(order: Order, spec: RunSpec) -> str:
    """Return a sentence about the first option that is not as the run was begun, else nothing.

    Models may change: a server moves, a better model comes. Every call says which one answered.
    """
    was = spec.settings
    pairs: tuple[tuple[str, object, object], ...] = (
        ("--town", order.town and str(order.town.resolve()), spec.town or "the shipped town"),
        ("--cast", order.cast, len(spec.cast)),
        ("--embedder", order.embedder, spec.models.embedder),
        ("--tick", order.tick, spec.tick_seconds),
        ("--seed", order.seed, spec.seed),
        ("--schedule", order.schedule, spec.schedule),
        ("--repairs", order.repairs, was.get("repairs")),
        ("--strict", order.strict, bool(was.get("strict"))),
    )
    for option, asked, begun in pairs:
        if asked is not None and asked != begun:
            return _told(spec.name, option, asked, begun)
    if order.agents is not None and not _are(order.agents, spec):
        return _told(spec.name, "--agents", order.agents, ", ".join(spec.cast))
    return ""


def _are(agents: str, spec: RunSpec) -> bool:
    """True when these names, parted by commas, are the run's cast."""
    where = f"the run {spec.name!r}"
    names = [find_person(each, spec.cast, where) for each in agents.split(",") if each.strip()]
    return sorted(names) == sorted(spec.cast)


def _told(run: str, option: str, asked: object, begun: object) -> str:
    """Return why a run cannot be gone on with like this."""
    if option == "--strict":
        return (
            f"The run {run!r} was begun without --strict and goes on so: leave it out, "
            "or begin another run."
        )
    return (
        f"The run {run!r} was begun with {option} {begun} and goes on so: leave {option} out, "
        f"or begin another run with {asked}."
    )
