# Configuration of the test suite.
import os

import lit.formats
from lit.llvm.subst import ToolSubst
import lit.llvm

lit.llvm.initialize(lit_config, config)
from lit.llvm import llvm_config

config.name = "dist"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".md"]
config.excludes = ["Inputs", "lib", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.dist_build_dir, "test")

bin_dir = os.path.join(config.dist_build_dir, "bin")
llvm_config.with_environment("PATH", [bin_dir, config.llvm_tools_dir], append_path=True)
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%dist_src", config.dist_source_dir))
config.substitutions.append(("%dist_build", config.dist_build_dir))
llvm_config.add_tool_substitutions(
    [
        "dist-opt",
        ToolSubst("dist-run", unresolved="ignore"),
        ToolSubst("FileCheck"),
        ToolSubst("not"),
        ToolSubst("split-file"),
    ],
    [bin_dir, config.llvm_tools_dir],
)
