# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a worker and all that it starts may use."""

import contextlib
import dataclasses
import pathlib
import resource

MIB = 1 << 20


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


@dataclasses.dataclass(frozen=True)
class Limits:
    """memory_mib   MiB of memory of all processes together
    data_mib     MiB of private memory that one process may ask for; None where
                 that is not told in advance (CUDA reserves more than it uses)
    processes    processes at a time
    file_mib     MiB of any file that is written
    """

    memory_mib: int = dataclasses.field(default_factory=default_memory)
    data_mib: int = None
    processes: int = 1024
    file_mib: int = 8192

    def as_dictionary(self):
        return dataclasses.asdict(self)

    def apply(self):
        """Sets those limits that the kernel holds, for this process and what it
        starts."""
        for kind, value in ((resource.RLIMIT_CORE, 0),
                            (resource.RLIMIT_FSIZE, self.file_mib * MIB),
                            (resource.RLIMIT_DATA,
                             self.data_mib and self.data_mib * MIB)):
            if value is None:
                continue
            hard = resource.getrlimit(kind)[1]
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)
            resource.setrlimit(kind, (value, value))
