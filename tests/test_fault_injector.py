"""The proxy that loses calls leaves no connection open, whatever comes in the moment it leaves."""

import gc
import socket
from urllib.parse import urlsplit

from tests.fixtures.fault_injector import ALWAYS, injected
from tests.fixtures.faults import away

BODY = b"{}"
QUESTION = (
    b"POST /api/chat HTTP/1.1\r\ncontent-length: " + str(len(BODY)).encode() + b"\r\n\r\n" + BODY
)


def test_who_comes_as_it_leaves_is_let_go() -> None:
    for _ in range(20):
        with injected("http://127.0.0.1:9") as injector:
            injector.fault, injector.times, injector.every = away, ALWAYS, 1
            port = urlsplit(injector.url).port or 0
            asking, coming = socket.socket(), socket.socket()
            with asking, coming:
                asking.connect(("127.0.0.1", port))
                asking.sendall(QUESTION)
                coming.connect_ex(("127.0.0.1", port))
                asking.settimeout(30)
                assert asking.recv(100) == b""
                assert injector.struck == 1
    # The other one was taken before it left, or not; were it still open, it would be an error here.
    gc.collect()
