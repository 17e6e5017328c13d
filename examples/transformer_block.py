"""A pre-norm transformer block: attention and a feed-forward part.

Matrix products, batched products, a softmax over rows, two layer norms and
residual additions: most of what a language model spends its time on.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Maps (batch, tokens, width) to the same shape; causal attention."""

    def __init__(self, width, heads, tokens):
        super().__init__()
        self.heads = heads
        self.norm_attention = nn.LayerNorm(width)
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.norm_feed_forward = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 4 * width)
        self.contract = nn.Linear(4 * width, width)
        mask = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool), diagonal=1)
        self.register_buffer("mask", mask)

    def attend(self, x):
        batch, tokens, width = x.shape
        parts = self.queries_keys_values(x).chunk(3, dim=-1)
        q, k, v = (
            part.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2)
            for part in parts
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        weights = scores.masked_fill(self.mask, float("-inf")).softmax(dim=-1)
        joined = (weights @ v).transpose(1, 2).reshape(batch, tokens, width)
        return self.project(joined)

    def forward(self, x):
        x = x + self.attend(self.norm_attention(x))
        return x + self.contract(F.gelu(self.expand(self.norm_feed_forward(x))))


batch, tokens, width, heads = 8, 512, 768, 12


def get_inputs():
    return [torch.rand(batch, tokens, width)]


def get_init_inputs():
    return [width, heads, tokens]
