//===- Device.h - one rank's device, as the common layer sees it *- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Everything here is called on the rank's thread, which is the one issuer of
// its device: the order of its calls is the device's global issue order over
// all communicators.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_DEVICE_H
#define DIST_LIB_RUNTIME_COMMON_DEVICE_H

#include "Common/Layout.h"
#include "Common/Support.h"
#include "dist-rt/distrt.h"

namespace dist::rt {

/// One kernel launch, checked.
struct KernelLaunch {
  const distrtKernel *kernel;
  const int64_t *grid;
  const int64_t *block;
  void **arguments;
};

class Device {
public:
  virtual ~Device() = default;

  /// A run begins: makes the device current on this thread, and its compute
  /// stream, once.
  virtual Outcome enter() = 0;
  /// After a failure: stops the rank's communicators and waits, at most a
  /// deadline, until the device touches none of its memory.
  virtual void abandon() = 0;

  virtual void *computeStream() = 0;
  virtual Outcome setComputeStream(void *stream) = 0;
  virtual Outcome synchronize() = 0;
  virtual Outcome read(void *host, const void *device, int64_t bytes) = 0;
  virtual Outcome write(void *device, const void *host, int64_t bytes) = 0;
  virtual Outcome launch(const KernelLaunch &launch) = 0;

  /// Null when there is no memory.
  virtual void *allocate(size_t alignment, size_t bytes) = 0;
  /// False for a pointer that is not this device's.
  virtual bool release(void *pointer) = 0;
};

/// The device of the calling rank thread; null in host worlds and elsewhere.
Device *currentDevice();
void setCurrentDevice(Device *device);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_DEVICE_H
