// What libtorch is asked to do, call by call, with what it is given: a tensor by where its memory lies, or, where it was made since
// the step began, by a number in order of making. So two steps give the same text where they do the same to the same memory.

#include "shim.h"

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr const char *STEP = "microcoder::step";

class Recorder {
public:
  void begin(const at::RecordFunction &function) {
    bool step = std::strcmp(function.name(), STEP) == 0;
    // What was made before a step is given to it.
    if (step) own.clear(), count = 0;
    auto name = function.operator_name();
    text << depth << '\t' << (name.has_value() ? c10::toString(*name) : std::string(function.name())) << '\t';
    // What an operator gives to others follows from what it was given.
    if (depth == 0)
      for (const c10::IValue &input : function.inputs()) describe(input), text << ' ';
    text << '\n';
    // A step is no operator: what it calls is not called by one.
    if (!step) ++depth;
  }

  void end(const at::RecordFunction &function) {
    if (std::strcmp(function.name(), STEP) == 0) {
      text << depth << '\t' << STEP << ".kept\t" << kept() << '\n';
      return;
    }
    --depth;
    for (const c10::IValue &output : function.outputs()) made(output);
  }

  std::string said() const { return text.str(); }

private:
  // Held weakly: so memory is freed as ever, and yet no other storage takes its place in the table.
  struct Known {
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;
    // None of what was there before.
    size_t number;
  };
  static constexpr size_t GIVEN = SIZE_MAX;

  // The place of a storage in the table; what is new there is given or made.
  Known &known(const at::Tensor &tensor, bool given) {
    c10::StorageImpl *storage = tensor.storage().unsafeGetStorageImpl();
    auto found = own.find(storage);
    if (found == own.end())
      found = own.emplace(storage, Known{tensor.storage().getWeakStorageImpl(), given ? GIVEN : count++}).first;
    return found->second;
  }

  // A number may pass as a tensor; where that lies says nothing.
  static bool is_number(const c10::IValue &value) {
    return value.isTensor() && value.toTensor().defined() && value.toTensor().unsafeGetTensorImpl()->is_wrapped_number();
  }

  static bool lies_somewhere(const c10::IValue &value) {
    return value.isTensor() && value.toTensor().has_storage() && !is_number(value);
  }

  void made(const c10::IValue &value) {
    if (lies_somewhere(value)) known(value.toTensor(), /*given=*/false);
    if (value.isList())
      for (const c10::IValue &one : value.toListRef()) made(one);
  }

  void describe(const c10::IValue &value) {
    if (lies_somewhere(value)) return describe(value.toTensor());
    if (is_number(value)) {
      // Its item would be asked for by one more call.
      const at::Tensor &number = value.toTensor();
      if (number.scalar_type() == at::kDouble)
        text << *number.const_data_ptr<double>();
      else if (number.scalar_type() == at::kLong)
        text << *number.const_data_ptr<int64_t>();
      else
        text << number.scalar_type();
    } else if (value.isTensor()) {
      text << "none";
    } else if (value.isList()) {
      text << '[';
      for (const c10::IValue &one : value.toListRef()) describe(one), text << ',';
      text << ']';
    } else {
      text << value;
    }
  }

  void describe(const at::Tensor &tensor) {
    const Known &place = known(tensor, /*given=*/true);
    if (place.number == GIVEN)
      text << '@' << tensor.storage().data();
    else
      text << '%' << place.number;
    text << '+' << tensor.storage_offset() << tensor.sizes() << tensor.strides() << tensor.scalar_type();
  }

  // Storages that were made in the step and are still held.
  size_t kept() const {
    size_t kept = 0;
    for (const auto &[_, one] : own) kept += one.number != GIVEN && !one.storage.expired();
    return kept;
  }

  std::ostringstream text;
  int depth = 0;
  size_t count = 0;
  std::unordered_map<c10::StorageImpl *, Known> own;
};

thread_local std::unique_ptr<Recorder> recorder;
thread_local at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

} // namespace

extern "C" {

char *mc_begin_recording() {
  return guarded([&] {
    TORCH_CHECK(recorder == nullptr, "a recording within a recording");
    recorder = std::make_unique<Recorder>();
    auto begin = [](const at::RecordFunction &function) -> std::unique_ptr<at::ObserverContext> {
      recorder->begin(function);
      return nullptr;
    };
    auto end = [](const at::RecordFunction &function, at::ObserverContext *) { recorder->end(function); };
    auto callback = at::RecordFunctionCallback(begin, end).needsInputs(true).needsOutputs(true);
    handle = at::addThreadLocalCallback(callback.scopes({at::RecordScope::FUNCTION}));
  });
}

// A line for each call: how many operators it was called within, its name, what it was given.
char *mc_end_recording(char **calls) {
  return guarded([&] {
    at::removeCallback(handle);
    *calls = strdup(recorder->said().c_str());
    recorder.reset();
  });
}

void *mc_begin_step() {
  auto *step = new at::RecordFunction(at::RecordScope::FUNCTION);
  if (step->isActive()) step->before(STEP);
  return step;
}

void mc_end_step(void *step) { delete static_cast<at::RecordFunction *>(step); }

} // extern "C"
