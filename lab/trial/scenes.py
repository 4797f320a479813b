"""The moments of a model trial: for every step the samples of two people, one of them twice."""

from collections.abc import Iterator
from dataclasses import replace

from graphs.loop.step import AnyStep
from graphs.prompt_inputs import PersonCard, PromptInput
from graphs.samples import OTHER_SAMPLES, SAMPLES, samples_of
from graphs.scenes import MILO

OF_MEMORIES = frozenset({"rate_importance", "reflect_questions", "reflect_insights"})
"""Steps that a town takes only when there are memories to look at."""

ACQUAINTED = replace(
    MILO,
    date="Sunday 12 May",
    clock="11:40",
    doing="helping to take the stage down",
    until="12:10",
    requirement="Write the second page on mosses, and go swimming if it is warm.",
    memories=(
        ("yesterday 17:30", "Rosa Marin clapped the longest when Milo Varga had played."),
        ("yesterday 17:05", "Milo Varga forgot the third dance and began it again."),
        ("yesterday 09:10", "Milo Varga wrote one page on the mosses of the mill wall."),
        ("Friday 10 May 15:00", "Ida Lund showed Milo Varga a moss that he does not know."),
        ("Monday 6 May 09:20", "Milo Varga promised to play at Rosa Marin's stall."),
        ("Sunday 5 May 20:00", "Milo Varga's mother wrote that she will visit in June."),
    ),
    strokes=(
        ("08:30", "waking up slowly"),
        ("10:00", "studying mosses at the library"),
        ("12:30", "having lunch"),
        ("14:00", "swimming in the river"),
        ("19:00", "having dinner"),
        ("23:45", "sleeping"),
    ),
    tasks=(
        ("10:00-10:40", "finding books on mosses"),
        ("10:40-11:30", "drawing the moss of the mill wall"),
        ("11:30-12:00", "writing the second page"),
    ),
    places=(
        ("Mill Library: reading room", ("desk", "bookshelf", "window seat"), "the desk is in use"),
        ("Mill Library: archive", ("cabinet",), ""),
        ("Willow House: attic room", ("bed", "table"), ""),
    ),
    sectors=(
        ("Willow House", ("attic room", "kitchen")),
        ("Marin Café", ("counter room", "kitchen")),
        ("River Bank", ("jetty", "meadow")),
    ),
    people=(
        PersonCard(
            name="Rosa Marin",
            doing="folding up the table of her stall",
            relationship="She has the café next door and asked you to play.",
            last_talk="yesterday 18:30, about the dances",
            can_talk=True,
            until="12:00",
        ),
    ),
    events=("The bench before the stage is wet.",),
    feeling="He is grateful and a little ashamed of his mistake.",
    whisper="You want to study the mosses of the north, and leave the town in autumn.",
    question="What went wrong at the third dance?",
    why="Milo wants to know whether anybody noticed the third dance.",
    lines=(
        ("Milo Varga", "Did you notice that I lost the third dance?"),
        ("Rosa Marin", "I noticed that everybody danced to it twice."),
    ),
    turns_left=5,
    questions=(
        "Is Milo Varga losing his fear of the stage?",
        "What does Milo Varga still have to write?",
    ),
)
"""Milo Varga a day later, with memories to look back on and somebody to talk to."""

LATER: dict[str, PromptInput] = samples_of(ACQUAINTED)


def moments_of(step: AnyStep) -> Iterator[PromptInput]:
    """Yield the inputs of a step's moments."""
    yield SAMPLES[step.name]
    if step.name not in OF_MEMORIES:
        yield OTHER_SAMPLES[step.name]
    yield LATER[step.name]
