//===- Operands.cpp - argument checks, shapes and layouts -----------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Flight.h"
#include "Common/World.h"

#include <algorithm>
#include <cstddef>

using namespace dist::rt;

static std::string operandPrefix(const Flight &flight, int64_t index,
                                 int64_t numOperands) {
  (void)flight;
  return numOperands > 1 ? "operand " + std::to_string(index) + ": "
                         : std::string();
}

static std::string shapeText(const int64_t *sizes, int32_t rank,
                             const char *type) {
  std::string text;
  for (int32_t i = 0; i < rank; ++i)
    text += (sizes[i] < 0 ? "?" : std::to_string(sizes[i])) + "x";
  return text + type;
}

/// Reads one descriptor and checks what is true of any.
static bool readChecked(View &view, const void *descriptor, int32_t rank,
                        int64_t elementSize, const char *what,
                        std::string &message) {
  readDescriptor(view, descriptor, rank, elementSize);
  int64_t count = 1, bytes = 0;
  bool empty = false;
  for (int32_t i = 0; i < rank; ++i) {
    if (view.sizes[i] < 0) {
      message = format("size %lld of dim %d of the %s is negative",
                       static_cast<long long>(view.sizes[i]), i, what);
      return false;
    }
    empty |= view.sizes[i] == 0;
  }
  for (int32_t i = 0; i < rank && !empty; ++i)
    if (__builtin_mul_overflow(count, view.sizes[i], &count) ||
        __builtin_mul_overflow(count, elementSize, &bytes)) {
      message = std::string("the size of the ") + what + " overflows";
      return false;
    }
  if (!empty && !view.data) {
    message = std::string("the ") + what + " has a null pointer";
    return false;
  }
  return true;
}

/// The sizes of the result of `operand`, or a text.
static bool resultSizes(const Flight &flight, const View &source,
                        int64_t *sizes, std::string &message) {
  std::copy(source.sizes, source.sizes + source.rank, sizes);
  int64_t n = flight.groupSize;
  if (!flight.gathers() && !flight.scatters())
    return true;
  if (source.rank == 0) {
    message = "a 0-d operand cannot be gathered or scattered";
    return false;
  }
  auto checkDim = [&](const char *what, int64_t dim) {
    if (dim >= 0 && dim < source.rank)
      return true;
    message = format("%s %lld is out of range for rank %d", what,
                     static_cast<long long>(dim), source.rank);
    return false;
  };
  if (!checkDim("dim", flight.dim) ||
      (flight.gathers() && !checkDim("concat dim", flight.gatherDim())))
    return false;
  if (flight.scatters()) {
    int64_t dim = flight.dim;
    if (sizes[dim] % n != 0) {
      message = format(
          "size %lld of dim %lld is not divisible by the group size %lld",
          static_cast<long long>(sizes[dim]), static_cast<long long>(dim),
          static_cast<long long>(n));
      return false;
    }
    sizes[dim] /= n;
  }
  if (!flight.gathers())
    return true;
  int64_t bytes = source.elementSize;
  int64_t &gathered = sizes[flight.gatherDim()];
  bool overflow = __builtin_mul_overflow(gathered, n, &gathered);
  for (int32_t i = 0; i < source.rank; ++i)
    overflow |= __builtin_mul_overflow(bytes, sizes[i], &bytes);
  if (overflow)
    message = "the size of the result overflows";
  return !overflow;
}

static bool checkSizes(const OperandState &operand, const distrtOperand &given,
                       const int64_t *sizes, std::string &message) {
  int32_t rank = operand.source.rank;
  const char *type = distrtDataTypeName(operand.dataType);
  if (given.expectedSizes)
    for (int32_t i = 0; i < rank; ++i)
      if (given.expectedSizes[i] >= 0 && given.expectedSizes[i] != sizes[i]) {
        message = "the program expects a result of " +
                  shapeText(given.expectedSizes, rank, type) + ", but it has " +
                  shapeText(sizes, rank, type);
        return false;
      }
  if (operand.named)
    for (int32_t i = 0; i < rank; ++i)
      if (operand.destination.sizes[i] != sizes[i]) {
        message = "the destination must have " + shapeText(sizes, rank, type) +
                  ", but it has " +
                  shapeText(operand.destination.sizes, rank, type);
        return false;
      }
  return true;
}

/// The one legal overlap of the launch's kind. Sets `keptSlot`.
static bool checkInPlace(const Flight &flight, OperandState &operand,
                         std::string &message) {
  if (!operand.named || (operand.flags & DISTRT_SOURCE_COPY) ||
      !overlaps(operand.source, operand.destination))
    return true;
  switch (flight.kind) {
  case DISTRT_ALL_REDUCE:
  case DISTRT_BROADCAST:
  case DISTRT_REDUCE:
  case DISTRT_PERMUTE:
    if (isSameLayout(operand.source, operand.destination))
      return true;
    message = "source and destination overlap without being the same buffer";
    return false;
  case DISTRT_ALL_GATHER:
    if (flight.position >= 0 &&
        isSameLayout(operand.source,
                     slotOf(operand.destination, flight.dim, flight.position,
                            flight.groupSize))) {
      operand.keptSlot = flight.position;
      return true;
    }
    message = "the source overlaps the destination without being this rank's "
              "slot of it";
    return false;
  case DISTRT_ALL_TO_ALL:
    message = "source and destination of an all_to_all overlap";
    return false;
  default:
    if (flight.position >= 0 &&
        isSameLayout(operand.destination,
                     slotOf(operand.source, flight.dim, flight.position,
                            flight.groupSize)))
      return true;
    message = "the destination overlaps the source without being this rank's "
              "slot of it";
    return false;
  }
}

static bool checkOperand(Flight &flight, OperandState &operand,
                         const distrtOperand &given, std::string &message) {
  operand.dataType = given.dataType;
  operand.flags = given.flags;
  if (given.structSize >= offsetof(distrtOperand, factor) + sizeof(double))
    operand.factor = given.factor;
  int64_t size = distrtDataTypeSize(given.dataType);
  if (size == 0) {
    message = "unknown data type " + std::to_string(given.dataType);
    return false;
  }
  if (given.rank < 0 || given.rank > kMaxRank) {
    message = format("rank %d is not between 0 and %d", given.rank, kMaxRank);
    return false;
  }
  if (given.flags & ~(DISTRT_SOURCE_OWNED | DISTRT_SOURCE_COPY)) {
    message = "unknown flags " + std::to_string(given.flags);
    return false;
  }
  if (given.flags == (DISTRT_SOURCE_OWNED | DISTRT_SOURCE_COPY)) {
    message = "a source is either owned by the runtime or copied by it";
    return false;
  }
  if (!given.source) {
    message = "the source is null";
    return false;
  }
  if (flight.reduces() &&
      !distrtReductionIsLegal(given.dataType, flight.reduction)) {
    message = format("reduction %s is not defined for %s",
                     distrtReductionName(flight.reduction),
                     distrtDataTypeName(given.dataType));
    return false;
  }
  if (!readChecked(operand.source, given.source, given.rank, size, "source",
                   message))
    return false;
  operand.named = given.destination != nullptr;
  if (operand.named && !readChecked(operand.destination, given.destination,
                                    given.rank, size, "destination", message))
    return false;
  int64_t sizes[kMaxRank];
  if (!resultSizes(flight, operand.source, sizes, message) ||
      !checkSizes(operand, given, sizes, message))
    return false;
  if (!operand.named) {
    operand.destination.rank = given.rank;
    operand.destination.elementSize = size;
    std::copy(sizes, sizes + given.rank, operand.destination.sizes);
    return true;
  }
  if (overlapsItself(operand.destination)) {
    message = "the elements of the destination overlap each other";
    return false;
  }
  if ((given.flags & DISTRT_SOURCE_OWNED) &&
      operand.source.allocated == operand.destination.allocated) {
    message = "an owned source cannot also be the destination";
    return false;
  }
  return checkInPlace(flight, operand, message);
}

/// Destinations of one launch against each other and against the sources of
/// other operands: sorted by address, so that many operands stay cheap.
static bool checkBetweenOperands(const Flight &flight, std::string &message) {
  struct Entry {
    ByteRange range;
    const View *view;
    int64_t operand;
    bool destination;
  };
  std::vector<Entry> entries;
  for (int64_t i = 0; i < flight.numOperands(); ++i) {
    const OperandState &operand = flight.operands[size_t(i)];
    if (!(operand.flags & DISTRT_SOURCE_COPY))
      entries.push_back({byteRange(operand.source), &operand.source, i, false});
    if (operand.named)
      entries.push_back(
          {byteRange(operand.destination), &operand.destination, i, true});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return a.range.low < b.range.low;
  });
  for (size_t i = 0; i < entries.size(); ++i)
    for (size_t j = i + 1;
         j < entries.size() && entries[j].range.low < entries[i].range.high;
         ++j) {
      const Entry &a = entries[i], &b = entries[j];
      if (a.operand == b.operand || (!a.destination && !b.destination) ||
          !overlaps(*a.view, *b.view))
        continue;
      message = format("the %s of operand %lld overlaps the %s of operand %lld",
                       a.destination ? "destination" : "source",
                       static_cast<long long>(a.operand),
                       b.destination ? "destination" : "source",
                       static_cast<long long>(b.operand));
      return false;
    }
  return true;
}

int dist::rt::checkOperands(Flight &flight, const distrtOperand *operands,
                            int64_t numOperands, std::string &message) {
  // Callers may be built for a longer struct: step by the size it states.
  const char *given = reinterpret_cast<const char *>(operands);
  size_t step = operands[0].structSize;
  constexpr size_t firstVersion = offsetof(distrtOperand, factor);
  if (step < firstVersion || step % alignof(distrtOperand) != 0) {
    message = format("an operand of %zu bytes, at least %zu and a multiple of "
                     "%zu are needed",
                     step, firstVersion, alignof(distrtOperand));
    return DISTRT_INVALID_ARGUMENT;
  }
  flight.operands.resize(size_t(numOperands));
  for (int64_t i = 0; i < numOperands; ++i) {
    auto &operand =
        *reinterpret_cast<const distrtOperand *>(given + size_t(i) * step);
    std::string text;
    if (operand.structSize != step)
      text = "operands of different struct sizes";
    else if (checkOperand(flight, flight.operands[size_t(i)], operand, text))
      continue;
    message = operandPrefix(flight, i, numOperands) + text;
    return DISTRT_INVALID_ARGUMENT;
  }
  if (numOperands > 1 && !checkBetweenOperands(flight, message))
    return DISTRT_INVALID_ARGUMENT;
  return DISTRT_OK;
}

/// Whether the slots of `view` along `dim` follow each other in memory, each of
/// them contiguous.
static bool slotsAreContiguous(const View &view, int64_t dim,
                               int64_t numSlots) {
  if (!isContiguous(view))
    return false;
  if (numSlots == 1 || view.count() == 0)
    return true;
  for (int64_t i = 0; i < dim; ++i)
    if (view.sizes[i] != 1)
      return false;
  return true;
}

/// Copies the slots of `large` along `dim` from or to slots that follow each
/// other in `packed`.
static StridedCopy slotCopy(const View &large, char *packed, int64_t dim,
                            int64_t numSlots, bool pack) {
  View slot = slotOf(large, dim, 0, numSlots);
  View dense = slot;
  makeContiguous(dense, packed);
  StridedCopy copy;
  copy.elementSize = large.elementSize;
  copy.rank = large.rank + 1;
  copy.source = pack ? large.data : packed;
  copy.destination = pack ? packed : large.data;
  int64_t *largeStrides = pack ? copy.sourceStrides : copy.destinationStrides;
  int64_t *denseStrides = pack ? copy.destinationStrides : copy.sourceStrides;
  copy.sizes[0] = numSlots;
  largeStrides[0] = slot.sizes[dim] * large.strides[dim] * large.elementSize;
  denseStrides[0] = slot.bytes();
  for (int32_t i = 0; i < large.rank; ++i) {
    copy.sizes[i + 1] = slot.sizes[i];
    largeStrides[i + 1] = large.strides[i] * large.elementSize;
    denseStrides[i + 1] = dense.strides[i] * large.elementSize;
  }
  return copy;
}

namespace {
/// Lays out one operand on the wire.
class OperandLayout {
public:
  OperandLayout(Flight &flight, OperandState &operand)
      : flight(flight), operand(operand), world(*flight.context->world),
        counters(flight.context->counters) {}

  bool run() {
    scatters = flight.scatters();
    gathers = flight.gathers();
    return prepareSource() && prepareDestination() && (addPart(), true);
  }

private:
  void *stage(void *&slot, int64_t bytes) {
    slot = world.backend->allocate(flight.context->rank, size_t(bytes));
    return slot;
  }

  bool prepareSource() {
    View &source = operand.source;
    bool direct = scatters
                      ? slotsAreContiguous(source, flight.dim, flight.groupSize)
                      : isContiguous(source);
    bool copied = operand.flags & DISTRT_SOURCE_COPY;
    bool sends = flight.sends();
    // The members of a permute write in no order: what another one still reads
    // must not be this rank's destination.
    direct &= !(operand.named && flight.sendsToAnother() &&
                isSameLayout(source, operand.destination));
    if (operand.flags & DISTRT_SOURCE_OWNED) {
      counters.sourceMoves.add(1);
      operand.ownedSource = source.allocated;
    }
    if (copied && sends)
      counters.sourceCopies.add(1);
    if (!sends || (direct && !copied)) {
      send = source.data;
      return true;
    }
    if (!stage(operand.sendStaging, source.bytes()))
      return false;
    send = operand.sendStaging;
    StridedCopy copy;
    if (scatters) {
      copy = slotCopy(source, static_cast<char *>(send), flight.dim,
                      flight.groupSize, /*pack=*/true);
    } else {
      View dense = source;
      makeContiguous(dense, send);
      copy = makeCopy(source, dense);
    }
    if (copied) {
      if (world.backend->copyNow(flight.context->rank, copy).failed())
        return false;
    } else {
      counters.packs.add(1);
      flight.before.push_back(copy);
    }
    return true;
  }

  /// A donated contiguous source can hold the result itself.
  bool donates() const {
    return (operand.flags & DISTRT_SOURCE_OWNED) && !operand.named &&
           !scatters && !gathers && !flight.sendsToAnother() &&
           operand.source.allocated &&
           operand.source.data == operand.source.allocated &&
           isContiguous(operand.source);
  }

  bool prepareDestination() {
    View &destination = operand.destination;
    if (!operand.named) {
      void *buffer;
      if (donates()) {
        buffer = operand.ownedSource;
        operand.ownedSource = nullptr;
        operand.usesSource = true;
      } else {
        buffer = world.backend->allocate(flight.context->rank,
                                         size_t(destination.bytes()));
        if (!buffer)
          return false;
      }
      makeContiguous(destination, buffer);
      operand.ownsDestination = true;
    }
    bool direct = gathers ? slotsAreContiguous(destination, flight.gatherDim(),
                                               flight.groupSize)
                          : isContiguous(destination);
    if (direct) {
      receive = destination.data;
      return true;
    }
    if (!stage(operand.receiveStaging, destination.bytes()))
      return false;
    receive = operand.receiveStaging;
    bool keepsOwn = flight.kind == DISTRT_BROADCAST &&
                    flight.position == flight.root &&
                    isSameLayout(operand.source, destination);
    if (keepsOwn)
      return true;
    counters.unpacks.add(1);
    if (gathers) {
      flight.after.push_back(slotCopy(destination, static_cast<char *>(receive),
                                      flight.gatherDim(), flight.groupSize,
                                      /*pack=*/false));
    } else {
      View dense = destination;
      makeContiguous(dense, receive);
      flight.after.push_back(makeCopy(dense, destination));
    }
    return true;
  }

  void addPart() {
    int64_t count =
        scatters ? operand.destination.count() : operand.source.count();
    if (scatters && gathers)
      count /= flight.groupSize;
    flight.parts.push_back(
        {send, receive, count, operand.dataType, operand.factor});
    int64_t bytes =
        gathers ? operand.destination.bytes() : operand.source.bytes();
    flight.payload += bytes;
  }

  Flight &flight;
  OperandState &operand;
  distrtWorld &world;
  Counters &counters;
  bool scatters = false, gathers = false;
  void *send = nullptr;
  void *receive = nullptr;
};
} // namespace

int dist::rt::prepareFlight(Flight &flight, const distrtOperand *operands,
                            int64_t numOperands, std::string &message) {
  if (int status = checkOperands(flight, operands, numOperands, message))
    return status;
  flight.payload = 0;
  for (OperandState &operand : flight.operands) {
    if (OperandLayout(flight, operand).run())
      continue;
    message = format("no memory for a result of %lld bytes",
                     static_cast<long long>(operand.destination.bytes()));
    // The caller keeps what it would have given away.
    for (OperandState &other : flight.operands) {
      if (other.usesSource)
        other.ownsDestination = false;
      other.ownedSource = nullptr;
    }
    return DISTRT_OUT_OF_MEMORY;
  }
  makeFingerprint(flight);
  return DISTRT_OK;
}
