# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a worker and all that it starts may use."""

import dataclasses
import resource

from egg.memory import default_memory

MIB = 1 << 20


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
