#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the generated reference kernels for Hopper in the emulator, at small
extents, against payloads: right ones must be accepted, faulty ones refused by
the step that is meant for them.

usage: check_reference_kernels.py FOLDER [NAME...]

FOLDER has their generators, gen_ws.py and gen_mem.py. The exit code is 1 where
a kernel gets another answer than is expected of it.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python-bindings"))
from egg.egg_opt import find_egg_opt  # noqa: E402
from egg.emulator_check.launch import Buffer, Kernel, Map  # noqa: E402
from egg.emulator_check.prepare import LOWER  # noqa: E402
from egg.pipeline import option  # noqa: E402

SIX = ((1, 1), (0, 2), (2, 0), (0, 1), (1, 0), (0, 0))
TMA = {"epi": "tma", "wait": 1, "prod": "warp", "setreg": False}
SPLIT = {"outty": "f32", "planes": 3, "terms": SIX, "epi": "tma", "halves": 4,
         "BN": 128, "M": 128, "N": 128}
# Rows of tiles are a multiple of a group.
SMALL = {"M": 256, "N": 512, "K": 320, "S": 4, "group": 2}
CONV = {"B": 4, "H": 8, "W": 8, "C": 64, "R": 3, "S": 3, "pad": 1}
# Arguments of gen_ws.mm, and what must come of it: "accepted", or the step
# that refuses and a part of its reason.
PRODUCTS = {
    "t4_pwarp": (dict(SMALL, **TMA), "accepted"),
    "m2048_128": (dict(SMALL, **{**TMA, "BN": 128, "S": 6, "halves": 1}),
                  "accepted"),
    "t4_nt": (dict(SMALL, btrans=False, epi="tma", wait=1), "accepted"),
    "t4_rs": (dict(SMALL, wg="rs", epi="tma", wait=0), "accepted"),
    "tf32_256": (dict(SMALL, ty="tf32", BK=32, btrans=False, halves=4, K=160,
                      epi="tma", wait=1), "accepted"),
    "rg_2d": (dict(SMALL, M=200, N=264, K=136, b3d=False, **TMA), "accepted"),
    "rg_cl2": (dict(SMALL, M=200, N=320, K=136, cluster=2,
                    clarrive="ctascope", **TMA), "accepted"),
    "x6_64p1": (dict(SPLIT, K=512, S=2, promote=1), "accepted"),
    "x6_32p2": (dict(SPLIT, K=512, S=4, BK=32, promote=2, wait=1), "accepted"),
    "conv_tile": (dict(SMALL, M=256, N=256, K=576, **TMA,
                       conv=dict(CONV, mode="tile", B=1, H=4, W=64)),
                  "accepted"),
    "conv_im": (dict(SMALL, M=256, N=256, K=576, **TMA,
                     conv=dict(CONV, mode="im2col")), "accepted"),
    "t4_nofence": (dict(SMALL, pfence=False, epi="tma", wait=1),
                   "emulate: missing-fence"),
    "x6_promote_0": (dict(SPLIT, K=512, S=2, promote=0, wait=1),
                     "precision: the error against fp64"),
}

# The folder has no generator of this one, which is in the nvgpu dialect.
SINGLE_STAGE = ROOT / "test/Emulator/Inputs/single-stage.mlir"
LAST_BARRIER = """        // Before thread 0 loads the next tiles over these.
        gpu.barrier
"""
NVGPU = "convert-nvgpu-to-nvvm,expand-strided-metadata,lower-affine,"


def tensor(shape, dtype):
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def generic(result, maps, kinds, ins, start, body):
    """A linalg.generic; ins are (name, type) pairs."""
    names = ", ".join(name for name, _ in ins)
    types = ", ".join(kind for _, kind in ins)
    listed = ", ".join(f"affine_map<{m}>" for m in maps)
    iterators = ", ".join(f'"{kind}"' for kind in kinds)
    return (f"linalg.generic {{indexing_maps = [{listed}], iterator_types = "
            f"[{iterators}]}} ins({names} : {types}) outs({start} : {result}) "
            f"{{\n{body}\n  }} -> {result}")


def product_payload(d):
    """C = A B in f32, A and B summed over their planes, rounded at the end."""
    m, n, k, planes = d["M"], d["N"], d["K"], d["planes"]
    kind = "f32" if d["ty"] == "tf32" else d["ty"]
    b_shape = (k, n) if d["btrans"] else (n, k)
    lines = []

    def factor(name, shape):
        given = tensor((planes, *shape) if planes > 1 else shape, kind)
        if planes == 1:
            return given, f"%{name}", given
        wide = tensor(shape, "f32")
        lines.append(f"  %e{name} = tensor.empty() : {wide}")
        lines.append(f"  %f{name} = linalg.fill ins(%zero : f32) outs(%e{name}"
                     f" : {wide}) -> {wide}")
        lines.append(f"  %s{name} = " + generic(
            wide, ["(i, j, p) -> (p, i, j)", "(i, j, p) -> (i, j)"],
            ["parallel", "parallel", "reduction"], [(f"%{name}", given)],
            f"%f{name}",
            f"  ^bb0(%x: {kind}, %o: f32):\n    %w = arith.extf %x : {kind} to "
            "f32\n    %s = arith.addf %o, %w : f32\n    linalg.yield %s : f32"))
        return given, f"%s{name}", wide

    a_type, a, a_wide = factor("a", (m, k))
    b_type, b, b_wide = factor("b", b_shape)
    inner = kind if planes == 1 else "f32"
    wide = tensor((m, n), "f32")
    lines.append(f"  %e = tensor.empty() : {wide}")
    lines.append(f"  %f = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> "
                 f"{wide}")
    b_map = "(k, n)" if d["btrans"] else "(n, k)"
    lines.append("  %c = " + generic(
        wide, ["(m, n, k) -> (m, k)", f"(m, n, k) -> {b_map}",
               "(m, n, k) -> (m, n)"], ["parallel", "parallel", "reduction"],
        [(a, a_wide), (b, b_wide)], "%f", sum_body(inner)))
    return finish(f"%a: {a_type}, %b: {b_type}", lines, (m, n), d["outty"])


def sum_body(kind):
    widen = kind != "f32"
    text = f"  ^bb0(%x: {kind}, %y: {kind}, %o: f32):\n"
    if widen:
        text += (f"    %xf = arith.extf %x : {kind} to f32\n"
                 f"    %yf = arith.extf %y : {kind} to f32\n")
    x, y = ("%xf", "%yf") if widen else ("%x", "%y")
    return (text + f"    %p = arith.mulf {x}, {y} : f32\n"
            "    %s = arith.addf %o, %p : f32\n    linalg.yield %s : f32")


def finish(arguments, lines, shape, outty):
    """The function, its f32 result %c rounded to the output's type."""
    wide, out = tensor(shape, "f32"), tensor(shape, outty)
    result = "%c"
    if outty != "f32":
        dims = ", ".join(f"d{i}" for i in range(len(shape)))
        identity = f"({dims}) -> ({dims})"
        lines += [f"  %en = tensor.empty() : {out}", "  %n = " + generic(
            out, [identity, identity], ["parallel"] * len(shape),
            [("%c", wide)], "%en",
            f"  ^bb0(%x: f32, %o: {outty}):\n    %t = arith.truncf %x : f32 to "
            f"{outty}\n    linalg.yield %t : {outty}")]
        result = "%n"
    text = "\n".join(lines)
    return (f"func.func @main({arguments}) -> {out} {{\n  %zero = "
            f"arith.constant 0.0 : f32\n{text}\n  return {result} : {out}\n}}\n")


def conv_payload(d):
    c = d["conv"]
    n, h, w, ch, f = c["B"], c["H"], c["W"], c["C"], d["N"]
    image = tensor((n, h, w, ch), "bf16")
    padded = tensor((n, h + 2, w + 2, ch), "bf16")
    weights = tensor((3, 3, ch, f), "bf16")
    wide = tensor((n, h, w, f), "f32")
    dims = "(n, h, w, f, r, s, c)"
    lines = [
        "  %z16 = arith.constant 0.0 : bf16",
        "  %padded = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {\n"
        "  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):\n"
        f"    tensor.yield %z16 : bf16\n  }} : {image} to {padded}",
        f"  %e = tensor.empty() : {wide}",
        f"  %f = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}",
        "  %c = " + generic(
            wide, [f"{dims} -> (n, h + r, w + s, c)",
                   f"{dims} -> (r, s, c, f)", f"{dims} -> (n, h, w, f)"],
            ["parallel"] * 4 + ["reduction"] * 3,
            [("%padded", padded), ("%b", weights)], "%f", sum_body("bf16"))]
    return finish(f"%a: {image}, %b: {weights}", lines, (n, h, w, f), "bf16")


def product_kernel(name, text, d):
    """The launch of a kernel of gen_ws.py, two persistent blocks or clusters."""
    m, n, k, planes = d["M"], d["N"], d["K"], d["planes"]
    kind = "f32" if d["ty"] == "tf32" else d["ty"]
    size = 4 if kind == "f32" else 2
    out_size = 4 if d["outty"] == "f32" else 2
    swizzle = d["BK"] * size
    if d["conv"]:
        c = d["conv"]
        dims = (c["C"], c["W"], c["H"], c["B"])
        strides = (2 * c["C"], 2 * c["C"] * c["W"],
                   2 * c["C"] * c["W"] * c["H"])
        ta = Map(0, dims, strides, (64, c["W"], 128 // c["W"], 1), 128) \
            if c["mode"] == "tile" else Map(
                0, dims, strides, (), 128, None, (-1, -1), (-1, -1), 64, 128)
        a = Buffer(kind, (c["B"], c["H"], c["W"], c["C"]))
    else:
        ta = Map(0, (k, m * planes), (k * size,), (d["BK"], 128), swizzle,
                 "tf32" if d["ty"] == "tf32" else None)
        a = Buffer(kind, (planes, m, k) if planes > 1 else (m, k))
    if not d["btrans"]:
        tb = Map(1, (k, n), (k * size,), (d["BK"], d["BN"]), swizzle,
                 "tf32" if d["ty"] == "tf32" else None)
        b = Buffer(kind, (n, k))
    else:
        tb = Map(1, (64, k * planes, n // 64), (n * 2, 128),
                 (64, d["BK"], d["BN"] // 64 // d["cluster"]), 128) \
            if d["b3d"] else Map(1, (n, k * planes), (n * 2,), (64, d["BK"]),
                                 128)
        b = Buffer(kind, (planes, k, n) if planes > 1 else (k, n))
    tc = Map(2, (n, m), (n * out_size,), (128 // out_size, 64), 128)
    blocks = min(d["ntiles"], 2)
    return Kernel(name, "reference", text, d["T"],
                  (a, b, Buffer(d["outty"], (m, n), output=True)),
                  (ta, tb, tc, 2), grid=(blocks, 1, 1), shared=d["smem"])


def memory_kernels(gen):
    """Kernels of gen_mem.py with payloads: (kernel, payload) by name."""
    def launch(name, made, shape, weights=0):
        text, d = made
        buffers = [Buffer("f32", shape), Buffer("f32", shape, output=True)]
        buffers += [Buffer("f32", shape[-1:])] * weights
        return Kernel(name, "reference", text, d["block"], tuple(buffers),
                      tuple(range(len(buffers))), grid=(d["grid"], 1, 1))

    return {
        "ew": (launch("ew", gen.ew("k", "gelu", U=2, N=4096), (4096,)),
               gelu(4096)),
        "row_softmax": (launch("row", gen.row("k", "softmax", 8, 1024, 128),
                               (8, 1024)), softmax(8, 1024)),
        "row_ln": (launch("ln", gen.row("k", "ln", 8, 1024, 128), (8, 1024),
                          2), layer_norm(8, 1024)),
        "rowc": (launch("rowc", gen.rowc(2, 2048, 128, 2), (2, 2048)),
                 softmax(2, 2048)),
    }


def gelu(n):
    kind = tensor((n,), "f32")
    body = """  ^bb0(%x: f32, %o: f32):
    %k = arith.constant 0.70710678118654752 : f32
    %h = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %t = arith.mulf %x, %k : f32
    %erf = math.erf %t : f32
    %s = arith.addf %erf, %one : f32
    %g = arith.mulf %x, %h : f32
    %p = arith.mulf %g, %s : f32
    %q = arith.mulf %p, %two : f32
    %r = arith.addf %q, %one : f32
    linalg.yield %r : f32"""
    return finish(f"%a: {kind}", [
        f"  %e = tensor.empty() : {kind}", "  %c = " + generic(
            kind, ["(i) -> (i)", "(i) -> (i)"], ["parallel"], [("%a", kind)],
            "%e", body)], (n,), "f32")


def reduction(name, source, kind, row, first, op):
    """Lines that reduce the rows of a tensor."""
    return [f"  %{name}0 = arith.constant {first} : f32",
            f"  %{name}e = tensor.empty() : {row}",
            f"  %{name}f = linalg.fill ins(%{name}0 : f32) outs(%{name}e : "
            f"{row}) -> {row}", f"  %{name} = " + generic(
                row, ["(i, j) -> (i, j)", "(i, j) -> (i)"],
                ["parallel", "reduction"], [(source, kind)], f"%{name}f",
                f"  ^bb0(%x: f32, %o: f32):\n    %r = {op} %x, %o : f32\n"
                "    linalg.yield %r : f32")]


def by_row(name, ins, kind, body):
    """Lines of a map whose operands are whole tensors, rows' values, or a
    row (marked by the type that they have)."""
    maps = [where for *_, where in ins] + ["(i, j) -> (i, j)"]
    blocks = ", ".join(f"%x{i}: f32" for i in range(len(ins)))
    return [f"  %{name}e = tensor.empty() : {kind}", f"  %{name} = " + generic(
        kind, maps, ["parallel", "parallel"],
        [(value, type_) for value, type_, _ in ins], f"%{name}e",
        f"  ^bb0({blocks}, %o: f32):\n{body}    linalg.yield %r : f32")]


WHOLE, ROW, COLUMN = "(i, j) -> (i, j)", "(i, j) -> (i)", "(i, j) -> (j)"


def softmax(rows, n):
    kind, row = tensor((rows, n), "f32"), tensor((rows,), "f32")
    lines = reduction("m", "%a", kind, row, "0xFF800000", "arith.maximumf")
    lines += by_row("exps", [("%a", kind, WHOLE), ("%m", row, ROW)], kind,
                    "    %d = arith.subf %x0, %x1 : f32\n"
                    "    %r = math.exp %d : f32\n")
    lines += reduction("s", "%exps", kind, row, "0.0", "arith.addf")
    lines += by_row("c", [("%exps", kind, WHOLE), ("%s", row, ROW)], kind,
                    "    %r = arith.divf %x0, %x1 : f32\n")
    return finish(f"%a: {kind}", lines, (rows, n), "f32")


def layer_norm(rows, n):
    kind, row = tensor((rows, n), "f32"), tensor((rows,), "f32")
    column = tensor((n,), "f32")
    mean = f"    %n = arith.constant {n}.0 : f32\n"
    lines = reduction("s", "%a", kind, row, "0.0", "arith.addf")
    lines += by_row("d", [("%a", kind, WHOLE), ("%s", row, ROW)], kind, mean +
                    "    %m = arith.divf %x1, %n : f32\n"
                    "    %r = arith.subf %x0, %m : f32\n")
    lines += by_row("q", [("%d", kind, WHOLE)], kind,
                    "    %r = arith.mulf %x0, %x0 : f32\n")
    lines += reduction("v", "%q", kind, row, "0.0", "arith.addf")
    lines += by_row(
        "c", [("%d", kind, WHOLE), ("%v", row, ROW), ("%g", column, COLUMN),
              ("%h", column, COLUMN)], kind, mean +
        "    %eps = arith.constant 1.0e-05 : f32\n"
        "    %m = arith.divf %x1, %n : f32\n"
        "    %w = arith.addf %m, %eps : f32\n"
        "    %i = math.rsqrt %w : f32\n    %y = arith.mulf %x0, %i : f32\n"
        "    %z = arith.mulf %y, %x2 : f32\n"
        "    %r = arith.addf %z, %x3 : f32\n")
    return finish(f"%a: {kind}, %g: {column}, %h: {column}", lines, (rows, n),
                  "f32")


def single_stage_kernels():
    """Its text with and without the last barrier, by name."""
    text = SINGLE_STAGE.read_text()
    if LAST_BARRIER not in text:
        raise ValueError(f"{SINGLE_STAGE}: no last barrier where it was")
    return {"ng_s1": (text, "accepted"),
            "ng_s1_race": (text.replace(LAST_BARRIER, ""),
                           "emulate: data-race")}


def verify(text, payload, planes, tf32, folder, lower=LOWER):
    """"accepted: GRADE", or the step and the reason of a refusal."""
    if planes > 1 or tf32:
        text = text.replace('fill = "random"', 'values = "%s"' % (
            "tf32" if tf32 else "split"))
    (folder / "payload.mlir").write_text(payload)
    settings = option("payload", folder / "payload.mlir")
    settings += " distributions=uniform"
    if planes > 1:
        settings += " precision=match"
    passes = (f"builtin.module(gpu.module({lower}),egg-verify-kernel{{"
              f"{settings}}})")
    result = subprocess.run([find_egg_opt(), f"--pass-pipeline={passes}", "-o",
                             os.devnull], input=text, text=True,
                            capture_output=True, timeout=600)
    (folder / "messages").write_text(result.stderr)
    if found := re.search(r"remark: verdict: (\w+)", result.stderr):
        skipped = re.findall(r"note: skipped: (.*)", result.stderr)
        return "accepted: " + "; ".join([found[1], *skipped])
    found = re.search(r"error: (\w+) refused(?: at [^:]*(?:\(.*?\))?)?: (.*)",
                      result.stderr)
    return f"{found[1]}: {found[2]}" if found else result.stderr[:500]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if not (args.folder / "gen_ws.py").is_file():
        print(f"{args.folder}: there is no gen_ws.py; name the folder of the "
              "generators", file=sys.stderr)
        return 2
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(args.folder))
    import gen_mem
    import gen_ws
    jobs = {name: (kernel.module("random"), payload, 1, False, "accepted")
            for name, (kernel, payload) in memory_kernels(gen_mem).items()}
    for name, (settings, expected) in PRODUCTS.items():
        text, d = gen_ws.mm(**settings)
        payload = conv_payload(d) if d["conv"] else product_payload(d)
        jobs[name] = (product_kernel(name, text, d).module("random"), payload,
                      d["planes"], d["ty"] == "tf32", expected)
    single = product_payload({"M": 256, "N": 256, "K": 192, "planes": 1,
                              "ty": "bf16", "btrans": True, "outty": "f32"})
    for name, (text, expected) in single_stage_kernels().items():
        jobs[name] = (text, single, 1, False, expected)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, payload, planes, tf32, expected) in jobs.items():
            if args.names and name not in args.names:
                continue
            start = time.monotonic()
            answer = verify(text, payload, planes, tf32, pathlib.Path(folder),
                            NVGPU + LOWER if "nvgpu." in text else LOWER)
            good = answer.startswith(expected)
            wrong += not good
            print(f"{'right' if good else 'WRONG':6}{name:14}"
                  f"{time.monotonic() - start:6.1f} s  {answer[:300]}",
                  flush=True)
    print(f"{wrong} kernels get another answer than is expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
