#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a bare machine to an optimised module: installs what is missing, builds,
# and optimises one PyTorch file into build/artifacts/<name>. Without a GPU the
# result is checked PTX with a predicted time; with one it is timed too.
#
# usage: scripts/run.sh FILE.py [further options of `egg optimize`]
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ ${1:-} == *.py ]] ||
  wrong_usage "usage: scripts/run.sh FILE.py, for instance examples/$(ls examples | grep -m1 '\.py$')"
file=$1
shift
# The caller's folder first, then the checkout.
[[ $file == /* || ! -f $caller/$file ]] || file=$caller/$file
[[ -f $file ]] || die "$file: no such file (examples/ holds: $(cd examples && ls ./*.py | tr '\n' ' '))"

scripts/setup.sh
scripts/build.sh dev
artifact=build/artifacts/$(basename "$file" .py)
say "optimising $file"
# This checkout's package, also where .venv is shared with another checkout.
PYTHONPATH=$EGG_ROOT/python-bindings${PYTHONPATH:+:$PYTHONPATH} \
  "$EGG_VENV/bin/egg" optimize "$file" --out "$artifact" "$@" </dev/null
