# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ceilings of a session hold over all its runs: every request is a call, and
what a lost one may have cost stays spent."""

import json
import os

import pytest

from scripted_server import answer, error, reset
from session_runs import run_session

JUDGEMENT = json.dumps({"worth_optimizing": True, "bottleneck": "b", "method": "m",
                        "plan": "p", "expected_speedup": 2})


@pytest.fixture
def play(tmp_path):
    def run(server, mode, *options):
        who = ([f"provider=compatible base-url={server.url} model=m"] if server
               else [])
        environment = {name: value for name, value in os.environ.items()
                       if not name.lower().endswith("_proxy")}
        return run_session(tmp_path / "session", *who, f"session-mode={mode}",
                           "ptxas=none stages=algorithm proposals=1", *options,
                           env={**environment, "EGG_API_KEY": "sk-any-other"})
    return run


@pytest.mark.parametrize("step", [error(503, "busy"), error(400, "no format"), reset])
def test_every_request_is_a_call(step, serve, play, tmp_path):
    server = serve(step, answer(JUDGEMENT))
    run = play(server, "record", "max-calls=1")
    assert run.returncode == 0, run.stderr
    assert len(server.requests) == 1
    assert "budget of 1 call is spent" in (
        tmp_path / "session/trajectory.jsonl").read_text()
    assert play(None, "replay").returncode == 0


@pytest.mark.parametrize("ceiling, most", [("max-calls=3", 3),
                                           ("max-output-tokens=20000", 2)])
def test_lost_calls_stay_spent(ceiling, most, serve, play, tmp_path):
    requests = 0
    for mode in ["record"] + 3 * ["resume"]:
        server = serve(reset)
        run = play(server, mode, ceiling)
        assert run.returncode == 0, run.stderr
        requests += len(server.requests)
    assert requests == most
    replayed = play(None, "replay")
    assert replayed.returncode == 0, replayed.stderr


def test_a_session_ends_at_another_models_price(serve, play, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"prices": [
        {"provider": "compatible", "model": model, "input_per_million": price,
         "output_per_million": price, "date": "2026-01-01", "source": "a test"}
        for model, price in (("m", 0.001), ("dear", 1e6))]}))
    for other, said in (("dear", "does not hold this call"),
                        ("new", "was of unknown price")):
        server = serve(answer(JUDGEMENT, model=other))
        run = play(server, "record", f"prices={prices} max-dollars=1",
                   "allow-other-model=true")
        assert run.returncode == 0, run.stderr
        assert len(server.requests) == 1
        path = tmp_path / "session/trajectory.jsonl"
        assert said in path.read_text()
        assert play(None, "replay").returncode == 0
        path.unlink()
        (tmp_path / "session/cassette.jsonl").unlink()
