"""A text file is UTF-8 with or without a mark, or is told with the place of what is not."""

from pathlib import Path

import pytest

from smolville.agents.text_files import read_text


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_mark_and_the_line_ends_of_an_editor_are_no_text(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(mark + "name = 'Zoë'\r\nage = 3\r\n".encode())
    assert read_text(path) == "name = 'Zoë'\nage = 3\n"
    assert read_text(path, newline="") == "name = 'Zoë'\r\nage = 3\r\n"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xef\xbb\xbfa\n\xe9", "line 2 is not UTF-8 text; save the file as UTF-8"),
        ("a\n".encode("utf-16"), "line 1 is not UTF-8 text; save the file as UTF-8"),
    ],
)
def test_another_encoding_is_told_with_its_line(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(data)
    with pytest.raises(OSError, match=f"{told}"):
        read_text(path)
