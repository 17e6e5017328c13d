# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Shared by the scripts beside it, which source it: where the checkout is, how
# progress and errors are printed. No script reads standard input.

set -euo pipefail
EGG_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$EGG_ROOT"
EGG_VENV=$EGG_ROOT/.venv

# Scripts call scripts: the time shown is since the first one started.
export EGG_STARTED=${EGG_STARTED:-$(date +%s)}

# One line of progress, on standard error so that results can be piped.
say() { printf '==> [%4ss] %s\n' "$(($(date +%s) - EGG_STARTED))" "$*" >&2; }

# One clear message: what, and what to do next.
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# The same for a wrong command line, with the exit code that egg has for it.
wrong_usage() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}

# run_quietly LOG COMMAND...: the output goes to LOG and is shown on failure.
run_quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    die "'$*' failed; its output is above and in $log"
  fi
}

# A private cache by default keeps ccache working where HOME is read-only.
if [[ -z ${CCACHE_DIR:-} && ! -w ${HOME:-/nonexistent} ]]; then
  export CCACHE_DIR=$EGG_ROOT/.cache/ccache
fi
# Objects are shared between checkouts: paths below the checkout are relative.
# Those with the precompiled header are not, for it holds absolute ones.
export CCACHE_BASEDIR=$EGG_ROOT CCACHE_NOHASHDIR=1
# Objects built with the precompiled header are cached too; as in CMakePresets.json.
export CCACHE_SLOPPINESS=pch_defines,time_macros
