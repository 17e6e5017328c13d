#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks that the C++ sources are as clang-format 22 writes them; --fix rewrites
# those that are not.
#
# usage: scripts/check_format.sh [--fix]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v clang-format-22 >/dev/null || die "no clang-format-22: run scripts/setup.sh"
mode=(--dry-run -Werror)
[[ ${1:-} == --fix ]] && mode=(-i)
git ls-files -co --exclude-standard -- '*.h' '*.cpp' | while read -r file; do
  [[ -f $file ]] && echo "$file"
done | xargs -r clang-format-22 "${mode[@]}"
