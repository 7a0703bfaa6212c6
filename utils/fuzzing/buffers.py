"""Random programs on buffers: collectives in place, with futures and without,
around stores, copies, views, branches and loops. What is in flight is left alone,
as its author has to."""

from fuzzing.generator import Generator
from fuzzing.interpreter import Interpreter, wrap
from fuzzing.printer import Printer
from fuzzing.program import Function, Node, Region, Value

IN_ONE_BUFFER = ("all_reduce", "broadcast", "permute", "reduce")


class BufferGenerator(Generator):
    """Types are ("M", size, form, offset); a view knows its base."""

    def buffer(self, size, form="static", offset=None, base=None):
        value = self.value(("M", size, form, offset))
        value.base = base or value
        return value

    def program(self):
        rng = self.rng
        arguments = [self.buffer(self.shard), self.buffer(2 * self.shard)]
        arguments.append(self.value("i32"))
        self.scalar = arguments[2]
        self.futures = {}
        self.constant = set(arguments[:2])
        nodes, scope = [], list(arguments)
        for _ in range(4):
            self.make_alloc(scope, nodes, 0, True)
        self.statements(scope, nodes, 0, rng.randrange(8, 20), True)
        owned = [v for v in scope if v.type[0] == "M" and v.base is v]
        owned = [v for v in owned if v not in self.constant]
        returns = rng.sample(owned, min(len(owned), rng.randrange(1, 4)))
        self.functions = [Function("main", arguments, nodes, returns, False, True)]
        return self

    def statements(self, scope, nodes, depth, budget, uniform):
        outer = dict(self.futures)
        kinds = ["alloc", "store", "store", "move", "copy", "sum", "view", "rank"]
        if uniform:
            kinds += ["begin"] * 4 + ["end"] * 3 + ["into"] * 3
        if depth < 2:
            kinds += ["branch", "loop"] + ["relay"] * uniform
        for _ in range(budget):
            getattr(self, "make_" + self.rng.choice(kinds))(scope, nodes, depth, uniform)
        # What started here ends here.
        for future in [f for f in self.futures if f not in outer]:
            self.end(nodes, future)

    def busy(self, written):
        """Bases that must not be read, or not be written."""
        bases = set()
        for source, target in self.futures.values():
            bases.add(target.base)
            if written:
                bases.add(source.base)
        return bases | (self.constant if written else set())

    def choose(self, scope, written=False, type_=None, size=None, other=None):
        busy = self.busy(written) | ({other.base} if other else set())
        found = [
            v
            for v in scope
            if v.type[0] == "M"
            and v.base not in busy
            and (type_ is None or v.type == type_)
            and (size is None or v.type[1] == size)
        ]
        return self.rng.choice(found) if found else None

    def make_alloc(self, scope, nodes, depth, uniform):
        size = self.rng.choice([self.shard, self.shard, 2 * self.shard, 0])
        size = self.shard * self.ranks if self.rng.random() < 0.2 else size
        form = self.rng.choice(["static", "static", "dynamic"])
        number = self.rng.randrange(-9, 99)
        node = Node("alloc", [self.buffer(size, form)], number=number)
        self.emit(scope, nodes, node)

    def make_store(self, scope, nodes, depth, uniform):
        x = self.choose(scope, True)
        if x and x.type[1]:
            index = self.pick(scope, "index") if self.rng.random() < 0.3 else None
            index = index or self.rng.randrange(x.type[1])
            number = self.pick(scope, "rank") or self.rng.randrange(-9, 99)
            nodes.append(Node("store", [], [x], index=index, number=number))

    def make_move(self, scope, nodes, depth, uniform):
        x, y = self.choose(scope), self.choose(scope, True)
        if x and y and x.type[1] and y.type[1]:
            at = [self.rng.randrange(v.type[1]) for v in (x, y)]
            nodes.append(Node("move", [], [x, y], at=at))

    def make_copy(self, scope, nodes, depth, uniform):
        y = self.choose(scope, True)
        x = y and self.choose(scope, size=y.type[1], other=y)
        if x:
            nodes.append(Node("copy", [], [x, y]))

    def make_sum(self, scope, nodes, depth, uniform):
        out = self.choose(scope, True)
        # Elementwise in one buffer is fine only where the elements are the same.
        a = out and self.choose(scope, size=out.type[1], other=out)
        b = a and self.rng.choice([a, out])
        if b:
            nodes.append(Node("sum", [], [a, b, out]))

    def make_view(self, scope, nodes, depth, uniform):
        x = self.choose(scope)
        if x and x.base is x and x.type[1] > self.shard:
            offset = self.rng.randrange(x.type[1] - self.shard + 1)
            view = self.buffer(self.shard, "static", offset, x)
            self.emit(scope, nodes, Node("view", [view], [x], offset=offset))
            if x in self.constant:
                self.constant.add(view)

    # Collectives ------------------------------------------------------------

    def exchange(self, scope):
        """What a collective does, its source and its destination."""
        group = self.rng.choice(self.groups)
        kinds = [*IN_ONE_BUFFER, "all_gather", "reduce_scatter", "all_to_all"]
        kind = self.rng.choice(kinds)
        target = self.choose(scope, True)
        size = target and target.type[1]
        if kind in IN_ONE_BUFFER:
            source = target and self.choose(scope, size=size)
            if source and source.base is target.base and source is not target:
                source = target
        elif target:
            if kind == "all_gather":
                size = size // group.size if size % group.size == 0 else -1
            elif kind == "reduce_scatter":
                size *= group.size
            elif size % group.size:
                size = -1
            source = self.choose(scope, size=size, other=target)
        if not target or not source:
            return None
        return self.details(kind, group), source, target

    def make_into(self, scope, nodes, depth, uniform):
        found = self.exchange(scope)
        if found:
            details, source, target = found
            nodes.append(Node("into", [], [source, target], **details))

    def begin(self, nodes, found):
        details, source, target = found
        future = self.value(("F", *target.type[1:]))
        nodes.append(Node("begin", [future], [source, target], **details))
        return future

    def make_begin(self, scope, nodes, depth, uniform):
        found = self.exchange(scope)
        if found:
            self.futures[self.begin(nodes, found)] = found[1:]

    def end(self, nodes, future):
        del self.futures[future]
        nodes.append(Node("end", [], [future]))

    def make_end(self, scope, nodes, depth, uniform):
        started = {f for n in nodes if n.kind in ("begin", "relay") for f in n.results}
        here = [f for f in self.futures if f in started]
        if here:
            self.end(nodes, self.rng.choice(here))

    # Control flow -----------------------------------------------------------

    def make_branch(self, scope, nodes, depth, uniform):
        rank = self.pick(scope, "rank")
        condition = self.value("i1")
        if rank and self.rng.random() < 0.4:
            uniform = False
            number = self.rng.randrange(self.ranks)
            nodes.append(Node("is_rank", [condition], [rank], number=number))
        else:
            number = self.rng.randrange(6)
            nodes.append(Node("bit", [condition], [self.scalar], number=number))
        regions = []
        for _ in range(2):
            body = []
            budget = self.rng.randrange(5)
            self.statements(list(scope), body, depth + 1, budget, uniform)
            regions.append(Region([], body, []))
        nodes.append(Node("if", [], [condition], regions))

    def make_loop(self, scope, nodes, depth, uniform):
        induction, body = self.value("index"), []
        budget = self.rng.randrange(1, 5)
        self.statements(scope + [induction], body, depth + 1, budget, uniform)
        self.loop(nodes, Region([induction], body, []))

    def loop(self, nodes, region, results=(), inits=()):
        trips = self.rng.choice([0, 1, 2, 3, "scalar"])
        facts = {"trips": trips, "scalar": self.scalar}
        nodes.append(Node("for", results, inits, [region], **facts))

    def make_relay(self, scope, nodes, depth, uniform):
        """A loop that ends the collective of the last iteration, writes to its
        buffers and begins the next one."""
        found = self.exchange(scope)
        if not found:
            return
        first = self.begin(nodes, found)
        carried, result = self.value(first.type), self.value(first.type)
        induction = self.value("index")
        body = [Node("end", [], [carried])]
        inner = scope + [induction]
        for _ in range(self.rng.randrange(3)):
            self.make_store(inner, body, depth, uniform)
        future = self.begin(body, found)
        region = Region([induction, carried], body, [future])
        self.loop(nodes, region, [result], [first])
        self.futures[result] = found[1:]


class Memory:
    """Elements of a buffer from an offset on."""

    def __init__(self, elements, offset, size):
        self.elements, self.offset, self.size = elements, offset, size

    def get(self):
        return self.elements[self.offset : self.offset + self.size]

    def put(self, values):
        self.elements[self.offset : self.offset + self.size] = values


class BufferInterpreter(Interpreter):
    """A collective takes place at its start: nobody may look before its end."""

    def call(self, function, arguments, ranks):
        def memory(value):
            return Memory(value, 0, len(value)) if isinstance(value, list) else value

        arguments = {r: [memory(v) for v in arguments[r]] for r in ranks}
        results = super().call(function, arguments, ranks)
        return {r: [list(v.get()) for v in results[r]] for r in ranks}

    def eval_alloc(self, node, env):
        size = node.results[0].type[1]
        return Memory([node.number] * size, 0, size)

    def eval_store(self, node, env, x):
        index = env[node.index] if isinstance(node.index, Value) else node.index
        number = env[node.number] if isinstance(node.number, Value) else node.number
        x.elements[x.offset + index] = number

    def eval_move(self, node, env, x, y):
        y.elements[y.offset + node.at[1]] = x.get()[node.at[0]]

    def eval_copy(self, node, env, x, y):
        y.put(x.get())

    def eval_sum(self, node, env, a, b, out):
        out.put([wrap(x + y) for x, y in zip(a.get(), b.get())])

    def eval_view(self, node, env, x):
        return Memory(x.elements, x.offset + node.offset, node.results[0].type[1])

    def eval_end(self, node, env, future):
        return None

    def run_begin(self, node, env, ranks):
        self.run_into(node, env, ranks)
        for r in ranks:
            for future in node.results:
                env[r][future] = None

    def run_into(self, node, env, ranks):
        self.record(node)
        source, target = node.operands
        received = {}
        for members in node.group.lists:
            parts = [env[m][source].get() for m in members]
            for position, r in enumerate(members):
                received[r] = self.receive(node, position, parts)
        for r in ranks:
            env[r][target].put(received.get(r, [0] * target.type[1]))


class BufferPrinter(Printer):
    """In synchronous form a collective has no future."""

    def type(self, type_):
        if isinstance(type_, str):
            return super().type(type_)
        kind, size, form, offset = type_
        layout = ""
        if offset is not None:
            layout = f", strided<[1]{f', offset: {offset}' * (offset > 0)}>"
        text = f"memref<{'?' if form == 'dynamic' else size}xi32{layout}>"
        return f"!dist.future<{text}>" if kind == "F" else text

    def typed(self, value):
        return f"{self.name(value)} : {self.type(value.type)}"

    def print_alloc(self, node):
        (r,) = node.results
        size = self.index(r.type[1]) if r.type[2] == "dynamic" else ""
        self.add(f"{r.name} = memref.alloc({size}) : {self.type(r.type)}")
        self.add(f"linalg.fill ins({self.number(node.number)} : i32) outs({self.typed(r)})")

    def print_store(self, node):
        (x,) = node.operands
        number = self.element_of(node.number)
        self.add(
            f"memref.store {number}, {self.name(x)}[{self.index(node.index)}]"
            f" : {self.type(x.type)}"
        )

    def print_move(self, node):
        x, y = node.operands
        i, j, element = self.index(node.at[0]), self.index(node.at[1]), self.fresh()
        self.add(f"{element} = memref.load {self.name(x)}[{i}] : {self.type(x.type)}")
        self.add(f"memref.store {element}, {self.name(y)}[{j}] : {self.type(y.type)}")

    def print_copy(self, node):
        x, y = node.operands
        self.add(
            f"memref.copy {self.name(x)}, {self.name(y)}"
            f" : {self.type(x.type)} to {self.type(y.type)}"
        )

    def print_sum(self, node):
        a, b, out = node.operands
        self.add(
            f"linalg.add ins({self.names([a, b])} : {self.types([a, b])})"
            f" outs({self.typed(out)})"
        )

    def print_view(self, node):
        (r,), (x,) = node.results, node.operands
        self.add(
            f"{r.name} = memref.subview {self.name(x)}[{node.offset}] [{r.type[1]}] [1]"
            f" : {self.type(x.type)} to {self.type(r.type)}"
        )

    def print_into(self, node):
        self.exchange(node, "", "_into", "")

    def print_begin(self, node):
        if self.synchronous:
            return self.print_into(node)
        (r,) = node.results
        self.exchange(node, f"{r.name} = ", "", f" -> {self.type(r.type)}")

    def exchange(self, node, results, suffix, types):
        before, after = self.attributes(node)
        x, y = node.operands
        self.add(
            f"{results}dist.{node.op}{suffix} {before}{self.name(x)} into"
            f" {self.name(y)} {after}on <{node.group.text}> : ({self.type(x.type)})"
            f" into ({self.type(y.type)}){types}"
        )

    def print_end(self, node):
        (f,) = node.operands
        if not self.synchronous:
            self.add(f"{self.fresh()} = dist.wait {self.name(f)} : {self.type(f.type)}")

    def print_for(self, node):
        if node.results and self.synchronous:
            (region,) = node.regions
            induction = Region(region.arguments[:1], region.nodes, [])
            facts = {"trips": node.trips, "scalar": node.scalar}
            node = Node("for", [], [], [induction], **facts)
        super().print_for(node)
