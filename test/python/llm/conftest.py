# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg-chat against a scripted server."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from scripted_server import KEY, ScriptedServer


@pytest.fixture(scope="session")
def egg_chat(root):
    build = Path(os.environ.get("EGG_BUILD_DIR", root / "build" / "dev"))
    path = build / "bin" / "egg-chat"
    assert path.exists(), f"no {path}: run scripts/build.sh first"
    if "EGG_WITH_CURL:BOOL=OFF" in (build / "CMakeCache.txt").read_text():
        pytest.skip("built without libcurl")
    return path


@pytest.fixture
def serve():
    """serve(step, ...): a server that is closed after the test."""
    servers = []

    def start(*steps):
        servers.append(ScriptedServer(*steps))
        return servers[-1]
    yield start
    for server in servers:
        server.close()


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def answer(self):
        return json.loads(self.out)


@pytest.fixture
def chat(egg_chat, tmp_path):
    """chat(server, argument, ...): runs egg-chat with short waits. No run may
    print the key, whatever the server does."""

    def run(server, *arguments, text="Say yes.", key=KEY, provider="compatible",
            variable="EGG_API_KEY", model="m", environment=None, retry_wait="0.02"):
        command = [egg_chat, *arguments]
        if server is not None:
            command += ["--provider", provider, "--base-url",
                        getattr(server, "url", server)]
        if model:
            command += ["--model", model]
        if server is not None and retry_wait is not None:
            command += ["--retry-wait", retry_wait]
        variables = {name: value for name, value in os.environ.items()
                     if not name.lower().endswith("_proxy")}
        if key:
            variables[variable] = key
        variables.update(environment or {})
        process = subprocess.run(command, input=text, capture_output=True, text=True,
                                 env=variables, timeout=60, cwd=tmp_path)
        result = Result(process)
        assert process.returncode in (0, 1), result.err
        assert KEY not in result.out and KEY not in result.err
        if result.code:
            lines = [line for line in result.err.splitlines()
                     if not line.startswith("egg-chat: note")]
            assert lines[-1].startswith("egg-chat: "), result.err
        return result
    return run
