"""`smolville ablate`: compare whole minds with minds that lack components, per seed and cast."""

from pathlib import Path
from typing import Annotated

import typer

from smolville.cli.options import (
    AsJson,
    command,
    pairs_said,
    prompts_flag,
    prompts_said,
    runs_dir,
    settings_file,
)

DEFAULTS = {"study": "paper", "seeds": "0,1", "casts": "1,3", "for": "1d"}

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The study's folder, in the folder of the runs.")
]
Shape = Annotated[
    str,
    typer.Option(
        "--study",
        metavar="paper|aga|each|'A,B;C'",
        help="Minds to compare with the whole mind. paper: as in Park et al. 2023. aga: as in "
        "Affordable Generative Agents. each: a mind without each component, and one without all. "
        "'A,B;C': a mind without A and B, and one without C.",
    ),
]
Seeds = Annotated[str, typer.Option(metavar="0,1", help="The random seeds.")]
Casts = Annotated[str, typer.Option(metavar="1,3", help="Sizes of the town's casts.")]
For = Annotated[
    str, typer.Option("--for", metavar="1d|6h|90m|300steps", help="Length of each run.")
]
TownDir = Annotated[Path | None, typer.Option("--town", metavar="DIR", help="A town's folder.")]
Model = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="The model: ollama:<name>, standin, ...; repeat it for its other servers.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the table.")]


def ablate(
    context: typer.Context,
    name: Name = "ablation",
    study: Shape = DEFAULTS["study"],
    seeds: Seeds = DEFAULTS["seeds"],
    casts: Casts = DEFAULTS["casts"],
    duration: For = DEFAULTS["for"],
    model: Model = None,
    town: TownDir = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare whole minds with minds that lack components.

    Carries out a run for each kind of mind, cast size and seed, and prints what each kind costs and
    does: calls, tokens, actions, distinct activities, talks, reflections, and how many answers are
    odd. All other settings are those of smolville run: in
    smolville.toml, or by --set workers=ray.

    Every run is an ordinary one, in the study's folder: smolville runs --runs runs/ablation lists
    them. The same command given again carries out only the missing runs; seeds and casts may be
    added.
    """
    from smolville.cli.ablate_study import StudyOrder, live_study
    from smolville.cli.settings.choosing import read_pairs

    pairs = pairs_said(context)
    said = {"model": model or None, "prompts": prompts_flag(context), **read_pairs(pairs)}
    given = {
        "--study": study,
        "--seeds": seeds,
        "--casts": casts,
        "--for": duration,
        "--town": town,
        "--settings": settings_file(context),
    }
    options = [
        word
        for flag, value in given.items()
        if value is not None and value != DEFAULTS.get(flag.removeprefix("--"))
        for word in (flag, str(value))
    ]
    options += [word for each in model or () for word in ("--model", each)]
    options += [word for each in prompts_said(context) for word in ("--prompts", str(each))]
    options += [word for each in pairs for word in ("--set", each)]
    runs = runs_dir(context)
    live_study(
        StudyOrder(
            runs=runs,
            name=name,
            study=study,
            seeds=seeds,
            casts=casts,
            duration=duration,
            town=town,
            settings=settings_file(context),
            said=said,
            quiet=quiet,
            as_json=as_json,
            again=command(runs, "ablate", name, *options),
        )
    )
