"""Chat models in files are found where people keep them, and nothing else is offered."""

from pathlib import Path

from smolville.lab.doctor.local_files import find_local_models, model_folders
from smolville.models.spec import parse_spec
from tests.fixtures.tiny_gguf import write_tiny_gguf


def test_chat_models_are_found_once_and_other_files_are_passed_over(tmp_path: Path) -> None:
    here, home = tmp_path / "here", tmp_path / "home"
    kept = home / ".lmstudio" / "models" / "somebody" / "tiny"
    for folder in (here, kept, here / ".hidden"):
        folder.mkdir(parents=True)
    write_tiny_gguf(kept / "tiny-00001-of-00002.gguf")
    write_tiny_gguf(kept / "tiny-00002-of-00002.gguf")
    write_tiny_gguf(here / "embeds.gguf", template="")
    write_tiny_gguf(here / ".hidden" / "cached.gguf")
    (here / "broken.gguf").write_bytes(b"GGUF and no more")
    (here / "again.gguf").symlink_to(kept / "tiny-00001-of-00002.gguf")
    folders = model_folders({"HOME": str(home)}, here)
    (found,) = find_local_models(folders)
    assert found.path == (kept / "tiny-00001-of-00002.gguf").resolve()
    assert found.bytes == found.path.stat().st_size
    assert parse_spec(found.spec).target == str(found.path)
