// A layer of a model that is sampled from, in two halves: attention stands between them. Without a graph, what counts is how many
// operators are called, each of them a launch on a GPU, and what a call costs the host. So they are called one after the other
// from here, results go where they are needed, and views are made with one call.
//
// libtorch has no norm and no attention of ragged sequences for a CPU that would be one operator, as they are for a GPU. Those
// are below, counted as operators like libtorch's own.

#include "shim.h"

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/glu_jvp.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/sum.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <vector>

// As in Rust; `bias` may be null.
struct LayerWeights {
  const at::Tensor *input_norm;
  const at::Tensor *heads;
  const at::Tensor *bias;
  const at::Tensor *output;
  const at::Tensor *post_norm;
  const at::Tensor *gate_up;
  const at::Tensor *down;
};

// As in Rust.
struct LayerShape {
  int64_t heads;
  int64_t kv_heads;
  int64_t dim;
  int64_t wide;
  int heads_are_normed;
  double epsilon;
};

namespace {

// Numbers that are worth a thread, as libtorch has it.
constexpr int64_t GRAIN = 32768;

template <typename Number, typename Sum>
[[gnu::always_inline]] inline Sum dot(const Number *one, const Number *other, int64_t count) {
  Sum sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t place = 0; place < count; ++place) sum += Sum(one[place]) * Sum(other[place]);
  return sum;
}

// The exponential of what is at most 0, to two units in the last place: the mathematical library's takes one number at a time.
[[gnu::always_inline]] inline float exponential(float power) {
  power = power < -87.f ? -87.f : power;
  // Beside a number this large, a float has no fraction.
  constexpr float LARGE = 12582912.f;
  float whole = (power * 1.44269504f + LARGE) - LARGE;
  float rest = power - whole * 0.693359375f + whole * 2.12194440e-4f;
  float sum = 1.9875691500e-4f;
  for (float factor : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f, 1.f, 1.f})
    sum = sum * rest + factor;
  int32_t bits = (static_cast<int32_t>(whole) + 127) << 23;
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return sum * scale;
}

[[gnu::always_inline]] inline double exponential(double power) { return std::exp(power); }

template <typename Number>
void norm_rows(const Number *input, const Number *weight, Number *output, int64_t rows, int64_t dim, double epsilon) {
  using Sum = at::opmath_type<Number>;
  at::parallel_for(0, rows, GRAIN / dim + 1, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const Number *from = input + row * dim;
      Number *to = output + row * dim;
      Sum scale = 1 / std::sqrt(dot<Number, Sum>(from, from, dim) / Sum(dim) + Sum(epsilon));
      if (weight == nullptr)
        for (int64_t place = 0; place < dim; ++place) to[place] = Number(Sum(from[place]) * scale);
      else
        for (int64_t place = 0; place < dim; ++place)
          to[place] = Number(Sum(from[place]) * scale * Sum(weight[place]));
    }
  });
}

// What an operator was given, for whoever records it.
std::vector<c10::IValue> given(std::initializer_list<const at::Tensor *> tensors) {
  std::vector<c10::IValue> all;
  for (const at::Tensor *tensor : tensors)
    if (tensor != nullptr) all.emplace_back(*tensor);
  return all;
}

// Root-mean-square norm over the last dimension, of rows that lie one after the other.
at::Tensor rms_norm(const at::Tensor &input, const at::Tensor *weight, double epsilon) {
  int64_t dim = input.size(-1);
  if (!input.is_cpu()) {
    auto weights = weight != nullptr ? std::optional<at::Tensor>(*weight) : std::nullopt;
    return at::rms_norm(input, {dim}, weights, epsilon);
  }
  RECORD_FUNCTION("microcoder::rms_norm", (given({&input, weight})));
  TORCH_CHECK(input.is_contiguous() && (weight == nullptr || (weight->is_contiguous() && weight->numel() == dim)),
              "a norm takes whole rows");
  at::Tensor output = at::empty_like(input);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kBFloat16, at::kHalf, input.scalar_type(), "rms_norm", [&] {
    norm_rows<scalar_t>(input.const_data_ptr<scalar_t>(), weight != nullptr ? weight->const_data_ptr<scalar_t>() : nullptr,
                        output.mutable_data_ptr<scalar_t>(), input.numel() / dim, dim, epsilon);
  });
  return output;
}

// What the loops of attention work on: of queries `[B, heads, dim]`, keys and values side by side in rows, `stride` apart.
template <typename Number> struct Heads {
  const Number *queries;
  const Number *stored;
  Number *outputs;
  const int *starts;
  const int *used;
  int64_t heads, kv_heads, dim, query_stride, stride;
};

// Products of a query with `count` keys. Four at a time: their sums do not wait for one another.
template <typename Number, typename Sum>
[[gnu::always_inline]] inline void score(const Number *query, const Number *keys, int64_t stride, int64_t count, int64_t dim, Sum scale,
                                         Sum *scores) {
  int64_t row = 0;
  for (; row + 4 <= count; row += 4) {
    const Number *key = keys + row * stride;
    Sum first = 0, second = 0, third = 0, fourth = 0;
#pragma omp simd reduction(+ : first, second, third, fourth)
    for (int64_t place = 0; place < dim; ++place) {
      Sum number = Sum(query[place]) * scale;
      first += number * Sum(key[place]);
      second += number * Sum(key[stride + place]);
      third += number * Sum(key[2 * stride + place]);
      fourth += number * Sum(key[3 * stride + place]);
    }
    scores[row] = first, scores[row + 1] = second, scores[row + 2] = third, scores[row + 3] = fourth;
  }
  for (; row < count; ++row) scores[row] = scale * dot<Number, Sum>(query, keys + row * stride, dim);
}

// Adds `count` values, each in its share.
template <typename Number, typename Sum>
[[gnu::always_inline]] inline void mix(const Number *values, int64_t stride, int64_t count, int64_t dim, const Sum *shares, Sum *sums) {
  int64_t row = 0;
  for (; row + 4 <= count; row += 4) {
    const Number *value = values + row * stride;
    Sum first = shares[row], second = shares[row + 1], third = shares[row + 2], fourth = shares[row + 3];
#pragma omp simd
    for (int64_t place = 0; place < dim; ++place)
      sums[place] += (first * Sum(value[place]) + second * Sum(value[stride + place])) +
                     (third * Sum(value[2 * stride + place]) + fourth * Sum(value[3 * stride + place]));
  }
  for (; row < count; ++row)
    for (int64_t place = 0; place < dim; ++place) sums[place] += shares[row] * Sum(values[row * stride + place]);
}

// Some of the queries' heads, counted through all slots.
template <typename Number>
[[gnu::always_inline]] inline void attend_some(const Heads<Number> &all, int64_t first, int64_t last) {
  using Sum = at::opmath_type<Number>;
  int64_t dim = all.dim, stride = all.stride;
  Sum scale = 1 / std::sqrt(Sum(dim));
  std::vector<Sum> scores, sums(dim);
  for (int64_t place = first; place < last; ++place) {
    int64_t slot = place / all.heads, head = place % all.heads, count = all.used[slot];
    const Number *query = all.queries + slot * all.query_stride + head * dim;
    const Number *keys = all.stored + all.starts[slot] * stride + head / (all.heads / all.kv_heads) * dim;
    scores.resize(count);
    score<Number, Sum>(query, keys, stride, count, dim, scale, scores.data());
    Sum most = scores.front(), total = 0, *shares = scores.data();
#pragma omp simd reduction(max : most)
    for (int64_t row = 0; row < count; ++row) most = std::max(most, shares[row]);
#pragma omp simd reduction(+ : total)
    for (int64_t row = 0; row < count; ++row) total += shares[row] = exponential(shares[row] - most);
    std::fill(sums.begin(), sums.end(), Sum(0));
    mix<Number, Sum>(keys + all.kv_heads * dim, stride, count, dim, shares, sums.data());
    for (int64_t number = 0; number < dim; ++number) all.outputs[place * dim + number] = Number(sums[number] / total);
  }
}

#ifdef __x86_64__
// The same for processors of the last ten years.
template <typename Number>
[[gnu::target("avx2,fma")]] void attend_some_wide(const Heads<Number> &all, int64_t first, int64_t last) {
  attend_some<Number>(all, first, last);
}
#endif

template <typename Number>
void attend_all(const at::Tensor &query, const at::Tensor &rows, const int *starts, const int *used, at::Tensor &output) {
  Heads<Number> all{query.const_data_ptr<Number>(), rows.const_data_ptr<Number>(), output.mutable_data_ptr<Number>(), starts, used,
                    query.size(1), rows.size(1) / 2, query.size(2), query.stride(0), rows.stride(0)};
  int64_t each = all.dim * *std::max_element(used, used + query.size(0));
  at::parallel_for(0, query.size(0) * all.heads, GRAIN / each + 1, [&](int64_t first, int64_t last) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return attend_some_wide<Number>(all, first, last);
#endif
    attend_some<Number>(all, first, last);
  });
}

// The product of up and SiLU of gate, of `[T, 3 * wide]`: zeros, gate and up, both negative.
//
// It is one operator: the derivative of a gated linear unit, da s(b) + glu (db - s(b) db) as libtorch has it, is up gate s(gate)
// where da = 0, b = db = -gate and glu = -up.
at::Tensor gated(const at::Tensor &scratch, int64_t wide) {
  at::Tensor unit = scratch.narrow(1, 0, 2 * wide), up = scratch.narrow(1, 2 * wide, wide);
  if (!scratch.is_cpu() || scratch.element_size() > 2) return at::glu_jvp(up, unit, unit, 1);
  // There is no such derivative in 16 bits on a CPU.
  return at::silu(unit.narrow(1, wide, wide).neg()).mul_(up).neg_();
}

// What the loops take for granted.
void check_spans(const at::Tensor &query, const at::Tensor &rows, const at::Tensor &starts, const at::Tensor &used) {
  TORCH_CHECK(query.is_cpu() && rows.is_cpu() && rows.is_contiguous(), "attention to rows that lie elsewhere");
  TORCH_CHECK(query.dim() == 3 && query.stride(1) == query.size(2) && query.stride(2) == 1, "a query is whole heads");
  TORCH_CHECK(rows.dim() == 3 && rows.size(2) == query.size(2) && query.size(1) % (rows.size(1) / 2) == 0,
              "keys are of another shape than queries");
  int64_t count = query.size(0);
  TORCH_CHECK(starts.is_contiguous() && used.is_contiguous() && starts.numel() >= count && used.numel() == count,
              "a span for each query");
  const int *first = starts.const_data_ptr<int>(), *length = used.const_data_ptr<int>();
  for (int64_t slot = 0; slot < count; ++slot)
    TORCH_CHECK(first[slot] >= 0 && length[slot] > 0 && int64_t(first[slot]) + length[slot] <= rows.size(0),
                "a span beyond the rows");
}

} // namespace

extern "C" {

// The first half: norm, projections, norm of the heads, turns. `[T, heads + 2 * kv_heads, dim]`: queries, keys, values.
char *mc_layer_heads(const LayerWeights *weights, const LayerShape *shape, const at::Tensor *input, const at::Tensor *turns,
                     at::Tensor **output) {
  return guarded([&] {
    int64_t turned = shape->heads + shape->kv_heads, all = turned + shape->kv_heads;
    int64_t dim = shape->dim, half = dim / 2, count = input->size(0);
    auto bias = weights->bias != nullptr ? std::optional<at::Tensor>(*weights->bias) : std::nullopt;
    at::Tensor normed = rms_norm(*input, weights->input_norm, shape->epsilon);
    at::Tensor heads = at::linear(normed, *weights->heads, bias).view({count, all, dim});
    // Values are normed as well, and not looked at: a norm of some heads alone would first copy them.
    at::Tensor even = shape->heads_are_normed != 0 ? rms_norm(heads, nullptr, shape->epsilon) : heads;
    at::Tensor parts =
        at::mul(even.as_strided({count, turned, 1, 2, half}, {all * dim, dim, dim, half, 1}), *turns);
    at::Tensor place = heads.as_strided({count, turned, 2, half}, {all * dim, dim, half, 1});
    static constexpr int64_t what_they_take[] = {3};
    at::sum_out(place, parts, at::IntArrayRef(what_they_take));
    *output = new at::Tensor(std::move(heads));
  });
}

// The second half, into `rows` `[T, hidden]`, the layer's input: projection back, norm, SwiGLU. `scratch` is `[T, 3 * wide]`,
// zero in its first third.
char *mc_layer_rest(const LayerWeights *weights, const LayerShape *shape, const at::Tensor *rows, const at::Tensor *attended,
                    const at::Tensor *scratch) {
  return guarded([&] {
    int64_t count = rows->size(0), wide = shape->wide;
    at::Tensor into = *rows;
    into.addmm_(attended->reshape({count, shape->heads * shape->dim}), *weights->output);
    at::Tensor normed = rms_norm(into, weights->post_norm, shape->epsilon);
    at::Tensor both = scratch->narrow(1, wide, 2 * wide);
    both.addmm_(normed, *weights->gate_up, /*beta=*/0, /*alpha=*/-1);
    into.addmm_(gated(*scratch, wide), *weights->down);
  });
}

// Attention of one query per sequence, `[B, heads, dim]`, to its keys and values, `[rows, 2 * kv_heads, dim]`: `used` of them
// from `starts` on, int32. On a CPU.
char *mc_attend(const at::Tensor *query, const at::Tensor *rows, const at::Tensor *starts, const at::Tensor *used,
                at::Tensor **output) {
  return guarded([&] {
    RECORD_FUNCTION("microcoder::attend", (given({query, rows, starts, used})));
    check_spans(*query, *rows, *starts, *used);
    at::Tensor attended = at::empty(query->sizes(), query->options());
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kBFloat16, at::kHalf, query->scalar_type(), "attend", [&] {
      attend_all<scalar_t>(*query, *rows, starts->const_data_ptr<int>(), used->const_data_ptr<int>(), attended);
    });
    *output = new at::Tensor(std::move(attended));
  });
}

} // extern "C"
