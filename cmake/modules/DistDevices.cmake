# The headers of CUDA and NCCL: DIST_HAS_NCCL, DIST_CUDA_INCLUDE_DIR,
# DIST_NCCL_INCLUDE_DIR. No library is linked, so none is looked for.

# NVIDIA's wheels from PyPI keep them below site-packages/nvidia.
file(GLOB dist_wheel_dirs
  "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia"
  "$ENV{VIRTUAL_ENV}/lib/python3*/site-packages/nvidia"
  "/usr/lib/python3*/site-packages/nvidia"
  "/usr/local/lib/python3*/*-packages/nvidia")
set(dist_wheel_includes)
foreach(dir ${dist_wheel_dirs})
  file(GLOB found "${dir}/*/include")
  list(APPEND dist_wheel_includes ${found})
endforeach()

find_package(CUDAToolkit QUIET)
find_path(DIST_CUDA_INCLUDE_DIR cuda_runtime_api.h
  HINTS $ENV{CUDA_HOME} $ENV{CUDA_PATH} ${CUDAToolkit_INCLUDE_DIRS}
  PATHS /usr/local/cuda ${dist_wheel_includes}
  PATH_SUFFIXES include)
find_path(DIST_NCCL_INCLUDE_DIR nccl.h
  HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} $ENV{NCCL_HOME} ${CUDAToolkit_INCLUDE_DIRS}
    ${DIST_CUDA_INCLUDE_DIR}
  PATHS /usr/local/cuda ${dist_wheel_includes}
  PATH_SUFFIXES include)

set(DIST_HAS_NCCL FALSE)
if(NOT DIST_CUDA_INCLUDE_DIR OR NOT DIST_NCCL_INCLUDE_DIR)
  message(STATUS "The backend \"nccl\" is left out: cuda_runtime_api.h or nccl.h "
    "was not found (set CUDA_HOME and NCCL_ROOT)")
else()
  # ncclAlltoAll and ncclGather came with NCCL 2.28, cudaLibrary_t with CUDA 12.8.
  file(STRINGS "${DIST_NCCL_INCLUDE_DIR}/nccl.h" dist_nccl_gather
    REGEX "ncclGather\\(" LIMIT_COUNT 1)
  file(STRINGS "${DIST_CUDA_INCLUDE_DIR}/cuda_runtime_api.h" dist_cuda_library
    REGEX "cudaLibraryGetKernel\\(" LIMIT_COUNT 1)
  if(dist_nccl_gather AND dist_cuda_library)
    set(DIST_HAS_NCCL TRUE)
  else()
    message(STATUS "The backend \"nccl\" is left out: the headers in "
      "${DIST_CUDA_INCLUDE_DIR} and ${DIST_NCCL_INCLUDE_DIR} are older than CUDA "
      "12.8 and NCCL 2.28")
  endif()
endif()
