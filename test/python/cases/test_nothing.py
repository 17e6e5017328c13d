# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results without elements, and reductions over none."""

import pytest

torch = pytest.importorskip("torch")

from egg.errors import EggError  # noqa: E402


@pytest.mark.parametrize("function", [
    lambda x: x + 1, lambda x: torch.softmax(x, 1), lambda x: x.cumsum(1)])
@pytest.mark.parametrize("shape", [(0, 4), (3, 0)])
def test_result_without_elements(check, function, shape):
    check(function, torch.zeros(shape))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_sum_and_product_over_nothing(check, dtype):
    check(lambda x: (x.sum(1), x.prod(1)), torch.zeros(3, 0, dtype=dtype))


def test_mean_over_nothing_is_nan(check):
    # Verification compares no NaN: it says so, and gives the verdict unverified.
    with pytest.raises(EggError, match="verdict is 'unverified'"):
        check(lambda x: x.mean(1), torch.zeros(3, 0))
    check(lambda x: x.mean(1), torch.zeros(3, 0), require="unverified",
          expected=torch.full((3,), float("nan")))


def test_maximum_over_nothing_is_an_error(check):
    with pytest.raises((EggError, IndexError, RuntimeError)) as refusal:
        check(lambda x: x.amax(1), torch.zeros(3, 0))
    assert "zero" in str(refusal.value) or "non-zero size" in str(refusal.value)


@pytest.mark.parametrize("m, n, k", [(3, 5, 0), (0, 5, 4), (3, 0, 4)])
def test_matmul_without(check, m, n, k):
    check(lambda a, b: a @ b, torch.ones(m, k), torch.ones(k, n), rtol=0,
          expected=torch.zeros(m, n))


def test_matmul_over_nothing_keeps_the_bias(check):
    bias = torch.tensor([1.0, -2.0, 3.0])
    check(lambda a, b, c: torch.addmm(c, a, b), torch.ones(2, 0), torch.ones(0, 3),
          bias, expected=bias.expand(2, 3), rtol=0)
