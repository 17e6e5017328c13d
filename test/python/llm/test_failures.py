# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Servers that fail in every way: the client survives, tries again where that
may help and only there, and says what happened."""

import email.utils
import socket
import time

import pytest

from scripted_server import (
    KEY, answer, babble, completion, error, flood, hang_up, http, reset, silence,
)


def fails(result, *parts):
    assert result.code == 1, result.out
    assert len(result.err.splitlines()) == 1, result.err
    for part in parts:
        assert part in result.err, result.err


def test_an_answer(serve, chat):
    server = serve(answer("yes"))
    result = chat(server, "--json", "--temperature", "0.5", "--seed", "7",
                  "--max-tokens", "50")
    assert result.code == 0, result.err
    assert result.answer == {
        "text": "yes", "finish": "complete", "model": "m",
        "usage": {"input_tokens": 11, "output_tokens": 3, "known": True}}
    request, = server.requests
    assert request.line == "POST /v1/chat/completions HTTP/1.1"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "m", "max_tokens": 50, "temperature": 0.5, "seed": 7,
        "messages": [{"role": "user", "content": "Say yes."}]}


def test_refused_connection(chat):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    result = chat(f"http://127.0.0.1:{port}/v1", "--attempts", "3")
    fails(result, "cannot connect to", "(3 attempts)", "see that the server runs")


@pytest.mark.parametrize("step", [reset, hang_up])
def test_lost_connection(serve, chat, step):
    server = serve(step, step, answer("yes"))
    result = chat(server, "--json")
    assert result.code == 0, result.err
    assert len(server.requests) == 3
    # Whether the lost attempts were billed is not known.
    assert result.answer["usage"]["known"] is False
    assert result.answer["usage"]["output_tokens"] == 3 + 2 * 4096
    assert "attempt 2 failed: the connection to" in result.answer["notes"][1]


def test_a_connection_lost_each_time(serve, chat):
    server = serve(reset)
    fails(chat(server, "--attempts", "2"), "was lost", "(2 attempts)")
    assert len(server.requests) == 2


def test_no_connection_in_time(chat):
    # A listener whose queue is full takes no more connections.
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        held = []
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            held.append(client)
        result = chat(f"http://127.0.0.1:{port}/v1", "--connect-timeout", "0.3",
                      "--attempts", "2")
        fails(result, "no connection within 0.3 s", "(2 attempts)")
        for client in held:
            client.close()


def test_no_answer_in_time(serve, chat):
    server = serve(silence, answer("late"))
    result = chat(server, "--timeout", "0.4", "--json")
    assert result.code == 0, result.err
    assert "no whole answer within 0.4 s" in result.answer["notes"][0]
    assert len(server.requests) == 2


def test_no_answer_at_all(serve, chat):
    fails(chat(serve(silence), "--timeout", "0.3", "--attempts", "2"),
          "no whole answer within 0.3 s", "(2 attempts)", "allow more time")


@pytest.mark.parametrize("status, part, remedy", [
    (400, "answered 400: 'no'", "change the request"),
    (401, "answered 401: 'no'", "see that the key in EGG_API_KEY"),
    (403, "answered 403: 'no'", "see that the key in EGG_API_KEY"),
    (404, "answered 404: 'no'", "see that the base URL ends before '/chat/completions'"),
    (413, "answered 413: 'no'", "change the request"),
    (422, "answered 422: 'no'", "change the request"),
    (501, "answered 501: 'no'", "change the request"),
    (204, "answered 204: nothing", "change the request"),
])
def test_what_trying_again_does_not_cure(serve, chat, status, part, remedy):
    server = serve(error(status) if status != 204 else http(204))
    fails(chat(server), part, remedy)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(serve, chat, status):
    elsewhere = serve(answer("stolen"))
    server = serve(http(status, Location=f"{elsewhere.url}/chat/completions"))
    fails(chat(server), f"answered {status}, a redirect to '{elsewhere.url}",
          "redirects are not followed")
    assert not elsewhere.requests


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_passes(serve, chat, status):
    server = serve(error(status, "busy"), error(status, "busy"), answer("yes"))
    result = chat(server, "--json")
    assert result.code == 0, result.err
    assert len(server.requests) == 3
    assert result.answer["notes"] == [
        f"attempt {i} failed: '{server.url}/chat/completions' answered {status}: 'busy'"
        for i in (1, 2)]
    # An answer with an error is not billed.
    assert result.answer["usage"] == {"input_tokens": 11, "output_tokens": 3,
                                      "known": True}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_attempts_are_counted(serve, chat, status):
    server = serve(error(status, "busy"))
    fails(chat(server, "--attempts", "3"), f"answered {status}: 'busy'",
          "(3 attempts)")
    assert len(server.requests) == 3


def test_retry_after_in_seconds(serve, chat):
    server = serve(error(429, "slow down", Retry_After="1"), answer("yes"))
    start = time.monotonic()
    assert chat(server).code == 0
    assert 1 <= time.monotonic() - start < 5


def test_retry_after_as_a_date(serve, chat):
    date = email.utils.formatdate(time.time() + 2, usegmt=True)
    server = serve(error(503, "back soon", Retry_After=date), answer("yes"))
    start = time.monotonic()
    assert chat(server).code == 0
    assert 0.8 <= time.monotonic() - start < 6


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_that_is_too_long(serve, chat, form):
    # The date is that of the run: tests may be collected long before.
    asked = ("3600" if form == "seconds"
             else email.utils.formatdate(time.time() + 3600, usegmt=True))
    server = serve(error(429, "slow down", Retry_After=asked))
    fails(chat(server), "slow down", "would have to wait 3", "waits may take 120 s")
    assert len(server.requests) == 1


@pytest.mark.parametrize("asked", ["soon", "-5", "Sun, 99 Foo", "1e999", ""])
def test_odd_retry_after_is_ignored(serve, chat, asked):
    server = serve(error(429, "slow down", Retry_After=asked), answer("yes"))
    assert chat(server).code == 0


def test_no_credit_is_not_tried_again(serve, chat):
    server = serve(error(429, "no credit", "insufficient_quota"))
    fails(chat(server), "no credit", "add credit")
    assert len(server.requests) == 1


PAGE = "<html><body><h1>Bad \x1b[31mgateway</h1></body></html>"


@pytest.mark.parametrize("body, content_type, part", [
    (b"\x00\x01garbage", "application/json", "is not the API's JSON"),
    (PAGE, "text/html", "is not the API's JSON but 'text/html'"),
    ("", "application/json", "is not the API's JSON"),
    ('{"choices": [{"mess', "application/json", "is not the API's JSON"),
    ("[]", "application/json", "does not say how it ended"),
    ("{}", "application/json", "does not say how it ended"),
    (b'{"a": "\xff\xfe"}', "application/json", "is not UTF-8"),
    ("[" * 100000, "application/json", "more than 64 brackets are open"),
    ('{"a":' * 100000, "application/json", "more than 64 brackets are open"),
    ("[" + "0," * 600000 + "0]", "application/json", "more than 500000 values"),
])
def test_bodies_that_are_none(serve, chat, body, content_type, part):
    server = serve(http(200, body, content_type))
    result = chat(server)
    fails(result, part, "see that the base URL is the API")
    assert "\x1b" not in result.err and len(result.err) < 1000
    assert len(server.requests) == 1


def test_an_error_page_is_shown_in_part(serve, chat):
    result = chat(serve(http(500, PAGE * 1000, "text/html")), "--attempts", "1")
    fails(result, "answered 500: '<html>")
    assert "\x1b" not in result.err and len(result.err) < 1000


def test_wrong_content_type_of_a_right_answer(serve, chat):
    assert chat(serve(http(200, completion("yes"), "text/plain"))).out == "yes\n"


def test_body_shorter_than_promised(serve, chat):
    server = serve(http(200, completion("yes"), length=5000), answer("yes"))
    assert chat(server).code == 0
    assert len(server.requests) == 2


@pytest.mark.parametrize("step", [
    http(200, b" " * (10 << 20)), http(200, b"x", length=1 << 40), flood,
    http(500, b" " * (10 << 20))])
def test_huge_bodies(serve, chat, step):
    server = serve(step)
    if step is not flood:
        result = chat(server, "--attempts", "1", "--timeout", "10")
        assert result.code == 1
        assert "larger than 8388608 bytes" in result.err or "was lost" in result.err
    else:
        fails(chat(server), "larger than 8388608 bytes")
    assert len(server.requests) == 1


def test_a_huge_answer_in_a_right_body(serve, chat):
    fails(chat(serve(answer("x" * (5 << 20)))), "the limit is 4194304")


def test_endless_headers(serve, chat):
    def step(connection, server):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-Filler: " + b"x" * 1000 + b"\r\n")
    server = serve(step)
    result = chat(server, "--attempts", "1")
    assert result.code == 1 and len(server.requests) == 1


def test_no_http(serve, chat):
    result = chat(serve(babble), "--attempts", "1")
    assert result.code == 1 and "HTTP" in result.err, result.err


@pytest.mark.parametrize("url, part", [
    ("ftp://127.0.0.1/v1", "does not begin with http"),
    ("file:///etc/passwd", "does not begin with http"),
    ("http:///v1", "names no host"),
    ("http://user:secret@127.0.0.1/v1", "would end up in records"),
    ("http://127.0.0.1/v1?key=secret", "beyond a host and a path"),
    ("http://127.0.0.1/v1\r\nX: y", "beyond a host and a path"),
    ("http://model.example/v1", "in plain text; use https"),
    ("http://127.0.0.1.example/v1", "in plain text; use https"),
])
def test_base_urls_that_are_refused(chat, url, part):
    result = chat(url)
    fails(result, part)
    assert "secret" not in result.err
