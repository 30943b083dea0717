// CUDA graphs, and the stream that they are captured on.
//
// libtorch's class for them is declared in a header that needs CUDA's own, and lies in a library that is absent where there is no
// GPU. So its functions are found by name where they are asked for. They were read in libtorch 2.11.0, the version that this crate
// is built against: a name holds the types of a function's arguments, and a library in which they are others does not have it.

#include "shim.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <dlfcn.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

namespace {

// As at::cuda::CUDAGraph's.
struct Functions {
  void (*construct)(void *graph, bool keep_graph);
  void (*destroy)(void *graph);
  void (*capture_begin)(void *graph, c10::MempoolId_t pool, unsigned mode);
  void (*capture_end)(void *graph);
  void (*replay)(void *graph);
  c10::MempoolId_t (*pool)();
};

template <typename Function> void find(Function &function, const char *name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) throw std::runtime_error(std::string("libtorch_cuda.so has no ") + name);
}

const Functions &functions() {
  static const Functions found = [] {
    Functions all{};
    find(all.construct, "_ZN2at4cuda9CUDAGraphC1Eb");
    find(all.destroy, "_ZN2at4cuda9CUDAGraphD1Ev");
    find(all.capture_begin, "_ZN2at4cuda9CUDAGraph13capture_beginESt4pairIyyE21cudaStreamCaptureMode");
    find(all.capture_end, "_ZN2at4cuda9CUDAGraph11capture_endEv");
    find(all.replay, "_ZN2at4cuda9CUDAGraph6replayEv");
    find(all.pool, "_ZN2at4cuda17graph_pool_handleEv");
    return all;
  }();
  return found;
}

// cudaStreamCaptureModeThreadLocal: what a capture does not allow is an error on this thread; others ask nothing of the GPU.
constexpr unsigned THREAD_LOCAL = 1;

// Room for an at::cuda::CUDAGraph, which takes 104 bytes in libtorch 2.11.0.
class Graph {
public:
  Graph() { functions().construct(room, /*keep_graph=*/false); }
  ~Graph() { functions().destroy(room); }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  void begin(c10::MempoolId_t pool) { functions().capture_begin(room, pool, THREAD_LOCAL); }
  void end() { functions().capture_end(room); }
  void replay() { functions().replay(room); }

private:
  alignas(16) unsigned char room[256];
};

} // namespace

extern "C" {

// The name of memory that graphs share, of two numbers.
char *mc_graph_pool(uint64_t *pool) {
  return guarded([&] { std::tie(pool[0], pool[1]) = functions().pool(); });
}

char *mc_graph_begin(const uint64_t *pool, void **graph) {
  return guarded([&] {
    auto made = std::make_unique<Graph>();
    made->begin({pool[0], pool[1]});
    *graph = made.release();
  });
}

char *mc_graph_end(void *graph) {
  return guarded([&] { static_cast<Graph *>(graph)->end(); });
}

char *mc_graph_replay(void *graph) {
  return guarded([&] { static_cast<Graph *>(graph)->replay(); });
}

void mc_graph_free(void *graph) { delete static_cast<Graph *>(graph); }

// Makes another stream the current one, once all that was asked of the one before is done.
char *mc_begin_aside(void **before) {
  return guarded([&] {
    c10::impl::VirtualGuardImpl gpu(c10::DeviceType::CUDA);
    c10::Device device = gpu.getDevice();
    // Always the same: libtorch keeps memory for the products of each stream that there was.
    static const c10::Stream stream = gpu.getStreamFromGlobalPool(device);
    c10::Stream current = gpu.getStream(device);
    gpu.synchronizeStream(current);
    gpu.exchangeStream(stream);
    *before = new c10::Stream(current);
  });
}

char *mc_end_aside(void *before) {
  return guarded([&] {
    std::unique_ptr<c10::Stream> stream(static_cast<c10::Stream *>(before));
    c10::impl::VirtualGuardImpl gpu(c10::DeviceType::CUDA);
    gpu.synchronizeStream(gpu.exchangeStream(*stream));
  });
}

} // extern "C"
