"""`--model` given more than once: two real llama.cpp servers think for one town."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from tests.cli.conftest import Command, Said
from tests.fixtures.fault_injector import ALWAYS, injected
from tests.fixtures.faults import PASSING
from tests.fixtures.llamacpp import llamacpp_url, serve_gguf, tiny_gguf
from tests.fixtures.loopback import free_port
from tests.fixtures.small_town import write_small_town

__all__ = ["llamacpp_url", "tiny_gguf"]


@pytest.fixture(scope="module")
def second_url(tiny_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a second llama.cpp server with the same model and one slot."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    copy = tmp_path_factory.mktemp("second") / tiny_gguf.name
    copy.write_bytes(tiny_gguf.read_bytes())
    with serve_gguf(copy, slots=1, context=16384) as url:
        yield url


@pytest.fixture(scope="module")
def lived_by_two(
    llamacpp_url: str, second_url: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Command, Said]:
    """A command whose folder holds `amber`, begun with two servers; to be read only."""
    folder = tmp_path_factory.mktemp("two")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    said = begun(command, "amber", f"llamacpp:{llamacpp_url}", f"llamacpp:{second_url}")
    assert said.code == 0, said.err
    return command, said


def begun(command: Command, name: str, *specs: str) -> Said:
    """Begin a run with these servers: everybody plans the day at its first tick."""
    town = ("--town", str(command.town), "--cast", "3", "--set", "repairs=0", "--for", "10m")
    return command("run", name, *town, *(word for spec in specs for word in ("--model", spec)))


def test_health_by_server_sums_to_all_calls(
    lived_by_two: tuple[Command, Said], llamacpp_url: str, second_url: str
) -> None:
    command, _ = lived_by_two
    told = command("health", "amber", "--json").json
    servers = told["servers"]
    assert set(servers) == {f"llamacpp:{llamacpp_url}", f"llamacpp:{second_url}"}
    for key in ("attempts", "prompt_tokens", "completion_tokens", "transport_errors"):
        assert sum(part[key] for part in servers.values()) == told["total"][key]
    assert all(part["attempts"] > 0 and part["milliseconds"] > 0 for part in servers.values())
    assert list(told["models"]) == [f"llamacpp:{llamacpp_url}"]
    page = command("health", "amber", "--by", "server").out
    heading = next(line for line in page.splitlines() if line.lstrip().startswith("server"))
    assert heading.split()[:2] == ["server", "calls"]
    assert "time" in heading.split()
    for url in (llamacpp_url, second_url):
        assert f"llamacpp:{url.removeprefix('http://')}" in page


def test_a_run_keeps_its_servers_and_a_flag_names_others(
    smolville: Command, llamacpp_url: str, second_url: str
) -> None:
    one, two = f"llamacpp:{llamacpp_url}", f"llamacpp:{second_url}"
    assert begun(smolville, "birch", one, two).code == 0
    assert RunFolder.open(smolville.runs, "birch").spec.models.servers == {one: (two,)}
    again = smolville("run", "birch", "--resume", "--for", "10m")
    assert again.code == 0, again.err
    assert f"model  {two} (0.1M, all F32): chosen by you, 1 slot." in again.err
    moved = smolville("run", "birch", "--resume", "--for", "10m", "--model", two, "--model", one)
    assert f"model  begun with {one}" in moved.err
    chosen = "(0.1M, all F32): chosen by you"
    assert moved.err.index(f"model  {two}") < moved.err.index(f"model  {one} {chosen}, 2")
    alone = smolville("run", "birch", "--resume", "--for", "10m", "--model", one)
    assert two not in alone.err
    assert "slots" not in alone.err


def test_a_server_that_is_not_there_at_the_start_is_told_and_left_out(
    smolville: Command, llamacpp_url: str
) -> None:
    gone = f"llamacpp:http://127.0.0.1:{free_port()}"
    said = begun(smolville, "birch", gone, f"llamacpp:{llamacpp_url}")
    assert said.code == 0, said.err
    assert f"model  {gone}: not used, llama.cpp's server at " in said.err
    servers = smolville("health", "birch", "--json").json["servers"]
    assert list(servers) == [f"llamacpp:{llamacpp_url}"]
    assert begun(smolville, "cedar", gone, gone.replace("127.0.0.1", "localhost")).code == 1


def test_a_server_that_dies_during_the_run_is_told_once(
    smolville: Command, llamacpp_url: str, second_url: str
) -> None:
    with injected(second_url) as between:
        between.fault, between.first, between.every = PASSING["away"], 1, 1
        between.times = ALWAYS
        said = begun(smolville, "birch", f"llamacpp:{llamacpp_url}", f"llamacpp:{between.url}")
        died = f"llamacpp:{between.url}"
    assert said.code == 0, said.err
    assert said.err.count("Its calls go to the other servers until it answers again.") == 1
    found = smolville("health", "birch", "--json").json
    assert found["servers"][died]["transport_errors"] >= 1
    assert found["servers"][died]["attempts"] == 1
    assert found["total"]["unfinished"] == 0


def test_where_only_one_model_makes_sense_a_second_one_is_refused(smolville: Command) -> None:
    said = smolville("run", "birch", "--fast", "standin", "--fast", "standin")
    assert said.code == 2
    told = "was given 2 times; only --model of a run takes several servers, leave all but one out."
    assert told in " ".join(said.err.split())
