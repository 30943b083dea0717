#!/usr/bin/env bash
# What selecting problems does for training: GRPO on the toy's problems as a crawl might have them (raw.py), on those of
# them whose tests are strong (verified), and on these with fewer that are easy (selected), at equal steps from the same
# start. Three seeds at a time, and their report. What is there already is kept.
#
#     eval "$(trainer/setup-torch.sh)" && cargo build --release -p trainer -p dataset && export PATH="$PWD/target/release:$PATH"
#     trainer/experiments/selected-data/run.sh FOLDER
set -euo pipefail
mc_train="${MC_TRAIN:-mc-train}"
mc_data="${MC_DATA:-mc-data}"
[ $# -eq 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

seeds="1 2 3"
settings="raw verified selected"

# The problems of each setting. No `mc-data filter`: all problems of an easy family have the same statement.
select_problems() (
    cd "toy-$1"
    python3 "$here/raw.py" train.jsonl "$1" >crawl.jsonl
    "$mc_data" collect crawl.jsonl -o collected.jsonl
    "$mc_data" process collected.jsonl -o processed.jsonl
    "$mc_data" verify processed.jsonl -o verified.jsonl --mutants 4 --min-strength 0.9 --time-factor 0
    "$mc_data" difficulty verified.jsonl -o selected.jsonl --share easy=0.2 --seed "$1"
    "$mc_data" export processed.jsonl -o problems-raw.jsonl
    "$mc_data" export verified.jsonl -o problems-verified.jsonl
    "$mc_data" export selected.jsonl -o problems-selected.jsonl
)

warm() {
    [ -d "sft-$1/model" ] && return
    rm -rf "toy-$1"
    "$mc_train" toy "toy-$1" --seed "$1"
    select_problems "$1" >"yields-$1.txt"
    "$mc_train" sft --config "toy-$1/run.toml" --out "sft-$1" --set seed="$1" --set 'data.held_out=[]' 2>"sft-$1.log"
}

train() {
    local out="$1-$2"
    [ -d "$out/model" ] && return
    "$mc_train" grpo --config "toy-$2/run.toml" --out "$out" --set seed="$2" \
        --set "model.path=sft-$2/model" --set model.random=false \
        --set "data.problems=[\"$PWD/toy-$2/problems-$1.jsonl\"]" 2>"$out.log"
}

all() {
    warm "$1"
    for setting in $settings; do train "$setting" "$1"; done
}

running=()
for seed in $seeds; do
    all "$seed" &
    running+=($!)
done
for one in "${running[@]}"; do wait "$one"; done

drawn=()
for setting in $settings; do
    for seed in $seeds; do drawn+=("$setting=$setting-$seed"); done
done
"$mc_train" report "${drawn[@]}" --out report
cat report/table.txt
