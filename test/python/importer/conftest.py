# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the importer's tests share."""

import textwrap

import pytest


@pytest.fixture
def model_file(tmp_path):
    """Writes a Python file with a module from a forward function's body."""

    def write(body, inputs, members="pass", name="model.py"):
        path = tmp_path / name
        path.write_text(
            "import torch\nimport torch.nn as nn\n"
            "import torch.nn.functional as F\n\n\n"
            "class Model(nn.Module):\n"
            "    def __init__(self):\n        super().__init__()\n"
            + textwrap.indent(textwrap.dedent(members), " " * 8)
            + "\n\n    def forward(self, x, *more):\n"
            + textwrap.indent(textwrap.dedent(body), " " * 8)
            + f"\n\n\ndef get_inputs():\n    return [{inputs}]\n")
        return path

    return write
