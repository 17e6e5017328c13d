# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Remainders and tails: what a tile or a block leaves over is computed too."""

import pytest

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("m, n, k", [(64, 64, 24), (16, 104, 16), (17, 13, 7), (1, 1, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_matmul_of_ones_counts_k(check, m, n, k, dtype):
    a, b = torch.ones(m, k, dtype=dtype), torch.ones(k, n, dtype=dtype)
    check(lambda a, b: a @ b, a, b, expected=torch.full((m, n), float(k)), rtol=0)


def test_every_column_is_written(check):
    torch.manual_seed(0)
    a, b = torch.randn(16, 32), torch.randn(32, 104)
    check(lambda a, b: a @ b, a, b)


def test_double_matmul(check):
    torch.manual_seed(0)
    check(lambda a, b: a @ b, torch.randn(9, 24).double(), torch.randn(24, 11).double())


@pytest.mark.parametrize("length", [1, 4, 8, 31, 257])
def test_cumsum_of_ones_counts(check, length):
    check(lambda x: torch.cumsum(x, 0), torch.ones(length), rtol=0,
          expected=torch.arange(1.0, length + 1))


def test_cumsum_of_rows_and_of_integers(check):
    check(lambda x: torch.cumsum(x, 1), torch.ones(3, 70, dtype=torch.int64))
    check(lambda x: torch.cumsum(x, 0), torch.ones(40, 3))


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_integer_sums_are_exact(check, dtype):
    x = torch.arange(7 * 53, dtype=dtype).reshape(7, 53) - 100
    check(lambda x: (x.sum(1), x * 3 - x), x)
