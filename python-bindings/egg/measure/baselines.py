# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is timed side by side: three ways of PyTorch, two of EGG."""

BASELINES = ("eager", "compile", "reduce-overhead")


def baseline(name, module, inputs):
    """A callable without arguments that runs the module."""
    import torch
    if name == "eager":
        return lambda: module(*inputs)
    # An earlier module of this process must not use up the recompile limit.
    torch._dynamo.reset()
    compiled = torch.compile(
        module, mode=None if name == "compile" else "reduce-overhead")

    def run():
        torch.compiler.cudagraph_mark_step_begin()
        return compiled(*inputs)

    return run


def captured(bound, inputs):
    """EGG's launches replayed as one CUDA graph. Each run first copies the
    inputs to the graph's own, as reduce-overhead does."""
    import torch
    own = torch.utils._pytree.tree_map(
        lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf,
        inputs)
    tensors = [(mine, leaf) for mine, leaf in
               zip(torch.utils._pytree.tree_leaves(own),
                   torch.utils._pytree.tree_leaves(inputs))
               if isinstance(leaf, torch.Tensor)]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        bound(*own)
    torch.cuda.current_stream().wait_stream(stream)
    # The graph holds addresses; the module may replace its tensors later.
    held = bound.arguments(own)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = bound(*own)

    def run():
        for mine, leaf in tensors:
            mine.copy_(leaf)
        graph.replay()
        return outputs

    run.held = held
    return run
