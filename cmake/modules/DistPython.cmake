# dist_find_python(): sets Python3_EXECUTABLE to an interpreter that has numpy,
# which the tests and scripts need. The first python3 on PATH often has not, so
# the candidates are tried: the caller's choice, a virtual environment in the
# source folder, PATH, the system's.
macro(dist_find_python)
  if(NOT Python3_EXECUTABLE)
    find_program(dist_python_on_path NAMES python3 NO_CACHE)
    foreach(candidate "${PROJECT_SOURCE_DIR}/.venv/bin/python3"
        "${dist_python_on_path}" /usr/bin/python3)
      if(NOT EXISTS "${candidate}")
        continue()
      endif()
      execute_process(COMMAND "${candidate}" -c "import numpy"
        RESULT_VARIABLE dist_python_status OUTPUT_QUIET ERROR_QUIET)
      if(dist_python_status EQUAL 0)
        set(Python3_EXECUTABLE "${candidate}" CACHE FILEPATH
          "Python interpreter with numpy")
        break()
      endif()
    endforeach()
    if(NOT Python3_EXECUTABLE)
      message(FATAL_ERROR "no python3 with numpy found; install python3-numpy "
        "or set Python3_EXECUTABLE")
    endif()
  endif()
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endmacro()
