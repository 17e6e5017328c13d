# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""results.jsonl: one row an attempt, appended; a problem's last row counts.

A row:
  level, problem, name   which problem
  stage                  the stage that was asked for
  reached                the last stage that succeeded, or null
  failure                null, or {"stage", "kind", "message"}
  seconds                {stage: wall-clock seconds}
  notes, checked         what the importer says
  payload_sha256, ptx_sha256
  ptxas                  "accepted" or "absent"
  spilling_kernels       how many kernels spill registers
  correct, max_abs, max_rel, wrong, inputs_generated_on, fp64
  milliseconds           {what ran: median, or the reason there is none}
  fastest_baseline, headline, speedup
"""

import json
import os
import pathlib
import threading

from egg import files

STAGES = ("import", "compile", "time")


class Rows:
    """The rows of a folder. Safe to append to from several threads."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "results.jsonl"
        self.lock = threading.Lock()
        self.last = {}
        if self.path.exists():
            for line in files.read_text(self.path).splitlines():
                try:
                    row = json.loads(line)
                    self.last[row["level"], row["problem"]] = row
                except (ValueError, KeyError, TypeError):
                    # A run that was killed can leave half a line.
                    continue

    def append(self, row):
        with self.lock:
            self.last[row["level"], row["problem"]] = row
            with files.explained(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                half_line = self._ends_in_half_a_line()
                with open(self.path, "a", encoding="utf-8") as file:
                    file.write("\n" * half_line + json.dumps(row) + "\n")
                    file.flush()
                    os.fsync(file.fileno())

    def _ends_in_half_a_line(self):
        if not self.path.exists() or not self.path.stat().st_size:
            return False
        with open(self.path, "rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"

    def is_done(self, key, stage, retry):
        """Whether the problem needs no further attempt at the stage."""
        row = self.last.get(key)
        if row is None:
            return False
        reached = row["reached"]
        if reached and STAGES.index(reached) >= STAGES.index(stage):
            return True
        return bool(row["failure"]) and not retry
