# Compiler flags that do not depend on LLVM: warnings, linker, sanitizers,
# ccache.

find_program(DIST_CCACHE ccache)
if(DIST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need the sloppiness; the base directory lets two clones
  # share what they compiled.
  set(dist_ccache_launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${DIST_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${dist_ccache_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${dist_ccache_launcher})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  find_program(DIST_LLD NAMES ld.lld-22 ld.lld)
  if(DIST_LLD)
    add_link_options(-fuse-ld=${DIST_LLD})
  endif()
endif()
if(NOT DIST_ENABLE_ASSERTIONS)
  add_compile_definitions($<$<COMPILE_LANGUAGE:C,CXX>:NDEBUG>)
else()
  foreach(flags CMAKE_C_FLAGS_RELEASE CMAKE_CXX_FLAGS_RELEASE
          CMAKE_C_FLAGS_RELWITHDEBINFO CMAKE_CXX_FLAGS_RELWITHDEBINFO)
    string(REPLACE "-DNDEBUG" "" ${flags} "${${flags}}")
  endforeach()
endif()

if(DIST_SANITIZER STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(DIST_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(DIST_SANITIZER)
  message(FATAL_ERROR "DIST_SANITIZER is '${DIST_SANITIZER}', expected "
    "'address' or 'thread'")
endif()
