#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a bare machine to an optimised module: installs what is missing, builds,
# and optimises one PyTorch file into build/artifacts/<name>. Without a GPU the
# result is checked PTX with a predicted time; with one it is timed too.
#
# Paths are the caller's; FILE.py may be of the checkout too.
#
# usage: scripts/run.sh FILE.py [further options of `egg optimize`]
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ ${1:-} == *.py ]] ||
  wrong_usage "usage: scripts/run.sh FILE.py, for instance examples/$(ls examples | grep -m1 '\.py$')"
# The caller's folder first, then the checkout.
file=$1
[[ $file == /* || -f $caller/$file ]] || file=$EGG_ROOT/$file
(cd "$caller" && [[ -f $file ]]) || die "$1: no such file (examples/ holds: $(cd examples && ls ./*.py | tr '\n' ' '))"
shift

take_lock
scripts/setup.sh
scripts/build.sh dev
# Others may build while this one, which can take long, only runs.
release_lock
artifact=build/artifacts/$(basename "$file" .py)
[[ $caller == "$EGG_ROOT" ]] || artifact=$EGG_ROOT/$artifact
cd "$caller"
say "optimising $file"
# This checkout's package, also where .venv is shared with another checkout.
PYTHONPATH=$EGG_ROOT/python-bindings${PYTHONPATH:+:$PYTHONPATH} \
  "$EGG_VENV/bin/egg" optimize "$file" --out "$artifact" "$@" </dev/null
