# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of how far a result is from its reference.

Tensors may fill most of the device's memory, so everything is done in pieces.
"""

import math

# KernelBench's tolerance for fp32: |reference - result| <= ATOL + RTOL |result|.
ATOL = RTOL = 1e-4
PIECE = 1 << 26


def pieces(*tensors):
    """Views of at most PIECE elements of equally shaped tensors."""
    flat = [tensor.reshape(-1) for tensor in tensors]
    for start in range(0, flat[0].numel(), PIECE):
        yield tuple(tensor[start:start + PIECE] for tensor in flat)


def compare(reference, result, atol=ATOL, rtol=RTOL):
    """KernelBench's own check, torch.allclose(reference, result), and figures:

    violations   elements outside the tolerance; NaN never is inside
    max_abs      largest |reference - result|
    max_rel      largest |reference - result| / |reference|, of elements with
                 |reference| >= atol
    """
    import torch
    if tuple(reference.shape) != tuple(result.shape):
        return {"ok": False, "violations": result.numel(),
                "max_abs": None, "max_rel": None,
                "reason": f"shape {list(result.shape)} instead of "
                          f"{list(reference.shape)}"}
    if reference.dtype != result.dtype:
        return {"ok": False, "violations": result.numel(),
                "max_abs": None, "max_rel": None,
                "reason": f"dtype {result.dtype} instead of {reference.dtype}"}
    device = reference.device
    violations = torch.zeros((), dtype=torch.int64, device=device)
    non_finite = torch.zeros((), dtype=torch.int64, device=device)
    max_abs = torch.zeros((), dtype=torch.float64, device=device)
    max_rel = torch.zeros((), dtype=torch.float64, device=device)
    for expected, actual in pieces(reference, result):
        if not expected.is_floating_point():
            # Integers and booleans have no rounding.
            wrong = expected != actual
            violations += wrong.sum()
            difference = (expected.double() - actual.double()).abs()
            max_abs = torch.maximum(max_abs, difference.max())
            continue
        violations += torch.isclose(expected, actual, atol=atol,
                                    rtol=rtol).logical_not().sum()
        non_finite += actual.isfinite().logical_not().sum()
        difference = (expected - actual).abs()
        # Equal infinities differ by NaN.
        difference = torch.where(expected == actual, 0, difference)
        max_abs = torch.maximum(max_abs, difference.max().double())
        relative = torch.where(expected.abs() >= atol,
                               difference / expected.abs(), 0)
        max_rel = torch.maximum(max_rel, relative.max().double())
    count = int(violations)
    figures = {"ok": count == 0, "violations": count,
               "max_abs": finite(float(max_abs)),
               "max_rel": finite(float(max_rel))}
    if count:
        figures["non_finite"] = int(non_finite)
        figures["elements"] = result.numel()
    return figures


def errors_against(exact, result):
    """Errors of a result against an fp64 reference: max_abs, rms, and rms
    relative to the reference's own; largest is the reference's largest finite
    element."""
    import torch
    device = exact.device
    sums = torch.zeros(2, dtype=torch.float64, device=device)
    max_abs = torch.zeros((), dtype=torch.float64, device=device)
    largest = torch.zeros((), dtype=torch.float64, device=device)
    for expected, actual in pieces(exact, result):
        largest = torch.maximum(largest, torch.where(
            expected.isfinite(), expected.abs(), 0).max())
        difference = (actual.double() - expected).abs()
        difference = torch.where(actual.double() == expected, 0, difference)
        max_abs = torch.maximum(max_abs, difference.max())
        sums += torch.stack([difference.square().sum(),
                             expected.square().sum()])
    error, size = (math.sqrt(x / max(exact.numel(), 1)) for x in sums.tolist())
    return {"max_abs": finite(float(max_abs)), "rms": finite(error),
            "relative_rms": finite(error / size) if size else None,
            "largest": finite(float(largest))}


def policy_match(egg, torch_errors, dtype):
    """The precision policy "match" for one output: errors against fp64 no
    larger than twice those that PyTorch makes at its defaults on the same
    inputs, the largest and the rms, with floors of four units in the last
    place of the largest element for outputs that PyTorch gets exactly."""
    import torch
    floor = 4 * torch.finfo(dtype).eps / 2 * float(egg["largest"])
    allowed = {key: max(2 * float(torch_errors[key]), floor)
               for key in ("max_abs", "rms")}
    # Written so that NaN fails too.
    ok = all(float(egg[key]) <= allowed[key] for key in allowed)
    return {"ok": ok, "allowed_max_abs": finite(allowed["max_abs"]),
            "allowed_rms": finite(allowed["rms"])}


def finite(number):
    """The number, or its name where JSON has none."""
    return number if math.isfinite(number) else str(number)


def bits(tensor):
    """The tensor's bytes."""
    import torch
    return tensor.reshape(-1).view(torch.uint8)


def same_bits(a, b):
    import torch
    return torch.equal(bits(a), bits(b))
