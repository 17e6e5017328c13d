#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing of what EGG needs to build, test and run: Debian or
# Ubuntu packages (apt-packages.txt) and the Python environment .venv
# (requirements.txt, the package egg). Does nothing, quickly, when all is there.
#
# usage: scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The lines of a list file without comments.
list_entries() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$1"; }

missing_packages() {
  local package
  while read -r package; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      echo "$package"
  done < <(list_entries scripts/apt-packages.txt)
}

install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "setup needs Debian 12 or a Ubuntu whose apt has LLVM 22; elsewhere, install the equivalents of scripts/apt-packages.txt by hand and use cmake --preset dev"
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null ||
      die "not root, and sudo asks for a password: have an administrator run: apt-get install ${missing[*]}"
    as_root=(sudo -n)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0)
  say "installing ${#missing[@]} packages: ${missing[*]}"
  run_quietly build/logs/apt-update.log "${as_root[@]}" update
  if ! apt-cache show "${missing[@]}" >/dev/null 2>&1; then
    die "apt has no candidate for some of: ${missing[*]}; EGG needs LLVM 22 from apt (Debian 12, or a Ubuntu that has it)"
  fi
  run_quietly build/logs/apt-install.log \
    "${as_root[@]}" install --no-install-recommends "${missing[@]}"
}

# ptxas and libdevice of an installed CUDA toolkit, as the Target library and
# test/lit_features.py look for them.
has_cuda_toolkit() {
  { command -v ptxas || compgen -G '/usr/local/cuda*/bin/ptxas'; } >/dev/null &&
    { compgen -G '/usr/local/cuda*/nvvm/libdevice/libdevice.10.bc' ||
      compgen -G '/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc'; } >/dev/null
}

# pip_install LOG ARGUMENTS...: non-interactive, quiet unless it fails.
pip_install() {
  local log=$1
  shift
  run_quietly "build/logs/$log.log" "$EGG_VENV/bin/python" -m pip install \
    --no-input --disable-pip-version-check --progress-bar off "$@"
}

install_venv() {
  if [[ -L $EGG_VENV ]]; then
    say ".venv is a link to a shared environment: left as it is"
    return 0
  fi
  local lists=(scripts/requirements.txt) stamp=$EGG_VENV/egg-setup.sha256 wanted
  has_cuda_toolkit || lists+=(scripts/requirements-cuda.txt)
  wanted=$(cat "${lists[@]}" python-bindings/pyproject.toml | sha256sum; echo "$EGG_ROOT")
  if [[ -x $EGG_VENV/bin/egg && $(cat "$stamp" 2>/dev/null) == "$wanted" ]]; then
    return 0
  fi
  [[ -x $EGG_VENV/bin/python ]] ||
    run_quietly build/logs/venv.log python3 -m venv "$EGG_VENV"
  local free_mb
  free_mb=$(df -Pm "$EGG_VENV" | awk 'NR == 2 {print $4}')
  if ((free_mb < 8000)) && [[ ! -d $(echo "$EGG_VENV"/lib/python3*/site-packages/torch) ]]; then
    die "PyTorch needs about 8 GB here and $free_mb MB are free: make room in $EGG_ROOT"
  fi
  say "installing Python packages into .venv (PyTorch is 5 GB: a few minutes)"
  local list arguments=()
  for list in "${lists[@]}"; do arguments+=(-r "$list"); done
  pip_install pip-requirements "${arguments[@]}"
  pip_install pip-egg --no-deps --no-build-isolation -e python-bindings
  echo "$wanted" >"$stamp"
}

take_lock
install_packages
install_venv
