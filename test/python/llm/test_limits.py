# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Budgets, keys, proxies, recordings, and the clients without a server."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from scripted_server import KEY, answer, error, http, read_request, silence, stream


def fails(result, *parts):
    assert result.code == 1, result.out
    for part in parts:
        assert part in result.err, result.err


PRICES = {"prices": [{"provider": "compatible", "model": "m*", "input_per_million": 1,
                      "output_per_million": 1000, "date": "2026-01-01",
                      "source": "a test"}]}


@pytest.mark.parametrize("arguments, part", [
    (["--budget-calls", "0"], "budget of 0 calls is spent"),
    (["--budget-input-tokens", "5"], "budget of 5 input tokens does not hold"),
    (["--budget-output-tokens", "5"], "budget of 5 output tokens does not hold"),
    (["--budget-seconds", "0"], "budget of 0.0 seconds is spent"),
    (["--budget-seconds", "nan"], "--budget-seconds must be a finite number"),
    (["--budget-dollars", "nan"], "--budget-dollars must be a finite number"),
    (["--timeout=-1"], "--timeout must be a finite number"),
    (["--attempts", "0"], "--attempts must be at least 1"),
    (["--budget-dollars", "1"], "price of model 'm' of provider 'compatible' is unknown"),
    (["--budget-dollars", "1", "--prices", "prices.json"],
     "budget of 1.000000 dollars does not hold this call"),
])
def test_ceilings_hold_before_the_call(serve, chat, tmp_path, arguments, part):
    (tmp_path / "prices.json").write_text(json.dumps(PRICES))
    server = serve(answer("yes"))
    fails(chat(server, *arguments), part)
    assert not server.requests


def test_within_the_ceilings(serve, chat, tmp_path):
    (tmp_path / "prices.json").write_text(json.dumps(PRICES))
    server = serve(answer("yes", usage=(100, 20)))
    result = chat(server, "--budget-calls", "1", "--budget-input-tokens", "2000",
                  "--budget-output-tokens", "4096", "--budget-seconds", "60",
                  "--budget-dollars", "5", "--prices", "prices.json", "--verbose")
    assert result.code == 0, result.err
    assert "1 call, 100 input and 20 output tokens, 0.020100 dollars" in result.err


def test_attempts_that_may_have_cost_count(serve, chat):
    server = serve(silence)
    fails(chat(server, "--timeout", "0.3", "--budget-output-tokens", "5000"),
          "budget of 5000 output tokens does not hold", "4096 are spent",
          "no whole answer within 0.3 s")
    assert len(server.requests) == 1


def test_seconds_end_a_call(serve, chat):
    start = time.monotonic()
    fails(chat(serve(silence), "--budget-seconds", "0.5"), "budget of 0.5 seconds")
    assert time.monotonic() - start < 10


# Keys.


def write_key(path, mode=0o600, text=KEY):
    path.write_text(text + "\n")
    path.chmod(mode)
    return path


def test_key_files(serve, chat, tmp_path):
    server = serve(answer("yes"))
    write_key(tmp_path / "key")
    assert chat(server, "--key-file", "key", key=None).code == 0
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    for mode in (0o640, 0o604, 0o644):
        write_key(tmp_path / "key", mode)
        fails(chat(server, "--key-file", "key", key=None), "chmod 600")
    fails(chat(server, "--key-file", "none", key=None), "cannot be read")
    write_key(tmp_path / "key", text="a\r\nX-Injected: b")
    fails(chat(server, "--key-file", "key", key=None), "characters that no key has")
    write_key(tmp_path / "key", text="k")
    fails(chat(server, "--key-file", "key", key=None), "fewer than 8 characters")
    assert len(server.requests) == 1


def test_a_missing_key(serve, chat):
    server = serve(answer("yes"))
    fails(chat(server, provider="openai", key=None), "OPENAI_API_KEY or into a key file")
    assert not server.requests
    assert chat(server, key=None).code == 0
    assert "authorization" not in server.requests[0].headers


ECHOES = [
    answer(f"your key is {KEY}"),
    answer("yes", model=KEY),
    answer(None, refusal=KEY),
    answer("yes", finish=KEY),
    error(401, f"Incorrect API key provided: {KEY}"),
    error(500, KEY),
    http(200, f"<html>{KEY}", "text/html"),
    http(200, "{}", KEY),
    http(302, Location=f"http://{KEY}.example/"),
    stream(f'data: {{"error": {{"message": "{KEY}"}}}}\n\n'),
    stream(f"data: {KEY}\n\n"),
]


@pytest.mark.parametrize("step", range(len(ECHOES)))
def test_a_server_that_sends_the_key_back(serve, chat, tmp_path, step):
    server = serve(ECHOES[step])
    # chat() looks through what is printed.
    for i, more in enumerate(([], ["--json", "--verbose"], ["--stream"],
                              ["--allow-other-model", "--json"])):
        chat(server, *more, "--attempts", "2", "--record", f"c{i}.jsonl")
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    for path in tmp_path.iterdir():
        assert KEY not in path.read_text(), path


def test_the_key_is_in_no_argument_and_no_file(serve, egg_chat, tmp_path):
    seen = {}

    def look(connection, server):
        # While egg-chat waits: its arguments, and its environment no more.
        process = seen["process"]
        seen["arguments"] = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        answer("yes")(connection, server)
    server = serve(look)
    seen["process"] = subprocess.Popen(
        [egg_chat, "--provider", "compatible", "--base-url", server.url, "--model", "m",
         "--record", "c.jsonl", "--verbose"], cwd=tmp_path, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "EGG_API_KEY": KEY})
    out, err = seen["process"].communicate("Say yes.", timeout=30)
    assert out == "yes\n"
    assert b"--record" in seen["arguments"] and KEY.encode() not in seen["arguments"]
    assert KEY not in err and KEY not in (tmp_path / "c.jsonl").read_text()


def test_commands_get_no_key(chat):
    variables = {name: KEY for name in
                 ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OTHER_TOKEN")}
    result = chat(None, "--exec", "env", environment=variables)
    assert result.code == 0 and "PATH=" in result.out
    fails(chat(None, "--exec", "env", "--exec-env", "OPENAI_API_KEY",
               environment=variables), "is not passed on")


# Proxies.


def test_proxies_are_used(serve, chat):
    """A name that does not resolve: only the proxy can know it."""
    proxy = serve(answer("by proxy"))
    result = chat("http://model.invalid/v1", "--allow-plain-http-key",
                  environment={"http_proxy": f"http://127.0.0.1:{proxy.port}"})
    assert result.out == "by proxy\n"
    assert proxy.requests[0].line == \
        "POST http://model.invalid/v1/chat/completions HTTP/1.1"


def test_https_goes_through_a_tunnel_without_the_key(serve, chat):
    def tunnel(connection, server):
        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    proxy = serve(tunnel)
    result = chat("https://model.invalid/v1", "--attempts", "1",
                  environment={"https_proxy": f"http://127.0.0.1:{proxy.port}"})
    fails(result, "model.invalid")
    request, = proxy.requests
    assert request.line == "CONNECT model.invalid:443 HTTP/1.1"
    assert KEY not in str(request.headers)


def test_no_proxy_is_respected(serve, chat):
    proxy, server = serve(answer("by proxy")), serve(answer("direct"))
    result = chat(server, environment={
        "http_proxy": f"http://127.0.0.1:{proxy.port}", "no_proxy": "127.0.0.1"})
    assert result.out == "direct\n"
    assert not proxy.requests


# Recordings.


def test_record_replay_resume(serve, chat, tmp_path):
    server = serve(answer("first"), answer("second"))
    assert chat(server, "--record", "c.jsonl").out == "first\n"
    fails(chat(server, "--record", "c.jsonl"), "holds a session already")
    assert chat(None, "--replay", "c.jsonl", model=None).out == "first\n"
    result = chat(None, "--replay", "c.jsonl", model=None, text="Other?\nYes")
    fails(result, "has no answer to occurrence 0 of prompt", "(user: 'Other?')")
    assert chat(server, "--resume", "c.jsonl").out == "first\n"
    assert len(server.requests) == 1
    assert chat(server, "--resume", "c.jsonl", text="Other?").out == "second\n"
    assert len(server.requests) == 2
    records = [json.loads(line) for line in
               (tmp_path / "c.jsonl").read_text().splitlines()]
    assert [record["answer"]["text"] for record in records] == ["first", "second"]


def test_errors_are_recorded_too(serve, chat):
    server = serve(error(401, "wrong key"))
    recorded = chat(server, "--record", "c.jsonl")
    replayed = chat(None, "--replay", "c.jsonl", model=None)
    assert recorded.code == replayed.code == 1
    assert recorded.err == replayed.err


# Without a server.


def test_mailbox(chat, tmp_path):
    def person():
        while not (found := list(tmp_path.glob("box/*.request.json"))):
            time.sleep(0.05)
        request = found[0].with_name(found[0].name.replace(".json", ".md"))
        assert request.read_text() == "# User\n\nSay yes.\n\n"
        answer = found[0].name.replace(".request.json", ".answer.txt")
        (tmp_path / "box" / answer).write_text("yes, by hand")
    thread = threading.Thread(target=person)
    thread.start()
    result = chat(None, "--mailbox", "box", "--timeout", "30")
    thread.join()
    assert result.out == "yes, by hand\n"
    fails(chat(None, "--mailbox", "box", "--timeout", "0.2", text="Other?"),
          "no answer came into mailbox 'box'", "0002-")


def test_exec(chat, tmp_path):
    assert chat(None, "--exec", "cat > request.json; echo yes").out == "yes\n"
    request = json.loads((tmp_path / "request.json").read_text())
    assert request["messages"] == [{"role": "user", "text": "Say yes."}]
    assert request["prompt"] == "# User\n\nSay yes.\n\n"
    fails(chat(None, "--exec", "echo broken >&2; exit 3"),
          "exited with code 3: broken")
    fails(chat(None, "--exec", "sleep 60", "--timeout", "0.3"), "was stopped after")


@pytest.mark.parametrize("arguments, part", [
    ([], "name who answers"),
    (["--exec", "true", "--mailbox", "box"], "name who answers"),
    (["--provider", "nobody"], "the providers are openai, anthropic"),
    (["--exec", "true", "--record", "a", "--replay", "b"], "give one of --record"),
    (["--replay", "none.jsonl"], "cannot read 'none.jsonl'"),
    (["--exec", "true", "none.txt"], "cannot read 'none.txt'"),
    (["--provider", "compatible"], "no base URL is given"),
    (["--exec", "true", "--prices", "none.json"], "cannot read 'none.json'"),
])
def test_wrong_usage(chat, arguments, part):
    fails(chat(None, *arguments), part)


def test_an_unwritable_output_is_an_error(egg_chat):
    with open("/dev/full", "w") as full:
        process = subprocess.run([egg_chat, "--exec", "echo yes"], input="hi", text=True,
                                 stdout=full, stderr=subprocess.PIPE, timeout=30)
    assert process.returncode == 1 and "cannot write standard output" in process.stderr
