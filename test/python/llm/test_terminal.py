# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a server or a model says is shown as text, and does nothing there."""

import os
import pty
import subprocess

import pytest

from scripted_server import answer, error, events, http, stream

# What acts on a terminal: C0, C1, and what changes directions.
ACTS = "\x1b[31m\x07\x9b1m\x85\u202e\u2066"


@pytest.mark.parametrize("step", [
    error(400, ACTS), error(500, ACTS), http(400, ACTS), http(302, Location=ACTS[2:4]),
    answer("yes", model=ACTS), answer("yes", finish=ACTS), answer(None, refusal=ACTS),
    http(200, "{}", content_type="text/plain"),
    stream(events({"error": {"message": ACTS}})), stream(f"data: {ACTS}\n\n")])
def test_nothing_of_a_server_acts_on_a_terminal(step, serve, chat):
    for more in ([], ["--allow-other-model", "--json"], ["--stream"]):
        result = chat(serve(step), "--verbose", "--attempts", "1", *more)
        assert not set(ACTS) - set("[31m") & set(result.out + result.err)


def test_an_answer_on_a_terminal(egg_chat, serve):
    server = serve(answer(ACTS + "yes"))
    command = [egg_chat, "--provider", "compatible", "--base-url", server.url,
               "--model", "m"]
    ours, theirs = pty.openpty()
    subprocess.run(command, input=b"?", stdout=theirs, check=True, timeout=60)
    shown = os.read(ours, 10000).decode()
    os.close(ours), os.close(theirs)
    assert shown.startswith("\\u{1b}[31m\\u{7}\\u{9b}1m") and "yes" in shown
    # Another program gets the answer itself.
    plain = subprocess.run(command, input=b"?", capture_output=True, check=True,
                           timeout=60)
    assert plain.stdout.decode() == ACTS + "yes\n"
