# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs EGG over KernelBench's problems.

problems.py  which problems there are and which are wanted
rows.py      results.jsonl: one row a problem, appended; the last one counts
stages.py    import, compile, time: what each does and adds to the row
runner.py    problems over workers, resumable
summary.py   the rows as a table
"""
