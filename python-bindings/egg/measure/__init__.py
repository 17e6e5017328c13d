# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a compiled artifact with its PyTorch module on the GPU and times it.

workload.py     the module and its inputs, built as KernelBench builds them
comparison.py   figures of how far two tensors are apart
correctness.py  trials on poisoned outputs with fresh inputs
baselines.py    PyTorch eager, torch.compile, reduce-overhead; EGG in a graph
timing.py       interleaved rounds with a cold L2 cache
task.py         all of it for one problem, run in a worker (egg/workers.py)
"""
