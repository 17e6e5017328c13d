# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trials: fresh inputs, poisoned and guarded outputs, compared with the module.
"""

from egg.importer.check import doubled_module
from egg.measure import comparison
from egg.measure.workload import output_tensors, tf32
from egg.words import count

GUARD_BYTES = 256
# NaN in every float type, and no valid boolean.
POISON = 0xFF


class GuardedResults:
    """Result tensors full of poison between guard bytes that nobody may
    write."""

    def __init__(self, loaded):
        import torch
        self.memory, self.tensors = [], []
        for spec in loaded.results:
            count = 1
            for extent in spec.shape:
                count *= extent
            size = count * spec.dtype.itemsize
            memory = torch.full((size + 2 * GUARD_BYTES,), POISON,
                                dtype=torch.uint8, device=loaded.device)
            inner = memory[GUARD_BYTES:GUARD_BYTES + size]
            self.memory.append(memory)
            self.tensors.append(inner.view(spec.dtype).view(spec.shape))

    def complaint(self, specs):
        """What is wrong with the bytes themselves, or None."""
        for spec, memory, tensor in zip(specs, self.memory, self.tensors):
            guards = (memory[:GUARD_BYTES], memory[-GUARD_BYTES:])
            if any(bool((guard != POISON).any()) for guard in guards):
                return f"a kernel wrote outside {spec}"
            if str(spec.dtype) == "torch.bool" and bool(
                    (comparison.bits(tensor) > 1).any()):
                return f"{spec} holds bytes other than 0 and 1"
        return None


def run_guarded(bound, inputs, step_by_step=False):
    """The artifact on poisoned memory; waits for it, so a fault shows here."""
    loaded = bound.loaded
    if loaded.arena is not None:
        loaded.arena.fill_(POISON)
    results = GuardedResults(loaded)
    loaded.launch(bound.arguments(inputs), results.tensors, step_by_step)
    loaded.synchronize()
    return results


def trial(workload, bound, seed, first):
    """One trial; returns its figures, the inputs and the reference outputs.
    The first also runs twice, for bits that differ from run to run."""
    import torch
    inputs = workload.inputs(seed)
    figures = {"seed": seed}
    # EGG first: the module may update its buffers, or its inputs in place.
    results = run_guarded(bound, inputs, step_by_step=first)
    figures["complaint"] = results.complaint(bound.loaded.results)
    if first:
        again = run_guarded(bound, inputs)
        figures["bit_identical"] = all(
            comparison.same_bits(a, b)
            for a, b in zip(results.tensors, again.tensors))
        del again
    with torch.no_grad(), tf32(False):
        reference = output_tensors(workload.module(*inputs))
    outputs = results.tensors[:bound.num_outputs]
    if len(reference) != len(outputs):
        figures["complaint"] = (f"{count(len(outputs), 'output')} instead of "
                                f"{len(reference)}")
    figures["outputs"] = [comparison.compare(expected, actual) for
                          expected, actual in zip(reference, outputs)]
    figures["buffers"] = {
        bound.loaded.results[index].name: comparison.compare(
            slot.tensor().to(bound.loaded.device), results.tensors[index])
        for index, slot in bound.updates}
    figures["ok"] = (figures["complaint"] is None
                     and all(f["ok"] for f in figures["outputs"])
                     and all(f["ok"] for f in figures["buffers"].values()))
    return figures, inputs, reference, outputs


def fp64_errors(workload, inputs, outputs, reference):
    """Errors of EGG, and of PyTorch with and without TF32, against the module
    in fp64, and whether EGG's are within the policy "match"; None and the
    reason where that does not run."""
    import torch

    def doubled(leaf):
        return leaf.double() if isinstance(leaf, torch.Tensor) \
            and leaf.is_floating_point() else leaf

    try:
        with torch.no_grad():
            module = doubled_module(workload.module)
            exact = output_tensors(module(*torch.utils._pytree.tree_map(
                doubled, inputs)))
            del module
            default = output_tensors(workload.module(*inputs))
            errors = {}
            for name, tensors in (("egg", outputs), ("torch", default),
                                  ("torch_without_tf32", reference)):
                errors[name] = [
                    comparison.errors_against(e, t) for e, t
                    in zip(exact, tensors) if e.dtype == torch.float64]
        dtypes = [t.dtype for e, t in zip(exact, outputs)
                  if e.dtype == torch.float64]
        errors["match"] = [
            comparison.policy_match(*figures) for figures in
            zip(errors["egg"], errors["torch"], dtypes)]
        return errors, None
    except torch.OutOfMemoryError:
        reason = "the fp64 module does not fit in the device's memory"
    except RuntimeError as error:
        if "CUDA error" in str(error):
            raise
        reason = ("the module does not run in fp64: "
                  + str(error).strip().splitlines()[0])
    return None, reason
