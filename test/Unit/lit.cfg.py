# The GoogleTest binaries, which CMake puts into one folder.
import lit.formats

config.name = "dist-unit"
config.suffixes = []
config.test_source_root = config.gtest_dir
config.test_exec_root = config.gtest_dir
config.test_format = lit.formats.GoogleTest(".", "-tests")

if config.sanitizer == "thread":
    config.environment["TSAN_OPTIONS"] = "halt_on_error=1"
elif config.sanitizer == "address":
    config.environment["ASAN_OPTIONS"] = "detect_leaks=1"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
