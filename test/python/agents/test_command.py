# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg optimize --agent llm, the import left out: what is wrong is said before
it, and a session is not silent."""

import json
import sys

import pytest

from egg import __main__ as command_line
from egg import files
from egg.agent import early, telling
from egg.importer.values import ImportedModule
from session_runs import PAYLOAD
from simulated import write_module

# Answers to every analyst: there is something to gain; to every coder: nothing.
ANSWER = """
import json, sys
judges = json.load(sys.stdin)["schema_name"] == "judgement"
print(json.dumps({"worth_optimizing": True, "bottleneck": "b", "method": "m",
                  "plan": "p", "expected_speedup": 2} if judges else
                 {"script": "", "rationale": "all is well"}))
"""


@pytest.fixture
def optimize(tmp_path, monkeypatch):
    monkeypatch.setattr("egg.measure.session.gpu_absent_reason",
                        lambda: "no CUDA driver: none here")
    monkeypatch.setattr(
        "egg.importer.in_child.import_in_child", lambda *arguments, **keywords:
        ImportedModule(PAYLOAD.read_text(), [], []))
    for variable in ("OPENAI_API_KEY", "EGG_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    file = write_module(tmp_path / "module.py")

    def run(*given):
        return command_line.main(["optimize", str(file), "--out",
                                  str(tmp_path / "out"), "--agent", "llm",
                                  *map(str, given)])
    return run


@pytest.fixture
def answering(tmp_path):
    """The options for a model that answers by the script above."""
    script = tmp_path / "answer.py"
    script.write_text(ANSWER)
    return ["--exec", f"{sys.executable} {script}", "--close-enough", "0",
            "--stages", "algorithm"]


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key"
    path.write_text("sk-tested")
    path.chmod(0o600)
    return path


def refused(capsys, tmp_path):
    """The message, which came before the import and left nothing."""
    err = capsys.readouterr().err
    assert "importing" not in err and "Traceback" not in err
    assert not (tmp_path / "out").exists()
    return err


@pytest.mark.parametrize("given, code, said", [
    ([], 2, ["nobody is named who answers",
          "next: give one of --provider, --mailbox and --exec"]),
    (["--mailbox", "box", "--exec", "true"], 2,
     ["--mailbox and --exec name 2 models"]),
    (["--provider", "openai", "--model", "gpt-4o"], 1,
     ["there is no key", "OPENAI_API_KEY, or name its file with --key-file"]),
    (["--provider", "openai", "--model", "gpt-4o", "--key-file", "none"], 1,
     ["none' cannot be read: No such file"]),
    (["--provider", "nobody", "--model", "m"], 2, ["nobody"]),
    (["--exec", "true", "--prompts-dir", "none"], 1, ["none"]),
    (["--exec", "true", "--prompts-dir", "/"], 1, ["/: holds no prompts"])])
def test_who_answers_is_asked_first(given, code, said, optimize, tmp_path,
                                    capsys):
    assert optimize(*given) == code
    err = refused(capsys, tmp_path)
    assert all(part in err for part in said), err
    assert not (tmp_path / "out.session").exists()


def test_no_model_is_named(optimize, key, tmp_path, capsys):
    assert optimize("--provider", "openai", "--key-file", key) == 1
    assert "no model is named; name one with --model" in refused(capsys,
                                                                 tmp_path)


def test_a_key_in_plain_text(optimize, key, tmp_path, capsys):
    assert optimize("--provider", "compatible", "--model", "m", "--key-file",
                    key, "--base-url", "http://192.0.2.1/v1") == 1
    err = refused(capsys, tmp_path)
    assert "in plain text; use https, or --allow-plain-http-key\n" in err


@pytest.mark.parametrize("ceiling, refuses", [("--max-dollars", True),
                                              ("--max-calls", False)])
def test_an_unknown_price(ceiling, refuses, optimize, key, tmp_path, capsys,
                          monkeypatch):
    """With a ceiling in dollars a session ended with no call and exit code 0.
    Without one nothing is said of prices."""
    def ends(*_, **__):
        raise KeyboardInterrupt
    monkeypatch.setattr("egg.importer.in_child.import_in_child", ends)
    code = optimize("--provider", "openai", "--model", "foo-9", "--key-file",
                    key, ceiling, "1")
    assert code == (1 if refuses else 130)
    if refuses:
        err = refused(capsys, tmp_path)
        assert "error: the ceiling on money cannot be held: the price " \
            "of model 'foo-9' of provider 'openai' is unknown" in err
        assert "use --max-input-tokens and --max-output-tokens in place" in err
    assert not (tmp_path / "out.session").exists()


def test_a_mailbox_gets_no_letter_from_the_look(optimize, tmp_path, monkeypatch):
    def ends(*_, **__):
        raise KeyboardInterrupt
    monkeypatch.setattr("egg.importer.in_child.import_in_child", ends)
    assert optimize("--mailbox", tmp_path / "box") == 130
    assert not (tmp_path / "box").exists()


@pytest.mark.parametrize("option, value", [
    ("--max-dollars", "0"), ("--max-dollars", "nan"), ("--close-enough", "-1"),
    ("--verify-seconds", "0"), ("--verify-memory", "1"),
    ("--answer-seconds", "soon")])
def test_values_without_sense(option, value, optimize, capsys):
    with pytest.raises(SystemExit) as ended:
        optimize("--exec", "true", f"{option}={value}")
    assert ended.value.code == 2
    assert f"argument {option}: '{value}' is not" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["session", "mailbox"])
def test_records_within_the_artifact(name, optimize, tmp_path, capsys):
    """They would go when the artifact takes the folder's place."""
    given = ["--exec", "true"] if name == "session" else []
    assert optimize(*given, f"--{name}", tmp_path / "out/records") == 1
    assert f"--{name} is within --out" in refused(capsys, tmp_path)


def test_a_session_from_start_to_replay(optimize, answering, tmp_path, capsys):
    assert optimize(*answering, "--verify-seconds", "100", "--verify-memory",
                    "5000") == 0
    err = capsys.readouterr().err
    for part in ("session of llm: unknown for sm_90a", "algorithm",
                 "analyst: worth it; b", "coder: nothing to propose; all is well",
                 "result: attempt 0"):
        assert f"s] {part}" in err, err
    assert "ended early" not in err and "--resume" not in err
    session = tmp_path / "out.session"
    header = json.loads((session / "trajectory.jsonl").read_text()
                        .splitlines()[0])
    assert header["options"]["close_enough"] == 0

    # A second one there is refused at once.
    assert optimize(*answering) == 1
    err = capsys.readouterr().err
    assert f"{session}: holds a session already\n  next: go on with it by " \
        "--resume" in err and "importing" not in err

    # A finished one has nothing to go on with, and nobody to ask.
    before = (session / "trajectory.jsonl").read_bytes()
    assert optimize("--resume") == 0
    err = capsys.readouterr().err
    assert f"the session in {session} is finished; its result is given again" in err
    assert (session / "trajectory.jsonl").read_bytes() == before

    # Neither who answered nor the stages must be given again.
    before = (session / "trajectory.jsonl").read_bytes()
    assert optimize("--replay") == 0
    assert "ended early" not in capsys.readouterr().err
    assert optimize("--replay", "--stages", "algorithm") == 0
    assert (session / "trajectory.jsonl").read_bytes() == before
    capsys.readouterr()

    for given, said in (
            (["--proposals", "7"], "--proposals 7 is another option than the "
             "session was recorded with: proposals was 3"),
            (["--from-scratch"], "--from-scratch is another option"),
            (["--no-history"], "--no-history is another option"),
            (["--stages", "algorithm", "tensor_tiling"],
             "--stages algorithm tensor_tiling is another option"),
            (["--chip", "sm_80"], "recorded for sm_90a, and --chip is sm_80")):
        assert optimize("--replay", *given) == 1
        err = capsys.readouterr().err
        assert said in err and "importing" not in err, err


def test_a_finished_session_needs_no_place(optimize, answering, monkeypatch):
    """Its folder may be one that cannot be written to."""
    assert optimize(*answering) == 0
    check = files.check_place

    def is_no_record(path):
        assert path.name != "trajectory.jsonl"
        check(path)
    monkeypatch.setattr(files, "check_place", is_no_record)
    assert optimize("--resume") == 0
    with pytest.raises(AssertionError):
        optimize(*answering, "--session", "another")


def test_an_early_end_is_said_and_resumed(optimize, answering, tmp_path, capsys):
    assert optimize(*answering, "--max-calls", "1") == 0
    err = capsys.readouterr().err
    assert ("the session ended early: the budget of 1 call is spent; raise "
            "--max-calls; --resume goes on with it\n") in err
    # What was told before is not told again.
    assert optimize("--resume", *answering[:2]) == 0
    err = capsys.readouterr().err
    assert "ended early" not in err and "analyst" not in err
    assert "coder: nothing to propose" in err and "result: attempt 0" in err


def test_another_provider_does_not_go_on(optimize, answering, key, tmp_path, capsys):
    assert optimize(*answering, "--max-calls", "1") == 0
    capsys.readouterr()
    for mode in ("--resume", "--replay"):
        for given, now in ((["--mailbox", tmp_path / "box"], "mailbox"),
                           (["--provider", "vllm", "--key-file", key], "vllm")):
            assert optimize(mode, *given) == 1
            err = capsys.readouterr().err
            assert (f"was answered by provider exec, and now it is {now}" in err
                    and "importing" not in err), err
        assert optimize(mode, *answering[:2], "--model", "b") == 1
        assert "model was unknown" in capsys.readouterr().err
    assert not (tmp_path / "box").exists()


def test_times_of_another_kind_do_not_go_on(optimize, answering, tmp_path,
                                            monkeypatch, capsys):
    assert optimize(*answering, "--max-calls", "1") == 0
    capsys.readouterr()
    with monkeypatch.context() as here:
        here.setattr("egg.measure.session.gpu_absent_reason", lambda: None)
        assert optimize("--resume", *answering[:2]) == 1
        err = capsys.readouterr().err
        assert "has predicted times, and now a GPU would measure them" in err
        assert "next: add --no-time" in err and "importing" not in err
    path = tmp_path / "out.session/trajectory.jsonl"
    path.write_text(path.read_text().replace('"measures":false', '"measures":true'))
    assert optimize("--resume", *answering[:2]) == 1
    err = capsys.readouterr().err
    assert "has times measured on a GPU, and now nothing is measured: no CUDA " \
        "driver" in err and "importing" not in err
    # Older records do not say so, and their attempts do.
    path.write_text(path.read_text().replace('"measures":true,', ""))
    assert optimize("--resume", *answering[:2]) == 0


def test_no_session_to_go_on_with(optimize, tmp_path, capsys):
    for mode in ("--resume", "--replay"):
        assert optimize(mode, "--exec", "true") == 1
        err = refused(capsys, tmp_path)
        assert "out.session: cannot be read: No such file" in err


def test_a_header_that_was_damaged(optimize, tmp_path, capsys):
    session = tmp_path / "out.session"
    session.mkdir()
    (session / "trajectory.jsonl").write_text(
        '{"type": "session", "chip": "sm_90a", "options": {}}\n')
    assert optimize("--replay") == 1
    assert "the first record is not what EGG writes" in refused(capsys, tmp_path)


def test_interrupted(tmp_path):
    """What is there, and how to go on, is said when the user ends it."""
    pairs = [("session", tmp_path), ("session-mode", "record"),
             ("mailbox", tmp_path / "box")]
    said = []
    with pytest.raises(KeyboardInterrupt), telling.told(pairs, said.append):
        (tmp_path / "trajectory.jsonl").write_text("{")
        raise KeyboardInterrupt
    assert said == [
        f"requests wait in {tmp_path / 'box'}, each for 86400 s: write the "
        "answer to NNNN-*.request.md as NNNN-*.answer.txt beside it",
        f"the session so far is in {tmp_path}; the same command with --resume "
        "goes on with it"]


def test_records_that_cannot_be_told_are_passed_over(tmp_path):
    said = []
    path = tmp_path / "trajectory.jsonl"
    path.write_text('{"type": "stage", "stage": {"kind": "algorithm"}}\n')
    with telling.Follower(path, said.append):
        with open(path, "a") as file:
            file.write('{"type": "end"}\n{"type": 3}\n[]\nx\n'
                       '{"type": "stopped", "reason": "spent"}\n{"type": "sta')
    assert said == ["stopped: spent"]


def test_advice_names_options():
    assert early.in_options(
        "it may cost 2; raise the ceiling on money, or allow fewer output "
        "tokens") == ("it may cost 2; raise --max-dollars, or give a lower "
                      "--answer-tokens")
    assert early.in_options("raise the ceiling on input tokens") == (
        "raise --max-input-tokens")
