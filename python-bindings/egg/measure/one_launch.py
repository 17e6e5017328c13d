# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program that NVIDIA's tools look at: one launch of an artifact on fresh
inputs, python -m egg.measure.one_launch JSON."""

import json
import os
import pathlib
import shutil
import sys

from egg import children


def find_tool(name, folders):
    """Its path: on the PATH, or in one of the folders of a CUDA toolkit; or
    None."""
    if found := shutil.which(name):
        return found
    for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"),
                 "/usr/local/cuda"):
        for inner in folders:
            path = pathlib.Path(root or "/nowhere", inner, name)
            if os.access(path, os.X_OK):
                return str(path)
    return None


def command(arguments):
    """How to start it; arguments are those of launch_once."""
    return children.python_command("egg.measure.one_launch",
                                   json.dumps(arguments))


def launch_once(file, artifact, device, generate_on, module_name, inputs_name):
    import torch
    from egg.measure.correctness import run_guarded
    from egg.measure.workload import Workload, trial_seeds
    from egg.runtime import LoadedModule
    place = torch.device("cuda", device)
    torch.cuda.set_device(place)
    loaded = LoadedModule(artifact, place)
    workload = Workload(file, place, generate_on, module_name, inputs_name)
    bound = loaded.bind(workload.module)
    run_guarded(bound, workload.inputs(trial_seeds(1)[0]))


if __name__ == "__main__":
    launch_once(**json.loads(sys.argv[1]))
