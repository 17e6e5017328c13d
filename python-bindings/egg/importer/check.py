# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an imported payload with the module it came from, on the CPU.

The oracle is PyTorch. A difference is an error of the importer (or of
torch-mlir), and raises EggError.
"""

import contextlib
import copy
import faulthandler
import math
import multiprocessing
import operator
import re
import signal
import struct

from egg import files
from egg.egg_opt import how_it_ended
from egg.errors import EggError
from egg.words import count

# Beyond these one pass in plain loops is not cheap.
MAX_BYTES = 1 << 30
MAX_SECONDS = 20

# Of half types, the largest relative error of rounding to them.
UNITS = (("bf16", 2**-8), ("f16", 2**-11))


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
    with files.temporary_directory("egg-check-") as folder:
        library = compile_payload(imported.text, folder, egg_opt)
        # The program is ours but new: it must not take this process with it.
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(
            target=compare_and_report,
            args=(sender, library, imported, module, inputs, egg_opt))
        process.start()
        sender.close()
        if not receiver.poll(MAX_SECONDS):
            process.kill()
            process.join()
            return f"not checked: one pass takes more than {MAX_SECONDS} s"
        try:
            problem, summary = receiver.recv()
            process.join()
        except EOFError:
            process.join()
            if process.exitcode == -signal.SIGKILL:
                # No program kills itself so: the system or a user did.
                return ("not checked: the check was killed (signal SIGKILL), "
                        "perhaps out of memory")
            problem = f"it crashed ({how_it_ended(process.exitcode)})"
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


def compare_and_report(sender, *comparison):
    import torch
    # The parent says in one line that it crashed.
    faulthandler.disable()
    # The threads of the parent's pool are not in this copy of the process:
    # work handed to them would never be done.
    torch.set_num_threads(1)
    try:
        sender.send(compare(*comparison))
    except Exception as error:
        sender.send((f"{type(error).__name__}: {error}", ""))


def compare(library, imported, module, inputs, egg_opt):
    """Returns what differs ("" if nothing does) and a summary."""
    import torch
    from egg.importer.cpu_program import call, compile_payload
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
    try:
        expected = run(copy.deepcopy(module), copy.deepcopy(inputs), imported)
    except NotImplementedError as error:
        return "", f"not checked: PyTorch on the CPU: {error}"
    results = [poisoned(value) for value in expected]
    call(library, arguments, results)
    errors = [relative_error(*pair) for pair in zip(expected, results)]
    limit = allowed_error(imported.text)
    how = ""
    if not max(errors) <= 1e-5:
        # Plain loops sum one by one, and some modules are inaccurate
        # themselves: in double precision both must agree.
        how = " in double precision"
        folder = library.parent / "double"
        folder.mkdir()
        wide_library = compile_payload(in_double(imported.text), folder,
                                       egg_opt)
        module, inputs = doubled_module(module), doubled(inputs)
        wide_arguments = [doubled(value) for value in arguments]
        with everything_in_double():
            exact = run(module, inputs, imported)
        exact = doubled(exact)
        wide_results = [poisoned(value) for value in exact]
        call(wide_library, wide_arguments, wide_results)
        # What is all below the least is zero but for rounding.
        errors = [relative_error(*pair, least=1e-6)
                  for pair in zip(exact, wide_results)]
    for spec, error in zip(imported.results, errors):
        if not error <= limit:
            return (f"{spec.kind} '{spec.name}' differs by {error:.2e} of its "
                    f"largest element{how}", "")
    if how:
        # Right in double, a formula may still lose digits that PyTorch's
        # keeps.
        for spec, *values in zip(imported.results, exact, expected, results):
            if problem := lost_digits(*values, imported.text):
                return f"{spec.kind} '{spec.name}' {problem}", ""
    return "", (f"on the CPU against the module{how}, "
                f"{count(len(results), 'result')}, largest relative error "
                f"{max(errors):.1e}")


def run(module, inputs, imported):
    """The module's outputs and the buffers it updated, in payload order."""
    import torch
    with torch.no_grad():
        outputs = [value for value in
                   torch.utils._pytree.tree_leaves(module(*inputs))
                   if isinstance(value, torch.Tensor)]
    return outputs + [attribute(module, spec.name) for spec in imported.results
                      if spec.kind == "buffer_update"]


def allowed_error(text):
    """What may differ in double precision: constants of the payload are rounded
    to its narrowest float, by half a unit each; a few may add up."""
    return next((4 * unit for dtype, unit in UNITS if has_type(text, dtype)),
                1e-5)


def has_type(text, dtype):
    return re.search(rf"(?:\b|x){dtype}\b", text)


def lost_digits(exact, expected, got, text):
    """What is wrong if got, the payload's result in its own precision, is much
    further from the exact one than PyTorch's; else ""."""
    if not exact.dtype.is_floating_point:
        return ""
    own, error = (relative_error(exact, value, least=1e-6)
                  for value in (expected, got))
    unit = next((unit for dtype, unit in UNITS if has_type(text, dtype)), 2**-24)
    # The program sums one by one, PyTorch in parts.
    if error <= 8 * own + 8 * unit + 2**-24 * longest_sum(text):
        return ""
    return (f"is off by {error:.2e} of its largest element, PyTorch's by "
            f"{own:.2e}: right in double precision, it loses digits")


def longest_sum(text):
    """A bound on the elements that one element of a result sums up."""
    longest = 0
    for line in text.splitlines():
        if re.search(r'"reduction"|egg\.scan|linalg\.(?!generic|fill|yield|index)',
                     line):
            for shape in re.findall(r"tensor<((?:\d+x)+)", line):
                longest = max(longest, math.prod(
                    int(size) for size in shape.split("x")[:-1]))
    return longest


def in_double(text):
    """The payload with f64 in place of every narrower float."""
    def bits(match):
        digits, dtype = match.groups()
        value, = decode(bytes.fromhex(digits), ">", dtype)
        return f"0x{struct.pack('>d', value).hex().upper()} : f64"

    def elements(match):
        digits, shape, dtype = match.groups()
        values = decode(bytes.fromhex(digits), "<", dtype)
        raw = struct.pack(f"<{len(values)}d", *values).hex().upper()
        return f'dense<"0x{raw}"> : tensor<{shape}f64>'

    text = re.sub(r"\b0x([0-9A-F]{8}|[0-9A-F]{4}) : (f32|bf16|f16)\b", bits,
                  text)
    text = re.sub(r'dense<"0x([0-9A-F]+)"> : tensor<([\dx]*)(f32|bf16|f16)>',
                  elements, text)
    text = re.sub(r"\b(?:f32|bf16|f16)\b", "f64",
                  re.sub(r"x(?:f32|bf16|f16)\b", "xf64", text))
    # What converted between two of them does nothing now.
    return re.sub(r"\barith\.(?:extf|truncf) (%[\w#]+) : f64 to f64\b",
                  r"arith.bitcast \1 : f64 to f64", text)


def decode(raw, order, dtype):
    """The numbers in raw bytes of that byte order."""
    if dtype == "bf16":
        # The upper half of an f32.
        halves = struct.unpack(f"{order}{len(raw) // 2}H", raw)
        raw = struct.pack(f"{order}{len(halves)}I",
                          *(half << 16 for half in halves))
    kind, size = ("e", 2) if dtype == "f16" else ("f", 4)
    return struct.unpack(f"{order}{len(raw) // size}{kind}", raw)


def doubled(value):
    import torch

    def widen(leaf):
        floating = isinstance(leaf, torch.Tensor) and leaf.is_floating_point()
        return leaf.double() if floating else copy.deepcopy(leaf)

    return torch.utils._pytree.tree_map(widen, value)


def doubled_module(module):
    import torch
    module = copy.deepcopy(module).double()
    for owner in module.modules():
        for name, value in list(vars(owner).items()):
            if isinstance(value, torch.Tensor):
                setattr(owner, name, doubled(value))
    return module


@contextlib.contextmanager
def everything_in_double():
    """Within it, PyTorch's operators that are told a narrower float, such as
    half(), take double."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    narrow = (torch.float16, torch.bfloat16, torch.float32)

    def widen(value):
        return torch.float64 if value in narrow else value

    class Widen(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            args, kwargs = torch.utils._pytree.tree_map_only(
                torch.dtype, widen, (args, kwargs or {}))
            return function(*args, **kwargs)

    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with Widen():
            yield
    finally:
        torch.set_default_dtype(default)


def attribute(module, name):
    """A buffer, or a tensor that is a plain attribute of the module."""
    return operator.attrgetter(name)(module)


def poisoned(tensor):
    import torch
    value = float("nan") if tensor.dtype.is_floating_point else 77
    return torch.full(tensor.shape, value).to(tensor.dtype)


def relative_error(wanted, got, least=1e-30):
    """Largest difference over the largest finite magnitude (or least, if that
    is more); inf where NaN or infinities disagree, or integers differ."""
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
    scale = wanted[finite].abs().max().clamp(min=least)
    return float(((wanted - got)[finite].abs().max() / scale).item())
