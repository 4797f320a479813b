"""OLLAMA_HOST, read as Ollama reads it."""

import pytest

from smolville.models.errors import SpecError
from smolville.models.servers.address import is_loopback, ollama_url
from smolville.models.servers.http_client import client_settings


@pytest.mark.parametrize(
    ("host", "url"),
    [
        (None, "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        ("0.0.0.0:5678", "http://127.0.0.1:5678"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://example.com", "http://example.com:80"),
        ("https://example.com/ollama/", "https://example.com:443/ollama"),
        ("[::1]:5678", "http://[::1]:5678"),
    ],
)
def test_the_host_becomes_a_url(host: str | None, url: str) -> None:
    assert ollama_url(host) == url


@pytest.mark.parametrize("host", ["http://[bad", "ftp://host", "localhost:nonsense"])
def test_what_is_no_address_is_told_with_the_variables_name(host: str) -> None:
    with pytest.raises(SpecError, match=r"^OLLAMA_HOST is .* no address: write host, host:port"):
        ollama_url(host)


def test_only_this_machine_is_loopback() -> None:
    assert is_loopback("http://127.0.0.1:8080")
    assert is_loopback("http://localhost")
    assert is_loopback("http://[::1]:8080/path")
    assert not is_loopback("http://192.168.0.9:8080")
    assert not is_loopback("http://127.example.com")


def test_this_machine_is_asked_without_a_proxy_and_no_redirect_is_followed() -> None:
    plain = client_settings("http://127.0.0.1:8080")
    assert not plain["trust_env"]
    assert plain["verify"].cert_store_stats()["x509_ca"] == 0
    assert client_settings("https://127.0.0.1:8080")["verify"] is True
    other = client_settings("http://192.168.0.9:8080")
    assert "trust_env" not in other
    assert not (plain["follow_redirects"] or other["follow_redirects"])
