# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clean-ups of an exported graph that torch-mlir and the payload need."""

import re

from egg.errors import EggError

UNSUPPORTED_HINT = ("write it with other operators, or compute it outside the "
                    "module and pass it as an input")


def remove_inactive_dropout(graph_module):
    """Dropout with p = 0 or in eval mode is its input."""
    import torch
    aten = torch.ops.aten
    dropouts = {aten.dropout.default, aten.feature_dropout.default,
                aten.alpha_dropout.default, aten.feature_alpha_dropout.default,
                aten.dropout_.default}
    for node in list(graph_module.graph.nodes):
        if node.op == "call_function" and node.target in dropouts:
            source, probability, train = node.args
            if probability == 0 or not train:
                node.replace_all_uses_with(source)
                graph_module.graph.erase_node(node)
    graph_module.recompile()


def remove_assertions(graph_module):
    """Assertions about shapes and dtypes hold: both are static."""
    graph = graph_module.graph
    for node in list(graph.nodes):
        if (node.op == "call_function" and not node.users
                and "assert" in str(node.target)):
            graph.erase_node(node)
    graph_module.recompile()


def refuse_random_ops(graph_module):
    """Raises EggError for the first op that draws random numbers."""
    import torch
    for node in graph_module.graph.nodes:
        target = node.target
        if (isinstance(target, torch._ops.OpOverload)
                and torch.Tag.nondeterministic_seeded in target.tags):
            raise EggError(
                f"'{target}' draws random numbers, which is not supported",
                where=source_line(node),
                hint="call eval() on the module, or set p = 0, if this is "
                "dropout; else pass the numbers as an input")


def refuse_dynamic_shapes(graph_module):
    """Raises EggError for the first tensor whose shape depends on values."""
    for node in graph_module.graph.nodes:
        shape = getattr(node.meta.get("val"), "shape", ())
        if not all(isinstance(size, int) for size in shape):
            # One of several results is taken by an operator of Python's.
            made = node if hasattr(node.target, "_schema") else node.args[0]
            raise data_dependent(source_line(node), made.target)


def keep_comparisons_with_itself(graph_module):
    """torch-mlir takes `x == x` for true, which it is not where x is NaN."""
    import torch
    aten = torch.ops.aten
    same = {aten.clone.default, aten.alias.default, aten.detach.default}
    graph = graph_module.graph

    def strip(node):
        while isinstance(node, torch.fx.Node) and node.target in same:
            node = node.args[0]
        return node

    for node in list(graph.nodes):
        if node.target != aten.eq.Tensor or strip(node.args[0]) is not strip(
                node.args[1]):
            continue
        with graph.inserting_before(node):
            differs = graph.call_function(aten.ne.Tensor, node.args)
            equal = graph.call_function(aten.logical_not.default, (differs,))
        for new in (differs, equal):
            new.meta = dict(node.meta)
        node.replace_all_uses_with(equal)
        graph.erase_node(node)
    graph_module.recompile()


def drop_empty_computations(graph_module):
    """What has no elements is torch.empty, whatever computes it: torch-mlir
    divides by such extents, and loses others."""
    import torch
    empty = torch.ops.aten.empty.memory_format
    graph = graph_module.graph
    for node in list(graph.nodes):
        value = node.meta.get("val")
        if (node.op == "call_function" and isinstance(value, torch.Tensor)
                and value.numel() == 0 and node.target != empty):
            with graph.inserting_before(node):
                new = graph.call_function(
                    empty, ([int(size) for size in value.shape],),
                    {"dtype": value.dtype, "device": torch.device("cpu"),
                     "pin_memory": False})
            new.meta = dict(node.meta)
            node.replace_all_uses_with(new)
    graph.eliminate_dead_code()
    graph_module.recompile()


def data_dependent(where, operator=None):
    by = f" (by '{operator_name(operator)}')" if operator else ""
    return EggError(
        f"shapes or control flow depend on the values of tensors{by}, which "
        "cannot be compiled ahead", where=where,
        hint="make the shape a constant of the module, or mask instead of "
        "selecting")


def point_to_user_code(graph_module):
    """Leaves in each node's stack trace only the frame in the user's code, so
    that locations in the IR name the user's line and not torch's."""
    for node in graph_module.graph.nodes:
        if frame := users_frame(node):
            node.meta["stack_trace"] = 'File "%s", line %s, in forward' % frame


def users_frame(node):
    """The innermost (file, line) of a node outside torch, or None."""
    import torch
    library = torch.__path__[0]
    frames = re.findall(r'File "([^"]+)", line (\d+)',
                        node.meta.get("stack_trace") or "")
    frames = [frame for frame in frames
              if not frame[0].startswith(library)] or frames
    return frames[-1] if frames else None


def operators_by_line(graph_module):
    """The operators that each line of the user's code calls, in order. Taken
    before decompositions, their names are close to those the user wrote."""
    lines = {}
    for node in graph_module.graph.nodes:
        if node.op == "call_function" and hasattr(node.target, "_schema") \
                and "assert" not in str(node.target):
            if frame := users_frame(node):
                names = lines.setdefault("%s:%s" % frame, [])
                if (name := operator_name(node.target)) not in names:
                    names.append(name)
    return lines


def operator_name(target):
    """"aten.sort" of an operator or any of its overloads."""
    schema = getattr(target, "_schema", None)
    return schema.name.replace("::", ".") if schema else str(target)


def unsupported(left, where, operators):
    """The message about an operation that the import should have lowered, in
    terms of what the user called on that line."""
    names = (operators or {}).get(where, [])
    if not names or left.removeprefix("torch.") in names:
        return EggError(f"'{left.removeprefix('torch.')}' is not supported by "
                        "the import", where=where, hint=UNSUPPORTED_HINT)
    names = " or ".join(f"'{name}'" for name in names[:5])
    return EggError(f"{names} is not supported by the import: '{left}' is left "
                    "of it", where=where, hint=UNSUPPORTED_HINT)


def source_line(node):
    """The "file:line" of a node, or None."""
    frames = re.findall(r'File "([^"]+)", line (\d+)',
                        node.meta.get("stack_trace") or "")
    return "%s:%s" % frames[-1] if frames else None
