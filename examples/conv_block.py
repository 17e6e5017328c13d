"""A residual block of a convolutional network, in training mode.

Two convolutions with batch normalisation and a projected shortcut. In training
mode the statistics come from the batch, and the running statistics are outputs.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Maps (batch, C, H, W) to (batch, 2C, H/2, W/2)."""

    def __init__(self, channels):
        super().__init__()
        wide = 2 * channels
        self.conv1 = nn.Conv2d(channels, wide, 3, stride=2, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(wide)
        self.conv2 = nn.Conv2d(wide, wide, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(wide)
        self.shortcut = nn.Conv2d(channels, wide, 1, stride=2, bias=False)
        self.norm_shortcut = nn.BatchNorm2d(wide)

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        return F.relu(y + self.norm_shortcut(self.shortcut(x)))


batch, channels, height, width = 16, 64, 56, 56


def get_inputs():
    return [torch.rand(batch, channels, height, width)]


def get_init_inputs():
    return [channels]
