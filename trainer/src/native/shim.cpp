// The calls of libtorch that its Rust binding does not offer. Built against libtorch's own headers: none of CUDA's is
// needed, for what runs on a GPU is reached through the dispatcher and through interfaces that c10 declares.

#include "shim.h"

#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/stack.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/InferenceMode.h>

#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <optional>
#include <vector>

namespace {

using List = const at::Tensor *const *;

std::vector<at::Tensor> tensors(List list, size_t count) {
  std::vector<at::Tensor> all;
  all.reserve(count);
  for (size_t index = 0; index < count; ++index) all.push_back(*list[index]);
  return all;
}

// The allocator of the GPU's memory; null while nothing lies there.
c10::DeviceAllocator *cuda_allocator() {
  c10::Allocator *any = c10::GetAllocator(c10::DeviceType::CUDA);
  auto *allocator = dynamic_cast<c10::DeviceAllocator *>(any);
  return allocator != nullptr && allocator->initialized() ? allocator : nullptr;
}

} // namespace

extern "C" {

void mc_free(char *message) { std::free(message); }

char *mc_load(const char *library) {
  if (dlopen(library, RTLD_NOW | RTLD_GLOBAL) != nullptr) return nullptr;
  const char *problem = dlerror();
  return strdup(problem != nullptr ? problem : "it cannot be loaded");
}

char *mc_adamw(List parameters, List gradients, List exp_avgs, List exp_avg_sqs, size_t count, const at::Tensor *steps,
               double rate, double beta1, double beta2, double decay, double epsilon) {
  return guarded([&] {
    std::vector<at::Tensor> counts(count, *steps);
    auto own = tensors(parameters, count), exp_avg = tensors(exp_avgs, count),
         exp_avg_sq = tensors(exp_avg_sqs, count);
    at::_fused_adamw_(own, tensors(gradients, count), exp_avg, exp_avg_sq, /*max_exp_avg_sqs=*/{}, counts, rate, beta1, beta2,
                      decay, epsilon, /*amsgrad=*/false, /*maximize=*/false);
  });
}

char *mc_norm(List list, size_t count, double *norm) {
  return guarded([&] {
    auto norms = at::_foreach_norm(tensors(list, count), 2);
    *norm = at::stack(norms).to(at::kDouble).norm().item<double>();
  });
}

char *mc_scale(List list, size_t count, double factor) {
  return guarded([&] { at::_foreach_mul_(tensors(list, count), factor); });
}

// `used` may be null: then sequences are as long as `key_starts` says.
char *mc_flash(const at::Tensor *query, const at::Tensor *key, const at::Tensor *value, const at::Tensor *query_starts,
               const at::Tensor *key_starts, const at::Tensor *used, int64_t longest_query, int64_t longest_key,
               int causal, at::Tensor **output) {
  return guarded([&] {
    auto lengths = used != nullptr ? std::optional<at::Tensor>(*used) : std::nullopt;
    auto all = at::_flash_attention_forward(*query, *key, *value, *query_starts, *key_starts, longest_query,
                                            longest_key, /*dropout_p=*/0.0, causal != 0, /*return_debug_mask=*/false,
                                            /*scale=*/std::nullopt, /*window_size_left=*/std::nullopt,
                                            /*window_size_right=*/std::nullopt, lengths);
    *output = new at::Tensor(std::get<0>(all));
  });
}

char *mc_peak_memory(int64_t *bytes, int reset) {
  return guarded([&] {
    *bytes = 0;
    if (auto *allocator = cuda_allocator()) {
      *bytes = allocator->getDeviceStats(0).allocated_bytes[0].peak;
      if (reset != 0) allocator->resetPeakStats(0);
    }
  });
}

char *mc_empty_cache() {
  return guarded([&] {
    if (auto *allocator = cuda_allocator()) allocator->emptyCache();
  });
}

void *mc_begin_inference() { return new c10::InferenceMode(true); }

void mc_end_inference(void *mode) { delete static_cast<c10::InferenceMode *>(mode); }

char *mc_free_memory(int64_t *bytes) {
  return guarded([&] {
    *bytes = 0;
    if (auto *allocator = cuda_allocator()) *bytes = static_cast<int64_t>(allocator->getMemoryInfo(0).first);
  });
}

char *mc_drop_gradients(List list, size_t count) {
  return guarded([&] {
    for (size_t index = 0; index < count; ++index) list[index]->mutable_grad().reset();
  });
}

} // extern "C"
