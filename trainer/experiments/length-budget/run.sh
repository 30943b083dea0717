#!/usr/bin/env bash
# What the truncation mask and the temperature do where a length budget bites: seven settings from three seeds each, on the
# toy task with remarks, and their report. About 25 minutes on two cores. A run that is there already is kept.
#
#     eval "$(trainer/setup-torch.sh)" && cargo build --release -p trainer && export PATH="$PWD/target/release:$PATH"
#     trainer/experiments/length-budget/run.sh FOLDER
#
# Training stops a response at 40 tokens, where six to seven of ten are longer at first; evaluation lets them have 96.
set -euo pipefail
mc_train="${MC_TRAIN:-mc-train}"
[ $# -eq 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
cd "$1"

seeds="1 2 3"
settings="GRPO DAPO mask mask-all T-0.6 T-1.4 MicroCoder"

overrides() {
    case $1 in
        GRPO) echo loss.clip_high=0.2 loss.kl_beta=0.001 'loss.aggregation="sequence_mean"' ;;
        DAPO) ;;
        mask) echo 'truncation.mask="conditional"' truncation.conditions.window=8 ;;
        mask-all) echo 'truncation.mask="all"' ;;
        T-*) echo "temperature.value=${1#T-}" ;;
        MicroCoder)
            overrides mask
            echo 'temperature.by="diversity"' 'temperature.stages=[{step=0,value=1.2}]' \
                'temperature.decline={threshold=0.3,window=5,patience=3}'
            ;;
    esac
}

warm() {
    [ -d "sft-$1/model" ] && return
    [ -d "toy-$1" ] || "$mc_train" toy "toy-$1" --seed "$1" --remarks
    "$mc_train" sft --config "toy-$1/run.toml" --out "sft-$1" --set seed="$1" --set 'data.held_out=[]' 2>"sft-$1.log"
}

train() {
    local out="$1-$2" with=()
    [ -d "$out/model" ] && return
    for override in $(overrides "$1"); do with+=(--set "$override"); done
    "$mc_train" grpo --config "toy-$2/run.toml" --out "$out" --set seed="$2" \
        --set "model.path=sft-$2/model" --set model.random=false \
        --set steps=60 --set rollout.max_tokens=40 --set evaluation.max_tokens=96 "${with[@]}" 2>"$out.log"
}

# Two at a time.
both() {
    local first="$1" second="$2" one
    $first & one=$!
    $second
    wait "$one"
}

both "warm 1" "warm 2"
warm 3
drawn=()
for setting in $settings; do
    for seed in $seeds; do drawn+=("$setting=$setting-$seed"); done
done
for seed in $seeds; do
    both "train GRPO $seed" "train DAPO $seed"
    both "train mask $seed" "train mask-all $seed"
    both "train T-0.6 $seed" "train T-1.4 $seed"
done
both "train MicroCoder 1" "train MicroCoder 2"
train MicroCoder 3
"$mc_train" report "${drawn[@]}" --out report
cat report/table.txt
