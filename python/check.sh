#!/usr/bin/env bash
# All checks of the package: lints, types, the wheel and its tests in a fresh environment, and that the source archive
# compiles.
#
#     python/check.sh [release|dev]        # the profile of the binary in the wheel; release by default
#
# Tools are kept in the cache folder, and the build is that of CARGO_TARGET_DIR.
set -euo pipefail
cd "$(dirname "$0")"

profile=${1:-release}
cache="${XDG_CACHE_HOME:-$HOME/.cache}/microcoder"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}"

tools="$cache/python-tools-1"
if [ ! -f "$tools/complete" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet maturin==1.16.0 mypy==2.4.1 ruff==0.17.6 uv==0.13.9
    touch "$tools/complete"
fi
export PATH="$tools/bin:$PATH" UV_CACHE_DIR="$cache/uv"

ruff check . ../examples
ruff format --check . ../examples
mypy

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
maturin build --quiet --locked --profile "$profile" --out "$work/wheels"
maturin sdist --out "$work" 2>"$work/sdist.log" || { cat "$work/sdist.log" >&2; exit 1; }

uv venv --quiet "$work/venv"
uv pip install --quiet --python "$work/venv/bin/python" "$work"/wheels/*.whl pytest==9.2.0
# From another folder, so that only what the wheel brings can be imported.
(cd "$work" && env --unset=MICROCODER_MC_EVAL venv/bin/python -m pytest --quiet -c "$OLDPWD/pyproject.toml" --rootdir "$OLDPWD" "$OLDPWD/tests")

tar -C "$work" -xzf "$work"/*.tar.gz
# Not --locked: the lock file knows members of the workspace that the archive leaves out.
cargo check --quiet --offline --manifest-path "$work"/microcoder-*/evaluator/Cargo.toml
