# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Words for messages."""


def count(number, noun):
    """"1 launch", "2 launches"."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


def a(value):
    """A value's type in a sentence: "a list", "an int", "a tensor", "None"."""
    if value is None:
        return "None"
    if any(kind.__name__ == "Tensor" for kind in type(value).__mro__):
        return "a tensor"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
