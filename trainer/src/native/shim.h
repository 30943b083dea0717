// What the shim's files share. Every function for Rust gives null, or a message that `mc_free` frees: no exception leaves them.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstring>
#include <exception>

template <typename Work> char *guarded(Work work) noexcept {
  try {
    work();
    return nullptr;
  } catch (const std::exception &error) {
    return strdup(error.what());
  } catch (...) {
    return strdup("libtorch threw what is no exception");
  }
}
