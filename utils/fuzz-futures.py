#!/usr/bin/env python3
"""Random SPMD programs with futures, run through the whole lowering.

Every program is made from a seed. It has collectives on several groups whose
futures go through branches, loops, blocks, calls and returns while tensors are
written in place around them. The values that it must return are computed here,
in Python. A program whose values differ, or that checked mode finds a race or
a leak in, is a failure, unless the same program in synchronous form (each start
followed by its wait, tensors instead of futures) differs as well: then the
fault lies in the stock passes, and it is counted apart.

    utils/fuzz-futures.py --bin build/dev/bin --seeds 0:100
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

SHARD = 6  # divides by 2 and by 3
MASK = 0xFFFFFFFF

# Stock passes that run before the lowering, in random choice and order.
PASSES = """canonicalize cse sccp inline symbol-dce topological-sort
func.func(loop-invariant-code-motion) func.func(control-flow-sink)
func.func(scf-for-to-while) func.func(scf-for-loop-peeling)
func.func(scf-for-loop-canonicalization) func.func(lift-cf-to-scf)
func.func(scf-for-loop-range-folding) int-range-optimizations
duplicate-function-elimination func.func(linalg-generalize-named-ops)
func.func(linalg-fuse-elementwise-ops) convert-scf-to-cf
func.func(loop-invariant-subset-hoisting) loop-invariant-code-motion""".split()


def wrap(value):
    value &= MASK
    return value - (1 << 32) if value >> 31 else value


def tensor(size):
    return ("T", size)


def future(size):
    return ("F", size)


class Group:
    """Who takes part, as it is written and as it is."""

    def __init__(self, text, members):
        self.text, self.members = text, members


class Value:
    def __init__(self, name, type_):
        self.name, self.type = name, type_


class Region:
    def __init__(self, arguments, nodes, yields):
        self.arguments, self.nodes, self.yields = arguments, nodes, yields


class Node:
    def __init__(self, kind, results=(), operands=(), regions=(), **facts):
        self.kind = kind
        self.results, self.operands = list(results), list(operands)
        self.regions = list(regions)
        self.__dict__.update(facts)


class Function:
    def __init__(self, name, arguments, nodes, returns, blocks, starts):
        self.name, self.arguments = name, arguments
        self.nodes, self.returns = nodes, returns
        self.blocks = blocks  # print top-level branches as blocks
        self.starts = starts  # contains collectives


# ===----------------------------------------------------------------------===
# Generator
# ===----------------------------------------------------------------------===


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.ranks = self.rng.choice([2, 2, 2, 3])
        world = list(range(self.ranks))
        self.groups = [
            Group("@g", world),
            Group("@g", world),
            Group('@g, tag = "other"', world),
            Group(str([world[::-1]]), world[::-1]),
            Group(str([[1, 0]]), [1, 0]),
            Group(str([[self.ranks - 1]]), [self.ranks - 1]),
        ]
        self.count = 0
        self.functions = []

    def value(self, type_):
        self.count += 1
        return Value(f"%v{self.count}", type_)

    def pick(self, scope, *wanted):
        """A visible value, later ones more likely."""
        found = [v for v in scope if v.type in wanted]
        if not found:
            return None
        index = max(self.rng.randrange(len(found)), self.rng.randrange(len(found)))
        return found[index]

    def pick_kind(self, scope, kind):
        types = sorted({v.type for v in scope if v.type[0] == kind})
        return self.pick(scope, self.rng.choice(types)) if types else None

    def program(self):
        for number in range(self.rng.choice([0, 0, 1, 1, 2, 3])):
            self.function(f"callee{number}", False)
        self.function("main", True)
        return self

    def function(self, name, entry):
        rng = self.rng
        types = [tensor(SHARD), tensor(2 * SHARD), "i32"]
        if not entry:
            types += rng.choices(
                [tensor(SHARD), tensor(2 * SHARD), future(2 * SHARD), future(SHARD)],
                k=rng.randrange(3),
            )
        arguments = [self.value(t) for t in types]
        self.scalar = arguments[2]
        self.starts = False
        nodes = []
        scope = list(arguments)
        self.block(scope, nodes, 0, rng.randrange(4, 14 if entry else 8), True)
        if entry:
            # All that is in flight must have its value looked at sometimes.
            for v in [v for v in scope if v.type[0] == "F"]:
                if rng.random() < 0.5:
                    self.wait(scope, nodes, v)
        wanted = ("T", "i32") if entry else ("T", "F")
        choice = [v for v in scope if v.type[0] in wanted or v.type in wanted]
        count = rng.randrange(1, 6 if entry else 4)
        returns = [self.pick(choice, *{v.type for v in choice}) for _ in range(count)]
        if entry:
            returns = list(dict.fromkeys(returns))
        self.functions.append(
            Function(name, arguments, nodes, returns, rng.random() < 0.35, self.starts)
        )

    def block(self, scope, nodes, depth, budget, uniform):
        """Adds `budget` statements that see `scope`. Without `uniform` ranks may
        disagree on whether this runs, so that no collective may start."""
        rng = self.rng
        for _ in range(budget):
            kinds = ["fill", "add", "add", "insert", "slice", "put", "wait", "wait"]
            if uniform:
                kinds += ["start"] * 5 + ["into", "coalesced"]
            if depth < 3:
                kinds += ["if", "for", "if", "for", "while", "switch"]
            kinds += ["call", "select", "element"]
            getattr(self, "make_" + rng.choice(kinds))(scope, nodes, depth, uniform)

    def emit(self, scope, nodes, node):
        nodes.append(node)
        scope.extend(node.results)
        return node

    # Computation ------------------------------------------------------------

    def make_fill(self, scope, nodes, depth, uniform):
        size = self.rng.choice([SHARD, 2 * SHARD])
        shared = self.pick(scope, ("E", size)) if self.rng.random() < 0.5 else None
        if not shared:
            shared = self.value(("E", size))
            self.emit(scope, nodes, Node("empty", [shared]))
        self.emit(
            scope,
            nodes,
            Node(
                "fill",
                [self.value(tensor(size))],
                [shared],
                number=self.rng.randrange(-9, 99),
            ),
        )

    def make_add(self, scope, nodes, depth, uniform):
        a = self.pick_kind(scope, "T")
        b = self.pick(scope, a.type)
        out = self.rng.choice([a, b, self.pick(scope, a.type), None])
        form = self.rng.choice(["add", "add", "accumulate", "arith"])
        if form == "accumulate":
            out = a
        self.emit(
            scope,
            nodes,
            Node("add", [self.value(a.type)], [a, b], out=out, form=form),
        )

    def make_insert(self, scope, nodes, depth, uniform):
        x = self.pick_kind(scope, "T")
        index = self.pick(scope, "index") if self.rng.random() < 0.5 else None
        self.emit(
            scope,
            nodes,
            Node(
                "insert",
                [self.value(x.type)],
                [x],
                number=self.rng.randrange(-9, 99),
                index=index or self.rng.randrange(x.type[1]),
            ),
        )

    def make_element(self, scope, nodes, depth, uniform):
        x = self.pick_kind(scope, "T")
        if x:
            self.emit(
                scope,
                nodes,
                Node(
                    "element",
                    [self.value("i32")],
                    [x],
                    index=self.rng.randrange(x.type[1]),
                ),
            )

    def make_slice(self, scope, nodes, depth, uniform):
        wide = [v for v in scope if v.type[0] == "T" and v.type[1] > SHARD]
        if not wide:
            return
        x = self.pick(wide, *{v.type for v in wide})
        stride = self.rng.choice([1, 1, 1, 2])
        last = x.type[1] - (SHARD - 1) * stride - 1
        offset = self.rng.randrange(last + 1)
        if stride == 1 and self.rng.random() < 0.4:
            offset = self.pick(scope, "index") or offset
        self.emit(
            scope,
            nodes,
            Node(
                "slice",
                [self.value(tensor(SHARD))],
                [x],
                offset=offset,
                stride=stride,
            ),
        )

    def make_put(self, scope, nodes, depth, uniform):
        wide = [v for v in scope if v.type[0] == "T" and v.type[1] > SHARD]
        x = self.pick(scope, tensor(SHARD))
        if not wide or not x:
            return
        t = self.pick(wide, *{v.type for v in wide})
        offset = self.rng.randrange(t.type[1] - SHARD + 1)
        self.emit(scope, nodes, Node("put", [self.value(t.type)], [x, t], offset=offset))

    # Collectives ------------------------------------------------------------

    def collective(self, scope):
        """Kind, group, source and size of the result of a random collective."""
        group = self.rng.choice(self.groups)
        kind = self.rng.choice(
            ["all_gather", "all_gather", "all_reduce", "reduce_scatter", "broadcast"]
        )
        size = len(group.members)
        if kind == "all_gather":
            return kind, group, self.pick(scope, tensor(SHARD)), SHARD * size
        if kind == "reduce_scatter":
            return kind, group, self.pick(scope, tensor(SHARD * size)), SHARD
        x = self.pick_kind(scope, "T")
        return kind, group, x, x.type[1]

    def make_start(self, scope, nodes, depth, uniform):
        kind, group, x, size = self.collective(scope)
        if not x:
            return
        self.starts = True
        self.emit(
            scope,
            nodes,
            Node("start", [self.value(future(size))], [x], op=kind, group=group),
        )

    def make_coalesced(self, scope, nodes, depth, uniform):
        group = self.rng.choice(self.groups)
        sources = [self.pick_kind(scope, "T") for _ in range(2)]
        self.starts = True
        self.emit(
            scope,
            nodes,
            Node(
                "start",
                [self.value(future(x.type[1])) for x in sources],
                sources,
                op="all_reduce",
                group=group,
            ),
        )

    def make_into(self, scope, nodes, depth, uniform):
        kind, group, x, size = self.collective(scope)
        out = self.pick(scope, tensor(size)) if x else None
        if not out:
            return
        self.starts = True
        self.emit(
            scope,
            nodes,
            Node("into", [self.value(out.type)], [x, out], op=kind, group=group),
        )

    def wait(self, scope, nodes, f):
        self.emit(scope, nodes, Node("wait", [self.value(tensor(f.type[1]))], [f]))

    def make_wait(self, scope, nodes, depth, uniform):
        f = self.pick_kind(scope, "F")
        if not f:
            return
        if self.rng.random() < 0.8:
            return self.wait(scope, nodes, f)
        g = self.pick_kind(scope, "F")
        self.emit(
            scope,
            nodes,
            Node("wait", [self.value(tensor(v.type[1])) for v in (f, g)], [f, g]),
        )

    def make_select(self, scope, nodes, depth, uniform):
        f = self.pick_kind(scope, self.rng.choice("FFT"))
        if not f:
            return
        condition = self.condition(scope, nodes, uniform)
        g = self.pick(scope, f.type)
        self.emit(
            scope, nodes, Node("select", [self.value(f.type)], [condition, f, g])
        )

    # Control flow -----------------------------------------------------------

    def condition(self, scope, nodes, uniform):
        """An i1; with `uniform` the same on all ranks."""
        result = self.value("i1")
        index = self.pick(scope, "index")
        x = self.pick_kind(scope, "T")
        if not uniform and x:
            node = Node("odd", [result], [x], index=self.rng.randrange(x.type[1]))
        elif index and self.rng.random() < 0.6:
            node = Node("even", [result], [index])
        else:
            node = Node("bit", [result], [self.scalar], number=self.rng.randrange(6))
        self.emit(scope, nodes, node)
        return result

    def choose_types(self, scope, count):
        """Types of values that control flow hands on, and one of each to begin
        with."""
        known = [v for v in scope if v.type[0] in "TF"]
        futures = [v for v in known if v.type[0] == "F"]
        chosen = []
        for _ in range(count):
            pool = futures if futures and self.rng.random() < 0.6 else known
            chosen.append(self.pick(pool, *{v.type for v in pool}))
        return chosen

    def yields(self, scope, types):
        return [self.pick(scope, t) for t in types]

    def make_if(self, scope, nodes, depth, uniform):
        inside = uniform and self.rng.random() < 0.8
        condition = self.condition(scope, nodes, inside)
        count = self.rng.randrange(4)
        types = [v.type for v in self.choose_types(scope, count)]
        regions = []
        for _ in range(2):
            inner, body = list(scope), []
            self.block(inner, body, depth + 1, self.rng.randrange(5), inside)
            regions.append(Region([], body, self.yields(inner, types)))
        self.emit(
            scope,
            nodes,
            Node("if", [self.value(t) for t in types], [condition], regions),
        )

    def make_switch(self, scope, nodes, depth, uniform):
        index = self.pick(scope, "index")
        if not index:
            return
        types = [v.type for v in self.choose_types(scope, self.rng.randrange(3))]
        regions = []
        for _ in range(3):
            inner, body = list(scope), []
            self.block(inner, body, depth + 1, self.rng.randrange(3), uniform)
            regions.append(Region([], body, self.yields(inner, types)))
        self.emit(
            scope,
            nodes,
            Node("switch", [self.value(t) for t in types], [index], regions),
        )

    def make_for(self, scope, nodes, depth, uniform):
        inits = self.choose_types(scope, self.rng.randrange(4))
        types = [v.type for v in inits]
        induction = self.value("index")
        arguments = [self.value(t) for t in types]
        inner, body = scope + [induction] + arguments, []
        self.block(inner, body, depth + 1, self.rng.randrange(1, 6), uniform)
        region = Region([induction] + arguments, body, self.yields(inner, types))
        self.emit(
            scope,
            nodes,
            Node(
                "for",
                [self.value(t) for t in types],
                inits,
                [region],
                trips=self.rng.choice([0, 1, 2, 3, 3, "scalar"]),
                scalar=self.scalar,
            ),
        )

    def make_while(self, scope, nodes, depth, uniform):
        inits = self.choose_types(scope, self.rng.randrange(1, 4))
        before = [self.value("index")] + [self.value(v.type) for v in inits]
        inner, head = scope + before, []
        self.block(inner, head, depth + 1, self.rng.randrange(3), uniform)
        outs = self.choose_types(inner, self.rng.randrange(1, 4))
        after = [self.value("index")] + [self.value(v.type) for v in outs]
        body_scope, body = scope + after, []
        self.block(body_scope, body, depth + 1, self.rng.randrange(4), uniform)
        types = [v.type for v in inits]
        self.emit(
            scope,
            nodes,
            Node(
                "while",
                [self.value(v.type) for v in outs],
                inits,
                [
                    Region(before, head, outs),
                    Region(after, body, self.yields(body_scope, types)),
                ],
                trips=self.rng.randrange(4),
            ),
        )

    def make_call(self, scope, nodes, depth, uniform):
        callees = [f for f in self.functions if uniform or not f.starts]
        if not callees:
            return
        callee = self.rng.choice(callees)
        operands = [
            self.scalar if a.type == "i32" else self.pick(scope, a.type)
            for a in callee.arguments
        ]
        if None in operands:
            return
        self.starts |= callee.starts
        results = [self.value(v.type) for v in callee.returns]
        self.emit(scope, nodes, Node("call", results, operands, callee=callee))


# ===----------------------------------------------------------------------===
# Printer
# ===----------------------------------------------------------------------===


class Printer:
    """The program as text. In synchronous form a future is its tensor."""

    def __init__(self, synchronous):
        self.synchronous = synchronous
        self.lines = []
        self.alias = {}
        self.count = 0
        self.blocks = False

    def type(self, type_):
        if isinstance(type_, str):
            return type_
        kind, size = type_
        text = f"tensor<{size}xi32>"
        return f"!dist.future<{text}>" if kind == "F" and not self.synchronous else text

    def name(self, value):
        return self.alias.get(value, value.name)

    def names(self, values):
        return ", ".join(self.name(v) for v in values)

    def types(self, values):
        return ", ".join(self.type(v.type) for v in values)

    def fresh(self):
        self.count += 1
        return f"%t{self.count}"

    def add(self, text):
        self.lines.append(text)

    def index(self, index):
        """An index: a value, or a constant made here."""
        if isinstance(index, Value):
            return self.name(index)
        name = self.fresh()
        self.add(f"{name} = arith.constant {index} : index")
        return name

    def number(self, number):
        name = self.fresh()
        self.add(f"{name} = arith.constant {number} : i32")
        return name

    def module(self, program):
        self.add("dist.process_group @g")
        for function in program.functions:
            self.function(function)
        return "\n".join(self.lines) + "\n"

    def function(self, function):
        arguments = ", ".join(
            f"{v.name}: {self.type(v.type)}" for v in function.arguments
        )
        visibility = "" if function.name == "main" else "private "
        self.add(
            f"func.func {visibility}@{function.name}({arguments})"
            f" -> ({self.types(function.returns)}) {{"
        )
        self.blocks = function.blocks
        self.nodes(function.nodes, True)
        self.add(f"return {self.names(function.returns)} : {self.types(function.returns)}")
        self.add("}")

    def nodes(self, nodes, top=False):
        for node in nodes:
            if top and self.blocks and node.kind in ("if", "for"):
                getattr(self, "blocks_" + node.kind)(node)
            else:
                getattr(self, "print_" + node.kind)(node)

    # Computation ------------------------------------------------------------

    def print_empty(self, node):
        (r,) = node.results
        self.add(f"{r.name} = tensor.empty() : {self.type(tensor(r.type[1]))}")

    def print_fill(self, node):
        (r,) = node.results
        type_ = self.type(r.type)
        number = self.number(node.number)
        self.add(
            f"{r.name} = linalg.fill ins({number} : i32)"
            f" outs({self.names(node.operands)} : {type_}) -> {type_}"
        )

    def print_add(self, node):
        (r,) = node.results
        a, b = map(self.name, node.operands)
        type_ = self.type(r.type)
        if node.form == "arith":
            return self.add(f"{r.name} = arith.addi {a}, {b} : {type_}")
        if node.out:
            out = self.name(node.out)
        else:
            out = self.fresh()
            self.add(f"{out} = tensor.empty() : {type_}")
        if node.form == "add":
            return self.add(
                f"{r.name} = linalg.add ins({a}, {b} : {type_}, {type_})"
                f" outs({out} : {type_}) -> {type_}"
            )
        self.add(
            f"{r.name} = linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>,"
            f' affine_map<(d) -> (d)>], iterator_types = ["parallel"]}}'
            f" ins({b} : {type_}) outs({out} : {type_}) {{"
        )
        x, y, z = self.fresh(), self.fresh(), self.fresh()
        self.add(f"^bb0({x}: i32, {y}: i32):")
        self.add(f"{z} = arith.addi {x}, {y} : i32")
        self.add(f"linalg.yield {z} : i32")
        self.add(f"}} -> {type_}")

    def print_insert(self, node):
        (r,) = node.results
        number, index = self.number(node.number), self.index(node.index)
        self.add(
            f"{r.name} = tensor.insert {number} into {self.names(node.operands)}"
            f"[{index}] : {self.type(r.type)}"
        )

    def print_element(self, node):
        (r,) = node.results
        self.add(
            f"{r.name} = tensor.extract {self.names(node.operands)}"
            f"[{self.index(node.index)}] : {self.types(node.operands)}"
        )

    def print_slice(self, node):
        (r,) = node.results
        offset = self.name(node.offset) if isinstance(node.offset, Value) else node.offset
        self.add(
            f"{r.name} = tensor.extract_slice {self.names(node.operands)}[{offset}]"
            f" [{r.type[1]}] [{node.stride}] : {self.types(node.operands)}"
            f" to {self.type(r.type)}"
        )

    def print_put(self, node):
        (r,) = node.results
        x, t = node.operands
        self.add(
            f"{r.name} = tensor.insert_slice {self.name(x)} into {self.name(t)}"
            f"[{node.offset}] [{x.type[1]}] [1] : {self.type(x.type)}"
            f" into {self.type(t.type)}"
        )

    # Collectives ------------------------------------------------------------

    def attributes(self, node):
        """What stands before the operands and after them."""
        reduces = node.op in ("all_reduce", "reduce_scatter")
        after = {"all_gather": "dim 0 ", "reduce_scatter": "dim 0 ", "broadcast": "root 0 "}
        return "sum " if reduces else "", after.get(node.op, "")

    def print_start(self, node):
        before, after = self.attributes(node)
        futures = [self.fresh() if self.synchronous else r.name for r in node.results]
        types = [f"!dist.future<tensor<{r.type[1]}xi32>>" for r in node.results]
        self.add(
            f"{', '.join(futures)} = dist.{node.op} {before}{self.names(node.operands)}"
            f" {after}on <{node.group.text}> : ({self.types(node.operands)})"
            f" -> {', '.join(types)}"
        )
        if self.synchronous:
            for f, r, t in zip(futures, node.results, types):
                self.add(f"{r.name} = dist.wait {f} : {t}")

    def print_into(self, node):
        before, after = self.attributes(node)
        (r,) = node.results
        x, out = node.operands
        self.add(
            f"{r.name} = dist.{node.op}_into {before}{self.name(x)} into"
            f" {self.name(out)} {after}on <{node.group.text}> : ({self.type(x.type)})"
            f" into ({self.type(out.type)}) -> {self.type(r.type)}"
        )

    def print_wait(self, node):
        if self.synchronous:
            for r, f in zip(node.results, node.operands):
                self.alias[r] = self.name(f)
            return
        self.add(
            f"{self.names(node.results)} = dist.wait {self.names(node.operands)}"
            f" : {self.types(node.operands)}"
        )

    def print_select(self, node):
        (r,) = node.results
        self.add(
            f"{r.name} = arith.select {self.names(node.operands)} : {self.type(r.type)}"
        )

    # Conditions -------------------------------------------------------------

    def compare(self, node, value, type_):
        zero = self.fresh()
        self.add(f"{zero} = arith.constant 0 : {type_}")
        predicate = "eq" if node.kind == "even" else "ne"
        self.add(
            f"{node.results[0].name} = arith.cmpi {predicate}, {value}, {zero} : {type_}"
        )

    def masked(self, value, mask, type_):
        constant, result = self.fresh(), self.fresh()
        self.add(f"{constant} = arith.constant {mask} : {type_}")
        self.add(f"{result} = arith.andi {value}, {constant} : {type_}")
        return result

    def print_odd(self, node):
        element = self.fresh()
        self.add(
            f"{element} = tensor.extract {self.names(node.operands)}"
            f"[{self.index(node.index)}] : {self.types(node.operands)}"
        )
        self.compare(node, self.masked(element, 1, "i32"), "i32")

    def print_even(self, node):
        self.compare(node, self.masked(self.names(node.operands), 1, "index"), "index")

    def print_bit(self, node):
        mask = 1 << node.number
        self.compare(node, self.masked(self.names(node.operands), mask, "i32"), "i32")

    # Control flow -----------------------------------------------------------

    def results(self, node):
        """`%a, %b = `, or nothing, and ` -> (types)`, or nothing."""
        if not node.results:
            return "", ""
        return f"{self.names(node.results)} = ", f" -> ({self.types(node.results)})"

    def terminator(self, op, values):
        self.add(f"{op} {self.names(values)} : {self.types(values)}" if values else op)

    def print_if(self, node):
        names, types = self.results(node)
        self.add(f"{names}scf.if {self.names(node.operands)}{types} {{")
        for number, region in enumerate(node.regions):
            if number:
                self.add("} else {")
            self.nodes(region.nodes)
            self.terminator("scf.yield", region.yields)
        self.add("}")

    def print_switch(self, node):
        names, _ = self.results(node)
        types = f" -> {self.types(node.results)}" if node.results else ""
        self.add(f"{names}scf.index_switch {self.names(node.operands)}{types}")
        for label, region in zip(["case 0 {", "case 2 {", "default {"], node.regions):
            self.add(label)
            self.nodes(region.nodes)
            self.terminator("scf.yield", region.yields)
            self.add("}")

    def bound(self, node):
        if node.trips != "scalar":
            return self.index(node.trips)
        result = self.fresh()
        masked = self.masked(self.name(node.scalar), 3, "i32")
        self.add(f"{result} = arith.index_cast {masked} : i32 to index")
        return result

    def print_for(self, node):
        names, types = self.results(node)
        low, high, step = self.index(0), self.bound(node), self.index(1)
        induction, *arguments = node.regions[0].arguments
        inits = ", ".join(
            f"{a.name} = {self.name(v)}" for a, v in zip(arguments, node.operands)
        )
        inits = f" iter_args({inits})" if inits else ""
        self.add(
            f"{names}scf.for {induction.name} = {low} to {high} step {step}"
            f"{inits}{types} {{"
        )
        self.nodes(node.regions[0].nodes)
        self.terminator("scf.yield", node.regions[0].yields)
        self.add("}")

    def print_while(self, node):
        head, body = node.regions
        low, high, one = self.index(0), self.index(node.trips), self.index(1)
        inits = ", ".join(
            f"{a.name} = {v}"
            for a, v in zip(head.arguments, [low] + [self.name(v) for v in node.operands])
        )
        counter = self.fresh()
        names = ", ".join([counter] + [r.name for r in node.results])
        self.add(
            f"{names.replace(counter, counter + ':1', 0)} = scf.while ({inits}) : "
            f"({self.types(head.arguments)}) -> ({self.types(body.arguments)}) {{"
        )
        self.nodes(head.nodes)
        more = self.fresh()
        i = head.arguments[0].name
        self.add(f"{more} = arith.cmpi slt, {i}, {high} : index")
        self.add(
            f"scf.condition({more}) {', '.join([i] + [self.name(v) for v in head.yields])}"
            f" : {self.types(body.arguments)}"
        )
        self.add("} do {")
        arguments = ", ".join(f"{v.name}: {self.type(v.type)}" for v in body.arguments)
        self.add(f"^bb0({arguments}):")
        self.nodes(body.nodes)
        next_ = self.fresh()
        self.add(f"{next_} = arith.addi {body.arguments[0].name}, {one} : index")
        self.add(
            f"scf.yield {', '.join([next_] + [self.name(v) for v in body.yields])}"
            f" : {self.types(head.arguments)}"
        )
        self.add("}")

    def print_call(self, node):
        self.add(
            f"{self.names(node.results)} = func.call @{node.callee.name}"
            f"({self.names(node.operands)}) : ({self.types(node.operands)})"
            f" -> ({self.types(node.results)})"
        )

    # The same as blocks -----------------------------------------------------

    def label(self):
        self.count += 1
        return f"^b{self.count}"

    def jump(self, label, names, types):
        values = f"({', '.join(names)} : {', '.join(types)})" if names else ""
        return label + values

    def declare(self, values):
        return ", ".join(f"{v.name}: {self.type(v.type)}" for v in values)

    def blocks_if(self, node):
        left, right, join = self.label(), self.label(), self.label()
        self.add(f"cf.cond_br {self.names(node.operands)}, {left}, {right}")
        for label, region in zip((left, right), node.regions):
            self.add(f"{label}:")
            self.nodes(region.nodes)
            names = [self.name(v) for v in region.yields]
            types = [self.type(v.type) for v in region.yields]
            self.add(f"cf.br {self.jump(join, names, types)}")
        arguments = self.declare(node.results)
        self.add(f"{join}({arguments}):" if arguments else f"{join}:")

    def blocks_for(self, node):
        (region,) = node.regions
        head, body, done = self.label(), self.label(), self.label()
        low, high, one = self.index(0), self.bound(node), self.index(1)
        types = [self.type(v.type) for v in region.arguments]
        names = [low] + [self.name(v) for v in node.operands]
        self.add(f"cf.br {self.jump(head, names, types)}")
        self.add(f"{head}({self.declare(region.arguments)}):")
        more = self.fresh()
        self.add(f"{more} = arith.cmpi slt, {region.arguments[0].name}, {high} : index")
        self.add(f"cf.cond_br {more}, {body}, {done}")
        self.add(f"{body}:")
        self.nodes(region.nodes)
        next_ = self.fresh()
        self.add(f"{next_} = arith.addi {region.arguments[0].name}, {one} : index")
        names = [next_] + [self.name(v) for v in region.yields]
        self.add(f"cf.br {self.jump(head, names, types)}")
        self.add(f"{done}:")
        for result, argument in zip(node.results, region.arguments[1:]):
            self.alias[result] = argument.name


# ===----------------------------------------------------------------------===
# Interpreter
# ===----------------------------------------------------------------------===


class Interpreter:
    """All ranks together; a future is its value. Ranks that took different
    branches are separate sets."""

    def __init__(self, program):
        self.ranks = program.ranks
        self.budget = 20000  # statements of all ranks

    def call(self, function, arguments, ranks):
        env = {r: dict(zip(function.arguments, arguments[r])) for r in ranks}
        self.run(function.nodes, env, ranks)
        return {r: [env[r][v] for v in function.returns] for r in ranks}

    def run(self, nodes, env, ranks):
        for node in nodes:
            self.budget -= len(ranks)
            if self.budget < 0:
                raise TimeoutError
            special = getattr(self, "run_" + node.kind, None)
            if special:
                special(node, env, ranks)
                continue
            for r in ranks:
                operands = [env[r][v] for v in node.operands]
                result = getattr(self, "eval_" + node.kind)(node, env[r], *operands)
                for v in node.results:
                    env[r][v] = result

    def eval_empty(self, node, env):
        return None

    def eval_fill(self, node, env, out):
        return [node.number] * node.results[0].type[1]

    def eval_add(self, node, env, a, b):
        return [wrap(x + y) for x, y in zip(a, b)]

    def eval_insert(self, node, env, x):
        index = env[node.index] if isinstance(node.index, Value) else node.index
        return x[:index] + [node.number] + x[index + 1 :]

    def eval_element(self, node, env, x):
        return x[node.index]

    def eval_slice(self, node, env, x):
        offset = env[node.offset] if isinstance(node.offset, Value) else node.offset
        return x[offset : offset + (SHARD - 1) * node.stride + 1 : node.stride]

    def eval_put(self, node, env, x, t):
        return t[: node.offset] + x + t[node.offset + len(x) :]

    def eval_select(self, node, env, condition, a, b):
        return a if condition else b

    def eval_odd(self, node, env, x):
        return x[node.index] & 1 != 0

    def eval_even(self, node, env, index):
        return index & 1 == 0

    def eval_bit(self, node, env, scalar):
        return scalar >> node.number & 1 != 0

    def run_wait(self, node, env, ranks):
        for r in ranks:
            for result, f in zip(node.results, node.operands):
                env[r][result] = env[r][f]

    def run_start(self, node, env, ranks):
        for result, x in zip(node.results, node.operands):
            self.communicate(node, result, x, env, ranks)

    def run_into(self, node, env, ranks):
        self.communicate(node, node.results[0], node.operands[0], env, ranks)

    def communicate(self, node, result, source, env, ranks):
        assert len(ranks) == self.ranks
        members = node.group.members
        parts = [env[m][source] for m in members]
        total = [wrap(sum(column)) for column in zip(*parts)]
        for r in ranks:
            if r not in members:
                env[r][result] = [0] * result.type[1]
            elif node.op == "all_gather":
                env[r][result] = [x for part in parts for x in part]
            elif node.op == "all_reduce":
                env[r][result] = total
            elif node.op == "broadcast":
                env[r][result] = parts[0]
            else:
                first = members.index(r) * SHARD
                env[r][result] = total[first : first + SHARD]

    def enter(self, region, node, env, ranks):
        self.run(region.nodes, env, ranks)
        for r in ranks:
            values = [env[r][v] for v in region.yields]
            env[r].update(zip(node.results, values))

    def run_if(self, node, env, ranks):
        for number, region in enumerate(node.regions):
            taken = [r for r in ranks if env[r][node.operands[0]] == (number == 0)]
            if taken:
                self.enter(region, node, env, taken)

    def run_switch(self, node, env, ranks):
        number = {0: 0, 2: 1}.get(env[ranks[0]][node.operands[0]], 2)
        self.enter(node.regions[number], node, env, ranks)

    def run_for(self, node, env, ranks):
        (region,) = node.regions
        trips = node.trips
        if trips == "scalar":
            trips = env[ranks[0]][node.scalar] & 3
        carried = {r: [env[r][v] for v in node.operands] for r in ranks}
        for i in range(trips):
            for r in ranks:
                env[r].update(zip(region.arguments, [i] + carried[r]))
            self.run(region.nodes, env, ranks)
            carried = {r: [env[r][v] for v in region.yields] for r in ranks}
        for r in ranks:
            env[r].update(zip(node.results, carried[r]))

    def run_while(self, node, env, ranks):
        head, body = node.regions
        carried = {r: [env[r][v] for v in node.operands] for r in ranks}
        i = 0
        while True:
            for r in ranks:
                env[r].update(zip(head.arguments, [i] + carried[r]))
            self.run(head.nodes, env, ranks)
            out = {r: [env[r][v] for v in head.yields] for r in ranks}
            if i >= node.trips:
                break
            for r in ranks:
                env[r].update(zip(body.arguments, [i] + out[r]))
            self.run(body.nodes, env, ranks)
            carried = {r: [env[r][v] for v in body.yields] for r in ranks}
            i += 1
        for r in ranks:
            env[r].update(zip(node.results, out[r]))

    def run_call(self, node, env, ranks):
        arguments = {r: [env[r][v] for v in node.operands] for r in ranks}
        results = self.call(node.callee, arguments, ranks)
        for r in ranks:
            env[r].update(zip(node.results, results[r]))


# ===----------------------------------------------------------------------===
# Running
# ===----------------------------------------------------------------------===


class Outcome:
    def __init__(self, kind, text=""):
        self.kind, self.text = kind, text


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def tool(self, name):
        return os.path.join(self.options.bin, name) if self.options.bin else name

    def execute(self, text, name, ranks, scalar, passes, delay):
        """What the ranks print, or why there is nothing."""
        source = os.path.join(self.folder, name + ".mlir")
        lowered = os.path.join(self.folder, name + ".lowered.mlir")
        with open(source, "w") as file:
            file.write(text)
        pipeline = ",".join(passes + ["dist-to-llvm"])
        command = [self.tool("dist-opt"), source, "-o", lowered]
        command += [f"--pass-pipeline=builtin.module({pipeline})"]
        done = self.call(command)
        if done.returncode:
            return Outcome("rejected" if done.returncode == 1 else "crash", done.stderr)
        command = [self.tool("dist-run"), lowered, "--checked", "--print"]
        command += [f"--ranks={ranks}", f"--arg=2={scalar}", "--deadline=20s"]
        command += ["--entry=main", "--counters"]
        command += ["--group=g=" + ",".join(map(str, range(ranks)))]
        if delay:
            command += ["--link-delay=200us"]
        done = self.call(command)
        if done.returncode:
            return Outcome("failed" if done.returncode == 1 else "crash", done.stderr)
        values = re.findall(r"rank (\d+): result \d+: \S+ = (.*)", done.stdout)
        if '"liveBytes": 0,' not in done.stdout:
            return Outcome("leak", done.stdout)
        per_rank = [[] for _ in range(ranks)]
        for rank, value in values:
            per_rank[int(rank)].append(eval(value, {}))
        return Outcome("values", per_rank)

    def call(self, command):
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, "", "timeout")

    def seed(self, seed):
        program = Generator(seed).program()
        rng = random.Random(f"passes {seed}")
        scalar = rng.randrange(64)
        passes = rng.sample(PASSES, rng.choice([0, 0, 1, 2, 4, 6]))
        ranks = list(range(program.ranks))
        arguments = {}
        for r in ranks:
            sizes = [SHARD, 2 * SHARD]
            arguments[r] = [[r * n + i for i in range(n)] for n in sizes] + [scalar]
        try:
            result = Interpreter(program).call(program.functions[-1], arguments, ranks)
        except TimeoutError:
            return Outcome("long")
        expected = [result[r] for r in ranks]
        delay = rng.random() < 0.3
        facts = (program.ranks, scalar, passes, delay)
        text = Printer(False).module(program)
        got = self.execute(text, f"p{seed}", *facts)
        if got.kind == "values" and got.text == expected:
            return Outcome("passed")
        # The same program without futures tells whose fault it is.
        synchronous = Printer(True).module(program)
        stock = self.execute(synchronous, f"p{seed}.sync", *facts)
        report = f"seed {seed}: {got.kind}, passes: {','.join(passes) or 'none'}\n"
        if got.kind == "values":
            report += f"  got      {got.text}\n  expected {expected}\n"
        else:
            errors = re.findall(".*error: .*|.*LLVM ERROR.*|.*Assert.*", str(got.text))
            report += "".join(f"  {line}\n" for line in errors[:5])
        if stock.kind == got.kind and (got.kind != "values" or stock.text != expected):
            return Outcome("stock " + got.kind, report)
        kind = "wrong values" if got.kind == "values" else got.kind
        return Outcome(kind, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="", help="folder of dist-opt and dist-run")
    parser.add_argument("--seeds", default="0:60", help="first:end")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="folder that the programs are written to")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    parser.add_argument("--sync", action="store_true", help="with --print")
    options = parser.parse_args()
    first, end = map(int, options.seeds.split(":"))
    seeds = range(first, end)
    if options.print:
        for seed in seeds:
            print(Printer(options.sync).module(Generator(seed).program()))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, options.keep or folder)
        os.makedirs(runner.folder, exist_ok=True)
        counts, failed = {}, False
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for outcome in pool.map(runner.seed, seeds):
                counts[outcome.kind] = counts.get(outcome.kind, 0) + 1
                if outcome.kind in ("passed", "long"):
                    continue
                failed |= not outcome.kind.startswith("stock")
                print(f"{outcome.kind}: {outcome.text}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
