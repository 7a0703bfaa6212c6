# What the tests are made of.

# dist_add_test_dependency(TARGET...): `check-dist` builds these first.
function(dist_add_test_dependency)
  set_property(GLOBAL APPEND PROPERTY DIST_TEST_DEPENDENCIES ${ARGN})
endfunction()

# dist_add_gtest(NAME SOURCE... [LIBS LIBRARY...]): a GoogleTest binary. All go
# to one folder, where lit finds them by their names, which end in "-tests";
# without lit (no compiler) ctest runs them.
function(dist_add_gtest name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  if(NOT name MATCHES "-tests$")
    message(FATAL_ERROR "GoogleTest binary '${name}': expected a name that "
      "ends in '-tests'")
  endif()
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main ${ARG_LIBS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/Unit)
  add_test(NAME ${name} COMMAND ${name})
  dist_add_test_dependency(${name})
endfunction()
