#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every lint: format, layering, licence headers and sizes (seconds; scripts/
# test.sh runs these too), then clang-tidy on the C++ files that differ from
# main, or on all with --all (slow). Needs a built dev preset for clang-tidy.
#
# usage: scripts/lint.sh [--all | --no-tidy]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

status=0
lint() {
  say "$1"
  shift
  "$@" || status=1
}

changed_sources() {
  if [[ ${1:-} == --all ]]; then
    git ls-files -- 'lib/*.cpp' 'tools/*.cpp'
  else
    # On main itself: what its last commit changed.
    local base
    base=$(git merge-base HEAD main 2>/dev/null || true)
    [[ -n $base && $base != $(git rev-parse HEAD) ]] || base=HEAD~1
    git diff --name-only --diff-filter=d "$base" -- 'lib/*.cpp' 'tools/*.cpp'
  fi
}

tidy() {
  [[ -f build/dev/compile_commands.json ]] || die "no build/dev: run scripts/build.sh first"
  # Flags that only serve the precompiled header, which clang-tidy cannot read.
  mkdir -p build/tidy
  sed -E 's/-Winvalid-pch|-Xclang -include-pch -Xclang [^ ]+|-Xclang -include -Xclang [^ ]+//g' \
    build/dev/compile_commands.json >build/tidy/compile_commands.json
  changed_sources "${1:-}" |
    xargs -r -n 1 -P "$(nproc)" clang-tidy-22 --quiet -p build/tidy --warnings-as-errors='*'
}

lint "format" scripts/check_format.sh
lint "layering" python3 scripts/check_layering.py
lint "licence headers and sizes" python3 scripts/check_sources.py
[[ ${1:-} == --no-tidy ]] || lint "clang-tidy" tidy "${1:-}"
((status == 0)) && say "clean"
exit "$status"
