#!/usr/bin/env bash
# GRPO with verl 0.9 on one machine with GPUs, rewarded by the judge:
#
#     pip install microcoder "verl[vllm]==0.9.1" && cargo install --path dataset
#     examples/verl/run.sh Qwen/Qwen3-1.7B fixtures/problems.jsonl [SETTING=VALUE...]
set -euo pipefail
model=$1 problems=$2
shift 2

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mc-data collect "$problems" --out "$made/records.jsonl"
mc-data export "$made/records.jsonl" --to verl --out "$made/train.parquet"
VERL_USE_EXTERNAL_MODULES=microcoder.verl_trainer python -m verl.trainer.main_ppo \
    data.train_files="$made/train.parquet" data.val_files="$made/train.parquet" \
    data.max_prompt_length=2048 data.max_response_length=4096 data.train_batch_size=64 \
    actor_rollout_ref.model.path="$model" \
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.temperature=1.2 \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \
    actor_rollout_ref.actor.policy_loss.loss_mode=microcoder \
    actor_rollout_ref.actor.clip_ratio_low=0.2 actor_rollout_ref.actor.clip_ratio_high=0.28 \
    actor_rollout_ref.actor.use_kl_loss=False algorithm.use_kl_in_reward=False \
    algorithm.adv_estimator=microcoder \
    reward.custom_reward_function.path=pkg://microcoder.verl \
    reward.custom_reward_function.name=compute_score \
    +reward.custom_reward_function.reward_kwargs.absent=nan \
    trainer.v1.trainer_mode=microcoder +trainer.v1.microcoder.rho=0.2 \
    trainer.n_gpus_per_node="$(nvidia-smi --list-gpus | wc -l)" trainer.logger='["console"]' \
    "$@"
