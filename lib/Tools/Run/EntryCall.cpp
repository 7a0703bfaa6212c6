//===- EntryCall.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface of a compiled function: memref arguments are pointers to
// descriptors, scalars go by value; results come through a struct whose address
// is the first argument when one of them is a memref or there are several, and
// by value otherwise. The packed form takes a pointer to each of these, the
// result's last.
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Execution.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Expected;

static int64_t getDescriptorBytes(const ValueSpec &spec) {
  return 8 * (3 + 2 * static_cast<int64_t>(spec.shape.size()));
}

/// The strides and the offset that an argument of `sizes` gets.
static Error layOut(const ValueSpec &spec, ArrayRef<int64_t> sizes,
                    StridedView &view, uint64_t &elements) {
  view.sizes = llvm::to_vector(sizes);
  view.strides.assign(sizes.size(), 1);
  // Strides that the type leaves open are those of a row-major array.
  int64_t next = 1;
  for (int64_t dim = sizes.size() - 1; dim >= 0; --dim) {
    int64_t stride = next;
    if (!spec.strides.empty() && !ShapedType::isDynamic(spec.strides[dim]))
      stride = spec.strides[dim];
    if (stride < 0)
      return llvm::createStringError("negative strides are not supported");
    view.strides[dim] = stride;
    if (llvm::MulOverflow(stride, std::max<int64_t>(sizes[dim], 1), next))
      return llvm::createStringError("the layout is too large");
  }
  view.offset = ShapedType::isDynamic(spec.offset) ? 0 : spec.offset;
  if (view.offset < 0)
    return llvm::createStringError("a negative offset is not supported");
  int64_t last = view.offset;
  for (auto [size, stride] : llvm::zip(view.sizes, view.strides)) {
    int64_t span;
    if (llvm::MulOverflow(std::max<int64_t>(size, 1) - 1, stride, span) ||
        llvm::AddOverflow(last, span, last))
      return llvm::createStringError("the layout is too large");
  }
  int64_t bytes;
  if (llvm::MulOverflow(last + 1, getElementSize(spec.element), bytes))
    return llvm::createStringError("the layout is too large");
  elements = last + 1;
  return Error::success();
}

Error EntryCall::addArgument(const ValueSpec &spec, const Array &array) {
  slots.push_back(std::make_unique<Slot>());
  Slot &slot = *slots.back();
  if (!spec.isShaped()) {
    slot.descriptor.assign(2, 0);
    std::memcpy(slot.descriptor.data(), array.data.data(), array.data.size());
    packed.push_back(slot.descriptor.data());
    return Error::success();
  }
  StridedView view;
  view.element = spec.element;
  uint64_t elements;
  if (Error error = layOut(spec, array.shape, view, elements))
    return error;
  uint64_t bytes = elements * getElementSize(spec.element);
  Expected<AlignedMemory> memory = AlignedMemory::allocate(bytes);
  if (!memory)
    return memory.takeError();
  slot.memory = std::move(*memory);
  slot.bytes = bytes;
  // What lies between the elements of a strided argument is zero.
  std::memset(slot.memory.get(), 0, bytes);
  view.aligned = slot.memory.get();
  scatter(array, view);

  auto address = reinterpret_cast<intptr_t>(view.aligned);
  slot.descriptor = {address, address, view.offset};
  llvm::append_range(slot.descriptor, view.sizes);
  llvm::append_range(slot.descriptor, view.strides);
  slot.descriptorPointer = slot.descriptor.data();
  slot.view = std::move(view);
  packed.push_back(&slot.descriptorPointer);
  return Error::success();
}

void EntryCall::layOutResults() {
  int64_t size = 0, count = 0;
  bool hasShaped = false;
  for (const ValueSpec &spec : program.getSignature().results) {
    if (spec.tiedTo >= 0) {
      resultOffsets.push_back(-1);
      continue;
    }
    int64_t bytes = spec.isShaped() ? getDescriptorBytes(spec)
                                    : getElementSize(spec.element);
    size = llvm::alignTo(size, spec.isShaped()
                                   ? alignof(int64_t)
                                   : getElementAlignment(spec.element));
    resultOffsets.push_back(size);
    size += bytes;
    ++count;
    hasShaped |= spec.isShaped();
  }
  if (count == 0)
    return;
  resultData.assign(llvm::divideCeil(size, 8), 0);
  resultPointer = resultData.data();
  if (count > 1 || hasShaped)
    packed.insert(packed.begin(), &resultPointer);
  else
    packed.push_back(resultPointer);
}

Expected<std::unique_ptr<EntryCall>>
EntryCall::create(const Program &program, ArrayRef<Array> arguments) {
  std::unique_ptr<EntryCall> call(new EntryCall(program));
  const Signature &signature = program.getSignature();
  for (auto [index, spec] : llvm::enumerate(signature.arguments))
    if (Error error = call->addArgument(spec, arguments[index]))
      return llvm::createStringError("argument " + llvm::Twine(index) + ": " +
                                     llvm::toString(std::move(error)));
  call->layOutResults();
  return call;
}

/// The view that the descriptor at `words` describes.
static StridedView readDescriptor(const int64_t *words, const ValueSpec &spec) {
  StridedView view;
  size_t rank = spec.shape.size();
  view.element = spec.element;
  view.aligned = reinterpret_cast<char *>(words[1]);
  view.offset = words[2];
  view.sizes.assign(words + 3, words + 3 + rank);
  view.strides.assign(words + 3 + rank, words + 3 + 2 * rank);
  return view;
}

/// memref.get_global puts this in place of a buffer that can be freed.
static constexpr int64_t kNotAllocated = 0xdeadbeef;

int EntryCall::copyToDevice(distrtContext *context) {
  for (const auto &slot : slots) {
    if (!slot->view)
      continue;
    slot->device = _mlir_memref_to_llvm_alloc(slot->bytes);
    if (!slot->device)
      return DISTRT_OUT_OF_MEMORY;
    if (int status =
            distrtDeviceWrite(context, slot->device, slot->memory.get(),
                              slot->bytes, "the arguments of the program"))
      return status;
    slot->descriptor[0] = slot->descriptor[1] =
        reinterpret_cast<intptr_t>(slot->device);
  }
  return DISTRT_OK;
}

/// Bytes from the aligned pointer of `view` to the end of its last element.
static int64_t getExtentBytes(const StridedView &view) {
  int64_t last = view.offset;
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides)) {
    if (size == 0)
      return 0;
    last += (size - 1) * stride;
  }
  return (last + 1) * getElementSize(view.element);
}

/// Puts copies on the host in the place of results; `buffers` receives what is
/// to be freed.
int EntryCall::readResults(distrtContext *context,
                           llvm::SmallSetVector<void *, 8> &buffers) {
  char *data = reinterpret_cast<char *>(resultData.data());
  for (auto [index, spec] : llvm::enumerate(program.getSignature().results)) {
    if (spec.tiedTo >= 0 || !spec.isShaped())
      continue;
    auto *words = reinterpret_cast<int64_t *>(data + resultOffsets[index]);
    if (words[0] != kNotAllocated)
      buffers.insert(reinterpret_cast<void *>(words[0]));
    StridedView view = readDescriptor(words, spec);
    words[0] = kNotAllocated;
    // takeResults has the message.
    if (!countElements(view.sizes, view.element))
      continue;
    int64_t bytes = getExtentBytes(view);
    Expected<AlignedMemory> memory = AlignedMemory::allocate(bytes);
    if (!memory) {
      llvm::consumeError(memory.takeError());
      return DISTRT_OUT_OF_MEMORY;
    }
    if (int status =
            distrtDeviceRead(context, memory->get(), view.aligned, bytes,
                             "the results of the program"))
      return status;
    words[1] = reinterpret_cast<intptr_t>(memory->get());
    resultMemory.push_back(std::move(*memory));
  }
  return DISTRT_OK;
}

int EntryCall::copyFromDevice(distrtContext *context) {
  llvm::SmallSetVector<void *, 8> buffers;
  int status = readResults(context, buffers);
  for (const auto &slot : slots) {
    if (!slot->device)
      continue;
    if (status == DISTRT_OK)
      status = distrtDeviceRead(context, slot->memory.get(), slot->device,
                                slot->bytes, "the arguments of the program");
    // A function may return the buffer of an argument.
    buffers.insert(slot->device);
    slot->device = nullptr;
  }
  for (void *buffer : buffers)
    _mlir_memref_to_llvm_free(buffer);
  return status;
}

Expected<std::vector<Array>> EntryCall::takeResults() {
  llvm::SmallSetVector<int64_t, 8> buffers;
  std::vector<Array> results;
  const char *data = reinterpret_cast<const char *>(resultData.data());
  for (auto [index, spec] : llvm::enumerate(program.getSignature().results)) {
    if (spec.tiedTo >= 0) {
      results.push_back(readArgument(spec.tiedTo));
      continue;
    }
    if (!spec.isShaped()) {
      Array array;
      array.element = spec.element;
      const char *value = data + resultOffsets[index];
      array.data.assign(value, value + getElementSize(spec.element));
      clearPadding(spec.element, array.data);
      results.push_back(std::move(array));
      continue;
    }
    const int64_t *words =
        reinterpret_cast<const int64_t *>(data + resultOffsets[index]);
    StridedView view = readDescriptor(words, spec);
    if (!countElements(view.sizes, view.element))
      return llvm::createStringError("result " + llvm::Twine(index) +
                                     " has an impossible shape");
    results.push_back(gather(view));
    if (words[0] != kNotAllocated)
      buffers.insert(words[0]);
  }
  // A function may return one buffer twice, or the buffer of an argument.
  for (const auto &slot : slots)
    if (slot->view)
      buffers.remove(reinterpret_cast<intptr_t>(slot->view->aligned));
  for (int64_t buffer : buffers)
    _mlir_memref_to_llvm_free(reinterpret_cast<void *>(buffer));
  return results;
}

Array EntryCall::readArgument(unsigned index) const {
  return gather(*slots[index]->view);
}
