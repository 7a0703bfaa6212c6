# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns the dump of a step graph into dist IR.

usage: python3 -m dist_mlir.graph_import GRAPH.json [-o OUT.mlir] [--bind]
       python3 -m dist_mlir.graph_import --order-from SCHEDULED.mlir

GRAPH.json (or GRAPH.json.gz) is one object:

  name     a string
  groups   {name: size}
  inputs   [[name, shape, dtype], ...]
  nodes    [{name, op, args, kwargs?, outs: [[shape, dtype] or null, ...], flops?}]
           "%x" in args refers to node or input x
  outputs  ["%x" or null, ...]

Compute becomes `dist.opaque` with its flops and the bytes that it moves;
collectives become starts, waits become waits. An input that is waited for is a
future that came from another graph, a returned start is one that goes on to
another graph. Each operation has its node's name as its location, so that
--order-from can read the order back from the output of
`dist-opt --mlir-print-debuginfo`: a JSON list of names.

Groups are process groups without ranks. --bind gives them the ranks of a row
major mesh whose axes are the groups in their order (a group as large as all
others together is the flat mesh).
"""
import argparse
import gzip
import json
import math
import re
import sys

ELEMENT = {
    "float64": ("f64", 8), "float32": ("f32", 4), "float16": ("f16", 2),
    "bfloat16": ("bf16", 2), "int64": ("i64", 8), "int32": ("i32", 4),
    "int16": ("i16", 2), "int8": ("i8", 1), "uint8": ("ui8", 1),
    "uint16": ("ui16", 2), "uint32": ("ui32", 4), "uint64": ("ui64", 8),
    "bool": ("i1", 1), "complex64": ("complex<f32>", 8),
    "complex128": ("complex<f64>", 16),
    "float8_e4m3fn": ("f8E4M3FN", 1), "float8_e5m2": ("f8E5M2", 1),
}
VIEWS = {
    "view", "permute", "expand", "unsqueeze", "squeeze", "view_as_complex",
    "view_as_real", "_conj", "slice", "select", "as_strided", "alias", "detach",
    "t", "transpose", "_unsafe_view", "narrow", "getitem",
}
# Views with several results: shown as one view of everything, whose items are
# views in turn.
SPLITS = {"split", "split_with_sizes", "unbind", "chunk"}
HOST = {"sym_size", "_local_scalar_dense", "_assert_scalar", "sym_sum"}
COLLECTIVES = {"all_gather_into_tensor": "all_gather",
               "reduce_scatter_tensor": "reduce_scatter",
               "all_reduce": "all_reduce", "broadcast": "broadcast",
               "all_to_all_single": "all_to_all"}
REDUCTIONS = {"sum", "avg", "max", "min", "product", "band", "bor", "bxor"}


class ImportFailure(Exception):
    pass


def refs(value):
    """Names that `value`, an argument of a node, refers to."""
    if isinstance(value, str):
        return [value[1:]] if value.startswith("%") else []
    if isinstance(value, list):
        return [name for item in value for name in refs(item)]
    return []


def base_name(op):
    """aten.view.default -> view"""
    parts = op.split(".")
    return parts[1] if len(parts) > 1 else op


def tensor_type(out):
    shape, dtype = out
    if dtype not in ELEMENT:
        raise ImportFailure("unknown dtype %r" % dtype)
    return "tensor<%s%s>" % ("".join("%d" % n + "x" for n in shape),
                             ELEMENT[dtype][0])


def num_bytes(out):
    return 0 if out is None else math.prod(out[0]) * ELEMENT[out[1]][1]


def quote(text):
    """A string literal of MLIR: what is not printable ASCII as hex bytes."""
    return '"%s"' % "".join(
        chr(c) if 32 <= c < 127 and c not in b'"\\' else "\\%02X" % c
        for c in text.encode())


def unquote(text):
    """What stands between the quotes of a string literal of MLIR."""
    short = {"n": b"\n", "t": b"\t", '"': b'"', "\\": b"\\"}
    parts = re.split(r'\\([0-9A-Fa-f]{2}|[nt"\\])', text)
    return b"".join(
        part.encode() if i % 2 == 0 else
        short.get(part) or bytes([int(part, 16)])
        for i, part in enumerate(parts)).decode(errors="replace")


def mesh_ranks(groups):
    """Rank table of each group, as the axes of a row major mesh."""
    sizes = dict(groups)
    world = math.prod(sizes.values())
    flat = [k for k, n in sizes.items() if len(sizes) > 2 and n * n == world]
    axes = {k: n for k, n in sizes.items() if k not in flat}
    world = math.prod(axes.values())
    tables = {k: [list(range(world))] for k in flat}
    stride = world
    for name, size in axes.items():
        stride //= size
        firsts = [r for r in range(world) if r // stride % size == 0]
        tables[name] = [[r + i * stride for i in range(size)] for r in firsts]
    return tables


class Importer:
    def __init__(self, graph, bind):
        self.graph, self.bind = graph, bind
        self.lines = []
        self.names = {}    # (node or input, result) -> SSA name
        self.taken = set()
        self.defined = set()
        self.values = {}   # node or input -> [(SSA name, out) or None, ...]
        self.futures = {}  # start or input future -> (SSA name, out)
        self.starts = {}   # start -> group

    def emit(self, node, results, text):
        prefix = ", ".join(results) + " = " if results else ""
        self.lines.append("  %s%s loc(%s)" % (prefix, text, quote(node["name"])))

    def ssa(self, name, result=None):
        """The SSA name of a node or an input, or of one of several results: its
        own where MLIR can read it, else one like it that nothing else has."""
        key = (name, result)
        if key not in self.names:
            clean = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
            if not re.fullmatch(r"[0-9]+|[A-Za-z_$.-].*", clean):
                clean = "_" + clean
            if result is not None:
                clean = "%s.%d" % (clean if not clean.isdigit() else "_" + clean,
                                   result)
            while clean in self.taken:
                clean = ("" if not clean.isdigit() else "_") + clean + "_"
            self.taken.add(clean)
            self.names[key] = "%" + clean
        return self.names[key]

    def define(self, name):
        if name in self.defined:
            raise ImportFailure("%%%s is defined twice" % name)
        self.defined.add(name)

    def value(self, name):
        if name not in self.values:
            what = "used before it is waited for" if name in self.futures \
                else "not defined before"
            raise ImportFailure("%%%s is %s" % (name, what))
        items = [item for item in self.values[name] if item]
        if len(items) != 1:
            raise ImportFailure("%%%s has %d results, expected one"
                                % (name, len(items)))
        return items[0]

    def opaque(self, node, operands, outs, **attributes):
        """`operands` are (SSA name, out); returns one item per element of outs."""
        kept = [i for i, out in enumerate(outs) if out is not None]
        results = [self.ssa(node["name"])] if len(kept) == 1 else \
            [self.ssa(node["name"], i) for i in kept]
        parts = []
        for key, attribute in attributes.items():
            parts.append(key if attribute is True else
                         "%s = %d : i64" % (key, attribute))
        self.emit(node, results, "dist.opaque %s(%s)%s : (%s) -> %s" % (
            quote(node["op"]), ", ".join(v for v, _ in operands),
            " {%s}" % ", ".join(parts) if parts else "",
            ", ".join(tensor_type(out) for _, out in operands),
            self.result_types([outs[i] for i in kept])))
        items = [None] * len(outs)
        for i, result in zip(kept, results):
            items[i] = (result, outs[i])
        self.values[node["name"]] = items

    @staticmethod
    def result_types(outs):
        types = [tensor_type(out) for out in outs]
        return types[0] if len(types) == 1 else "(%s)" % ", ".join(types)

    def compute(self, node, instance):
        base, outs = base_name(node["op"]), node["outs"]
        args = node["args"] + list(node.get("kwargs", {}).values())
        if base == "getitem":
            source, index = refs(args[:1])[0], args[1]
            items = self.values.get(source)
            if items is None:
                raise ImportFailure("%%%s is not defined before" % source)
            item = items[0] if len(items) == 1 else items[index]
            if item is None:
                raise ImportFailure("result %d of %%%s does not exist"
                                    % (index, source))
            return self.opaque(node, [item], outs, view=True)
        operands = []
        for name in dict.fromkeys(refs(args)):
            operands += [item for item in self.values.get(name, ())
                         if item] if name in self.values else [self.value(name)]
        if base in SPLITS and operands:
            return self.opaque(node, operands[:1], [operands[0][1]], view=True)
        if base in VIEWS and operands and len(outs) == 1:
            return self.opaque(node, operands, outs, view=True)
        size = sum(map(num_bytes, outs))
        read = sum(num_bytes(out) for _, out in operands)
        if base in ("embedding", "index_select"):
            read = size
        if base in HOST or node["op"].startswith("operator.") or base == "empty":
            read = size = 0
        cost = {"flops": node["flops"]} if node.get("flops") else {}
        return self.opaque(node, operands, outs, bytes=read + size,
                           instance=instance, **cost)

    def start(self, node, kind):
        args = node["args"] + list(node.get("kwargs", {}).values())
        group = [a for a in args if isinstance(a, str)
                 and a in self.graph["groups"]]
        if not group:
            raise ImportFailure("no group among the arguments %s" % args)
        operand, source = self.value(refs(args[:1])[0])
        reduction = ""
        if kind in ("all_reduce", "reduce_scatter"):
            names = [a for a in args if isinstance(a, str) and a in REDUCTIONS]
            if not names:
                raise ImportFailure("no known reduction among %s" % args)
            reduction = names[0] + " "
        attributes = {"all_gather": " dim 0", "reduce_scatter": " dim 0",
                      "all_to_all": " split_dim 0 concat_dim 0"}.get(kind, "")
        if kind == "broadcast":
            # A position in the group, as in dist.
            attributes = " root %d" % args[1]
        if kind == "all_to_all":
            for sizes in args[1:3]:
                if isinstance(sizes, list) and len(set(sizes)) > 1:
                    raise ImportFailure("pieces of sizes %s, expected equal "
                                        "ones" % sizes)
        out = node["outs"][0]
        self.futures[node["name"]] = (self.ssa(node["name"]), out)
        self.emit(node, [self.ssa(node["name"])],
                  "dist.%s %s%s%s on <@%s> : (%s) -> !dist.future<%s>" % (
                      kind, reduction, operand, attributes,
                      quote(group[-1]), tensor_type(source), tensor_type(out)))

    def wait(self, node):
        name = refs(node["args"])[0]
        if name not in self.futures:
            # Waited for before: another name of the same tensor.
            return self.opaque(node, [self.value(name)], node["outs"], view=True)
        future, out = self.futures[name]
        self.emit(node, [self.ssa(node["name"])],
                  "dist.wait %s : !dist.future<%s>" % (future, tensor_type(out)))
        self.values[node["name"]] = [(self.ssa(node["name"]), node["outs"][0])]

    def node(self, node, instance):
        base = base_name(node["op"])
        if base in COLLECTIVES and "c10d" in node["op"]:
            self.start(node, COLLECTIVES[base])
        elif base == "wait_tensor":
            self.wait(node)
        elif "c10d" in node["op"]:
            raise ImportFailure("collective %s is not supported" % node["op"])
        else:
            self.compute(node, instance)

    def run(self):
        graph = self.graph
        names = {name for name, *_ in graph["inputs"]}
        waited = {name for node in graph["nodes"]
                  if base_name(node["op"]) == "wait_tensor"
                  for name in refs(node["args"]) if name in names}
        arguments = []
        for name, *out in graph["inputs"]:
            self.define(name)
            kind = tensor_type(out)
            if name in waited:
                self.futures[name] = (self.ssa(name), out)
                kind = "!dist.future<%s>" % kind
            else:
                self.values[name] = [(self.ssa(name), out)]
            arguments.append("%s: %s loc(%s)"
                             % (self.ssa(name), kind, quote(name)))
        for instance, node in enumerate(graph["nodes"]):
            try:
                self.define(node["name"])
                self.node(node, instance)
            except ImportFailure as failure:
                raise ImportFailure("node %s: %s" % (node["name"], failure))
        returned = []
        for output in filter(None, graph["outputs"]):
            name = output[1:]
            if name in self.futures:
                value, out = self.futures[name]
                returned.append((value, "!dist.future<%s>" % tensor_type(out)))
            else:
                value, out = self.value(name)
                returned.append((value, tensor_type(out)))
        return self.text(arguments, returned)

    def text(self, arguments, returned):
        ranks = mesh_ranks(self.graph["groups"]) if self.bind else {}
        head = []
        for name, size in self.graph["groups"].items():
            bound = " ranks %s" % json.dumps(ranks[name]) if self.bind else ""
            head.append("dist.process_group @%s size %d%s"
                        % (quote(name), size, bound))
        types = ", ".join(kind for _, kind in returned)
        head.append("func.func @%s(%s) -> (%s) {" % (
            re.sub(r"^(?![A-Za-z_])", "_",
                   re.sub(r"[^A-Za-z0-9_$.-]", "_", self.graph["name"])),
            ",\n    ".join(arguments), types))
        tail = ["  return" + (" " + ", ".join(v for v, _ in returned)
                              + " : " + types if returned else ""), "}"]
        return "\n".join(head + self.lines + tail) + "\n"


def load_graph(path):
    """The object in a dump, compressed or not."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as file:
        graph = json.load(file)
    missing = {"name", "groups", "inputs", "nodes", "outputs"} - set(graph)
    if missing:
        raise ImportFailure("no %s in the graph" % sorted(missing)[0])
    return graph


def import_graph(graph, bind=False):
    """dist IR of `graph`, an object as the module's text describes."""
    return Importer(graph, bind).run()


def read_order(text):
    """Names of the nodes in the order of the operations of scheduled IR."""
    alias = dict(re.findall(r'^(#loc\d+) = loc\("((?:[^"\\]|\\.)*)"\)$', text,
                            re.MULTILINE))
    order = []
    for line in text.splitlines():
        if not re.match(r"\s*(%[^=]+ = )?dist\.\w+ ", line) or \
                re.match(r"\s*dist\.(process_group|mesh) ", line):
            continue
        found = re.search(r'loc\((?:(#loc\d+)|"((?:[^"\\]|\\.)*)")\)$', line)
        if found:
            order.append(alias.get(found[1]) if found[1] else found[2])
    return [unquote(name) for name in order if name]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", nargs="?")
    parser.add_argument("-o", dest="output", default="-")
    parser.add_argument("--bind", action="store_true")
    parser.add_argument("--order-from", metavar="SCHEDULED.mlir")
    options = parser.parse_args()
    if bool(options.graph) == bool(options.order_from):
        parser.error("expected either GRAPH.json or --order-from")
    try:
        if options.order_from:
            with open(options.order_from) as file:
                text = json.dumps(read_order(file.read())) + "\n"
        else:
            text = import_graph(load_graph(options.graph), options.bind)
    except (OSError, ValueError, ImportFailure) as failure:
        sys.exit("%s: %s" % (options.graph or options.order_from, failure))
    if options.output == "-":
        sys.stdout.write(text)
    else:
        with open(options.output, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
