"""A server of the OpenAI protocol on loopback, with a script of faults."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from author import answer


@dataclass
class Reply:
    """What the server does with a call: ``text`` None is the author's own answer."""

    text: str | None = None
    status: int = 200
    finish: str = "stop"
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    cut_at: int = 0
    """Bytes of the body after which the connection ends."""
    wait_s: float = 0.0
    drip_s: float = 0.0
    """Seconds between two bytes of the body."""
    usage: bool = True


Script = Callable[[int, dict[str, Any]], Reply | None]
"""From the number of a call and its request to what is done; None for the author's answer."""


class Fake:
    """The calls that were heard, and the script."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or (lambda number, asked: None)
        self.calls: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""
        self._lock = threading.Lock()

    def heard(self, asked: dict[str, Any], headers: dict[str, str]) -> Reply:
        with self._lock:
            self.calls.append(asked)
            self.headers.append(headers)
            number = len(self.calls)
        return self.script(number, asked) or Reply()


def _body(reply: Reply, asked: dict[str, Any]) -> bytes:
    if reply.body is not None:
        return reply.body
    if reply.status != 200:
        return json.dumps({"error": {"message": reply.text or "busy", "type": "fault"}}).encode()
    text = answer(asked) if reply.text is None else reply.text
    out: dict[str, Any] = {
        "id": "x", "object": "chat.completion", "created": 0, "model": asked["model"],
        "choices": [{"index": 0, "finish_reason": reply.finish,
                     "message": {"role": "assistant", "content": text}}],
    }  # fmt: skip
    if reply.usage:
        out["usage"] = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    return json.dumps(out).encode()


def _handler(fake: Fake) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(size))
            reply = fake.heard(asked, {k.lower(): v for k, v in self.headers.items()})
            time.sleep(reply.wait_s)
            body = _body(reply, asked)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self._send(body, reply)

        def _send(self, body: bytes, reply: Reply) -> None:
            try:
                if reply.drip_s:
                    for byte in body:
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
                        time.sleep(reply.drip_s)
                elif reply.cut_at:
                    self.wfile.write(body[: reply.cut_at])
                    self.wfile.flush()
                    self.close_connection = True
                    self.connection.close()
                else:
                    self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the caller has gone

        def log_message(self, format: str, *args: Any) -> None:
            """Silence."""

    return Handler


@contextmanager
def serving(script: Script | None = None) -> Iterator[Fake]:
    """A running server; ``fake.url`` is its base address."""
    fake = Fake(script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
