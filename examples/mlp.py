"""A three-layer perceptron: linear, GELU, linear, GELU, linear.

Three matrix products, each followed by elementwise work on its result.
"""

import torch
import torch.nn as nn


class Model(nn.Module):
    """Maps (batch, features) to (batch, classes)."""

    def __init__(self, features, hidden, classes):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, hidden),
            nn.GELU(),
            nn.Linear(hidden, hidden),
            nn.GELU(),
            nn.Linear(hidden, classes),
        )

    def forward(self, x):
        return self.layers(x)


batch, features, hidden, classes = 1024, 1024, 2048, 1000


def get_inputs():
    return [torch.rand(batch, features)]


def get_init_inputs():
    return [features, hidden, classes]
