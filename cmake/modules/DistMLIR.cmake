# The only place that knows the quirks of MLIR's CMake files.

if(NOT MLIR_DIR)
  find_program(DIST_LLVM_CONFIG NAMES llvm-config-22)
  if(DIST_LLVM_CONFIG)
    execute_process(COMMAND ${DIST_LLVM_CONFIG} --cmakedir
      OUTPUT_VARIABLE dist_llvm_cmakedir OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND CMAKE_PREFIX_PATH "${dist_llvm_cmakedir}/../../..")
  endif()
endif()
find_package(MLIR 22.1 REQUIRED CONFIG)
message(STATUS "MLIR: ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(LLVM_ENABLE_ASSERTIONS ${DIST_ENABLE_ASSERTIONS})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(dist_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
# dist_compiler_flags: how every file that includes an MLIR header is compiled.
add_library(dist_compiler_flags INTERFACE)
target_compile_definitions(dist_compiler_flags INTERFACE ${dist_llvm_definitions})
target_compile_options(dist_compiler_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:${LLVM_ENABLE_RTTI}>>>:-fno-rtti>)

# One precompiled header for the whole compiler.
add_library(dist_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/modules/Precompiled.cpp)
target_link_libraries(dist_pch PRIVATE dist_compiler_flags)
target_precompile_headers(dist_pch PRIVATE
  ${PROJECT_SOURCE_DIR}/cmake/modules/Precompiled.h)
target_compile_options(dist_pch PRIVATE
  $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)

# dist_add_library(NAME SOURCE...): a part of libdist-c.so.
function(dist_add_library name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE dist_compiler_flags)
  target_precompile_headers(${name} REUSE_FROM dist_pch)
  target_compile_options(${name} PRIVATE
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  add_dependencies(${name} dist-headers)
  set_property(GLOBAL APPEND PROPERTY DIST_LIBRARIES ${name})
endfunction()

# dist_add_tool(NAME SOURCE...): an executable that links libdist-c.so. Its
# sources are an object library too, for only those can share the precompiled
# header.
function(dist_add_tool name)
  add_library(obj.${name} OBJECT ${ARGN})
  target_link_libraries(obj.${name} PRIVATE dist_compiler_flags)
  target_precompile_headers(obj.${name} REUSE_FROM dist_pch)
  target_compile_options(obj.${name} PRIVATE
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  add_dependencies(obj.${name} dist-headers)
  add_executable(${name} $<TARGET_OBJECTS:obj.${name}>)
  target_link_libraries(${name} PRIVATE dist-c MLIR)
  set_property(GLOBAL APPEND PROPERTY DIST_TOOLS ${name})
endfunction()
