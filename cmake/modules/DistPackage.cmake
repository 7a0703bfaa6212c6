# What other projects see of dist: usage requirements of the two libraries, the
# names dist::dist-c and dist::dist_rt, and the install rules. The same names
# work after find_package(Dist) and after add_subdirectory.

# The runtime: an ABI that only grows, so its soname is a number of its own.
if(TARGET dist_rt)
  target_include_directories(dist_rt INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(dist_rt PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION 1)
  add_library(dist::dist_rt ALIAS dist_rt)
endif()

# The compiler: no promise about its C++ ABI between minor versions.
if(TARGET dist-c)
  target_include_directories(dist-c INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/dist>)
  target_include_directories(dist-c SYSTEM INTERFACE
    $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>
    $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
  set_target_properties(dist-c PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  # Who links it compiles against generated headers.
  add_dependencies(dist-c dist-headers)
  add_library(dist::dist-c ALIAS dist-c)
endif()

if(NOT DIST_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(dist_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dist")

if(TARGET dist_rt)
  install(TARGETS dist_rt EXPORT DistRuntimeTargets)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dist-rt
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  install(EXPORT DistRuntimeTargets NAMESPACE dist::
    DESTINATION ${dist_config_dir})
endif()

if(TARGET dist-c)
  install(TARGETS dist-c EXPORT DistCompilerTargets)
  get_property(dist_tools GLOBAL PROPERTY DIST_TOOLS)
  install(TARGETS ${dist_tools})
  # The plugin is named by path on mlir-opt's command line.
  if(TARGET DistPlugin)
    install(TARGETS DistPlugin DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
  # C++ headers are included as "Dialect/Dist/IR/Dist.h", names too general for
  # the top of a shared include folder.
  foreach(root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${root}/include/
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dist
      FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
      PATTERN "CMakeFiles" EXCLUDE
      PATTERN "dist-rt" EXCLUDE PATTERN "dist-c" EXCLUDE)
  endforeach()
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/include/dist-c)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dist-c
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  endif()
  install(EXPORT DistCompilerTargets NAMESPACE dist::
    DESTINATION ${dist_config_dir})
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dist)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/modules/DistConfig.cmake.in
  ${PROJECT_BINARY_DIR}/DistConfig.cmake
  INSTALL_DESTINATION ${dist_config_dir})
# 0.x: a minor version may break users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/DistConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/DistConfig.cmake
  ${PROJECT_BINARY_DIR}/DistConfigVersion.cmake
  DESTINATION ${dist_config_dir})
