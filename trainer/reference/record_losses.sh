#!/usr/bin/env bash
# Records what TRL's and verl's own loss functions give, for tests/others.rs: see record_losses.py.
#
#     trainer/reference/record_losses.sh [OUT]
#
# It makes a virtual environment in a temporary folder, with torch and, without their dependencies, trl and verl. PYTHON names
# a python3 that has these, to be used instead.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../tests/reference/others.json}
if [ -z "${PYTHON:-}" ]; then
  venv=$(mktemp -d)
  trap 'rm -rf "$venv"' EXIT
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet torch==2.11.0 numpy
  "$venv/bin/pip" install --quiet --no-deps trl==1.16.0 verl==0.9.1
  PYTHON=$venv/bin/python
fi
"$PYTHON" "$here/record_losses.py" "$out"
