# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a process prints, read as it comes: a file would fill the disk."""

import os
import threading

KEPT_BYTES = 1 << 16


class Output:
    """The write end of a pipe for a child, and what came through it: the first
    and the last KEPT_BYTES."""

    def __init__(self):
        read_end, self.write_end = os.pipe()
        self.head, self.tail, self.dropped = b"", b"", 0
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.drain, args=(read_end,),
                                       daemon=True)
        self.thread.start()

    def drain(self, read_end):
        with open(read_end, "rb", buffering=0) as pipe:
            while piece := pipe.read(1 << 16):
                with self.lock:
                    room = KEPT_BYTES - len(self.head)
                    self.head += piece[:room]
                    tail = self.tail + piece[room:]
                    self.dropped += max(0, len(tail) - KEPT_BYTES)
                    self.tail = tail[-KEPT_BYTES:]

    def close_write_end(self):
        """In the parent, once the child has it."""
        os.close(self.write_end)

    def wait(self, timeout):
        """Until everybody has closed the write end."""
        self.thread.join(timeout)

    def text(self):
        """What has been printed, with a line about what was left out."""
        with self.lock:
            head, tail, dropped = self.head, self.tail, self.dropped
        note = f"\n[{dropped} bytes of output are left out here]\n".encode()
        return (head + (note if dropped else b"") + tail).decode(
            errors="replace")
