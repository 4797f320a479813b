"""Moments as a LangSmith dataset: uploaded and read back through the official client."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from smolville.agents.errors import SettingError, SmolvilleError
from smolville.lab.langsmith_target import open_client, target_in
from smolville.lab.moments.moment import Moment, plain, read_plain
from smolville.prompts.environment import open_environment
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.facts import read_facts
from smolville.prompts.folder import SUFFIX, Texts
from smolville.prompts.repair import REPAIR_FILE

if TYPE_CHECKING:
    from langsmith import Client

AT_ONCE = 50
"""Number of examples per upload: about a megabyte."""


def write_langsmith(
    name: str, moments: Iterable[Moment], env: Mapping[str, str], *, overwrite: bool = False
) -> int:
    """Upload moments as the dataset `name`, and return their number.

    Raises SettingError without a key, or when the dataset exists and may not be replaced. Raises
    SmolvilleError when LangSmith cannot be reached or refuses.
    """
    with open_langsmith(env) as client:
        if client.has_dataset(dataset_name=name):
            if not overwrite:
                raise SettingError(
                    f"LangSmith has a dataset {name!r} already; choose another --name, or replace "
                    "it with --overwrite."
                )
            client.delete_dataset(dataset_name=name)
        made = client.create_dataset(name, description="Moments of a Smolville run.")
        known: dict[tuple[str, str], Texts] = {}
        waiting = (_example(moment, _files_of(moment, known)) for moment in moments)
        written = 0
        while batch := list(islice(waiting, AT_ONCE)):
            client.create_examples(dataset_id=made.id, examples=batch)
            written += len(batch)
    return written


def read_langsmith(name: str, env: Mapping[str, str]) -> list[Moment]:
    """Return the moments of a dataset made by `write_langsmith`, in order of time.

    Raises SettingError without a key, or when there is no such dataset or it holds something else.
    """
    with open_langsmith(env) as client:
        if not client.has_dataset(dataset_name=name):
            raise SettingError(f"LangSmith has no dataset {name!r}.")
        inputs = [example.inputs or {} for example in client.list_examples(dataset_name=name)]
    try:
        found = [_moment(each) for each in inputs]
    except (KeyError, TypeError, ValueError) as error:
        raise SettingError(
            f"The dataset {name!r} in LangSmith holds something else than moments: "
            "`smolville export RUN --format langsmith` makes one."
        ) from error
    if not found:
        raise SettingError(f"The dataset {name!r} in LangSmith is empty.")
    return sorted(found, key=lambda moment: (moment.run, moment.at, moment.id))


@contextmanager
def open_langsmith(env: Mapping[str, str], *, sends_runs: bool = False) -> "Iterator[Client]":
    """Yield the official client; turn its errors into SettingError or SmolvilleError.

    With `sends_runs`, runs and feedback are sent in the background, and have arrived at the end.
    """
    from langsmith.utils import (
        LangSmithAuthError,
        LangSmithConnectionError,
        LangSmithError,
        LangSmithRequestTimeout,
    )

    target = target_in(env)
    if target is None:
        raise SettingError(
            "LangSmith needs a key: set LANGSMITH_API_KEY (and LANGSMITH_ENDPOINT for a server of "
            "your own)."
        )
    failed: list[Exception] = []
    client = open_client(target, failed.append, auto_batch_tracing=sends_runs)
    where = target.url or "LangSmith"
    try:
        yield client
        client.flush()
        if failed:
            raise failed[0]
    except LangSmithAuthError as error:
        raise SettingError(f"{where} does not take the key in LANGSMITH_API_KEY.") from error
    except (LangSmithConnectionError, LangSmithRequestTimeout) as error:
        raise SmolvilleError(f"{where} cannot be reached; nothing more was sent.") from error
    except LangSmithError as error:
        why = " ".join(str(error).split())[:200]
        raise SmolvilleError(f"{where} refused: {why}") from error
    finally:
        client.close()


def _files_of(moment: Moment, known: dict[tuple[str, str], Texts]) -> Texts:
    """Return the template files that a moment's step uses, for its question and for repairs.

    The whole set would be larger than the moment. `known` keeps what was found.
    """
    key = (moment.step, moment.attempts[0].call.template)
    if key not in known:
        environment = open_environment(moment.templates)
        names = (f"{moment.step}{SUFFIX}", REPAIR_FILE, EXAMPLES)
        facts = [read_facts(environment, file) for file in names if file in moment.templates]
        known[key] = {name: text for each in facts for name, text in each.texts.items()}
    return known[key]


def _example(moment: Moment, files: Texts) -> dict[str, Any]:
    """Return a moment as an example of a LangSmith dataset.

    It holds the moment itself, so that it can be asked again, the answer to compare with, and
    metadata to filter by.
    """
    first = moment.attempts[0]
    return {
        "inputs": {
            "messages": orjson.loads(first.call.messages),
            "moment": {**plain(moment), "templates": dict(files)},
        },
        "reference_outputs": {"answer": moment.answer},
        "metadata": {
            "moment": moment.id,
            "step": moment.step,
            "agent": moment.agent,
            "time": moment.time,
            "outcome": moment.outcome,
            "odd": list(moment.record.odd_kinds),
            "attempts": moment.record.attempts,
            "problems": list(first.reading.problems) if first.reading else [],
            "template": first.call.template,
            "model": first.call.model,
        },
    }


def _moment(inputs: Mapping[str, Any]) -> Moment:
    fields = inputs["moment"]
    return read_plain(fields, fields["templates"])
