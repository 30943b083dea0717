#!/usr/bin/env bash
# Tests the adapters with the frameworks' own code, on a CPU: each framework in an environment of its own, which is kept in
# the cache folder. PyTorch is the one that the trainer is built against.
#
#     python/check-frameworks.sh [--profile release|dev] [FRAMEWORK...]        # all of frameworks/requirements by default
set -euo pipefail
cd "$(dirname "$0")"
torch=$(../trainer/setup-torch.sh)
eval "$torch"
source tools.sh

profile=release
if [ "${1:-}" = --profile ]; then
    profile=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    set -- $(cd frameworks/requirements && ls *.txt | sed 's/\.txt$//')
fi
build_wheel "$profile"

for framework; do
    requirements=frameworks/requirements/$framework.txt
    venv=$cache/frameworks/$framework-$(cat "$requirements" frameworks/without-cuda.txt frameworks/cpu_torch.py | sha256sum | cut -c1-12)
    if [ ! -f "$venv/complete" ] || [ ! -x "$venv/bin/python" ]; then
        rm -rf "$cache/frameworks/$framework"-*
        uv venv --quiet "$venv"
        install "$venv/bin/python" --overrides frameworks/without-cuda.txt -r "$requirements" pytest==9.2.0
        if grep -q '^# needs torch' "$requirements"; then
            python3 frameworks/cpu_torch.py "$venv/bin/python" "$LIBTORCH"
        fi
        touch "$venv/complete"
    fi
    install "$venv/bin/python" --no-deps --reinstall "$work"/wheels/*.whl
    echo "$framework: $(head -1 "$requirements")"
    # A busy machine may take longer to start one of Ray's than Ray expects.
    env --unset=MICROCODER_MC_EVAL --unset=PYTHONPATH HF_HUB_OFFLINE=1 RAY_raylet_start_wait_time_s=600 \
        "$venv/bin/python" -m pytest --quiet --disable-warnings frameworks/test_"$framework"*.py
done
