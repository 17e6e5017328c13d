# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A real OpenAI-compatible server, `transformers serve`, with a tiny model of
random weights. Needs a Python with transformers[serving] and torch, named by
EGG_SERVING_PYTHON (docs/Agents.md), since EGG itself uses neither."""

import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

PYTHON = os.environ.get("EGG_SERVING_PYTHON")
pytestmark = pytest.mark.skipif(
    not PYTHON, reason="EGG_SERVING_PYTHON names no Python with transformers[serving]")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The URL and the model's name of a running server."""
    home = tmp_path_factory.mktemp("serving")
    model, port = home / "model", free_port()
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([PYTHON, Path(__file__).with_name("tiny_model.py"), model],
                   check=True, env=environment, timeout=300)
    with open(home / "log", "w") as log:
        process = subprocess.Popen(
            [Path(PYTHON).with_name("transformers"), "serve", model, "--port", str(port),
             "--device", "cpu"], env=environment, stdout=log, stderr=log)
    try:
        for _ in range(240):
            assert process.poll() is None, (home / "log").read_text()
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5)
                break
            except OSError:
                time.sleep(1)
        yield f"http://127.0.0.1:{port}/v1", str(model)
    finally:
        # It would end what it has begun first.
        process.kill()
        process.wait(30)


@pytest.fixture
def ask(chat, server):
    def run(*arguments, model=None, **more):
        return chat(server[0], "--temperature", "0", "--timeout", "120", *arguments,
                    model=model or server[1], **more)
    return run


def test_text_and_stream_are_the_same(ask):
    whole = ask("--max-tokens", "12", "--json")
    streamed = ask("--max-tokens", "12", "--json", "--stream")
    # Random weights do not end by themselves.
    assert "was cut off" in whole.err and "was cut off" in streamed.err
    # The server's streams leave out a last character that is not whole.
    text = whole.answer["text"].rstrip("\ufffd")
    assert text == streamed.answer["text"].rstrip("\ufffd") != ""
    assert whole.answer["usage"] == streamed.answer["usage"]
    assert whole.answer["usage"]["known"] is True
    assert whole.answer["usage"]["output_tokens"] == 12


def test_replay_without_the_server(ask, chat):
    recorded = ask("--max-tokens", "8", "--json", "--record", "c.jsonl")
    replayed = chat(None, "--temperature", "0", "--max-tokens", "8", "--json",
                    "--replay", "c.jsonl", model=None)
    assert (recorded.out, recorded.err) == (replayed.out, replayed.err)
    assert recorded.answer["text"]


def test_nonsense_is_no_json(ask, tmp_path):
    (tmp_path / "schema.json").write_text('{"type": "object", "required": ["worth"]}')
    result = ask("--schema", "schema.json", "--max-tokens", "40")
    assert result.code == 1
    assert "was cut off" in result.err or "is not the JSON" in result.err


def test_another_model_is_refused(ask):
    result = ask("--max-tokens", "8", model="other/model")
    assert result.code == 1 and "answered 400" in result.err


def test_probe(ask):
    result = ask("--probe", "--max-tokens", "8")
    rows = {line[:22].strip(): line[22:27].strip() for line in result.out.splitlines()}
    assert rows["text"] == rows["stream"] == "yes"
    assert rows["json_schema"] == "no"


def test_time_is_limited(ask):
    # The last test: the server goes on with what nobody waits for.
    result = ask("--max-tokens", "4000", "--timeout", "0.5", "--attempts", "2")
    assert result.code == 1
    assert "no whole answer within 0.5 s (2 attempts)" in result.err
