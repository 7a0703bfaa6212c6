# Configuration of the test suite.
#
# Parameters (--param NAME=VALUE) and environment:
#   roundtrip=0, DIST_ROUNDTRIP=0   do not send each dist-opt input through text
#                                   and bytecode and back (on by default)
#   slow=1, DIST_SLOW_TESTS=1       also what takes minutes
import glob
import os
import signal

import lit.formats
import lit.llvm
import lit.util

lit.llvm.initialize(lit_config, config)
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst


def switch(name, variable, default):
    value = lit_config.params.get(name, os.environ.get(variable, default))
    return value not in ("", "0", "off", "false")


config.name = "dist"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".md"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.dist_build_dir, "test")


def kill_tree(pid):
    """Kills a process and all its descendants. lit's own needs psutil."""
    children = []
    for task in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(task) as file:
                children += [int(child) for child in file.read().split()]
        except OSError:
            pass  # It ended meanwhile.
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    for child in children:
        kill_tree(child)


slow = switch("slow", "DIST_SLOW_TESTS", "0")

# A hanging test is a failing test. Everything runs in seconds; what builds a
# project of its own or a sanitizer slows down needs more.
if not lit_config.maxIndividualTestTime:
    lit.util.killProcessAndChildrenIsSupported = lambda: (True, "")
    lit.util.killProcessAndChildren = kill_tree
    lit_config.maxIndividualTestTime = 1800 if config.sanitizer or slow else 600

bin_dir = os.path.join(config.dist_build_dir, "bin")
lib_dir = os.path.join(config.dist_build_dir, "lib")
llvm_config.with_environment(
    "PATH", [bin_dir, config.llvm_tools_dir], append_path=True
)

if config.sanitizer == "address":
    config.available_features.add("asan")
    # libMLIR keeps what it allocated until the process ends.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
elif config.sanitizer == "thread":
    config.available_features.add("tsan")
    config.environment["TSAN_OPTIONS"] = "halt_on_error=1"
if config.sanitizer:
    config.available_features.add("sanitizer")
if os.path.exists(os.path.join(config.llvm_tools_dir, "mlir-opt")):
    config.available_features.add("mlir-opt")
if slow:
    config.available_features.add("slow")

# What a project outside needs in order to link a library of this build.
embed_flags = f"-DCMAKE_BUILD_TYPE={config.build_type}"
if config.sanitizer:
    option = "address,undefined" if config.sanitizer == "address" else "thread"
    for language in ("C", "CXX"):
        embed_flags += f" -DCMAKE_{language}_FLAGS=-fsanitize={option}"

for name, value in [
    ("%embed_flags", embed_flags),
    ("%sanitizer", config.sanitizer),
    ("%python", config.python),
    ("%dist_src", config.dist_source_dir),
    ("%dist_build", config.dist_build_dir),
    ("%dist_lib", lib_dir),
    ("%mlir_dir", config.mlir_dir),
    ("%cmake", config.cmake),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
    ("%build_type", config.build_type),
]:
    # No name is the beginning of a longer one's text.
    config.substitutions.append((name + r"\b", value))

dist_opt_arguments = []
if switch("roundtrip", "DIST_ROUNDTRIP", "1"):
    config.available_features.add("roundtrip")
    dist_opt_arguments.append("--verify-roundtrip")
llvm_config.add_tool_substitutions(
    [
        ToolSubst("dist-opt", extra_args=dist_opt_arguments),
        ToolSubst("dist-test-opt"),
        ToolSubst("dist-run", unresolved="ignore"),
        ToolSubst("mlir-opt", unresolved="ignore"),
        ToolSubst("FileCheck"),
        ToolSubst("not"),
        ToolSubst("split-file"),
    ],
    [bin_dir, config.llvm_tools_dir],
)
