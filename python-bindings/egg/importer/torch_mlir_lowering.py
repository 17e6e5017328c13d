# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An exported graph through torch-mlir to linalg on tensors, as text.

torch-mlir has its own LLVM, so the two exchange text. Its scan op, unknown to
upstream MLIR, becomes egg.scan on the way.
"""

import re

from egg.errors import EggError
from egg.importer.graph_passes import UNSUPPORTED_HINT, unsupported


def lower_to_linalg(exported):
    """Returns the module's text with locations; @main's arguments and results
    carry egg.kind and egg.name."""
    import torch
    from egg.importer.cell_functions import node_importer_class
    from torch_mlir import fx, ir
    from torch_mlir.compiler_utils import OutputType, TorchMlirCompilerError
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras.fx_importer import FxImporter

    context = ir.Context()
    context.allow_unregistered_dialects = True
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context,
                          graph_node_importer_cls=node_importer_class())
    errors = []

    def collect(diagnostic):
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            errors.append((str(diagnostic.message), str(diagnostic.location)))
        return True

    handler = context.attach_diagnostic_handler(collect)
    try:
        importer.import_stateless_graph(exported.graph_module.graph,
                                        func_name="main")
        fx._module_lowering(False, False, OutputType.LINALG_ON_TENSORS,
                            importer.module)
    except TorchMlirCompilerError as error:
        # The last pass only checks; it does not know that calls are fine here
        # (cell_functions). What else it would find, egg-import-torch finds.
        if not (errors and "legalize operation 'func.call'" in errors[0][0]):
            raise explain(errors, str(error), exported.operators,
                          first_unknown(ir, importer.module)) from None
    except NotImplementedError as error:
        raise EggError(f"torch-mlir cannot import the graph: {error}") from None
    finally:
        handler.detach()
    with context:
        module = importer.module
        functions = [op for op in module.body.operations
                     if op.operation.name == "func.func"]
        main = next(f for f in functions if f.name.value == "main")
        main.attributes["arg_attrs"] = signature_attributes(
            ir, exported.arguments)
        main.attributes["res_attrs"] = signature_attributes(
            ir, exported.results)
        rewrite_scans(ir, main, exported.operators)
        return module.operation.get_asm(enable_debug_info=True)


def signature_attributes(ir, specs):
    return ir.ArrayAttr.get([
        ir.DictAttr.get({"egg.kind": ir.StringAttr.get(spec.kind),
                         "egg.name": ir.StringAttr.get(spec.name)})
        for spec in specs])


def first_unknown(ir, module):
    """Name and location of the first operator that torch-mlir does not know,
    or None."""
    found = []

    def visit(operation):
        if operation.name != "torch.operator":
            return ir.WalkResult.ADVANCE
        found.append((ir.StringAttr(operation.attributes["name"]).value,
                      str(operation.location)))
        return ir.WalkResult.INTERRUPT

    module.operation.walk(visit)
    return found[0] if found else None


def explain(errors, fallback, operators, unknown=None):
    """One message from torch-mlir's diagnostics: the op and its line."""
    for message, location in errors:
        match = re.search(r"failed to legalize operation '([^']+)'", message)
        if match is None:
            continue
        name = match[1]
        if inner := re.search(r'torch\.operator"?\(?.*?name = "([^"]+)"', message):
            name = inner[1]
        elif unknown and name.startswith("torch.constant."):
            # Left only because that operator takes it.
            name, location = unknown
        return unsupported(name, source_line(location), operators)
    message, location = errors[0] if errors else (fallback[:300], "")
    where = source_line(location)
    names = ", ".join(operators.get(where, []))
    return EggError("torch-mlir refuses the module"
                    + (f" (at {names})" if names else "") + f": {message}",
                    where=where, hint=UNSUPPORTED_HINT)


def source_line(location):
    """The "file:line" in a printed location, or None."""
    match = re.search(r'"([^"]+)":(\d+)', str(location))
    return f"{match[1]}:{match[2]}" if match else None


# The op that combines two elements in the body of a scan, by kind.
SCAN_KINDS = {"arith.addf": "add", "arith.addi": "add", "arith.mulf": "mul",
              "arith.muli": "mul", "arith.maximumf": "max",
              "arith.minimumf": "min", "arith.maxsi": "max",
              "arith.minsi": "min"}


def rewrite_scans(ir, function, operators):
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
            raise unsupported(operation.name, source_line(operation.location),
                              operators)
        body = [op.operation for op in operation.regions[0].blocks[0]]
        kind = SCAN_KINDS.get(body[0].name)
        if kind is None or len(body) != 2:
            raise EggError("a scan with an unknown combination of elements",
                           where=source_line(operation.location))
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
                           where=source_line(operation.location))
        operation.erase()
