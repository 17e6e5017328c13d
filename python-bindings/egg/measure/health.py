# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the device still computes and remembers: asked before and after a
measurement, and in a fresh process after one that was lost."""

PROBE_ELEMENTS = 1 << 20


def check_device(device):
    """Why the device is not healthy, or None. Small: under a millisecond of
    device time."""
    import torch
    try:
        # Memory: every word holds what was written.
        numbers = torch.arange(PROBE_ELEMENTS, dtype=torch.int32, device=device)
        there = numbers.cpu()
        if not torch.equal(there, torch.arange(PROBE_ELEMENTS,
                                               dtype=torch.int32)):
            return "memory does not hold what was written to it"
        # Arithmetic: sums and products of small integers are exact.
        a = (numbers[:1 << 16] % 7).reshape(256, 256).float()
        b = (numbers[:1 << 16] % 5).reshape(256, 256).float()
        if not torch.equal((a @ b).cpu(), a.cpu() @ b.cpu()):
            return "a product of small integers is wrong"
        if int(numbers.long().sum()) != PROBE_ELEMENTS * (
                PROBE_ELEMENTS - 1) // 2:
            return "a sum of integers is wrong"
    except torch.OutOfMemoryError:
        return "there is no memory left for a check of a few MiB"
    except RuntimeError as error:
        return str(error).strip().splitlines()[0]
    return None


def probe(device=0):
    """The task of a worker: the same, for a device's number."""
    import torch
    return check_device(torch.device("cuda", device))
