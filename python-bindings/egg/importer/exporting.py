# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.export of a module to one flat graph of core operators.

The graph's placeholders are parameters, buffers, inputs; its results are the
outputs, then the updated buffers. Only shapes and dtypes are read: no value of
any tensor is needed, save constants that the module itself creates.
"""

import contextlib
import dataclasses
import inspect
import re
import warnings

from egg.errors import EggError
from egg.importer import decompositions, graph_passes
from egg.importer.graph_passes import source_line
from egg.importer.model_file import describe, is_ctrl_c, users_line
from egg.importer.values import TensorSpec


@dataclasses.dataclass
class ExportedGraph:
    """A functional torch.fx graph and the meaning of its signature."""

    graph_module: object
    arguments: list
    results: list
    output_tree: str
    notes: list
    operators: dict


def export_graph(module, inputs, fake_mode=None):
    """Exports module(*inputs) in the mode (train or eval) the module is in."""
    import torch
    from egg.importer import recurrent

    # Recording gradients is not wanted, and constructing a module under
    # inference mode would change what is exported.
    try:
        with (fake_mode or contextlib.nullcontext(), torch.no_grad(),
              tensors_as_buffers(module), recurrent.layers_as_operators(),
              warnings.catch_warnings(record=True) as warned):
            warnings.simplefilter("always", UserWarning)
            program = torch.export.export(module, tuple(inputs), strict=False)
            operators = graph_passes.operators_by_line(program.graph_module)
            graph_passes.remove_inactive_dropout(program.graph_module)
            program = program.run_decompositions(decompositions.table())
    except BaseException as error:  # forward() is the user's.
        if is_ctrl_c(error):
            raise
        raise explain(error) from error
    refuse_lost_assignments(warned)
    graph_passes.remove_assertions(program.graph_module)
    graph_passes.point_to_user_code(program.graph_module)
    graph_passes.refuse_random_ops(program.graph_module)
    graph_passes.refuse_dynamic_shapes(program.graph_module)
    refuse_side_effects(program.graph_module, operators)
    graph_passes.keep_comparisons_with_itself(program.graph_module)
    graph_passes.drop_empty_computations(program.graph_module)
    return flatten_signature(program, input_names(module, inputs), operators)


def refuse_side_effects(graph_module, operators):
    """Operators that can fail depending on values, such as the inverse of a
    matrix, take part in the graph as effects."""
    for node in graph_module.graph.nodes:
        if "with_effects" in str(node.target):
            raise graph_passes.unsupported(
                graph_passes.operator_name(node.args[1]), source_line(node),
                operators)


@contextlib.contextmanager
def tensors_as_buffers(module):
    """Within it, tensors that are plain attributes of the module are buffers:
    arguments of the payload instead of constants in it."""
    import torch
    promoted = []
    for owner in module.modules():
        for name, value in list(vars(owner).items()):
            if isinstance(value, torch.Tensor):
                del owner.__dict__[name]
                owner.register_buffer(name, value, persistent=False)
                promoted.append((owner, name, value))
    try:
        yield
    finally:
        for owner, name, value in promoted:
            del owner._buffers[name]
            owner._non_persistent_buffers_set.discard(name)
            owner.__dict__[name] = value


def refuse_lost_assignments(warned):
    """Tensors assigned where export cannot see them would keep their old
    values; PyTorch only warns."""
    for warning in warned:
        match = re.search(r"attributes? (.*) (?:was|were) assigned during export",
                          str(warning.message))
        # Recurrent layers list their own parameters anew; nothing changes.
        lost = [name for name in (match[1].split(", ") if match else [])
                if "._flat_weights[" not in name]
        if lost:
            raise EggError(f"the module assigns to {', '.join(lost)} in a way "
                           "that export cannot follow",
                           hint="keep the state in a buffer (register_buffer)")


def input_names(module, inputs):
    """The names of the inputs' leaves, after forward's parameters; None where
    those do not tell."""
    import torch
    try:
        parameters = inspect.signature(module.forward).parameters.values()
    except (TypeError, ValueError):
        return None
    parameters = [parameter.name for parameter in parameters
                  if parameter.kind == parameter.POSITIONAL_OR_KEYWORD]
    if len(parameters) < len(inputs):
        return None
    names = []
    for name, value in zip(parameters, inputs):
        leaves = torch.utils._pytree.tree_leaves(value)
        if len(leaves) == 1 and leaves[0] is value:
            names.append(name)
        else:
            names += [f"{name}.{number}" for number in range(len(leaves))]
    return names


def explain(error):
    """Turns what torch.export raises into one message."""
    text = str(error)
    where = None
    if frame := re.findall(r'File "([^"]+)", line (\d+), in forward', text):
        where = "%s:%s" % frame[-1]
    # torch wraps what went wrong in exceptions of its own.
    chain = [error]
    while (inner := chain[-1].__cause__ or chain[-1].__context__) and (
            inner not in chain):
        chain.append(inner)
    where = where or next(filter(None, map(users_line, chain)), None)
    operator = next((e.func for e in chain if hasattr(e, "func")), None)
    if ("data-dependent" in text.lower()
            or "DataDependent" in type(error).__name__
            or "DynamicOutputShape" in type(error).__name__):
        return graph_passes.data_dependent(where, operator)
    if not isinstance(error, Exception):
        return EggError(f"the module ends the process: {describe(error)}",
                        where=where, hint="forward() must return or raise an "
                        "ordinary exception")
    return EggError(f"torch.export refuses the module: {describe(error)}",
                    where=where, hint="call the module in PyTorch with the "
                    "same inputs to see whether it runs")


def flatten_signature(program, input_names, operators):
    """Reads names and kinds of the arguments and results of the graph, turns
    constants of the module into literals, and puts outputs first."""
    import torch
    from torch.export.graph_signature import InputKind, OutputKind
    signature = program.graph_signature
    graph_module, graph = program.graph_module, program.graph_module.graph
    notes = []
    placeholders = [n for n in graph.nodes if n.op == "placeholder"]
    kinds = {InputKind.PARAMETER: "parameter", InputKind.BUFFER: "buffer",
             InputKind.USER_INPUT: "input"}
    arguments = []
    input_specs = [spec for spec in signature.input_specs
                   if spec.kind == InputKind.USER_INPUT]
    if input_names is None or len(input_names) != len(input_specs):
        input_names = [spec.arg.name for spec in input_specs]
    input_names = iter(input_names)
    for node, spec in zip(placeholders, signature.input_specs):
        name = (next(input_names) if spec.kind == InputKind.USER_INPUT
                else spec.target)
        if spec.kind in kinds and isinstance(node.meta["val"], torch.Tensor):
            arguments.append(tensor_spec(name, kinds[spec.kind], node))
        elif spec.kind == InputKind.CONSTANT_TENSOR:
            make_literal(graph_module, node, program.constants[spec.target])
        elif not node.users:
            graph.erase_node(node)
            notes.append(f"input '{name}' is not a tensor: its value is fixed")
        else:
            raise EggError(f"argument '{name}' is not a tensor")
    order = ["parameter", "buffer", "input"]
    assert [order.index(a.kind) for a in arguments] == sorted(
        order.index(a.kind) for a in arguments), "export orders arguments"

    output = next(n for n in graph.nodes if n.op == "output")
    outputs, updates = [], []
    for node, spec in zip(output.args[0], signature.output_specs):
        if spec.kind == OutputKind.USER_OUTPUT:
            if not isinstance(node, torch.fx.Node):
                notes.append(f"an output is the constant {node!r}: left out")
                continue
            outputs.append((node, tensor_spec(f"output_{len(outputs)}",
                                              "output", node)))
        elif spec.kind == OutputKind.BUFFER_MUTATION:
            updates.append((node, tensor_spec(spec.target, "buffer_update",
                                              node)))
        else:
            raise EggError(
                f"the module writes to its input '{spec.target}'",
                where=source_line(node),
                hint="compute a new tensor instead of updating in place")
    if not outputs:
        raise EggError("the module returns no tensor")
    output.args = (tuple(node for node, _ in outputs + updates),)
    output.meta.pop("val", None)
    graph.eliminate_dead_code()
    graph.lint()
    graph_module.recompile()
    return ExportedGraph(
        graph_module, arguments, [spec for _, spec in outputs + updates],
        dump_tree(program.call_spec.out_spec), notes, operators)


def dump_tree(spec):
    import torch
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return torch.utils._pytree.treespec_dumps(spec)
        except NotImplementedError:
            # A type of output that PyTorch itself cannot name.
            return ""


def make_literal(graph_module, node, tensor):
    """Replaces a constant's placeholder by its value in the graph."""
    from torch._subclasses.fake_tensor import FakeTensor
    if isinstance(tensor, FakeTensor):
        # A fake tensor remembers the value of a small constant.
        tensor = tensor.constant
    if tensor is None:
        raise EggError(f"the value of the constant '{node.name}' is unknown",
                       where=source_line(node))
    name = f"_egg_constant_{node.name}"
    graph_module.register_buffer(name, tensor)
    with graph_module.graph.inserting_before(node):
        literal = graph_module.graph.get_attr(name)
    literal.meta = dict(node.meta)
    node.replace_all_uses_with(literal)
    graph_module.graph.erase_node(node)


def tensor_spec(name, kind, node):
    value = node.meta["val"]
    return TensorSpec(name, kind, tuple(int(size) for size in value.shape),
                      mlir_dtype(value.dtype, name, source_line(node)))


def mlir_dtype(dtype, name, where=None):
    import torch
    names = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16",
             torch.bfloat16: "bf16", torch.int64: "i64", torch.int32: "i32",
             torch.int16: "i16", torch.int8: "i8", torch.bool: "i1"}
    if dtype not in names:
        raise EggError(f"'{name}' has the unsupported dtype {dtype}",
                       where=where, hint="use one of " + ", ".join(
                           str(known) for known in names))
    return names[dtype]
