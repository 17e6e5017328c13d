# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much memory there is for child processes."""

import contextlib
import pathlib


def machine_memory():
    """MiB that processes here can have: the machine's, or its control group's
    where that is less."""
    found = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        line = pathlib.Path("/proc/meminfo").read_text().split("MemTotal:")[1]
        found.append(int(line.split()[0]) >> 10)
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError):
            found.append(int(pathlib.Path("/sys/fs/cgroup",
                                          name).read_text()) >> 20)
    return min(found, default=1 << 20)


def default_memory():
    """MiB that leave the machine usable for others."""
    return machine_memory() * 4 // 5
