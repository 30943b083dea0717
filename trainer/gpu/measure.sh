#!/usr/bin/env bash
# Measures mc-train on this machine's GPU, and beside it transformers and plain PyTorch on the same work: one call, no Rust.
#
#     trainer/gpu/measure.sh [--tiny] [--out FOLDER] [PART...]
#
# Parts, all by default: parity generate-1.7b-128 generate-1.7b-256 generate-4b-128 generate-4b-256 graphs-1.7b update-1.7b
# step-1.7b learn. --tiny runs each of them at tiny size, on a CPU where there is no GPU. Results are printed, and lie in
# FOLDER/measure.json (FOLDER: ./measured by default; it also holds the models that are made, 12 GB, and the step's
# checkpoint, 28 GB, while that part runs). All parts take about a quarter of an hour. What each measures: measure.py.
#
# It needs python3 (or PYTHON) with torch 2.11, transformers and safetensors, and the binary that MC_TRAIN names, by default
# target/release/mc-train of the checkout. Build that anywhere with a C library no newer than this machine's, also
# without a GPU; the same binary serves both:
#
#     eval "$(trainer/setup-torch.sh)" && cargo build --release -p trainer && strip target/release/mc-train
#
# and carry it here with the checkout (or with trainer/gpu and trainer/presets alone). It finds libtorch through
# LD_LIBRARY_PATH, which is set below to that of the Python in use. The parts `step` and `learn` judge programs: they need
# user namespaces, as `mc-eval doctor` tells; where there are none, they are reported as failed and the others still run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
MC_TRAIN=${MC_TRAIN:-$here/../../target/release/mc-train}
export MC_TRAIN
[ -x "$MC_TRAIN" ] || { echo "measure: no binary at $MC_TRAIN (set MC_TRAIN)" >&2; exit 3; }
torch=$("$python" -c 'import torch, transformers, safetensors; print(torch.__path__[0], torch.__version__)') ||
  { echo "measure: $python lacks torch, transformers or safetensors" >&2; exit 3; }
case "${torch#* }" in
  2.11.*) ;;
  *) echo "measure: mc-train is built for torch 2.11, $python has ${torch#* }" >&2; exit 3 ;;
esac
export LD_LIBRARY_PATH="${torch% *}/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export OMP_WAIT_POLICY=passive
exec "$python" "$here/measure.py" "$@"
