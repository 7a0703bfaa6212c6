#!/usr/bin/env python3
"""Holds the rules of layout and names of docs/contributing.md.

usage: check-layout.py [ROOT] [--fix]

--fix writes the first lines of malformed banners anew.
"""

import pathlib
import re
import subprocess
import sys

MAX_FILE_LINES = 800
MAX_FUNCTION_LINES = 100
MAX_TOOL_LINES = 60
SOURCES = (".cpp", ".h", ".td", ".c", ".cu")

# Passes that have no test of their own yet. An entry that is not needed any
# more is an error, so that the list can only shrink.
WITHOUT_TEST = {"dist-relax-destinations", "convert-dist-to-llvm"}

# Words that must not appear: paths of one machine.
FORBIDDEN = [r"/work/", r"/home/\w", r"/root/"]


class Checker:
    def __init__(self, root, fix):
        self.root, self.fix = root, fix
        self.problems = []
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"], capture_output=True)
        if listed.returncode == 0:
            names = listed.stdout.decode().split("\0")
        else:  # an archive without version control
            names = [str(path.relative_to(root)) for path in root.rglob("*")
                     if not str(path.relative_to(root)).startswith("build")]
        self.files = [root / name for name in sorted(set(names))
                      if name and (root / name).is_file()]

    def error(self, path, message):
        where = path.relative_to(self.root) if isinstance(
            path, pathlib.Path) else path
        self.problems.append(f"{where}: {message}")

    def under(self, *prefixes):
        for path in self.files:
            name = str(path.relative_to(self.root))
            if any(name.startswith(prefix) for prefix in prefixes):
                yield path

    #===--------------------------------------------------------------------===#
    # Files
    #===--------------------------------------------------------------------===#

    def fix_banner(self, path, lines):
        """Keeps what the old line says about the file."""
        kind = {".h": "*- C++ -*-", ".td": "*- tablegen -*-"}.get(path.suffix,
                                                                  "")
        what = re.search(r" - ([A-Za-z].*?) -", lines[0])
        head = f"//===- {path.name} {'- ' + what[1] + ' ' if what else ''}"
        tail = kind + "===//"
        lines[0] = head + "-" * (80 - len(head) - len(tail)) + tail
        path.write_text("\n".join(lines))

    def check_banner(self, path, lines):
        first = lines[0] if lines else ""
        if not re.match(r"/[/*]===-+ (\S+/)?" + re.escape(path.name) +
                        r" .*===(//|\*/|\*\\)$", first) or re.search(r"- +-+", first[8:]):
            if self.fix and first.startswith("//===-"):
                self.fix_banner(path, lines)
            else:
                self.error(path, f"line 1 is no banner of the form '//===- "
                           f"{path.name} - what it is ---===//': {first}")
        elif len(first) > 80:
            self.error(path, "the banner is longer than 80 columns")
        if not any("SPDX-License-Identifier" in line for line in lines[:8]):
            self.error(path, "has no SPDX-License-Identifier in its banner")

    def check_functions(self, path, lines):
        """Top-level bodies: from a line that ends in '{' to a lone brace at the
        same depth. A rough measure, which clang-format makes a good one."""
        start = None
        for number, line in enumerate(lines, 1):
            if re.match(r"(  )?[^ /}#].*\{$", line) and not re.match(
                    r" *(namespace|class|struct|enum|extern|union|def)\b", line):
                if start is None or not line.startswith(" "):
                    start = (number, len(line) - len(line.lstrip()))
            elif start and line.rstrip() == " " * start[1] + "}":
                length = number - start[0] + 1
                if length > MAX_FUNCTION_LINES:
                    self.error(path, f"line {start[0]}: function of {length} "
                               f"lines, expected at most {MAX_FUNCTION_LINES}")
                start = None

    def check_files(self):
        for path in self.files:
            if path.suffix in (".gz", ".npy", ".png", ".svg"):
                continue
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                self.error(path, "is not UTF-8 text")
                continue
            if path.name not in ("check-layout.py",):
                for word in FORBIDDEN:
                    match = re.search(word, text)
                    if match:
                        line = text.count("\n", 0, match.start()) + 1
                        self.error(path, f"line {line}: has '{match[0]}', a "
                                   "path of one machine")
            if path.suffix not in SOURCES:
                continue
            lines = text.split("\n")
            if "cmake" not in path.parts and "Inputs" not in path.parts:
                self.check_banner(path, lines)
            if len(lines) > MAX_FILE_LINES:
                self.error(path, f"has {len(lines)} lines, expected at most "
                           f"{MAX_FILE_LINES}")
            if path.suffix in (".cpp", ".c"):
                self.check_functions(path, lines)

    #===--------------------------------------------------------------------===#
    # Names
    #===--------------------------------------------------------------------===#

    def passes(self):
        """(file, flag, definition) of every pass."""
        for path in self.under("include/"):
            if path.name != "Passes.td":
                continue
            for name, flag in re.findall(
                    r"def (\w+)\s*:\s*Pass<\s*\"([\w-]+)\"", path.read_text()):
                yield path, flag, name

    def check_pass(self, path, flag, definition):
        words = flag.removeprefix("dist-").split("-")
        if flag.startswith("convert-"):
            camel = "".join({"llvm": "LLVM", "mpi": "MPI"}.get(
                word, word.capitalize()) for word in words)
        else:
            camel = "".join(word.capitalize() for word in words)
        if definition != camel + "Pass":
            self.error(path, f"pass {flag} is 'def {definition}', expected "
                       f"'def {camel}Pass'")
        folder = str(path.parent.relative_to(self.root / "include"))
        stem = camel.removeprefix("Convert")
        sources = [source for source in self.under(f"lib/{folder}")
                   if source.name == f"{stem}.cpp"]
        if not sources:
            self.error(path, f"pass {flag} has no lib/{folder}/{stem}.cpp")
        for source in sources:
            if f'#define DEBUG_TYPE "{flag}"' not in source.read_text():
                self.error(source, f"has no '#define DEBUG_TYPE \"{flag}\"'")
        test = flag.removeprefix("dist-").removeprefix("convert-") + ".mlir"
        tested = any(each.name == test for each in self.under(f"test/{folder}"))
        if not tested and flag not in WITHOUT_TEST:
            self.error(path, f"pass {flag} has no test/{folder}/**/{test}")
        if tested and flag in WITHOUT_TEST:
            self.error("utils/check-layout.py", f"pass {flag} has a test: "
                       "remove it from WITHOUT_TEST")

    def check_ops(self):
        """`dist.all_gather` is AllGatherOp and has all-gather*.mlir, whose
        section of the specification utils/check-spec.py looks for."""
        tests = [path.name for path in self.under("test/Dialect/Dist/IR/")]
        for path in self.under("include/Dialect/Dist/IR/"):
            if path.suffix != ".td":
                continue
            for name, op in re.findall(
                    r"def (\w+)\s*:\s*Dist_(?:\w*Op|Op)<\"(\w+)\"",
                    path.read_text()):
                camel = "".join(word.capitalize() for word in op.split("_"))
                if name != f"Dist_{camel}Op":
                    self.error(path, f"dist.{op} is 'def {name}', expected "
                               f"'def Dist_{camel}Op'")
                prefix = op.replace("_", "-")
                if not any(test.startswith(prefix) for test in tests):
                    self.error(path, f"dist.{op} has no "
                               f"test/Dialect/Dist/IR/{prefix}*.mlir")

    def check_constructors(self):
        for path in self.under("lib/", "include/"):
            if path.suffix in (".cpp", ".h") and re.search(
                    r"std::unique_ptr<\s*(mlir::)?(OperationPass<.*>|Pass)>\s*"
                    r"(mlir::dist::|dist::)?create\w+Pass\(", path.read_text()):
                self.error(path, "has a constructor of a pass, expected only "
                           "generated ones")

    #===--------------------------------------------------------------------===#
    # Folders
    #===--------------------------------------------------------------------===#

    def check_mirrors(self):
        """Folders of test/Dialect and test/Conversion exist in lib/, and those
        of lib/ in include/."""
        folders = {str(path.parent.relative_to(self.root))
                   for path in self.files}
        for folder in sorted(folders):
            parts = folder.split("/")
            if parts[:2] not in (["test", "Dialect"], ["test", "Conversion"]):
                continue
            mirror = "/".join(part for part in parts[1:] if part != "Inputs")
            if f"lib/{mirror}" not in folders and \
                    f"include/{mirror}" not in folders:
                self.error(folder, f"mirrors neither lib/{mirror} nor "
                           f"include/{mirror}")
        for folder in ("Dialect", "Conversion", "Pipelines"):
            for path in self.under(f"lib/{folder}/"):
                mirror = "include/" + str(path.parent.relative_to(
                    self.root / "lib"))
                if mirror not in folders:
                    self.error(path, f"has no counterpart {mirror}")

    def check_runtime(self):
        for path in self.under("lib/Runtime/", "include/dist-rt/"):
            if re.search(r"#include [<\"](mlir|llvm)(-c)?/", path.read_text()):
                self.error(path, "includes a header of LLVM: the runtime "
                           "stands alone")

    def check_tools(self):
        for path in self.under("tools/"):
            if path.suffix == ".cpp":
                lines = path.read_text().count("\n")
                if lines >= MAX_TOOL_LINES:
                    self.error(path, f"has {lines} lines, expected less than "
                               f"{MAX_TOOL_LINES} for a tool's main")

    def run(self):
        self.check_files()
        passes = list(self.passes())
        for each in passes:
            self.check_pass(*each)
        for flag in sorted(WITHOUT_TEST - {flag for _, flag, _ in passes}):
            self.error("utils/check-layout.py", f"there is no pass {flag}")
        self.check_ops()
        self.check_constructors()
        self.check_mirrors()
        self.check_runtime()
        self.check_tools()


def main():
    arguments = [each for each in sys.argv[1:] if each != "--fix"]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    checker = Checker(root, "--fix" in sys.argv)
    checker.run()
    for problem in checker.problems:
        print(f"error: {problem}", file=sys.stderr)
    print(f"{len(checker.files)} files, {len(checker.problems)} problems")
    return 1 if checker.problems or not checker.files else 0


if __name__ == "__main__":
    sys.exit(main())
