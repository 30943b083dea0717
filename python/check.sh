#!/usr/bin/env bash
# Lints, types, what the source package holds, and the wheel with its tests in a fresh environment.
#
#     python/check.sh [release|dev]        # the cargo profile of the binary in the wheel; release by default
#
# Tools are kept in the cache folder; the build is that of CARGO_TARGET_DIR. check-frameworks.sh tests the adapters.
set -euo pipefail
cd "$(dirname "$0")"
source tools.sh

ruff check --quiet --config pyproject.toml . ../examples
ruff format --quiet --check --config pyproject.toml . ../examples
mypy

check_sources
build_wheel "${1:-release}"
uv venv --quiet "$work/venv"
install "$work/venv/bin/python" "$work"/wheels/*.whl pytest==9.2.0
env --unset=MICROCODER_MC_EVAL --unset=PYTHONPATH "$work/venv/bin/python" -m pytest --quiet tests
