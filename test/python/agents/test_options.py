# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of --agent llm, from the command line to egg-opt's passes."""

import argparse

import pytest

from egg.agent.options import OPTIONS, SWITCHES, add_agent_options, agent_options
from egg.errors import EggError
from egg.pipeline import optimize_pass
from egg.egg_opt import run_egg_opt


def parse(*arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--schedule")
    add_agent_options(parser)
    return agent_options(parser.parse_args(arguments), "out")


def test_the_expert_needs_none():
    assert parse() == []


def test_the_session_is_beside_the_artifact():
    pairs = dict(parse("--agent", "llm"))
    assert pairs["agent"] == "llm"
    assert str(pairs["session"]).endswith("/out.session")
    assert pairs["session-mode"] == "record"


@pytest.mark.parametrize("flag, mode", [("--resume", "resume"),
                                        ("--replay", "replay")])
def test_modes(flag, mode):
    assert dict(parse("--agent", "llm", flag))["session-mode"] == mode


def test_several_stages():
    pairs = parse("--agent", "llm", "--stages", "algorithm", "tensor_tiling")
    assert [value for name, value in pairs if name == "stages"] == [
        "algorithm", "tensor_tiling"]


def test_options_without_the_agent():
    with pytest.raises(EggError) as error:
        parse("--model", "m")
    assert "--model is for the agent llm" in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize("given", [["--resume"], ["--proposals", "2"],
                                   ["--repairs", "0"]])
def test_more_options_without_the_agent(given):
    with pytest.raises(EggError, match=f"{given[0]} is for the agent") as error:
        parse(*given)
    assert error.value.exit_code == 2


def test_a_width_is_a_beams():
    with pytest.raises(EggError, match="--width is for the strategy beam") as error:
        parse("--agent", "llm", "--width", "4")
    assert error.value.exit_code == 2
    assert ("width", 4) in parse("--agent", "llm", "--width", "4", "--strategy",
                                 "beam")
    # The recorded strategy counts.
    assert ("width", 4) in parse("--agent", "llm", "--width", "4", "--replay")


def test_a_schedule_and_an_agent():
    with pytest.raises(EggError) as error:
        parse("--agent", "llm", "--schedule", "s.mlir")
    assert "leave one of them out" in str(error.value)


def test_egg_opt_knows_every_option(tmp_path):
    """Given all of them, egg-opt complains of the two answerers, not of a name
    that it does not know."""
    arguments = ["--agent", "llm", "--session", str(tmp_path / "s")]
    for flag, _, keywords in OPTIONS:
        if flag not in ("--strategy", "--stages"):
            arguments += [flag, "1"]
    arguments += ["--strategy", "beam", "--stages", "algorithm"]
    arguments += [flag for flag, _, _ in SWITCHES]
    chosen = optimize_pass(tmp_path / "out", "sm_90a", None, parse(*arguments))
    payload = ("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
               "  return %x : tensor<4xf32>\n}\n")
    with pytest.raises(EggError) as error:
        run_egg_opt([chosen, "-o", "/dev/null"], payload)
    assert "no such option" not in str(error.value)
    assert "there is no" in str(error.value) or "prompts" in str(error.value)
