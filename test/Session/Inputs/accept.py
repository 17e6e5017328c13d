# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the last attempt of a trajectory an accepted one, twice as fast as the
first, and the last record. Usage: FILE"""

import pathlib
import re
import sys

path = pathlib.Path(sys.argv[1])
lines = path.read_text().splitlines(True)
attempts = [number for number, line in enumerate(lines)
            if line.rstrip().endswith('"type":"attempt"}')]
accepted = re.match(r'\{("accepted":.*?),"author":', lines[attempts[0]])[1]
# Numbers stay as EGG writes them.
accepted = re.sub(r'("predicted_seconds":)([^,}]*)(?=,"ptx_sha256")', lambda found:
                  found[1] + format(float(found[2]) / 2, ".17g"), accepted)
edited = re.sub(r',"refused":.*?,"script":', ',"script":', lines[attempts[-1]])
path.write_text("".join(lines[:attempts[-1]]) + "{" + accepted + "," + edited[1:])
