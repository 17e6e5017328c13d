# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An exported graph through torch-mlir to linalg on tensors, as text.

torch-mlir has its own LLVM, so the two exchange text. Its scan op, unknown to
upstream MLIR, becomes egg.scan on the way.
"""

import re

from egg.errors import EggError


def lower_to_linalg(exported):
    """Returns the module's text with locations; @main's arguments and results
    carry egg.kind and egg.name."""
    import torch
    from torch_mlir import fx, ir
    from torch_mlir.compiler_utils import OutputType, TorchMlirCompilerError
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras.fx_importer import FxImporter

    context = ir.Context()
    context.allow_unregistered_dialects = True
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    try:
        importer.import_stateless_graph(exported.graph_module.graph,
                                        func_name="main")
        module = fx._module_lowering(
            False, False, OutputType.LINALG_ON_TENSORS, importer.module)
    except TorchMlirCompilerError as error:
        raise explain(str(error)) from None
    except NotImplementedError as error:
        raise EggError(f"torch-mlir cannot import the graph: {error}") from None
    with context:
        functions = [op for op in module.body.operations
                     if op.operation.name == "func.func"]
        main = next(f for f in functions if f.name.value == "main")
        main.attributes["arg_attrs"] = signature_attributes(
            ir, exported.arguments)
        main.attributes["res_attrs"] = signature_attributes(
            ir, exported.results)
        rewrite_scans(ir, main)
        return module.operation.get_asm(enable_debug_info=True)


def signature_attributes(ir, specs):
    return ir.ArrayAttr.get([
        ir.DictAttr.get({"egg.kind": ir.StringAttr.get(spec.kind),
                         "egg.name": ir.StringAttr.get(spec.name)})
        for spec in specs])


def explain(text):
    """One message from torch-mlir's diagnostics: the op and its line."""
    match = re.search(
        r"failed to legalize operation '([^']+)'|"
        r"unsupported.* op[^']*'([^']+)'", text)
    where = re.search(r'(?:error: )?"?([^"\s(]+\.py)"?:(\d+)', text)
    location = f"{where[1]}:{where[2]}" if where else None
    if match:
        name = match[1] or match[2]
        if name == "torch.operator":
            if inner := re.search(r'torch\.operator "([^"]+)"', text):
                name = inner[1]
        return EggError(f"'{name}' is not supported by the import",
                        where=location)
    errors = re.findall(r"error: (.*)", text)
    return EggError("torch-mlir refuses the module: "
                    + (errors[0] if errors else text.strip()[:300]),
                    where=location)


# The op that combines two elements in the body of a scan, by kind.
SCAN_KINDS = {"arith.addf": "add", "arith.addi": "add", "arith.mulf": "mul",
              "arith.muli": "mul", "arith.maximumf": "max",
              "arith.minimumf": "min", "arith.maxsi": "max",
              "arith.minsi": "min"}


def rewrite_scans(ir, function):
    """Replaces tm_tensor.scan by egg.scan; names other ops of that dialect."""
    found = []

    def visit(operation):
        if operation.name.startswith("tm_tensor.") and (
                operation.name != "tm_tensor.yield"):
            found.append(operation)
        return ir.WalkResult.ADVANCE

    function.operation.walk(visit)
    for operation in found:
        if operation.name != "tm_tensor.scan":
            raise EggError(
                f"'{operation.name}' (scattered writes) is not supported by "
                "the import", where=location_of(operation))
        body = [op.operation for op in operation.regions[0].blocks[0]]
        kind = SCAN_KINDS.get(body[0].name)
        if kind is None or len(body) != 2:
            raise EggError("a scan with an unknown combination of elements",
                           where=location_of(operation))
        attributes = {"kind": ir.Attribute.parse(f"#egg.scan_kind<{kind}>"),
                      "dim": operation.attributes["dimension"]}
        if not ir.BoolAttr(operation.attributes["inclusive"]).value:
            attributes["exclusive"] = ir.UnitAttr.get()
        scan = ir.Operation.create(
            "egg.scan", results=[operation.results[0].type],
            operands=[operation.operands[0]], attributes=attributes,
            loc=operation.location, ip=ir.InsertionPoint(operation))
        operation.results[0].replace_all_uses_with(scan.results[0])
        if list(operation.results[1].uses):
            raise EggError("the final value of a scan is used on its own",
                           where=location_of(operation))
        operation.erase()


def location_of(operation):
    match = re.search(r'"([^"]+)":(\d+)', str(operation.location))
    return f"{match[1]}:{match[2]}" if match else None
