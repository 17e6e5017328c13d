# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unrolls recurrent layers while they become IR: a call of the cell's function
for each time step."""

from egg.importer import decompositions
from egg.importer.recurrent import LAYERS, is_layer


def node_importer_class():
    """torch-mlir's importer of graph nodes, but for our layers: a fresh class
    for each module imported."""
    from torch_mlir import ir
    from torch_mlir.dialects import func
    from torch_mlir.extras.fx_importer import GraphNodeImporter
    functions = {}

    class LayerImporter(GraphNodeImporter):

        def _import_torch_op_overload(self, loc, node, concrete_target=None):
            if not is_layer(node.target):
                return super()._import_torch_op_overload(
                    loc, node, concrete_target)
            self._multi_result_nodes.add(node)
            for number, value in enumerate(self.unroll(loc, node)):
                self.bind_node_value(node, value, number)

        def unroll(self, loc, node):
            """Returns the stacked outputs and the final states."""
            states = LAYERS[node.target._opname][1]
            gates, *rest, reverse = node.args
            state = [self._import_argument(loc, a) for a in rest[:states]]
            weights = [self._import_argument(loc, a) for a in rest[states:]
                       if a is not None]
            all_gates = self._import_argument(loc, gates)
            zero = self._import_argument(loc, 0)
            steps, *gate_shape = gates.meta["val"].shape
            gate_type = self._cc.create_vtensor_type(
                gates.meta["val"].dtype, gate_shape)
            name = self.cell_function(node)
            callee = ir.FlatSymbolRefAttr.get(name, self._c)
            outputs = [None] * steps
            for step in range(steps)[::-1 if reverse else 1]:
                own = ir.Operation.create(
                    "torch.aten.select.int", results=[gate_type], operands=[
                        all_gates, zero, self._import_argument(loc, step)],
                    loc=loc).result
                call = func.CallOp([value.type for value in state], callee,
                                   [own, *state, *weights], loc=loc)
                state = list(call.operation.results)
                outputs[step] = state[0]
            element = str(state[0].type).removeprefix("!torch.")
            listed = ir.Operation.create(
                "torch.prim.ListConstruct", operands=outputs, loc=loc,
                results=[ir.Type.parse(f"!torch.list<{element}>", self._c)])
            stacked = ir.Operation.create(
                "torch.aten.stack", operands=[listed.result, zero], loc=loc,
                results=[self._cc.tensor_to_vtensor_type(
                    node.meta["val"][0])])
            return [stacked.result, *state]

        def cell_function(self, node):
            """The function for the layer's operator and shapes; imports it
            the first time."""
            from torch.fx.experimental.proxy_tensor import make_fx
            operator = node.target._opname
            given = [None if a is None else a.meta["val"]
                     for a in node.args[:-1]]
            key = (operator, *(None if v is None else (v.shape, v.dtype)
                               for v in given))
            if key not in functions:
                name = functions[key] = f"{operator}_cell_{len(functions)}"
                with given[0].fake_mode:
                    cell = make_fx(
                        lambda *values: LAYERS[operator][0](*values),
                        decomposition_table=decompositions.table())(
                            given[0][0], *given[1:])
                for placeholder in cell.graph.find_nodes(op="placeholder"):
                    if placeholder.meta.get("val") is None:
                        cell.graph.erase_node(placeholder)
                function = self.fx_importer.import_stateless_graph(
                    cell.graph, func_name=name, func_visibility="private")
                # Once for all steps, not once a step.
                function.attributes["no_inline"] = ir.UnitAttr.get(self._c)
            return functions[key]

    return LayerImporter
