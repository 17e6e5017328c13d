#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds, and runs every test: IR tests and C++ unit
# tests under lit, Python tests under pytest (the format and layering lints
# among them). Ends with one line, "N passed, N failed, N skipped"; the exit
# code is 0 only if tests ran and none failed.
#
# usage: scripts/test.sh [dev|asan]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-dev}
[[ $preset != -* ]] || wrong_usage "usage: scripts/test.sh [dev|asan]"
build=build/$preset
# A hung test must not hold a machine for hours.
limit_s=2400

take_lock
scripts/setup.sh
scripts/build.sh "$preset" all egg-test-depends
preload= python_options=
if [[ $preset == asan ]]; then
  # Debian's LLVM is not instrumented, so containers that cross into it look
  # overflowed; what it keeps for the process's life looks leaked. Python loads
  # the instrumented runtime library, so the sanitizer must be there first.
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_container_overflow=0:detect_leaks=0}
  # Tests of crashes want to see the signal, in Python and in what it starts.
  python_options=$ASAN_OPTIONS:handle_segv=0
  preload=$(clang-22 -print-file-name=libclang_rt.asan-x86_64.so)
fi

results=$EGG_ROOT/$build/test-results
rm -rf "$results"
mkdir -p "$results"
say "running the IR and C++ tests"
timeout "$limit_s" "$EGG_VENV/bin/lit" -sv --xunit-xml-output "$results/lit.xml" \
  "$build/test" "$build/test/unit" </dev/null || true
say "running the Python tests"
export EGG_BUILD_DIR=$EGG_ROOT/$build EGG_OPT=$EGG_ROOT/$build/bin/egg-opt
timeout "$limit_s" \
  env ${preload:+LD_PRELOAD=$preload ASAN_OPTIONS=$python_options} "$EGG_VENV/bin/python" -m pytest \
  -q -c test/python/pytest.ini -n auto --dist worksteal \
  --junitxml "$results/pytest.xml" test/python \
  </dev/null || true
exec "$EGG_VENV/bin/python" scripts/summarize_tests.py \
  "$results/lit.xml" "$results/pytest.xml"
