# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From PyTorch to a payload: import_module for modules, import_file for files.

The steps: build (model_file), export (exporting, with decompositions and
graph_passes), lower (torch_mlir_lowering), normalise (egg-opt's pass
egg-import-torch).
"""

import importlib.metadata
import re

from egg.egg_opt import run_egg_opt
from egg.errors import EggError
from egg.importer.graph_passes import UNSUPPORTED_HINT, unsupported
from egg.importer.quiet import quiet_torch
from egg.importer.values import ImportedModule, TensorSpec

__all__ = ["ImportedModule", "TensorSpec", "import_file", "import_module"]


def import_module(module, example_inputs, *, egg_opt=None):
    """Imports a torch.nn.Module in the mode (train or eval) it is in.

    example_inputs is a sequence of tensors; only their shapes and dtypes are
    read. Raises EggError where something is not supported, naming the line of
    the module's source.
    """
    raw = lower_module(module, example_inputs)
    return normalise(raw, egg_opt)


def import_file(path, *, module="Model", inputs="get_inputs", egg_opt=None,
                cache=None, verify=False):
    """Imports the module that a Python file names (see model_file).

    cache is a folder where imports are kept by the content of the file: what
    is there is used again, also on a machine without torch-mlir. With verify
    the payload is run on the CPU and compared with the module.
    """
    from egg.importer.cache import Cache
    store = Cache(cache, path, module, inputs) if cache else None
    raw = store.load() if store else None
    if raw is None:
        raw = lower_file(path, module, inputs)
        if store:
            store.save(raw)
    imported = normalise(raw, egg_opt)
    if verify:
        from egg.importer.check import check_file
        imported.checked = check_file(imported, path, module, inputs, egg_opt)
    return imported


def lower_file(path, module_name, inputs_name):
    from egg.importer.model_file import load_model
    with quiet_torch():
        model = load_model(path, module_name, inputs_name)
        raw = lower_module(model.module, model.inputs, model.fake_mode)
    raw.notes = model.notes + raw.notes
    return raw


def lower_module(module, inputs, fake_mode=None):
    """Everything but the normalisation: an ImportedModule whose text is
    torch-mlir's."""
    try:
        # Only whether they are there.
        import torch  # noqa: F401
        import torch_mlir  # noqa: F401
    except ImportError as error:
        raise EggError(
            f"importing needs the package '{error.name}'",
            hint="pip install 'egg[import]', or use a cache of imports made "
            "elsewhere (--cache)") from None
    from egg.importer.exporting import export_graph
    from egg.importer.torch_mlir_lowering import lower_to_linalg
    exported = export_graph(module, inputs, fake_mode)
    return ImportedModule(
        lower_to_linalg(exported), exported.arguments, exported.results,
        exported.output_tree, exported.notes,
        versions={package: importlib.metadata.version(package)
                  for package in ("torch", "torch-mlir")},
        operators=exported.operators)


def normalise(raw, egg_opt=None):
    """Runs egg-import-torch on the text."""
    try:
        raw.text = run_egg_opt(["--egg-import-torch"], raw.text, path=egg_opt)
    except EggError as error:
        # The diagnostics are located in the module's source.
        located = re.search(r"^(.+):(\d+):\d+: error: (.*)", str(error), re.M)
        if not located:
            raise
        where, message = f"{located[1]}:{located[2]}", located[3]
        if left := re.match(r"'([\w.]+)' is not supported in a payload",
                            message):
            raise unsupported(left[1], where, raw.operators) from None
        names = ", ".join(raw.operators.get(where, []))
        raise EggError(message + (f" (at {names})" if names else ""),
                       where=where, hint=UNSUPPORTED_HINT) from None
    return raw
