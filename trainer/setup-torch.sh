#!/usr/bin/env bash
# Finds or makes the libtorch that mc-train is built against, and prints the lines that tell the build about it:
#
#     eval "$(trainer/setup-torch.sh)"          # CPU: about 0.5 GB to download, 1.3 GB on disk
#     eval "$(trainer/setup-torch.sh --cuda)"   # with every CUDA library that PyTorch brings: about 3 GB to download
#
# It takes, in this order: the folder in LIBTORCH; the PyTorch of the python3 on PATH; what an earlier call made; a new
# virtual environment in TORCH_VENV (default ${XDG_CACHE_HOME:-$HOME/.cache}/microcoder/torch). Which one, it says on
# standard error. Only PyTorch 2.11.0 fits the tch in use. TORCH_PYTHON names another python3 to make the environment.
set -euo pipefail

version=2.11.0
venv=${TORCH_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/microcoder/torch}
python=${TORCH_PYTHON:-python3}
cuda=no
case "${1:-}" in
  "") ;;
  --cuda) cuda=yes ;;
  *) echo "usage: $0 [--cuda]" >&2; exit 2 ;;
esac

say() { echo "setup-torch: $*" >&2; }

# The version of a torch folder: libtorch archives say it in a file, wheels in a module.
version_of() {
  if [ -f "$1/build-version" ]; then
    cut -d+ -f1 "$1/build-version"
  elif [ -f "$1/version.py" ]; then
    sed -n "s/^__version__ = '\([^'+]*\).*/\1/p" "$1/version.py"
  fi
}

# Whether a library and all that it needs are there. Of a pipe from ldd, `pipefail` would tell how ldd ended, which a reader
# that stops at its first find may cut off.
loadable() {
  local needed
  [ -f "$1" ] && needed=$(ldd "$1" 2>/dev/null) && [[ "$needed" != *"not found"* ]]
}

# Whether a folder holds the right version with its CPU library.
usable() {
  [ "$(version_of "$1")" = "$version" ] && loadable "$1/lib/libtorch_cpu.so"
}

# The torch folder of a Python, found without importing it: a wheel without its CUDA libraries cannot be imported.
torch_of() {
  "$1" -c 'import importlib.util as u; s = u.find_spec("torch"); print(s.submodule_search_locations[0] if s else "")' 2>/dev/null || true
}

# PyTorch's wheel without its dependencies, and the two libraries that its CPU half is linked against.
make_venv() {
  "$python" -m venv "$venv"
  if [ "$cuda" = yes ]; then
    "$venv/bin/python" -m pip install --quiet "torch==$version" >&2
  else
    "$venv/bin/python" -m pip install --quiet --no-deps "torch==$version" >&2
    if ! usable "$(torch_of "$venv/bin/python")"; then
      "$venv/bin/python" -m pip install --quiet --no-deps 'nvidia-cuda-cupti==13.0.*' 'nvidia-cuda-runtime==13.0.*' >&2
    fi
  fi
}

# A CPU-only environment of ours does not satisfy --cuda: libtorch_cuda needs the libraries that were left out.
has_cuda() {
  [ "$cuda" = no ] || loadable "$1/lib/libtorch_cuda.so"
}

if [ -n "${LIBTORCH:-}" ]; then
  usable "$LIBTORCH" || { say "LIBTORCH=$LIBTORCH holds no usable libtorch $version (found: '$(version_of "$LIBTORCH")')"; exit 1; }
  has_cuda "$LIBTORCH" || { say "LIBTORCH=$LIBTORCH holds no usable libtorch_cuda.so: unset LIBTORCH to have one fetched"; exit 1; }
  torch=$LIBTORCH
  say "using libtorch $version from LIBTORCH=$torch"
elif torch=$(torch_of "$python") && [ -n "$torch" ] && usable "$torch" && has_cuda "$torch"; then
  say "using PyTorch $version of $(command -v "$python"): $torch"
else
  torch=$([ -x "$venv/bin/python" ] && torch_of "$venv/bin/python" || true)
  if [ -n "$torch" ] && usable "$torch" && has_cuda "$torch"; then
    say "using PyTorch $version made earlier: $torch"
  else
    say "making $venv with PyTorch $version (cuda: $cuda)"
    make_venv
    torch=$(torch_of "$venv/bin/python")
    usable "$torch" || { say "$torch is not usable: see 'ldd $torch/lib/libtorch_cpu.so'"; exit 1; }
    say "made $torch"
  fi
fi

echo "export LIBTORCH='$torch'"
echo "export LIBTORCH_CXX11_ABI=1"
echo "export OMP_WAIT_POLICY=passive"
echo "unset LIBTORCH_USE_PYTORCH"
