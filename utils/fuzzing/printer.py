"""Programs as text."""

from fuzzing.program import Value


class Printer:
    """The program as text. In synchronous form a future is its tensor. With a
    `rank` it is the program of this rank alone."""

    def __init__(self, synchronous=False, rank=None):
        self.synchronous = synchronous
        self.rank = rank
        self.lines = []
        self.alias = {}
        self.count = 0
        self.blocks = False

    def type(self, type_):
        if isinstance(type_, str):
            return "index" if type_ == "rank" else type_
        kind, size, form = type_
        shape = {"static": size, "dynamic": "?", "matrix": f"2x{size // 2}"}[form]
        text = f"tensor<{shape}xi32>"
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

    def element_of(self, number):
        """An element: a rank, or a constant made here."""
        if not isinstance(number, Value):
            return self.number(number)
        name = self.fresh()
        self.add(f"{name} = arith.index_cast {self.name(number)} : index to i32")
        return name

    def module(self, program):
        self.add("dist.process_group @g")
        if program.ranks % 2 == 0:
            self.add(f'dist.mesh @m ["high" = {program.ranks // 2}, "low" = 2]')
        for function in program.functions:
            self.function(function)
        return "\n".join(self.lines) + "\n"

    def function(self, function):
        public = function.name == "main"
        arguments = ", ".join(
            f"{v.name}: {self.type(v.type)}"
            + (" {dist.uniform}" if public and v.type == "i32" else "")
            for v in function.arguments
        )
        visibility = "" if public else "private "
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
        self.add(f"{r.name} = {self.empty(r.type)}")

    def empty(self, type_):
        size = self.index(type_[1]) if type_[2] == "dynamic" else ""
        return f"tensor.empty({size}) : {self.type(('T', *type_[1:]))}"

    def print_rank(self, node):
        (r,) = node.results
        constant = f"arith.constant {self.rank} : index"
        self.add(f"{r.name} = {'dist.rank : index' if self.rank is None else constant}")

    def print_view(self, node):
        (r,), (x,) = node.results, node.operands
        types = f"{self.type(x.type)} TO {self.type(r.type)}"
        name = self.name(x)
        if "dynamic" in (x.type[2], r.type[2]):
            text = f"tensor.cast {name} : {types.replace('TO', 'to')}"
        elif r.type[2] == "matrix":
            shape = f"output_shape [2, {r.type[1] // 2}]"
            text = f"tensor.expand_shape {name} [[0, 1]] {shape} : {types}"
        else:
            text = f"tensor.collapse_shape {name} [[0, 1]] : {types}"
        self.add(f"{r.name} = {text.replace('TO', 'into')}")

    def print_fill(self, node):
        (r,) = node.results
        type_ = self.type(r.type)
        number = self.element_of(node.number)
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
            self.add(f"{out} = {self.empty(r.type)}")
        if node.form == "add":
            return self.add(
                f"{r.name} = linalg.add ins({a}, {b} : {type_}, {type_})"
                f" outs({out} : {type_}) -> {type_}"
            )
        matrix = r.type[2] == "matrix"
        dims = "d, e" if matrix else "d"
        identity = f"affine_map<({dims}) -> ({dims})>"
        parallel = ", ".join(['"parallel"'] * (2 if matrix else 1))
        self.add(
            f"{r.name} = linalg.generic {{indexing_maps = [{identity}, {identity}],"
            f" iterator_types = [{parallel}]}}"
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
        reduces = node.op in ("all_reduce", "reduce_scatter", "reduce")
        dim = 1 if node.operands[0].type[2] == "matrix" else 0
        after = {
            "all_gather": f"dim {dim} ",
            "reduce_scatter": f"dim {dim} ",
            "broadcast": f"root {node.root} ",
            "reduce": f"root {node.root} ",
            "all_to_all": f"split_dim {dim} concat_dim {dim} ",
            "permute": f"pairs {node.pairs} ",
        }
        return "sum " if reduces else "", after.get(node.op, "")

    def print_start(self, node):
        before, after = self.attributes(node)
        futures = [self.fresh() if self.synchronous else r.name for r in node.results]
        types = [f"!dist.future<{self.type(('T', *r.type[1:]))}>" for r in node.results]
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

    def print_is_rank(self, node):
        number = self.index(node.number)
        self.add(
            f"{node.results[0].name} = arith.cmpi eq, {self.names(node.operands)},"
            f" {number} : index"
        )

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
