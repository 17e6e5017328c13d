# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers of a model that means harm, through a whole session: each ends as a
refusal or an error of the model in the records, and the expert's script wins."""

import json
import sys
import time

import pytest

from egg.agent.trajectory import read_trajectory
from session_runs import run_session

# The analyst is honest; the coder writes what the test says, as bytes.
MODEL = """
import json, sys
request = json.load(sys.stdin)
if request["schema_name"] == "judgement":
    print(json.dumps({{"worth_optimizing": True, "bottleneck": "b",
                      "method": "m", "plan": "p", "expected_speedup": 2}}))
elif request["schema_name"] == "diagnosis":
    print(json.dumps({{"critical_issue": "i", "why": "w", "plan": "p"}}))
else:
    sys.stdout.buffer.write({bytes})
"""

ALGORITHM = """transform.named_sequence @algorithm(%f: !transform.any_op) {{
  {body}
  transform.yield
}}"""


def script(body):
    text = ALGORITHM.format(body=body)
    return repr(json.dumps({"script": text, "rationale": "r"}).encode())


# Many kernels, each of which the check would have to try.
DEEP_MAP = "affine_map<(i) -> (" + "(" * 3000 + "i" + ")" * 3000 + ")>"

# Name, the bytes as an expression, what the records must say.
HOSTILE = [
    ("ten megabytes", "b'{\"script\": \"' + b'x' * 10_000_000 + b'\", \"rationale\": \"\"}'",
     "agent_error"),
    ("a JSON bomb", "b'[' * 1_000_000 + b']' * 1_000_000", "agent_error"),
    ("nested objects", "b'{\"script\":' * 100_000", "agent_error"),
    ("no UTF-8", "b'{\"script\": \"\\xff\\xfe\", \"rationale\": \"\"}'", "agent_error"),
    ("NUL", "b'{\"script\": \"\\\\u0000\", \"rationale\": \"\"}'", "refused"),
    ("lone surrogates", "b'{\"script\": \"\\\\ud800\", \"rationale\": \"\"}'", None),
    ("another schema", "b'{\"script\": \"\", \"rationale\": \"\", \"shell\": \"id\"}'",
     "agent_error"),
    ("nothing", "b''", "agent_error"),
    ("reading a file", script('%0 = transform.include_file "/etc/passwd"'), "refused"),
    ("a preloaded library", script(
        'transform.include @other failures(propagate) (%f) : (!transform.any_op) -> ()'),
     "refused"),
    ("printing", script('transform.print %f {name = "secret"} : !transform.any_op'),
     "refused"),
    ("a pass", script(
        '%1 = transform.apply_registered_pass "egg-emit-ptx" to %f '
        ': (!transform.any_op) -> !transform.any_op'), "refused"),
    ("a foreign function", script("transform.yield\n}\nfunc.func private @malloc(i64)\n"
                                  "transform.named_sequence @x() {"), "refused"),
    ("a module that closes ours", script("transform.yield } } module { module {"), "refused"),
    ("a deep type", repr(json.dumps({
        "script": "!t = " + "tuple<" * 5000 + "f32" + ">" * 5000 + "\n" +
                  ALGORITHM.format(body=""), "rationale": "r"}).encode()), "refused"),
    ("types of types", repr(json.dumps({
        "script": "!t0 = i32\n" + "".join(
            f"!t{i} = tuple<!t{i - 1}, !t{i - 1}>\n" for i in range(1, 60)) +
                  ALGORITHM.format(body="").replace("!transform.any_op", "!t59"),
        "rationale": "r"}).encode()), "refused"),
    ("lists of lists", repr(json.dumps({
        "script": "#a0 = [0, 0] " + "".join(
            f"#a{i} = [#a{i - 1}, #a{i - 1}] " for i in range(1, 60)) + "\n" +
                  ALGORITHM.format(
                      body='%0 = transform.egg.select %f #a59 : '
                           '(!transform.any_op) -> !transform.any_op'),
        "rationale": "r"}).encode()), "refused"),
    ("a deep map", repr(json.dumps({
        "script": f"#m = {DEEP_MAP}\n" + ALGORITHM.format(body=""),
        "rationale": "r"}).encode()), "refused"),
    ("split into 2^62 parts", script(
        '%0 = transform.egg.select %f ["reduce_add_0"] : (!transform.any_op) -> '
        '!transform.any_op\n%n = transform.param.constant 4611686018427387904 : i64 -> '
        '!transform.param<i64>\n%a, %b = transform.egg.split_reduction %0 parts(%n) : '
        '(!transform.any_op, !transform.param<i64>) -> (!transform.any_op, '
        '!transform.any_op)'), "refused"),
]


@pytest.mark.parametrize("answer,says", [case[1:] for case in HOSTILE],
                         ids=[case[0] for case in HOSTILE])
def test_answers_can_do_nothing(answer, says, tmp_path):
    model, session = tmp_path / "model.py", tmp_path / "session"
    model.write_text(MODEL.format(bytes=answer))
    canary = tmp_path / "canary"
    canary.write_text("untouched")
    begin = time.monotonic()
    run = run_session(session, f"exec='{sys.executable} {model}'",
                      "stages=algorithm proposals=1 repairs=1", cwd=tmp_path)
    assert run.returncode == 0, run.stderr[-2000:]
    assert time.monotonic() - begin < 120
    records = read_trajectory(session)
    # Nothing that the answer brings makes a record large.
    text = (session / "trajectory.jsonl").read_text()
    assert max(map(len, text.splitlines())) < 300_000
    kinds = [record["type"] for record in records]
    refused = [record for record in records
               if record["type"] == "attempt" and "refused" in record]
    if says == "agent_error":
        assert "agent_error" in kinds
    if says == "refused":
        assert refused, kinds
    accepted = [record for record in records
                if record["type"] == "attempt" and record not in refused]
    assert [record["author"] for record in accepted] == ["expert"]
    assert records[-1]["type"] == "result" and records[-1]["best"] == 0
    assert "root:" not in text
    assert canary.read_text() == "untouched"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "best.mlir", "canary", "model.py", "session"]


def slow_script(count):
    """Legal, and the payload's sums, of x doubled and halved `count` times: each
    value is used twice, so who evaluates uses one by one does 2^count."""
    ops, last = [], "%x"
    identity = "affine_map<(i, j) -> (i, j)>"
    tensor = "tensor<64x96xf32>"
    for i in range(count):
        ops.append(f'''%e{i} = tensor.empty() : {tensor}
%s{i} = linalg.generic {{egg.name = "slow_{i}", indexing_maps = [{identity}, {identity},
    {identity}], iterator_types = ["parallel", "parallel"]}}
    ins({last}, {last} : {tensor}, {tensor}) outs(%e{i} : {tensor}) {{
^bb0(%a: f32, %b: f32, %o: f32):
  %n = arith.addf %a, %b : f32
  %m = arith.mulf %n, %half : f32
  linalg.yield %m : f32
}} -> {tensor}''')
        last = f"%s{i}"
    names = ", ".join(f'"slow_{i}"' for i in range(count))
    form = f'''%slow = transform.egg.select %f [{names}]
    : (!transform.any_op) -> !transform.any_op
%slow_kernel = transform.egg.form_kernel %slow {{name = "halves"}}
    : (!transform.any_op) -> !transform.any_op'''
    return f'''func.func private @slow(%x: {tensor}, %w: tensor<96x40xf32>) -> tensor<64xf32> {{
%zero = arith.constant 0.0 : f32
%half = arith.constant 0.5 : f32
{chr(10).join(ops)}
%p0 = tensor.empty() : tensor<64x40xf32>
%p1 = linalg.fill ins(%zero : f32) outs(%p0 : tensor<64x40xf32>) -> tensor<64x40xf32>
%p = linalg.matmul {{egg.name = "product"}} ins({last}, %w : {tensor}, tensor<96x40xf32>)
    outs(%p1 : tensor<64x40xf32>) -> tensor<64x40xf32>
%r0 = tensor.empty() : tensor<64xf32>
%r1 = linalg.fill ins(%zero : f32) outs(%r0 : tensor<64xf32>) -> tensor<64xf32>
%r = linalg.generic {{egg.name = "sum", indexing_maps = [{identity}, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}} ins(%p : tensor<64x40xf32>)
    outs(%r1 : tensor<64xf32>) {{
^bb0(%a: f32, %acc: f32):
  %s = arith.addf %acc, %a : f32
  linalg.yield %s : f32
}} -> tensor<64xf32>
return %r : tensor<64xf32>
}}
transform.named_sequence @substitution(%f: !transform.any_op) {{
  %all = transform.egg.select %f ["matmul_0", "reduce_add_0"]
      : (!transform.any_op) -> !transform.any_op
  transform.egg.substitute %all with @slow : !transform.any_op
  transform.yield
}}
transform.named_sequence @algorithm(%f: !transform.any_op) {{
{form}
  %m = transform.egg.select %f ["product"] : (!transform.any_op) -> !transform.any_op
  %mk = transform.egg.form_kernel %m {{name = "product"}}
      : (!transform.any_op) -> !transform.any_op
  %s = transform.egg.select %f ["sum"] : (!transform.any_op) -> !transform.any_op
  %sk = transform.egg.form_kernel %s {{name = "sum"}}
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}}'''


@pytest.mark.parametrize("count,says", [(2, "accepted"), (60, "takes more than 10 s")])
def test_a_script_that_verifies_slowly_on_purpose(count, says, tmp_path):
    model, session = tmp_path / "model.py", tmp_path / "session"
    answer = json.dumps({"script": slow_script(count), "rationale": "r"}).encode()
    model.write_text(MODEL.format(bytes=repr(answer)))
    run = run_session(session, f"exec='{sys.executable} {model}'",
                      "stages=algorithm proposals=1 repairs=0 verify-seconds=10")
    assert run.returncode == 0, run.stderr[-2000:]
    attempt = [record for record in read_trajectory(session)
               if record["type"] == "attempt"][1]
    if says == "accepted":
        assert "accepted" in attempt, attempt["refused"]
    else:
        assert says in attempt["refused"]["reason"], attempt["refused"]
        # Not tried again where it is on record.
        assert attempt["refused"]["undecided"]
        again = run_session(session, "stages=algorithm proposals=1 repairs=0",
                            "session-mode=resume")
        assert again.returncode == 0, again.stderr[-2000:]
