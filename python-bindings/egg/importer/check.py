# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an imported payload with the module it came from, on the CPU.

The oracle is PyTorch. A difference is an error of the importer (or of
torch-mlir), and raises EggError.
"""

import copy
import multiprocessing
import operator
import tempfile

from egg.errors import EggError

# Beyond these one pass in plain loops is not cheap.
MAX_BYTES = 1 << 30
MAX_SECONDS = 120


def check_file(imported, path, module_name, inputs_name, egg_opt=None):
    """Checks import_file's result; returns how it was checked, or why not."""
    from egg.importer.model_file import load_model
    if reason := too_large(imported):
        return reason
    model = load_model(path, module_name, inputs_name, real=True)
    return check_module(imported, model.module, model.inputs, egg_opt)


def check_module(imported, module, inputs, egg_opt=None):
    """Checks import_module's result on the module and inputs given."""
    from egg.importer.cpu_program import compile_payload
    if reason := too_large(imported):
        return reason
    with tempfile.TemporaryDirectory() as folder:
        library = compile_payload(imported.text, folder, egg_opt)
        # The program is ours but new: it must not take this process with it.
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(
            target=compare_and_report,
            args=(sender, library, imported, module, inputs))
        process.start()
        sender.close()
        if not receiver.poll(MAX_SECONDS):
            process.kill()
            return f"not checked: one pass takes more than {MAX_SECONDS} s"
        try:
            problem, summary = receiver.recv()
            process.join()
        except EOFError:
            process.join()
            problem = f"it crashed (exit code {process.exitcode})"
    if problem:
        raise EggError(f"the import does not compute what the module does: "
                       f"{problem}", hint="report it: the importer is wrong")
    return summary


def too_large(imported):
    """Why the payload cannot be checked here, or ""."""
    total = 0
    for spec in (*imported.arguments, *imported.results):
        count = 4
        for size in spec.shape:
            count *= size
        total += count
    if total > MAX_BYTES:
        return (f"not checked: {total >> 20} MiB of arguments and results are "
                "not cheap on the CPU")
    return ""


def compare_and_report(sender, library, imported, module, inputs):
    try:
        sender.send(compare(library, imported, module, inputs))
    except Exception as error:
        sender.send((f"{type(error).__name__}: {error}", ""))


def compare(library, imported, module, inputs):
    """Returns what differs ("" if nothing does) and a summary."""
    import torch
    from egg.importer.cpu_program import call
    tree_leaves = torch.utils._pytree.tree_leaves
    parameters = dict(module.named_parameters(remove_duplicate=False))
    tensors = iter([value for value in tree_leaves(inputs)
                    if isinstance(value, torch.Tensor)])
    arguments = []
    for spec in imported.arguments:
        source = (parameters[spec.name] if spec.kind == "parameter" else
                  attribute(module, spec.name) if spec.kind == "buffer" else
                  next(tensors))
        arguments.append(source.detach().clone().contiguous())
    reference = copy.deepcopy(module)
    with torch.no_grad():
        outputs = [value for value in
                   tree_leaves(reference(*copy.deepcopy(inputs)))
                   if isinstance(value, torch.Tensor)]
    expected = outputs + [attribute(reference, spec.name)
                          for spec in imported.results
                          if spec.kind == "buffer_update"]
    results = [poisoned(value) for value in expected]
    call(library, arguments, results)
    worst = 0.0
    for spec, wanted, got in zip(imported.results, expected, results):
        error = relative_error(wanted, got)
        if not error <= 1e-4:
            return (f"{spec.kind} '{spec.name}' differs by {error:.2e} of its "
                    "largest element", "")
        worst = max(worst, error)
    return "", (f"on the CPU against the module, {len(results)} results, "
                f"largest relative error {worst:.1e}")


def attribute(module, name):
    """A buffer, or a tensor that is a plain attribute of the module."""
    return operator.attrgetter(name)(module)


def poisoned(tensor):
    import torch
    value = float("nan") if tensor.dtype.is_floating_point else 77
    return torch.full(tensor.shape, value).to(tensor.dtype)


def relative_error(wanted, got):
    """Largest difference over the largest finite magnitude; inf where NaN or
    infinities disagree, or where integers differ at all."""
    import torch
    if not wanted.dtype.is_floating_point:
        return 0.0 if torch.equal(wanted, got) else float("inf")
    if wanted.numel() == 0:
        return 0.0
    wanted, got = wanted.double(), got.double()
    finite = torch.isfinite(wanted)
    if not (torch.equal(finite, torch.isfinite(got)) and torch.equal(
            wanted[~finite].nan_to_num(), got[~finite].nan_to_num())):
        return float("inf")
    if not finite.any():
        return 0.0
    scale = wanted[finite].abs().max().clamp(min=1e-30)
    return float(((wanted - got)[finite].abs().max() / scale).item())
