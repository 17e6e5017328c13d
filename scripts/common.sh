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

# Prints the script's head comment and ends, where --help is the first argument.
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$EGG_ROOT/scripts/$(basename "$0")"
  exit 0
fi

# Waits until no other script that installs or builds runs in this checkout.
# Scripts that this one calls hold the lock already. It ends with the script, or
# by release_lock.
take_lock() {
  [[ ${EGG_LOCKED:-} != "$EGG_ROOT" ]] && command -v flock >/dev/null || return 0
  mkdir -p build
  exec {EGG_LOCK}>>build/.lock
  if ! flock --nonblock "$EGG_LOCK"; then
    say "waiting for another run of scripts/$(tail -n 1 build/.lock) in this checkout"
    flock "$EGG_LOCK"
  fi
  basename "$0" >build/.lock
  export EGG_LOCKED=$EGG_ROOT
}

release_lock() {
  [[ -z ${EGG_LOCK:-} ]] || exec {EGG_LOCK}>&-
  unset EGG_LOCK EGG_LOCKED
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
