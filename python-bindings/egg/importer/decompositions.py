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
        aten.linalg_norm.default: linalg_norm,
        aten.linalg_norm.ord_str: linalg_norm,
        aten.diagonal.default: diagonal,
        aten.constant_pad_nd.default: constant_pad,
        aten._pad_circular.default: circular_pad,
        aten.abs.default: absolute,
    })
    # torch-mlir would accumulate in the half type.
    for operator in (aten.sum.default, aten.sum.dim_IntList, aten.mean.default,
                     aten.mean.dim, aten.prod.default, aten.prod.dim_int,
                     aten.cumsum.default, aten.cumprod.default,
                     aten.logcumsumexp.default, aten.avg_pool2d.default,
                     aten.avg_pool3d.default, aten._adaptive_avg_pool2d.default,
                     aten._adaptive_avg_pool3d.default,
                     aten.nll_loss_forward.default,
                     aten.nll_loss2d_forward.default):
        otherwise = entries.get(operator)
        entries[operator] = in_computation_dtype(operator, otherwise)
    return entries


def in_computation_dtype(operator, otherwise):
    """The operator on half types by itself on float; on others as before."""
    import torch

    def decomposed(x, *args, dtype=None, **kwargs):
        result = dtype or x.dtype
        # PyTorch rounds to what is asked for before it reduces.
        narrow = result if computation_dtype(result) != result else x.dtype
        inner = computation_dtype(narrow)
        if inner == narrow:
            if dtype:
                kwargs["dtype"] = dtype
            return otherwise(x, *args, **kwargs) if otherwise else NotImplemented

        def convert(values, dtype):
            return torch.utils._pytree.tree_map_only(
                torch.Tensor, lambda tensor: tensor.to(dtype)
                if tensor.is_floating_point() else tensor, values)

        args, kwargs = convert((args, kwargs), inner)
        return convert(operator(x.to(narrow).to(inner), *args, **kwargs), result)

    return decomposed


def computation_dtype(x):
    """The precision in which PyTorch's kernels reduce x, a tensor or dtype."""
    import torch
    dtype = getattr(x, "dtype", x)
    half = (torch.float16, torch.bfloat16)
    return torch.float32 if dtype in half else dtype


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


def linalg_norm(x, ord=None, dim=None, keepdim=False, *, dtype=None):
    import torch
    dim = [dim] if isinstance(dim, int) else dim
    if ord is None or len(dim or range(x.ndim)) == 1:
        return vector_norm(x, 2 if ord is None else ord, dim, keepdim,
                           dtype=dtype)
    dim = tuple(dim or (-2, -1))
    return torch.linalg.matrix_norm(x, ord, dim, keepdim, dtype=dtype)


def diagonal(x, offset=0, dim1=0, dim2=1):
    """Each (n+1)-th of the n * n elements of its square. (torch-mlir's has
    wrong bounds unless x is square.)"""
    dim1, dim2 = dim1 % x.ndim, dim2 % x.ndim
    x = x.permute(*(d for d in range(x.ndim) if d not in (dim1, dim2)),
                  dim1, dim2)
    rows, columns = max(-offset, 0), max(offset, 0)
    size = max(min(x.shape[-2] - rows, x.shape[-1] - columns), 0)
    if not size:
        return x.new_empty((*x.shape[:-2], 0))
    square = x.narrow(-2, rows, size).narrow(-1, columns, size)
    return square.reshape(*x.shape[:-2], size * size)[..., ::size + 1]


def constant_pad(x, pad, value=0):
    """Negative padding, which torch-mlir does not know, is a slice."""
    import torch
    if min(pad, default=0) >= 0:
        return NotImplemented
    for dim, before, after in paddings(x, pad):
        x = cut(x, dim, before, after)
    return torch.constant_pad_nd(x, [max(size, 0) for size in pad], value)


def circular_pad(x, pad):
    """What is copied around is of the tensor after the cuts."""
    import torch
    for dim, before, after in paddings(x, pad):
        x = cut(x, dim, before, after)
        size, before, after = x.shape[dim], max(before, 0), max(after, 0)
        x = torch.cat([x.narrow(dim, size - before, before), x,
                       x.narrow(dim, 0, after)], dim)
    return x


def paddings(x, pad):
    """(dimension, before, after) of PyTorch's list, the last one first."""
    return [(x.ndim - 1 - position, *sizes)
            for position, sizes in enumerate(zip(pad[::2], pad[1::2]))]


def cut(x, dim, before, after):
    first, last = max(-before, 0), max(-after, 0)
    return x.narrow(dim, first, x.shape[dim] - first - last)


def absolute(x):
    """Of integers by comparison: the check's pipeline lacks math.absi."""
    import torch
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return NotImplemented
    return torch.maximum(x, -x) if x.dtype.is_signed else x.clone()


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
