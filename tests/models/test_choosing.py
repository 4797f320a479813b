"""Of several models that Ollama has, one that fits into the memory is chosen, and why is said."""

from smolville.models.open import GIB, choose_model
from smolville.models.servers.ollama import ServedModel


def model(name: str, gigabytes: float | None) -> ServedModel:
    return ServedModel(
        name=name,
        chats=True,
        thinks=False,
        system_role=True,
        context_length=8192,
        size=None if gigabytes is None else round(gigabytes * GIB),
    )


LARGE, MIDDLE, SMALL = model("llama3:70b", 40), model("mistral:7b", 4), model("qwen2.5:3b", 2)


def test_the_newest_that_fits_is_taken_or_else_the_smallest() -> None:
    for models, memory, taken, told in (
        ([MIDDLE, SMALL], 16, MIDDLE, "the newest of its 2 chat models: about 5.8 GB of 16.0 GB"),
        ([LARGE, MIDDLE, SMALL], 16, MIDDLE, "the newest to fit of its 3 chat models: about 5.8"),
        ([LARGE, MIDDLE], 4, MIDDLE, "the smallest, though it hardly fits, of its 2 chat models"),
        ([LARGE], 4, LARGE, "its chat model: about 49.0 GB of 4.0 GB of memory"),
    ):
        chosen, why = choose_model(models, memory * GIB)
        assert (chosen, why[: len(told)]) == (taken, told)


def test_what_is_not_known_is_no_obstacle() -> None:
    assert choose_model([LARGE, SMALL], None) == (LARGE, "the newest of its 2 chat models")
    assert choose_model([LARGE], None) == (LARGE, "its chat model")
    new = model("new", None)
    assert choose_model([new, SMALL], GIB) == (new, "the newest of its 2 chat models")
