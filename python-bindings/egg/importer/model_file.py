# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a Python file that names a module and its inputs.

KernelBench's convention is the default: a class `Model`, `get_init_inputs()`
and `get_inputs()`. Module and inputs are built from fake tensors, so that no
weight and no input is ever allocated; only where the file computes with values
(for instance `.item()` in a constructor) real tensors are used.
"""

import contextlib
import dataclasses
import errno
import importlib.machinery
import importlib.util
import inspect
import os
import pathlib
import resource
import signal
import sys
import traceback

from egg.errors import EggError
from egg.files import check_module_file
from egg.words import a, count

# What may stand beside tensors in the inputs: export fixes their values.
PLAIN_VALUES = (int, float, bool, str, type(None))


@dataclasses.dataclass
class LoadedModel:
    """module and inputs; fake_mode is None where their tensors are real."""

    module: object
    inputs: tuple
    fake_mode: object
    notes: list


@contextlib.contextmanager
def users_code(what, path):
    """Turns whatever the user's code raises within into one message with the
    line it comes from, sys.exit() included. EggErrors pass."""
    try:
        yield
    except EggError:
        raise
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        hint = "correct the file so that it runs in PyTorch by itself"
        if isinstance(error, ModuleNotFoundError) and error.name:
            package = error.name.partition(".")[0]
            hint = (f"install it for the Python that runs egg (pip install "
                    f"{package}), or name its folder in PYTHONPATH")
        elif isinstance(error, SyntaxError):
            hint = "correct that line"
        elif getattr(error, "errno", None) == errno.EFBIG:
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0] >> 20
            hint = (f"write less: a file that a module writes while it is "
                    f"imported may have {limit} MiB")
        elif not isinstance(error, Exception):
            hint = ("a module file must not end the process: put what is for "
                    "running it as a program under "
                    "'if __name__ == \"__main__\":'")
        raise EggError(f"{what}: {describe(error)}",
                       where=users_line(error, path) or str(path),
                       hint=hint) from error


def is_ctrl_c(error):
    """Whether the user of the command, not the module, interrupted it. Workers
    ignore the signal, so there it is the module's."""
    return isinstance(error, KeyboardInterrupt) and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler)


def users_line(error, path=None):
    """The "file:line" where an exception left the user's code: in the file at
    path, or else in any file that is neither Python's, torch's nor ours."""
    import torch
    absolute = path and str(pathlib.Path(path).absolute())
    frames = [(frame.filename, frame.lineno)
              for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
    library = (os.path.dirname(torch.__path__[0]), os.path.dirname(os.__file__),
               str(pathlib.Path(__file__).resolve().parents[1]), "<")
    if found := [line for name, line in frames if name == absolute]:
        return f"{path}:{found[-1]}"
    found = [frame for frame in frames if not frame[0].startswith(library)]
    return "%s:%s" % found[-1] if found else None


def load_python_file(path):
    """Executes a Python file as a fresh module; EggError if it fails."""
    path = pathlib.Path(path)
    check_module_file(path)
    name = f"egg_model_{path.stem}"
    # Named outright: the suffix need not be .py.
    loader = importlib.machinery.SourceFileLoader(name, str(path.absolute()))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # What stands beside it is found, but never in place of what others import.
    if (folder := str(path.absolute().parent)) not in sys.path:
        sys.path.append(folder)
    with users_code("the file does not run", path):
        spec.loader.exec_module(module)
    return module


def check_names(file, path, *names):
    for name in names:
        if not hasattr(file, name):
            raise EggError(
                f"the file does not define '{name}'", where=str(path),
                hint="define it, or name another with --module and --inputs")


def build_module(file, path, name, before_construction=lambda: None):
    """The module that a file names: an instance, or a class that is called
    with get_init_inputs(), if the file has it."""
    import torch
    module = getattr(file, name)
    if isinstance(module, torch.nn.Module):
        return module
    if not callable(module):
        raise EggError(f"'{name}' is {a(module)}, not a torch.nn.Module",
                       where=str(path),
                       hint="name a class or an instance of one with --module")
    arguments = getattr(file, "get_init_inputs", list)
    if callable(arguments):
        with users_code("get_init_inputs() fails", path):
            arguments = arguments()
    if not isinstance(arguments, (list, tuple, dict)):
        raise EggError(
            f"get_init_inputs() gives {a(arguments)}, not a list",
            where=str(path), hint=f"return a list of the arguments of {name}, "
            "or a dictionary of them by name; an empty one for none")
    check_constructor(module, arguments, hasattr(file, "get_init_inputs"), name,
                      path)
    before_construction()
    with users_code("cannot build the module", path):
        # Some files return keyword arguments as a dictionary.
        module = (module(**arguments) if isinstance(arguments, dict)
                  else module(*arguments))
    if not isinstance(module, torch.nn.Module):
        raise EggError(f"'{name}' builds {a(module)}, not a torch.nn.Module",
                       where=str(path),
                       hint="derive the class from torch.nn.Module")
    return module


def check_constructor(constructor, arguments, given, name, path):
    """Says it of the file, not of a call in ours, where the arguments do not
    fit; what has no signature is called to see."""
    problem = misfit(constructor, arguments)
    if problem is None:
        return
    where = line_of(getattr(constructor, "__init__", constructor), path)
    if not given:
        raise EggError(
            f"the constructor of {name} needs arguments ({problem}), and the "
            "file does not define 'get_init_inputs'", where=where,
            hint="define get_init_inputs(), which returns a list of them")
    raise EggError(f"what get_init_inputs() gives does not fit the constructor "
                   f"of {name}: {problem}", where=where,
                   hint="return as many as the constructor takes")


def check_forward(module, inputs, file, name, path):
    """Refuses inputs that are too many or too few for forward()."""
    if problem := misfit(module.forward, inputs):
        source = getattr(file, name)
        title = f"{name}()" if callable(source) else name
        raise EggError(
            f"{title} gives {count(len(inputs), 'input')}, which does not fit "
            f"forward(): {problem}", where=line_of(source, path),
            hint="give as many inputs as forward() takes")


def misfit(function, arguments):
    """Why a function does not take the arguments; None where it does or does
    not say."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        if isinstance(arguments, dict):
            signature.bind(**arguments)
        else:
            signature.bind(*arguments)
    except TypeError as error:
        return str(error)
    return None


def line_of(function, path):
    """"file:line" of a function of the file, or the file."""
    code = getattr(function, "__code__", None)
    if code and code.co_filename == str(pathlib.Path(path).absolute()):
        return f"{path}:{code.co_firstlineno}"
    return str(path)


def build_inputs(file, path, name):
    """The example inputs that a file names, as a tuple: tensors, nested or
    not, and plain values."""
    import torch
    inputs, title = getattr(file, name), name
    if callable(inputs):
        title = f"{name}()"
        with users_code(f"{title} fails", path):
            inputs = inputs()
    if not isinstance(inputs, (list, tuple)):
        raise EggError(f"{title} gives {a(inputs)}, not a list",
                       where=str(path), hint="return a list with the arguments of forward()")
    leaves = torch.utils._pytree.tree_leaves(list(inputs))
    for leaf in leaves:
        if not isinstance(leaf, (torch.Tensor, *PLAIN_VALUES)):
            raise EggError(f"{title} holds {a(leaf)}, which is no input",
                           where=str(path), hint="give tensors, for instance "
                           "by torch.as_tensor(), or plain numbers")
    if leaves and not any(isinstance(leaf, torch.Tensor) for leaf in leaves):
        raise EggError(f"{title} holds no tensor, only {a(leaves[0])}",
                       where=str(path), hint="give at least one tensor: other "
                       "values are fixed when the module is compiled")
    return tuple(inputs)


def load_model(path, module_name="Model", inputs_name="get_inputs",
               real=False):
    """Builds the module and example inputs that a file names.

    module_name names a class (called with get_init_inputs(), if the file has
    it) or an instance; inputs_name a function or a sequence. With real=True
    tensors hold values.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    file = load_python_file(path)
    check_names(file, path, module_name, inputs_name)

    def build():
        module = build_module(file, path, module_name)
        inputs = build_inputs(file, path, inputs_name)
        check_forward(module, inputs, file, inputs_name, path)
        return module, inputs

    notes = []
    if not real:
        fake_mode = FakeTensorMode()
        try:
            with fake_mode:
                module, inputs = build()
            if all_fake(module, inputs):
                return LoadedModel(module, inputs, fake_mode, [])
            reason = "it holds real tensors"
        except EggError as error:
            # Real tensors decide what is the user's own failure.
            if not isinstance(error.__cause__, Exception):
                raise
            reason = describe(error.__cause__)
        notes = [f"built with real tensors, because without values: {reason}"]
    torch.manual_seed(0)
    module, inputs = build()
    return LoadedModel(module, inputs, None, notes)


def all_fake(module, inputs):
    import torch
    from torch._subclasses.fake_tensor import FakeTensor
    tensors = list(module.parameters()) + list(module.buffers()) + [
        value for value in torch.utils._pytree.tree_leaves(inputs)
        if isinstance(value, torch.Tensor)]
    return all(isinstance(getattr(tensor, "data", tensor), FakeTensor)
               or isinstance(tensor, FakeTensor) for tensor in tensors)


def describe(error):
    """One line about an exception."""
    if isinstance(error, SyntaxError):
        # Its text repeats the place.
        return f"{type(error).__name__}: {error.msg}"
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"
