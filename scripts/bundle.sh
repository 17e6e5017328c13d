#!/usr/bin/env bash
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Packs into .bundle/ what a GPU machine without network needs: the runtime, the
# package, the portable egg-opt where it is built, and the files and folders
# named (artifacts, payloads, KernelBench's problems). There, with a Python that
# has torch:
#
#   .bundle/run.sh kernelbench --root @/KernelBench --artifacts @/artifacts ...
#
# unpacks it once below $EGG_BUNDLE_DIR (default /tmp/egg-bundle) and runs egg;
# "@/" stands for what was packed.
#
# usage: scripts/bundle.sh [--no-compiler] [--limit-mib N] [--out DIR]
#                          [FILE_OR_DIR[=NAME]...]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

limit_mib=60
compiler=yes
out=.bundle
contents=()
while (($#)); do
  case $1 in
    --no-compiler) compiler=no ;;
    --limit-mib) limit_mib=${2:?--limit-mib needs a number}; shift ;;
    --out) out=${2:?--out needs a folder}; shift ;;
    -*) die "unknown option $1; see the head of scripts/bundle.sh" ;;
    *) contents+=("$1") ;;
  esac
  shift
done

# The portable build where there is one; else the development build's runtime,
# which has the same dependencies.
first_of() {
  local candidate
  for candidate in "$@"; do
    [[ -f $candidate ]] && { echo "$candidate"; return; }
  done
  return 1
}
runtime=$(first_of build/{portable,dev}/lib/libEGGRuntimeC.so) ||
  die "no libEGGRuntimeC.so: run scripts/build.sh first"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bundle/lib" "$work/bundle/bin" "$out"
cp -r python-bindings/egg "$work/bundle/egg"
find "$work/bundle/egg" -name __pycache__ -prune -exec rm -rf {} +
cp "$runtime" "$work/bundle/lib/"
strip --strip-unneeded "$work/bundle/lib/libEGGRuntimeC.so"
if [[ $compiler == yes && -f build/portable/bin/egg-opt ]]; then
  cp build/portable/bin/egg-opt "$work/bundle/bin/"
elif [[ $compiler == yes ]]; then
  say "no portable egg-opt (scripts/build.sh portable): the bundle only runs artifacts"
fi
for content in "${contents[@]}"; do
  path=${content%%=*}
  name=${content#*=}
  [[ $content == *=* ]] || name=$(basename "$path")
  [[ -e $path ]] || die "$path: no such file or directory"
  [[ ! -e $work/bundle/$name ]] || die "two things would be called $name: write $path=OTHER_NAME"
  mkdir -p "$(dirname "$work/bundle/$name")"
  cp -rL "$path" "$work/bundle/$name"
done

say "packing"
tar -C "$work/bundle" --sort=name --owner=0 --group=0 -c . | xz -T0 -6 >"$work/bundle.tar.xz"
size=$(stat -c %s "$work/bundle.tar.xz")
((size <= limit_mib << 20)) ||
  die "the bundle has $((size >> 20)) MiB, the limit is $limit_mib: leave something out (--no-compiler saves most)"
cat >"$work/run.sh" <<'RUN'
#!/usr/bin/env bash
# Runs egg from the bundle beside this file; see scripts/bundle.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
# A folder for each bundle: nothing of an older one is left in the way.
home=${EGG_BUNDLE_DIR:-/tmp/egg-bundle}/$(sha256sum "$here/bundle.tar.xz" | cut -c1-16)
if [[ ! -e $home/.unpacked ]]; then
  mkdir -p "$home"
  # Python's own xz: the machine may have no other.
  "$python" -c 'import sys, tarfile
safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
tarfile.open(sys.argv[1], "r:xz").extractall(sys.argv[2], **safe)' \
    "$here/bundle.tar.xz" "$home"
  touch "$home/.unpacked"
fi
export PYTHONPATH=$home${PYTHONPATH:+:$PYTHONPATH}
export EGG_RUNTIME=$home/lib/libEGGRuntimeC.so
[[ ! -x $home/bin/egg-opt ]] || export EGG_OPT=$home/bin/egg-opt
exec "$python" -m egg "${@/#@\//$home/}"
RUN
chmod +x "$work/run.sh"
# Both at once, so that no half of a bundle is left behind.
mv "$work/bundle.tar.xz" "$out/bundle.tar.xz.new"
mv "$work/run.sh" "$out/run.sh"
mv "$out/bundle.tar.xz.new" "$out/bundle.tar.xz"
say "packed $out: $((size >> 10)) KiB"
