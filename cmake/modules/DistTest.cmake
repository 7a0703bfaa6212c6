# What the tests are made of.

# dist_add_test_dependency(TARGET...): `check-dist` builds these first.
function(dist_add_test_dependency)
  set_property(GLOBAL APPEND PROPERTY DIST_TEST_DEPENDENCIES ${ARGN})
endfunction()

# dist_register_gtest(TARGET): makes a GoogleTest executable a part of
# `check-dist`. All of them go to one folder, where lit finds them by their
# names, which end in "-tests".
function(dist_register_gtest target)
  if(NOT target MATCHES "-tests$")
    message(FATAL_ERROR "GoogleTest binary '${target}': expected a name that "
      "ends in '-tests'")
  endif()
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/Unit)
  dist_add_test_dependency(${target})
endfunction()
