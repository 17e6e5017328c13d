# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices of extrema, and rows whose values are special."""

import pytest

torch = pytest.importorskip("torch")
nan, inf = float("nan"), float("inf")


def test_indices_of_a_transposed_sum(check):
    torch.manual_seed(0)
    a, b = torch.randn(8, 8), torch.randn(8, 8)
    check(lambda a, b: tuple((a.t() + b).max(dim=1)), a, b)
    check(lambda a, b: tuple((a.t() + b).min(dim=0)), a, b)


@pytest.mark.parametrize("values, index", [
    ([1.0, 7.0, 7.0, 2.0], 1),
    ([0.0, -0.0, 0.0], 0),
    ([nan, 4.6], 0),
    ([4.6, nan, nan], 1),
    ([-inf, -inf], 0),
    ([5.0] * 37, 0),
])
def test_argmax_takes_the_first(check, values, index):
    x = torch.tensor([values, values])
    check(lambda x: torch.argmax(x, 1), x, expected=torch.tensor([index, index]))


def test_argmin_takes_the_first(check):
    x = torch.tensor([[3.0, 1.0, 1.0], [nan, 0.0, nan], [inf, inf, inf]])
    check(lambda x: torch.argmin(x, 1), x)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.float16])
def test_argmax_of_other_types(check, dtype):
    x = torch.tensor([[3, 9, 9, -1], [-5, -5, -7, -5]], dtype=dtype)
    check(lambda x: torch.argmax(x, 1), x)


@pytest.mark.parametrize("width", [1, 2, 7, 10, 13, 31, 37])
@pytest.mark.parametrize("value", [0.0, -3.5, 1e30])
def test_softmax_of_a_constant_row(check, width, value):
    check(lambda x: torch.softmax(x, 1), torch.full((3, width), value),
          expected=torch.full((3, width), 1 / width))


def test_softmax_of_special_rows(check):
    x = torch.tensor([[-inf, -inf], [nan, 1.0], [1e38, 0.0], [inf, 1.0], [1.0, nan]])
    want = torch.tensor([[nan, nan], [nan, nan], [1.0, 0.0], [nan, nan], [nan, nan]])
    check(lambda x: torch.softmax(x, 1), x, expected=want)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 17])
def test_log_softmax_of_a_short_row_is_finite(check, width):
    torch.manual_seed(width)
    (got,) = check(lambda x: torch.log_softmax(x, 1), 100 * torch.randn(4, width))
    assert torch.isfinite(got).all()


def test_attention_with_a_row_that_sees_nothing(check):
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 1, 4, 8) for _ in range(3))
    mask = torch.ones(4, 4, dtype=torch.bool)
    mask[2] = False

    def attend(q, k, v, mask):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    want = attend(q, k, v, mask)
    assert (want[0, 0, 2] == 0).all()
    check(attend, q, k, v, mask, expected=want, rtol=1e-5)
