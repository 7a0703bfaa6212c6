/*===- distrt.h - the runtime ABI of dist -------------------------*- C -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled programs, runners and embedders call. C11, no CUDA, MPI, LLVM
// or MLIR type appears here. The ABI is append-only: functions are never
// removed, enumerators never renumbered, and every struct that may grow begins
// with its own size in bytes.
//
// Status. Every function that can fail returns a distrtStatus as an int. The
// message that goes with a failure belongs to the rank (distrtContextMessage)
// or, where there is no rank, to the world (distrtWorldMessage). An error of a
// collective is sticky: each later call on the same context returns it again.
//
// Threads. One rank is one thread of the program ("rank thread") plus whatever
// the backend runs for it. A distrtContext may be used by its rank thread only.
//
//===----------------------------------------------------------------------===*/

#ifndef DIST_RT_DISTRT_H
#define DIST_RT_DISTRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DISTRT_EXPORT __attribute__((visibility("default")))
#ifdef __cplusplus
#define DISTRT_NORETURN [[noreturn]]
#else
#define DISTRT_NORETURN _Noreturn
#endif

/* Raised when a function or a struct member is appended. Compiled programs
   record the version that they were built for, see distrtCheckAbi.
   1: all_gather, all_reduce, reduce_scatter, broadcast.
   2: all_to_all, permute, reduce; premul_sum; fp8 and complex.
   3: device worlds (backend "nccl"): streams, device memory, kernels.
   4: distrtAssertFailed, distrtWorldFaultHits. */
#define DISTRT_ABI_VERSION 4

typedef struct distrtWorld distrtWorld;     /* all ranks of one run */
typedef struct distrtContext distrtContext; /* one rank of a world */
typedef struct distrtFuture distrtFuture;   /* one collective's result */

/*===----------------------------------------------------------------------===*/
/* Enumerations                                                               */
/*===----------------------------------------------------------------------===*/

typedef enum distrtStatus {
  DISTRT_OK = 0,
  DISTRT_INVALID_ARGUMENT = 1, /* a bad argument, found on this rank alone */
  DISTRT_UNBOUND_GROUP = 2,    /* a process group that nobody bound */
  DISTRT_MISMATCH = 3,         /* ranks disagree on what they are doing */
  DISTRT_TIMEOUT = 4,          /* a rank did not come before the deadline */
  DISTRT_ABORTED = 5,          /* another rank of the world failed */
  DISTRT_RACE = 6,             /* checked mode: a buffer in flight was touched */
  DISTRT_LEAK = 7,             /* checked mode: a future was never consumed */
  DISTRT_UNSUPPORTED = 8,      /* the backend cannot do this */
  DISTRT_ABI_MISMATCH = 9,     /* program and runtime do not fit together */
  DISTRT_OUT_OF_MEMORY = 10,
  DISTRT_INTERNAL = 11,
  DISTRT_DEVICE_ERROR = 12, /* a call of CUDA or NCCL failed */
  DISTRT_ASSERTION = 13     /* an assertion of the program does not hold */
} distrtStatus;

/* Element types. `i1` and everything else that is narrower than a byte takes
   one byte. iN are signed, uiN unsigned. A complex number is its real part
   followed by its imaginary part. */
typedef enum distrtDataType {
  DISTRT_I1 = 0,
  DISTRT_I8 = 1,
  DISTRT_I16 = 2,
  DISTRT_I32 = 3,
  DISTRT_I64 = 4,
  DISTRT_UI8 = 5,
  DISTRT_UI16 = 6,
  DISTRT_UI32 = 7,
  DISTRT_UI64 = 8,
  DISTRT_F16 = 9,
  DISTRT_BF16 = 10,
  DISTRT_F32 = 11,
  DISTRT_F64 = 12,
  DISTRT_F8E4M3FN = 13, /* no infinities: what overflows is nan */
  DISTRT_F8E5M2 = 14,
  DISTRT_C64 = 15, /* complex<f32> */
  DISTRT_C128 = 16 /* complex<f64> */
} distrtDataType;

/* How the members' elements are combined: a left fold in group order. f64 and
   f32 fold in their own type, f16, bf16 and fp8 in f32 with one rounding to
   nearest even at the end, integers wrap. min and max: nan propagates and
   -0 < +0. avg is the sum divided by the group size; integers truncate toward
   zero, and a complex sum is multiplied with 1 / size, rounded to the type of
   its parts. premul_sum is the sum of each member's elements times that member's
   factor (distrtOperand), both in the accumulation type. A complex product is
   (ac - bd) + (ad + bc)i.

     i1                    band bor bxor
     integers              sum product min max avg band bor bxor
     floats, fp8 included  sum product min max avg premul_sum
     complex               sum product avg */
typedef enum distrtReduction {
  DISTRT_NO_REDUCTION = 0,
  DISTRT_SUM = 1,
  DISTRT_PRODUCT = 2,
  DISTRT_MIN = 3,
  DISTRT_MAX = 4,
  DISTRT_AVG = 5,
  DISTRT_BAND = 6,
  DISTRT_BOR = 7,
  DISTRT_BXOR = 8,
  DISTRT_PREMUL_SUM = 9
} distrtReduction;

typedef enum distrtCollectiveKind {
  DISTRT_ALL_GATHER = 0,
  DISTRT_ALL_REDUCE = 1,
  DISTRT_REDUCE_SCATTER = 2,
  DISTRT_BROADCAST = 3,
  DISTRT_ALL_TO_ALL = 4,
  DISTRT_PERMUTE = 5,
  DISTRT_REDUCE = 6
} distrtCollectiveKind;

/*===----------------------------------------------------------------------===*/
/* Groups                                                                     */
/*===----------------------------------------------------------------------===*/

typedef enum distrtGroupKind {
  DISTRT_GROUP_TABLE = 0, /* the members are in the descriptor */
  DISTRT_GROUP_NAMED = 1  /* a process group, bound by distrtWorldBindGroup */
} distrtGroupKind;

/* Who takes part in a collective. Compiled programs hold one constant of these
   per distinct group. The identity of a communicator is its ordered list of
   members plus its tag; two descriptors with equal lists and tags are one
   communicator. */
typedef struct distrtGroupDesc {
  size_t structSize;
  int32_t kind;         /* distrtGroupKind */
  int32_t reserved;
  const char *name;     /* the symbol, for messages; the key of a named group */
  const char *tag;      /* "" or a tag; distinct tags never share a communicator */
  const int64_t *ranks; /* numGroups * groupSize world ranks, group after group */
  int64_t numGroups;    /* 0 for a named group */
  int64_t groupSize;    /* of a named group: its declared size, or 0 */
  int64_t worldSize;    /* the world that the group was made for (a mesh), or 0 */
} distrtGroupDesc;

/*===----------------------------------------------------------------------===*/
/* Collectives                                                                */
/*===----------------------------------------------------------------------===*/

/* A ranked memref descriptor as MLIR lays it out:
     struct { void *allocated; void *aligned; int64_t offset;
              int64_t sizes[rank]; int64_t strides[rank]; }
   Sizes, strides and offset count elements. */

enum {
  /* The runtime owns the source from here on and frees it at completion. */
  DISTRT_SOURCE_OWNED = 1,
  /* The source may change after the call: copy it before returning. */
  DISTRT_SOURCE_COPY = 2
};

/* One operand of a collective. Members that a caller's structSize does not
   reach have the default that their comment states. */
typedef struct distrtOperand {
  size_t structSize;
  int32_t dataType; /* distrtDataType */
  int32_t rank;
  const void *source; /* memref descriptor */
  /* Memref descriptor of the destination that the caller named, or NULL: then
     the runtime allocates a contiguous one, which the future owns. */
  const void *destination;
  /* The sizes that the program's types promise, -1 where they promise nothing;
     `rank` of them, or NULL. A result that differs is an error. */
  const int64_t *expectedSizes;
  int32_t flags;
  int32_t reserved;
  /* DISTRT_PREMUL_SUM: what this member's elements are multiplied with, rounded
     to the accumulation type; members may have different factors. Default 1. */
  double factor;
} distrtOperand;

/* What is the same on every execution of one call site. What a kind does not
   use is ignored, except for a reduction. Defaults as for operands. */
typedef struct distrtCallSite {
  size_t structSize;
  const distrtGroupDesc *group;
  const char *location; /* file:line:column of the op in the source program */
  int32_t reduction;    /* distrtReduction */
  int32_t root;         /* position in the group: broadcast, reduce */
  int64_t dim;          /* gather, scatter or split dimension */
  int64_t concatDim;    /* all_to_all; default 0 */
  /* permute: numPairs * 2 positions in the group, each source before its
     target. No position is a source twice or a target twice. Default none. */
  const int64_t *pairs;
  int64_t numPairs;
} distrtCallSite;

/* Starts a collective of `numOperands` operands, which travel as one launch
   with one sequence number, and stores one future per operand.

   The source must not be written and the destination not be touched until the
   future is consumed (or the source is owned or copied, see the flags). Any
   strides are legal; the runtime packs what is not contiguous. A gather or
   scatter on any dimension is a true concatenation or split along it.

   all_to_all: every member splits its source along `dim` into as many equal
   pieces as there are members; piece j goes to position j, and what arrives is
   concatenated along `concatDim` in group order. permute: each pair moves the
   whole source of one position to another (or the same) one; a position that is
   nobody's target receives zeros. reduce: the result of an all_reduce on the
   root, zeros on all other members.

   All members must agree on kind, group, reduction, root, dimensions, pairs (in
   any order), data types and counts. They need not agree on factors.

   Source and destination may be the same buffer for all_reduce, broadcast,
   reduce and permute (a permute then copies a source that another rank
   receives); an all_gather's source may be this rank's slot of the destination,
   and a reduce_scatter's destination this rank's slot of the source. Every
   other overlap, and any of an all_to_all, is DISTRT_INVALID_ARGUMENT unless
   the source is copied (DISTRT_SOURCE_COPY).

   On a rank outside the group nothing is communicated and the result is zeros.
 */
DISTRT_EXPORT int distrtAllGather(distrtContext *context,
                                  const distrtCallSite *site,
                                  const distrtOperand *operands,
                                  int64_t numOperands, distrtFuture **futures);
DISTRT_EXPORT int distrtAllReduce(distrtContext *context,
                                  const distrtCallSite *site,
                                  const distrtOperand *operands,
                                  int64_t numOperands, distrtFuture **futures);
DISTRT_EXPORT int distrtReduceScatter(distrtContext *context,
                                      const distrtCallSite *site,
                                      const distrtOperand *operands,
                                      int64_t numOperands,
                                      distrtFuture **futures);
DISTRT_EXPORT int distrtBroadcast(distrtContext *context,
                                  const distrtCallSite *site,
                                  const distrtOperand *operands,
                                  int64_t numOperands, distrtFuture **futures);
DISTRT_EXPORT int distrtAllToAll(distrtContext *context,
                                 const distrtCallSite *site,
                                 const distrtOperand *operands,
                                 int64_t numOperands, distrtFuture **futures);
DISTRT_EXPORT int distrtPermute(distrtContext *context,
                                const distrtCallSite *site,
                                const distrtOperand *operands,
                                int64_t numOperands, distrtFuture **futures);
DISTRT_EXPORT int distrtReduce(distrtContext *context,
                               const distrtCallSite *site,
                               const distrtOperand *operands,
                               int64_t numOperands, distrtFuture **futures);

/*===----------------------------------------------------------------------===*/
/* Futures                                                                    */
/*===----------------------------------------------------------------------===*/

/* A future is born with one reference. Wait and drop consume one, dup adds
   one. NULL is a future that holds no collective: waiting for it is
   DISTRT_INVALID_ARGUMENT, dup and drop of it do nothing. */

/* Completes the collective and consumes one reference. `result` receives a
   memref descriptor of rank `rank`. A destination that the caller named comes
   back as it was given, every time. A destination that the future owns goes to
   the caller with the last reference; an earlier wait receives a copy. Either
   is the caller's to free with _mlir_memref_to_llvm_free. `location` names the
   waiting op in messages and may be NULL. */
DISTRT_EXPORT int distrtFutureWait(distrtContext *context, distrtFuture *future,
                                   void *result, int64_t rank,
                                   const char *location);

/* Consumes one reference; with the last one completes the collective and frees
   what the future owns. */
DISTRT_EXPORT int distrtFutureDrop(distrtContext *context, distrtFuture *future,
                                   const char *location);

/* Adds a reference and returns the same future. */
DISTRT_EXPORT distrtFuture *distrtFutureDup(distrtContext *context,
                                            distrtFuture *future);

/*===----------------------------------------------------------------------===*/
/* What a compiled program asks                                               */
/*===----------------------------------------------------------------------===*/

/* The context of the calling rank thread; NULL outside of a rank. */
DISTRT_EXPORT distrtContext *distrtContextCurrent(void);

/* Rank in the world, or position in `group` (-1 outside of it). */
DISTRT_EXPORT int64_t distrtRank(distrtContext *context);
DISTRT_EXPORT int64_t distrtWorldSize(distrtContext *context);
DISTRT_EXPORT int distrtGroupRank(distrtContext *context,
                                  const distrtGroupDesc *group,
                                  const char *location, int64_t *position);
DISTRT_EXPORT int distrtGroupSize(distrtContext *context,
                                  const distrtGroupDesc *group,
                                  const char *location, int64_t *size);

/* The cold path of a compiled program: unwinds the rank. Calls the handler of
   distrtContextSetRaiseHandler, which must not return; without one, prints the
   message and aborts the process. A NULL context is allowed (a program that is
   called outside of a rank). */
DISTRT_NORETURN DISTRT_EXPORT void distrtRaise(distrtContext *context, int status);

typedef void (*distrtRaiseHandler)(distrtContext *context, int status,
                                   void *user);
DISTRT_EXPORT void distrtContextSetRaiseHandler(distrtContext *context,
                                                distrtRaiseHandler handler,
                                                void *user);

/* An assertion of the program does not hold: the rank fails with `message`, the
   others are released. Never returns 0; distrtRaise comes next. */
DISTRT_EXPORT int distrtAssertFailed(distrtContext *context,
                                     const char *message, const char *location);

/* DISTRT_ABI_MISMATCH, with a message, when a program built for `version`
   cannot run on this runtime. */
DISTRT_EXPORT int distrtCheckAbi(distrtContext *context, int64_t version);

/* Last failure of this rank; "" without one. Lives as long as the context. */
DISTRT_EXPORT const char *distrtContextMessage(distrtContext *context);

/* Allocation hooks, under the names that finalize-memref-to-llvm calls with
   use-generic-functions. At least 64-byte aligned, padded by 16 bytes, counted.
   Usable without a context. */
DISTRT_EXPORT void *_mlir_memref_to_llvm_alloc(size_t bytes);
DISTRT_EXPORT void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment,
                                                       size_t bytes);
DISTRT_EXPORT void _mlir_memref_to_llvm_free(void *pointer);

/*===----------------------------------------------------------------------===*/
/* Device worlds (since version 3)                                            */
/*===----------------------------------------------------------------------===*/

/* In a world of the backend "nccl" a rank has one device, one compute stream
   and one communication stream per communicator. Buffers of operands, and what
   the allocation hooks return on a rank thread, are device memory. A start
   makes the communication stream wait for the compute stream; a wait or a drop
   makes the compute stream wait for the collective, not the host. Errors that
   are found later are sticky and surface at the next call.

   In host worlds the functions below work on host memory and return at once,
   so that one program serves both. */

/* Pageable host memory, whatever the world. */
DISTRT_EXPORT void *distrtHostAlloc(size_t bytes);
DISTRT_EXPORT void distrtHostFree(void *pointer);

/* The cudaStream_t on which the rank's compute is; NULL in host worlds (the
   legacy default stream is never used). */
DISTRT_EXPORT void *distrtContextComputeStream(distrtContext *context);

/* The embedder's own cudaStream_t from here on, which stays his; NULL: back to
   the rank's own. The new stream waits for what was issued on the old one. */
DISTRT_EXPORT int distrtContextSetComputeStream(distrtContext *context,
                                                void *stream);

/* The embedder's own ncclComm_t for the communicator of `group`, before its
   first collective. It must be initialised, have the group's size and this
   rank's position, and stays the embedder's. All members must hand one in. */
DISTRT_EXPORT int distrtContextSetCommunicator(distrtContext *context,
                                               const distrtGroupDesc *group,
                                               void *communicator,
                                               const char *location);

/* Makes the communicators of the groups now, instead of at their first
   collective: larger groups first, equal ones in the given order. All members
   of each must call it, with groups in the same order. Groups that this rank is
   no member of are skipped. Needed before a stream capture. */
DISTRT_EXPORT int distrtPrepareGroups(distrtContext *context,
                                      const distrtGroupDesc *const *groups,
                                      int64_t numGroups, const char *location);

/* The host waits until the compute stream has done all that was issued, at most
   the world's deadline, and reports sticky errors. */
DISTRT_EXPORT int distrtSynchronize(distrtContext *context,
                                    const char *location);

/* Copies, ordered on the compute stream. A read returns when the bytes are
   there, after the checks of distrtSynchronize. A write has taken the bytes of
   `host` when it returns. memcpy in host worlds. */
DISTRT_EXPORT int distrtDeviceRead(distrtContext *context, void *host,
                                   const void *device, int64_t bytes,
                                   const char *location);
DISTRT_EXPORT int distrtDeviceWrite(distrtContext *context, void *device,
                                    const void *host, int64_t bytes,
                                    const char *location);

/* The device's copy of `bytes` bytes of constant host memory: made, in the order
   of the compute stream, the first time in a run that the rank asks for `host`,
   and the runtime's. `host` itself in host worlds. */
DISTRT_EXPORT int distrtDeviceConstant(distrtContext *context, const void *host,
                                       int64_t bytes, const void **device,
                                       const char *location);

typedef enum distrtParameterKind {
  DISTRT_PARAMETER_VALUE = 0,
  /* The address of device memory that the kernel reads, writes, or both. */
  DISTRT_PARAMETER_READ = 1,
  DISTRT_PARAMETER_WRITE = 2,
  DISTRT_PARAMETER_READ_WRITE = 3
} distrtParameterKind;

/* One parameter of a kernel. */
typedef struct distrtParameter {
  int32_t kind; /* distrtParameterKind */
  /* Of an address: -1, or this parameter is the aligned pointer of an expanded
     memref of that rank: the next ones are its offset, sizes and strides (1 + 2
     * rank parameters of 8 bytes), which say exactly what may be touched. With
     -1 it may be any byte of the allocation. */
  int32_t rank;
  int64_t bytes;        /* of the parameter itself */
  int64_t elementBytes; /* of the memref, with rank >= 0 */
} distrtParameter;

/* The kernel as a function on the host: the whole grid in one call, `arguments`
   as for a launch. */
typedef void (*distrtHostKernel)(void **arguments, const int64_t grid[3],
                                 const int64_t block[3]);

/* A constant of the program, one per kernel; its address is the key under which
   a device keeps the loaded code. */
typedef struct distrtKernel {
  size_t structSize;
  const char *name;     /* of the function in the image, and for messages */
  const void *image;    /* cubin, fatbin or zero-terminated PTX; NULL: none */
  int64_t imageBytes;
  distrtHostKernel hostFunction; /* NULL: none */
  const distrtParameter *parameters;
  int64_t numParameters;
  int64_t sharedBytes; /* dynamic shared memory per block */
} distrtKernel;

/* Puts one launch on the compute stream; `arguments` are pointers to the values
   of the parameters, which are copied. A real device runs the image, the fake
   one the host function as a task of the stream's queue, and checks that what
   the parameters say may be touched is ordered against everything else that
   touches it. In host worlds the host function runs at once. The version that
   is needed but missing is DISTRT_UNSUPPORTED. */
DISTRT_EXPORT int distrtKernelLaunch(distrtContext *context,
                                     const distrtKernel *kernel,
                                     const int64_t grid[3],
                                     const int64_t block[3], void **arguments,
                                     const char *location);

/*===----------------------------------------------------------------------===*/
/* Worlds: what a runner or an embedder uses                                  */
/*===----------------------------------------------------------------------===*/

typedef struct distrtFault {
  size_t structSize;
  int64_t rank;     /* whom it hits */
  int64_t sequence; /* which collective of its communicator, from 0 */
  int32_t kind;     /* distrtFaultKind */
  int32_t reserved;
  int64_t argument; /* DISTRT_FAULT_DELAY: nanoseconds */
} distrtFault;

typedef enum distrtFaultKind {
  DISTRT_FAULT_DROP = 0, /* the rank never joins this collective */
  DISTRT_FAULT_DELAY = 1 /* the rank joins late */
} distrtFaultKind;

typedef struct distrtWorldOptions {
  size_t structSize;
  const char *backend;     /* "local" (the default when NULL) or "nccl" */
  /* local backend and fake devices: how many, at least 1. Real devices: this
     process is one rank and its environment says of how many, see docs/nccl.md;
     0, or the number that it must say. */
  int64_t numRanks;
  int64_t deadlineNs;      /* a collective must complete in this; 0: 60 s */
  int64_t linkDelayNs;     /* local backend: added to each collective */
  double linkBytesPerNs;   /* local backend: bandwidth of the link; 0: no limit */
  int64_t numWorkers;      /* local backend: pool threads; 0: number of cores */
  uint64_t seed;           /* local backend: 0, or the seed of the pool's order */
  bool checked;            /* find races and leaks, see DISTRT_RACE, _LEAK */
  bool trace;              /* record events for distrtWorldWriteTrace */
  const distrtFault *faults;
  int64_t numFaults;
  /* Backend "nccl", since version 3. A fake pair of CUDA and NCCL instead of the
     real libraries: all ranks are threads of this process, each with a fake
     device of its own, and every rule of the two libraries is checked. */
  bool fakeDevice;
  /* A file for the calls of CUDA and NCCL that each rank made, in order, one
     line each, with symbolic handles; written when a run ends and when the
     world is destroyed. NULL: none. */
  const char *callLog;
} distrtWorldOptions;

/* Fills in the defaults, structSize too. */
DISTRT_EXPORT void distrtWorldOptionsInit(distrtWorldOptions *options);

/* On failure *world is NULL and the message is distrtWorldMessage(NULL). */
DISTRT_EXPORT int distrtWorldCreate(const distrtWorldOptions *options,
                                    distrtWorld **world);
DISTRT_EXPORT void distrtWorldDestroy(distrtWorld *world);

/* Binds the process group `name`: `numGroups` disjoint lists of `groupSize`
   world ranks each. A part of the world may stay outside. */
DISTRT_EXPORT int distrtWorldBindGroup(distrtWorld *world, const char *name,
                                       const int64_t *ranks, int64_t numGroups,
                                       int64_t groupSize);

/* One rank of the program. Returns DISTRT_OK or its failure; may also leave
   through distrtRaise. */
typedef int (*distrtRankFunction)(distrtContext *context, void *user);

/* Runs `function` on every rank that this process has (local backend: all, a
   thread each) and returns when all of them are done: the first failure that
   is not DISTRT_ABORTED, by rank. In checked mode a future that no rank
   consumed is DISTRT_LEAK. May be called again; sequence numbers go on. */
DISTRT_EXPORT int distrtWorldRun(distrtWorld *world,
                                 distrtRankFunction function, void *user);

/* The ranks of the world, and those that live in this process: `count` of them
   from `first` on. Distinct only with real devices. */
DISTRT_EXPORT int64_t distrtWorldNumRanks(distrtWorld *world);
DISTRT_EXPORT void distrtWorldLocalRanks(distrtWorld *world, int64_t *first,
                                         int64_t *count);

/* Outcome of `rank` in the last run. The message lives until the next run. */
DISTRT_EXPORT int distrtWorldRankStatus(distrtWorld *world, int64_t rank);
DISTRT_EXPORT const char *distrtWorldRankMessage(distrtWorld *world,
                                                 int64_t rank);
DISTRT_EXPORT const char *distrtWorldMessage(distrtWorld *world);

/* What one rank did; a test counts copies here. Bytes where it says so. */
typedef struct distrtCounters {
  size_t structSize;
  int64_t collectives;   /* launches with communication */
  int64_t bytes;         /* their payload: NCCL's convention per kind (the
                            larger buffer) */
  int64_t packs;         /* sources packed: not contiguous, or permuted in place */
  int64_t unpacks;       /* destinations unpacked for the same reason */
  int64_t sourceCopies;  /* DISTRT_SOURCE_COPY honoured */
  int64_t sourceMoves;   /* DISTRT_SOURCE_OWNED honoured */
  int64_t resultCopies;  /* waits that received a copy */
  int64_t liveFutures;   /* not yet consumed */
  int64_t blockedNs;     /* time in waits */
  int64_t inFlightNs;    /* summed time between start and completion */
  int64_t maxInFlight;   /* collectives at once */
} distrtCounters;
DISTRT_EXPORT int distrtWorldCounters(distrtWorld *world, int64_t rank,
                                      distrtCounters *counters);

/* How often fault `index` of the world's options happened to a rank of this
   process; -1 for an index that is out of range. */
DISTRT_EXPORT int64_t distrtWorldFaultHits(distrtWorld *world, int64_t index);

/* Allocations of this process through the hooks. */
typedef struct distrtAllocationCounters {
  size_t structSize;
  int64_t allocations;
  int64_t frees;
  int64_t liveBytes;
  int64_t peakBytes;
} distrtAllocationCounters;
DISTRT_EXPORT void
distrtAllocationCountersRead(distrtAllocationCounters *counters);

/* Recorded with `trace`. Times are nanoseconds since distrtWorldCreate. */
typedef enum distrtEventKind {
  DISTRT_EVENT_START = 0,  /* the rank thread is in a start call */
  DISTRT_EVENT_FLIGHT = 1, /* from start to completion */
  DISTRT_EVENT_WAIT = 2,   /* the rank thread is in a wait */
  /* Device worlds: a kernel on the compute stream; its name is `group`. A flight
     is there the time of the collective on its communication stream. */
  DISTRT_EVENT_KERNEL = 3
} distrtEventKind;
typedef struct distrtEvent {
  size_t structSize;
  int32_t kind;       /* distrtEventKind */
  int32_t collective; /* distrtCollectiveKind */
  int64_t rank;
  int64_t sequence;
  int64_t beginNs;
  int64_t endNs;
  int64_t bytes;
  const char *group; /* members and tag, as messages print them */
  const char *location;
} distrtEvent;
/* Events of all ranks by begin; pointers live until the world is destroyed. */
DISTRT_EXPORT int64_t distrtWorldNumEvents(distrtWorld *world);
DISTRT_EXPORT int distrtWorldEvent(distrtWorld *world, int64_t index,
                                   distrtEvent *event);

/* Chrome trace (chrome://tracing, Perfetto) of all ranks. */
DISTRT_EXPORT int distrtWorldWriteTrace(distrtWorld *world, const char *path);

/* Names for messages: "f32", "sum", "all_gather", "invalid argument". */
DISTRT_EXPORT const char *distrtDataTypeName(int dataType);
DISTRT_EXPORT const char *distrtReductionName(int reduction);
DISTRT_EXPORT const char *distrtCollectiveName(int kind);
DISTRT_EXPORT const char *distrtStatusName(int status);

/* Size in bytes of one element in memory; 0 for an unknown type. */
DISTRT_EXPORT int64_t distrtDataTypeSize(int dataType);

/* Whether the cell of the table data type x reduction is legal. */
DISTRT_EXPORT bool distrtReductionIsLegal(int dataType, int reduction);

#ifdef __cplusplus
}
#endif

#endif /* DIST_RT_DISTRT_H */
