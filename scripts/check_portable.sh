#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the portable egg-opt and checks what makes it portable: it links only
# the C library, of a version that Ubuntu 24.04 has, packs to at most 30 MB, and
# passes the IR tests. Prints the figures.
#
# usage: scripts/check_portable.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

max_bytes=30000000
max_glibc=2.39
program=build/portable/bin/egg-opt

scripts/setup.sh
scripts/build.sh portable

needed=$(readelf -d "$program" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
  grep -vE '^(libc|libm|ld-linux-x86-64)\.so' || true)
[[ -z $needed ]] || die "$program needs ${needed//$'\n'/, }: link them statically"
glibc=$(readelf -V "$program" | grep -oE 'GLIBC_[0-9.]+' | cut -d_ -f2 | sort -V | tail -n 1)
[[ $(printf '%s\n' "$glibc" "$max_glibc" | sort -V | tail -n 1) == "$max_glibc" ]] ||
  die "$program needs glibc $glibc, newer than $max_glibc: build it on an older system"
say "packing"
bytes=$(xz -6 -T0 -c "$program" | wc -c)
((bytes <= max_bytes)) || die "$program packs to $bytes bytes, over $max_bytes"
"$EGG_VENV/bin/lit" -sv build/portable/test </dev/null
echo "portable egg-opt: $(stat -c %s "$program") bytes, $bytes packed with xz; glibc $glibc or newer"
