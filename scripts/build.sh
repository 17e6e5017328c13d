#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures and builds one preset under build/<preset>.
#
# usage: scripts/build.sh [dev|portable|asan] [ninja target...]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-dev}
shift || true
[[ $preset != -* ]] || wrong_usage "usage: scripts/build.sh [dev|portable|asan] [ninja target...]"
command -v cmake >/dev/null && command -v ninja >/dev/null ||
  die "no cmake or no ninja: run scripts/setup.sh"
take_lock
run_quietly "build/logs/configure-$preset.log" cmake --preset "$preset"
say "building preset $preset"
targets=()
(($#)) && targets=(--target "$@")
cmake --build --preset "$preset" "${targets[@]}" >&2 </dev/null ||
  die "the build failed; the compiler's messages are above"
