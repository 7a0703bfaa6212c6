#!/usr/bin/env python3
"""Compares docs/spec.md with the dialect: labels, sections, examples.

Each label such as (all_gather C3) of the specification must have a negative
test, a comment line `// all_gather C3` in test/Dialect/Dist/IR/*-invalid.mlir
whose section expects an error, and, unless the definition in TableGen enforces
it, a comment at its check under lib/Dialect/Dist; and the other way round.
Each operation, type and attribute of the dialect must have a section with an
example.

usage: check-spec.py [ROOT]
"""

import pathlib
import re
import sys

LABEL = r"([a-z_]+) C(\d+)"
COLLECTIVES = ["all_gather", "all_reduce", "reduce_scatter", "broadcast",
               "all_to_all", "permute", "reduce"]
COLLECTIVES += [name + "_into" for name in COLLECTIVES]

# Constraints that a trait or an operand type of the definition enforces.
IN_TABLEGEN = {
    "mesh C7", "process_group C4", "rank C2", "group_size C2", "wait C4",
    "dup C1", "drop C1", "keep C2", "after C2", "token C2", "device_read C2",
    "device_write C2", "device_constant C2",
}


def spec_labels(spec):
    return {f"{name} C{number}" for name, number in
            re.findall(r"\(" + LABEL.replace(" ", r"\s") + r"\)", spec)}


def test_labels(folder):
    """Labels of the tests, and the problems of their sections."""
    labels, problems = set(), []
    for path in sorted(folder.glob("*-invalid.mlir")):
        for section in path.read_text().split("// -----"):
            found = re.findall(r"^// " + LABEL + r"$", section, re.M)
            labels |= {f"{name} C{number}" for name, number in found}
            if found and "expected-error" not in section:
                problems.append(f"{path.name}: the section of "
                                f"{' C'.join(found[0])} expects no error")
    return labels, problems


def source_labels(root, subjects):
    labels = set()
    for path in sorted(root.glob("IR/*.cpp")) + sorted(root.glob("Utils/*.cpp")):
        for name, number in re.findall(LABEL, path.read_text()):
            names = COLLECTIVES if name == "collectives" else [name]
            labels |= {f"{each} C{number}" for each in names
                       if each in subjects}
    return labels


def definitions(folder):
    """Section titles that the definitions ask for."""
    titles = set()
    for path in sorted(folder.glob("*.td")):
        text = path.read_text()
        titles |= {f"Operation: dist.{name}" for name in re.findall(
            r"def \w+\s*:\s*Dist_(?:\w*Op|Op)<\"(\w+)\"", text)}
        titles |= {f"Attribute: #dist.{name}" for name in re.findall(
            r"def \w+\s*:\s*Dist_Attr<\"\w+\", \"(\w+)\"", text)}
        titles |= {f"Attribute: #dist.{name}" for name in re.findall(
            r"EnumAttr<Dist_Dialect, \w+, \"(\w+)\"", text)}
        for body in re.findall(r"TypeDef<Dist_Dialect.*?\n}", text, re.S):
            titles.add("Type: !dist." +
                       re.search(r"mnemonic = \"(\w+)\"", body)[1])
    return titles


def sections(spec):
    """Section title -> text of the section."""
    parts = re.split(r"^### (.+)$", spec, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    spec = (root / "docs/spec.md").read_text()
    in_spec = spec_labels(spec)
    in_tests, problems = test_labels(root / "test/Dialect/Dist/IR")
    in_sources = source_labels(root / "lib/Dialect/Dist",
                               {label.split(" ")[0] for label in in_spec})
    if not in_spec:
        problems.append("docs/spec.md has no labels")
    problems += [f"({label}) of docs/spec.md has no negative test"
                 for label in sorted(in_spec - in_tests)]
    problems += [f"{label} has a negative test, but is not in docs/spec.md"
                 for label in sorted(in_tests - in_spec)]
    problems += [f"({label}) of docs/spec.md is not named at its check"
                 for label in sorted(in_spec - in_sources - IN_TABLEGEN)]
    # The comments of the collectives stand for all of them; a label that fits
    # no operation at all is a mistake.
    numbers = {label.split(" C")[1] for label in in_spec
               if label.split(" ")[0] in COLLECTIVES}
    problems += [f"{label} is named at a check, but is not in docs/spec.md"
                 for label in sorted(in_sources - in_spec)
                 if label.split(" ")[0] not in COLLECTIVES
                 or label.split(" C")[1] not in numbers]
    found = sections(spec)
    for title in sorted(definitions(root / "include/Dialect/Dist/IR")):
        if title not in found:
            problems.append(f"docs/spec.md has no section '{title}'")
        elif "```mlir" not in found[title]:
            problems.append(f"section '{title}' of docs/spec.md has no example")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    print(f"{len(in_spec)} labels, {len(found)} sections, "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
