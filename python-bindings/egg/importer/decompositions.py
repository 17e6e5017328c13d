# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operators are expanded into simpler ones, and how.

torch-mlir's table, with our own expansions where its or PyTorch's would be
slow (double precision, index tensors) or would round differently than PyTorch.
Statistics take two passes, the squares being of differences from the mean, in
the precision PyTorch's kernels use (float for half types).
"""

import functools


@functools.cache
def table():
    """The decompositions of an import, by operator overload."""
    import torch
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    aten = torch.ops.aten
    entries = dict(get_decomposition_table())
    entries.update({
        aten.native_group_norm.default: group_norm,
        aten.scaled_dot_product_attention.default: attention,
        aten.var.correction: var,
        aten.var.dim: lambda x, dim, unbiased=True, keepdim=False: var(
            x, dim, correction=int(unbiased), keepdim=keepdim),
        aten.var_mean.correction: var_mean,
        aten.std.correction: lambda x, dim=None, *, correction=None,
        keepdim=False: torch.sqrt(
            var(x, dim, correction=correction, keepdim=keepdim)),
        aten.linalg_vector_norm.default: vector_norm,
        aten.norm.ScalarOpt_dim: lambda x, p, dim, keepdim=False: vector_norm(
            x, 2 if p is None else p, dim, keepdim),
        aten.norm.Scalar: lambda x, p=2: vector_norm(x, p),
        aten.pow.Tensor_Scalar: power,
        aten.clamp.default: clamp,
        aten.clamp.Tensor: clamp,
        aten.clamp_min.default: clamp,
        aten.clamp_min.Tensor: clamp,
        aten.clamp_max.default: lambda x, high: clamp(x, None, high),
        aten.clamp_max.Tensor: lambda x, high: clamp(x, None, high),
        aten.fmod.Tensor: fmod,
        aten.fmod.Scalar: fmod,
        aten.gelu.default: gelu,
        aten.hardtanh.default: lambda x, low=-1.0, high=1.0: clamp(
            x, low, high),
        aten.hardsigmoid.default: lambda x: clamp(x + 3, 0.0, 6.0) / 6,
        aten.hardswish.default: lambda x: x * clamp(x + 3, 0.0, 6.0) / 6,
        aten.roll.default: roll,
        aten.maximum.default: maximum,
        aten.minimum.default: minimum,
        aten.leaky_relu.default: leaky_relu,
        aten.elu.default: elu,
        aten.threshold.default: threshold,
        aten.cat.default: cat,
        aten.max.default: lambda x: refuse_empty(x, "greatest"),
        aten.min.default: lambda x: refuse_empty(x, "least"),
    })
    return entries


def computation_dtype(x):
    """The precision in which PyTorch's kernels reduce x."""
    import torch
    half = (torch.float16, torch.bfloat16)
    return torch.float32 if x.dtype in half else x.dtype


def statistics(x, dim, correction, keepdim):
    """Variance and mean of x over dim, in computation precision."""
    import torch
    x = x.to(computation_dtype(x))
    dim = [d % x.ndim for d in (dim or range(x.ndim))]
    count = 1
    for d in dim:
        count *= x.shape[d]
    mean = torch.sum(x, dim, keepdim=True) / count
    difference = x - mean
    total = torch.sum(difference * difference, dim, keepdim=keepdim)
    correction = 1 if correction is None else correction
    # As PyTorch: no degrees of freedom divide by zero, not by less.
    variance = total / max(count - correction, 0)
    if not keepdim:
        mean = mean.squeeze(dim)
    return variance, mean


def var(x, dim=None, *, correction=None, keepdim=False):
    return statistics(x, dim, correction, keepdim)[0].to(x.dtype)


def var_mean(x, dim=None, *, correction=None, keepdim=False):
    variance, mean = statistics(x, dim, correction, keepdim)
    return variance.to(x.dtype), mean.to(x.dtype)


def group_norm(x, weight, bias, n, channels, positions, groups, eps):
    """Without the index tensors that PyTorch's expansion leads to."""
    import torch
    inner = computation_dtype(x)
    grouped = x.to(inner).reshape(n, groups, channels // groups, positions)
    variance, mean = statistics(grouped, [2, 3], 0, True)
    rstd = torch.rsqrt(variance + eps)
    result = (grouped - mean) * rstd
    if weight is not None:
        result = result * weight.to(inner).reshape(
            1, groups, channels // groups, 1)
    if bias is not None:
        result = result + bias.to(inner).reshape(
            1, groups, channels // groups, 1)
    return (result.to(x.dtype).reshape(x.shape),
            mean.to(x.dtype).reshape(n, groups),
            rstd.to(x.dtype).reshape(n, groups))


def attention(query, key, value, attn_mask=None, dropout_p=0.0,
              is_causal=False, *, scale=None, enable_gqa=False):
    """softmax(q k^T scale + mask) v in computation precision."""
    import math
    import torch
    dtype, inner = query.dtype, computation_dtype(query)
    query, key, value = (t.to(inner) for t in (query, key, value))
    if enable_gqa:
        repeats = query.shape[-3] // key.shape[-3]
        key = key.repeat_interleave(repeats, -3)
        value = value.repeat_interleave(repeats, -3)
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])
    scores = torch.matmul(query, key.transpose(-2, -1)) * scale
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool,
                               device=query.device).tril()
    all_masked = None
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        # A row without any key gives zeros, as in PyTorch.
        if not is_causal:
            all_masked = ~attn_mask.any(-1, keepdim=True)
        scores = torch.where(attn_mask, scores, -math.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask.to(inner)
    weights = torch.softmax(scores, -1)
    if all_masked is not None:
        weights = torch.where(all_masked, 0.0, weights)
    if dropout_p:
        weights = torch.dropout(weights, dropout_p, True)
    return torch.matmul(weights, value).to(dtype)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The common norms without pow."""
    import math
    import torch
    result = dtype or x.dtype
    x = x.to(result)
    x = x.to(computation_dtype(x))
    dim = [dim] if isinstance(dim, int) else dim
    dim = list(range(x.ndim)) if not dim else dim
    if ord == 2:
        norm = torch.sqrt(torch.sum(x * x, dim, keepdim=keepdim))
    elif ord == 1:
        norm = torch.sum(torch.abs(x), dim, keepdim=keepdim)
    elif ord == math.inf:
        norm = torch.amax(torch.abs(x), dim, keepdim=keepdim)
    elif ord == -math.inf:
        norm = torch.amin(torch.abs(x), dim, keepdim=keepdim)
    elif ord == 0:
        norm = torch.sum((x != 0).to(x.dtype), dim, keepdim=keepdim)
    else:
        norm = torch.pow(torch.sum(torch.pow(torch.abs(x), ord), dim,
                                   keepdim=keepdim), 1 / ord)
    return norm.to(result)


def power(x, exponent):
    """Small powers as PyTorch's kernels compute them; others stay."""
    import torch
    if not x.dtype.is_floating_point:
        return NotImplemented
    if exponent == 2:
        return x * x
    if exponent == 3:
        return x * x * x
    if exponent == 0.5:
        return torch.sqrt(x)
    if exponent == -0.5:
        return torch.rsqrt(x)
    if exponent == -1:
        return torch.reciprocal(x)
    if exponent == -2:
        return torch.reciprocal(x * x)
    return NotImplemented


def clamp(x, low=None, high=None):
    """By comparisons that are false for NaN, so that NaN stays, and that of a
    bound is taken. (torch-mlir's clamp, and its maximum and minimum, lose
    it.)"""
    import torch
    if not x.dtype.is_floating_point:
        return NotImplemented
    for bound, beyond in ((low, torch.lt), (high, torch.gt)):
        if isinstance(bound, torch.Tensor):
            x = torch.where(beyond(x, bound) | (bound != bound), bound, x)
        elif bound is not None:
            x = torch.where(beyond(x, bound), bound, x)
    return x


def maximum(x, y):
    import torch
    if not x.dtype.is_floating_point:
        return NotImplemented
    return torch.where((x > y) | (x != x), x, y)


def minimum(x, y):
    import torch
    if not x.dtype.is_floating_point:
        return NotImplemented
    return torch.where((x < y) | (x != x), x, y)


def fmod(x, y):
    """By remainder, which is exact; of magnitudes both are the same. (A
    quotient loses the digits that are left.)"""
    import torch
    if not x.dtype.is_floating_point:
        return NotImplemented
    rest = torch.remainder(torch.abs(x), abs(y))
    return torch.where(x < 0, -rest, rest)


def gelu(x, approximate="none"):
    """PyTorch's formula for tanh, without pow and with its constants."""
    import math
    import torch
    if approximate != "tanh":
        return NotImplemented
    dtype = x.dtype
    x = x.to(computation_dtype(x))
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
    return (0.5 * x * (1 + torch.tanh(inner))).to(dtype)


def leaky_relu(x, slope=0.01):
    import torch
    return torch.where(x > 0, x, x * slope)


def elu(x, alpha=1.0, scale=1.0, input_scale=1.0):
    import torch
    return torch.where(x > 0, x * scale,
                       torch.expm1(x * input_scale) * (alpha * scale))


def threshold(x, threshold, value):
    import torch
    return torch.where(x <= threshold, value, x)


def roll(x, shifts, dims=()):
    """Two slices a dimension. (torch-mlir's loses the static shape.)"""
    import torch
    if not dims:
        return roll(x.flatten(), shifts, [0]).view(x.shape)
    for shift, dim in zip(shifts, dims):
        size = x.shape[dim]
        if size and shift % size:
            first = size - shift % size
            x = torch.cat([x.narrow(dim, first, size - first),
                           x.narrow(dim, 0, first)], dim)
    return x


def cat(tensors, dim=0):
    """Without the tensors that have no elements, if some have. (PyTorch passes
    over those of shape [0], which torch-mlir does not know.)"""
    import torch
    kept = [tensor for tensor in tensors if tensor.numel()]
    if not kept or len(kept) == len(tensors):
        return NotImplemented
    dtype = functools.reduce(torch.promote_types,
                             (tensor.dtype for tensor in tensors))
    return torch.cat([tensor.to(dtype) for tensor in kept], dim)


def refuse_empty(x, which):
    """PyTorch refuses only when it runs."""
    if not x.numel():
        raise ValueError(f"the {which} element of a tensor without elements, "
                         f"of shape {list(x.shape)}")
    return NotImplemented
