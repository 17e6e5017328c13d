# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LSTM and GRU layers as one operator a layer and direction.

Unrolled operator by operator they are hundreds of thousands of nodes and take
minutes. Here PyTorch sees a layer as one operator of ours. Only when it becomes
IR (cell_functions) is it unrolled, to calls of one function that is the cell,
which egg-import-torch inlines.
"""

import contextlib
import functools
from unittest import mock

import torch


def lstm_cell(gates, h, c, weight, bias):
    """One step; gates is what the input contributes."""
    gates = gates + torch.nn.functional.linear(h, weight, bias)
    entry, forget, cell, output = gates.chunk(4, 1)
    c = forget.sigmoid() * c + entry.sigmoid() * cell.tanh()
    return output.sigmoid() * c.tanh(), c


def gru_cell(gates, h, weight, bias):
    gates = gates.chunk(3, 1)
    hidden = torch.nn.functional.linear(h, weight, bias).chunk(3, 1)
    reset = (gates[0] + hidden[0]).sigmoid()
    update = (gates[1] + hidden[1]).sigmoid()
    new = (gates[2] + reset * hidden[2]).tanh()
    return (h - new) * update + new


# By the layer's operator: the cell, and how many tensors of state it has.
LAYERS = {"lstm_layer": (lstm_cell, 2), "gru_layer": (gru_cell, 1)}


@functools.cache
def operators():
    """Registers the layers as torch.ops.egg.*; returns the library, which
    must stay alive. They have no kernels: only shapes are computed."""
    library = torch.library.Library("egg", "DEF")
    library.define("lstm_layer(Tensor gates, Tensor h, Tensor c, Tensor weight,"
                   " Tensor? bias, bool reverse) -> (Tensor, Tensor, Tensor)")
    library.define("gru_layer(Tensor gates, Tensor h, Tensor weight, "
                   "Tensor? bias, bool reverse) -> (Tensor, Tensor)")

    def shapes(gates, *rest, states):
        outputs = [torch.empty_like(state) for state in rest[:states]]
        return (outputs[0].new_empty(gates.shape[0], *outputs[0].shape),
                *outputs)

    for name, (_, states) in LAYERS.items():
        torch.library.register_fake(
            f"egg::{name}", functools.partial(shapes, states=states),
            lib=library)
    return library


def is_layer(target):
    return getattr(target, "namespace", None) == "egg"


@contextlib.contextmanager
def layers_as_operators():
    """Within it, torch.nn.LSTM and GRU call our operators, save for packed
    sequences and projections."""
    operators()
    plain_lstm, plain_gru = torch._VF.lstm, torch._VF.gru

    def any_lstm(*args):
        plain = isinstance(args[1], torch.Tensor) or (
            len(args[2]) != args[4] * (2 if args[7] else 1)
            * (4 if args[3] else 2))
        return (plain_lstm if plain else lstm)(*args)

    def any_gru(*args):
        packed = isinstance(args[2], torch.Tensor)
        return (plain_gru if packed else gru)(*args)

    with (mock.patch.object(torch._VF, "lstm", any_lstm),
          mock.patch.object(torch._VF, "gru", any_gru)):
        yield


def lstm(x, states, params, has_biases, layers, dropout, train, bidirectional,
         batch_first):
    x, finals = run_layers(
        torch.ops.egg.lstm_layer, x, list(zip(*states)), params, has_biases,
        dropout if train else 0.0, bidirectional, batch_first)
    return x, torch.stack([h for h, _ in finals]), torch.stack(
        [c for _, c in finals])


def gru(x, state, params, has_biases, layers, dropout, train, bidirectional,
        batch_first):
    x, finals = run_layers(
        torch.ops.egg.gru_layer, x, [(h,) for h in state], params, has_biases,
        dropout if train else 0.0, bidirectional, batch_first)
    return x, torch.stack([h for h, in finals])


def run_layers(layer, x, states, params, has_biases, dropout, bidirectional,
               batch_first):
    """The layers in order; states and params are one entry a direction of a
    layer. Returns the outputs and the final states."""
    if batch_first:
        x = x.transpose(0, 1)
    directions = 2 if bidirectional else 1
    per_direction = 4 if has_biases else 2
    finals = []
    for first in range(0, len(states), directions):
        outputs = []
        for number in range(first, first + directions):
            own = params[number * per_direction:][:per_direction]
            output, final = run_direction(
                layer, x, states[number], own, reverse=number > first)
            outputs.append(output)
            finals.append(final)
        x = torch.cat(outputs, -1) if bidirectional else outputs[0]
        if dropout and first + directions < len(states):
            x = torch.dropout(x, dropout, True)
    return x.transpose(0, 1) if batch_first else x, finals


def run_direction(layer, x, state, params, reverse):
    """The input's part of the gates for all steps at once, then the steps."""
    input_weight, weight, *biases = params
    input_bias, bias = biases or (None, None)
    # One matrix product; on three dimensions PyTorch may expand the weights.
    gates = torch.nn.functional.linear(x.flatten(0, 1), input_weight,
                                       input_bias).unflatten(0, x.shape[:2])
    output, *final = layer(gates, *state, weight, bias, reverse)
    return output, final
