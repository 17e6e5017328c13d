# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server that plays a language model's by script: each request gets the next
step, a function that writes to the socket what it likes. Sockets and not
http.server, because most of what is tested is no proper HTTP."""

import json
import socket
import struct
import threading


# What is planted where a key belongs, and must turn up nowhere else.
KEY = "sk-planted-0123456789"


class Request:
    def __init__(self, line, headers, body):
        self.line = line
        self.headers = headers
        self.raw = body
        self.body = json.loads(body) if body else None


class ScriptedServer:
    """Answers with its steps in turn, and with the last one ever after."""

    def __init__(self, *steps):
        self.steps = list(steps)
        self.requests = []
        self.closing = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def close(self):
        self.closing.set()
        self.listener.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(
                target=self._answer, args=(connection,), daemon=True
            ).start()

    def _answer(self, connection):
        with connection:
            try:
                request = read_request(connection)
                if request is None:
                    return
                self.requests.append(request)
                index = min(len(self.requests), len(self.steps)) - 1
                self.steps[index](connection, self)
            except OSError:
                pass  # The client has gone.


def read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, body = data.split(b"\r\n\r\n", 1)
    lines = head.decode("latin-1").split("\r\n")
    headers = {}
    for line in lines[1:]:
        name, value = line.split(":", 1)
        headers[name.strip().lower()] = value.strip()
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    return Request(lines[0], headers, body)


# Steps.


def http(status, body=b"", content_type="application/json", length=None, **headers):
    """An answer; `length` overrides the true Content-Length."""
    if isinstance(body, dict):
        body = json.dumps(body)
    if isinstance(body, str):
        body = body.encode()

    def step(connection, server):
        head = f"HTTP/1.1 {status} Status\r\nConnection: close\r\n"
        head += f"Content-Type: {content_type}\r\n"
        head += f"Content-Length: {len(body) if length is None else length}\r\n"
        for name, value in headers.items():
            head += f"{name.replace('_', '-')}: {value}\r\n"
        connection.sendall(head.encode() + b"\r\n" + body)
    return step


def error(status, message="no", kind="some_error", **headers):
    return http(status, {"error": {"message": message, "type": kind}}, **headers)


def completion(text="yes", finish="stop", model="m", usage=(11, 3), **message):
    """A chat completion; usage None leaves it out."""
    document = {
        "id": "1",
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": finish,
                     "message": {"role": "assistant", "content": text, **message}}],
    }
    if model is not None:
        document["model"] = model
    if usage:
        document["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return document


def answer(*arguments, **fields):
    return http(200, completion(*arguments, **fields))


def events(*documents, done=True):
    """The text of a stream."""
    lines = [f"data: {json.dumps(each)}\n\n" for each in documents]
    return "".join(lines) + ("data: [DONE]\n\n" if done else "")


def delta(text=None, finish=None, model="m", usage=None, **more):
    document = {"model": model, "choices": [
        {"index": 0, "delta": {"content": text, **more}, "finish_reason": finish}]}
    if usage:
        document["choices"] = []
        document["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return document


def stream(text, cut=None, stall=False, content_type="text/event-stream"):
    """Sends a stream in pieces of `cut` bytes, then closes or stalls."""
    data = text.encode() if isinstance(text, str) else text

    def step(connection, server):
        connection.sendall(
            f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n"
            "Connection: close\r\n\r\n".encode())
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        size = cut or len(data) or 1
        for start in range(0, len(data), size):
            connection.sendall(data[start:start + size])
        if stall:
            server.closing.wait(20)
    return step


def silence(connection, server):
    """Takes the request and never answers."""
    server.closing.wait(20)


def reset(connection, server):
    """Breaks the connection in the middle of an answer."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                       b"Content-Length: 1000\r\n\r\n{\"choices\": [")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                          struct.pack("ii", 1, 0))


def hang_up(connection, server):
    """Closes without a word."""


def flood(connection, server):
    """A body that never ends."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{")
    while True:
        connection.sendall(b" " * 65536)


def babble(connection, server):
    """Something that is no HTTP."""
    connection.sendall(b"220 mail.example ESMTP\r\n")
