# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each role of a session played by a real server's model of random weights. What
it says is nonsense, so it gets its further turn and is given up, and the expert's
script stays. So that its coder and its debugger are asked at all, a proxy
answers for the roles before them; everything else is passed on."""

import json
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from egg.agent.trajectory import read_trajectory
from session_runs import run_session
from test_real_server import pytestmark, server  # noqa: F401 (a fixture)

YES = {"worth_optimizing": True, "bottleneck": "b", "method": "m", "plan": "p",
       "expected_speedup": 2}
BROKEN = {"script": "transform.named_sequence @algorithm(%f: !transform.any_op) "
                    "{ transform.nonsense }", "rationale": "r"}
SCHEMAS = {"analyst": "judgement", "coder": "script", "debugger": "diagnosis"}
CANNED = {"analyst": {}, "coder": {"judgement": YES},
          "debugger": {"judgement": YES, "script": BROKEN}}


@pytest.fixture
def proxy(server):  # noqa: F811
    """proxy(canned): the URL, and the schemas that were passed on."""
    servers = []

    def start(canned):
        passed = []

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                text = json.loads(body)["messages"][0]["content"]
                role = ("analyst" if text.startswith("You judge") else
                        "coder" if text.startswith("You write") else "debugger")
                schema = SCHEMAS[role]
                if schema in canned:
                    reply, status = json.dumps({
                        "id": "x", "object": "chat.completion",
                        "model": json.loads(body)["model"],
                        "choices": [{"index": 0, "finish_reason": "stop", "message": {
                            "role": "assistant", "content": json.dumps(canned[schema])}}],
                        "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode(), 200
                else:
                    passed.append(schema)
                    request = urllib.request.Request(
                        server[0] + "/chat/completions", body,
                        {"Content-Type": "application/json"})
                    try:
                        with urllib.request.urlopen(request, timeout=120) as answer:
                            reply, status = answer.read(), answer.status
                    except urllib.error.HTTPError as error:
                        reply, status = error.read(), error.code
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/v1", passed
    yield start
    for each in servers:
        each.shutdown()


@pytest.mark.parametrize("role", CANNED)
def test_a_role_is_played_and_given_up(role, server, proxy, tmp_path):  # noqa: F811
    url, passed = proxy(CANNED[role])
    session = tmp_path / "session"
    run = run_session(session, f"provider=compatible base-url={url} model={server[1]}",
                      "stages=algorithm proposals=1 repairs=1 max-calls=8 answer-tokens=48")
    assert run.returncode == 0, run.stderr
    # The nonsense was refused once, and once more after it was told why.
    assert passed == [SCHEMAS[role]] * 2
    records = read_trajectory(session)
    errors = [record for record in records if record["type"] == "agent_error"]
    assert len(errors) == 1, records
    assert "cut off" in errors[0]["error"] or "JSON" in errors[0]["error"]
    assert records[-1]["type"] == "result" and records[-1]["best"] == 0


def test_the_ceiling_on_calls_ends_a_session(server, proxy, tmp_path):  # noqa: F811
    url, passed = proxy(CANNED["coder"])
    session = tmp_path / "session"
    run = run_session(session, f"provider=compatible base-url={url} model={server[1]}",
                      "proposals=3 max-calls=2 answer-tokens=32")
    assert run.returncode == 0, run.stderr
    assert passed == ["script"]
    assert read_trajectory(session)[-2]["type"] == "stopped"
