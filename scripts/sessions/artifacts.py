#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes artifacts of recorded sessions on KernelBench's problems, to time them.

Of each session DIR, called level<L>_<N>, the expert's script goes to
OUT/expert/level<L>/<problem> and the best to OUT/best/level<L>/<problem>, where
"egg kernelbench --stage time --artifacts OUT/expert" looks for them. Nothing is
verified again: the sessions did.

usage: scripts/sessions/artifacts.py --root KERNELBENCH --out OUT DIR...
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python-bindings"))

from egg.agent.trajectory import read_trajectory  # noqa: E402


def make_artifact(egg_opt, payload, script, out):
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as schedule:
        schedule.write(script)
        schedule.flush()
        subprocess.run(
            [egg_opt, payload, "--egg-optimize=agent=replay verify=false "
             f"schedule={schedule.name} out={out}", "-o", os.devnull], check=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--egg-opt", default=ROOT / "build/dev/bin/egg-opt",
                        help="which to run (default: the development build's)")
    parser.add_argument("--root", required=True, type=pathlib.Path,
                        help="the folder that holds level1, level2")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("directories", nargs="+", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    for directory in arguments.directories:
        level, number = directory.name.split("_")
        problem, = (arguments.root / level).glob(f"{number}_*.py")
        records = read_trajectory(directory)
        scripts = {record["id"]: record["script"] for record in records
                   if record["type"] == "attempt"}
        for name, attempt in (("expert", 0), ("best", records[-1]["best"])):
            make_artifact(arguments.egg_opt, directory / "payload.mlir", scripts[attempt],
                          arguments.out / name / level / problem.stem)
        print(directory.name, flush=True)


if __name__ == "__main__":
    main()
