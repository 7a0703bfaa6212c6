"""Makes random programs with futures from a seed."""

import copy
import random

from fuzzing.program import (
    SHARDS,
    Function,
    Group,
    Node,
    Region,
    Value,
    future,
    tensor,
)


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.ranks = self.rng.choice([1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8])
        self.shard = SHARDS[self.ranks]
        self.groups = self.make_groups()
        self.count = 0
        self.functions = []

    def make_groups(self):
        n = self.ranks
        world = list(range(n))
        groups = [
            Group("@g", [world]),
            Group("@g", [world]),
            Group('@g, tag = "other"', [world], "other"),
            Group(str([world[::-1]]), [world[::-1]]),
            Group(str([[n - 1]]), [[n - 1]]),
        ]
        if n > 1:
            groups.append(Group(str([[1, 0]]), [[1, 0]]))
        if n % 2 == 0:
            pairs = [[2 * i, 2 * i + 1] for i in range(n // 2)]
            groups.append(Group(str(pairs), pairs))
            groups.append(Group('@m["low"]', pairs))
            high = [list(range(first, n, 2)) for first in range(2)]
            groups.append(Group('@m["high"]', high))
        return groups

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
        types = [tensor(self.shard), tensor(2 * self.shard), "i32"]
        if not entry:
            types += rng.choices(
                [
                    tensor(self.shard),
                    tensor(2 * self.shard),
                    tensor(self.shard, "dynamic"),
                    tensor(2 * self.shard, "matrix"),
                    future(2 * self.shard),
                    future(self.shard),
                ],
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
                kinds += ["start"] * 5 + ["again", "into", "coalesced"]
            if depth < 3:
                kinds += ["if", "for", "if", "for", "while", "switch"]
            kinds += ["call", "select", "element", "view", "view", "rank"]
            getattr(self, "make_" + rng.choice(kinds))(scope, nodes, depth, uniform)

    def emit(self, scope, nodes, node):
        nodes.append(node)
        scope.extend(node.results)
        return node

    # Computation ------------------------------------------------------------

    def make_fill(self, scope, nodes, depth, uniform):
        size, form = self.rng.choice(
            [
                (self.shard, "static"),
                (self.shard, "static"),
                (2 * self.shard, "static"),
                (2 * self.shard, "matrix"),
                (self.shard, "dynamic"),
                (0, "static"),
                (0, "dynamic"),
            ]
        )
        empty = ("E", size, form)
        shared = self.pick(scope, empty) if self.rng.random() < 0.5 else None
        if not shared:
            shared = self.value(empty)
            self.emit(scope, nodes, Node("empty", [shared]))
        rank = self.pick(scope, "rank") if self.rng.random() < 0.4 else None
        self.emit(
            scope,
            nodes,
            Node(
                "fill",
                [self.value(tensor(size, form))],
                [shared],
                number=rank or self.rng.randrange(-9, 99),
            ),
        )

    def make_rank(self, scope, nodes, depth, uniform):
        self.emit(scope, nodes, Node("rank", [self.value("rank")]))

    def make_view(self, scope, nodes, depth, uniform):
        """Another form of the same elements."""
        x = self.pick_kind(scope, "T")
        _, size, form = x.type
        rows = size and size % (2 * self.shard) == 0
        others = ["dynamic", "matrix"] if rows else ["dynamic"]
        other = self.rng.choice(others) if form == "static" else "static"
        self.emit(scope, nodes, Node("view", [self.value(tensor(size, other))], [x]))

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

    def pick_elements(self, scope):
        """A tensor in which one index names an element."""
        found = [
            v for v in scope if v.type[0] == "T" and v.type[1] and v.type[2] != "matrix"
        ]
        return self.pick(found, self.rng.choice(sorted({v.type for v in found})))

    def make_insert(self, scope, nodes, depth, uniform):
        x = self.pick_elements(scope)
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
        x = self.pick_elements(scope)
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

    def wide(self, scope):
        """Tensors that have more than a shard, in one dimension."""
        return [
            v
            for v in scope
            if v.type[0] == "T" and v.type[1] > self.shard and v.type[2] != "matrix"
        ]

    def make_slice(self, scope, nodes, depth, uniform):
        wide = self.wide(scope)
        if not wide:
            return
        x = self.pick(wide, *{v.type for v in wide})
        stride = self.rng.choice([1, 1, 1, 2])
        last = x.type[1] - (self.shard - 1) * stride - 1
        offset = self.rng.randrange(last + 1)
        if stride == 1 and self.rng.random() < 0.4:
            offset = self.pick(scope, "index") or offset
        self.emit(
            scope,
            nodes,
            Node(
                "slice",
                [self.value(tensor(self.shard))],
                [x],
                offset=offset,
                stride=stride,
            ),
        )

    def make_put(self, scope, nodes, depth, uniform):
        wide = self.wide(scope)
        x = self.pick(scope, tensor(self.shard))
        if not wide or not x:
            return
        t = self.pick(wide, *{v.type for v in wide})
        offset = self.rng.randrange(t.type[1] - self.shard + 1)
        self.emit(scope, nodes, Node("put", [self.value(t.type)], [x, t], offset=offset))

    # Collectives ------------------------------------------------------------

    def collective(self, scope):
        """Kind, group, source and size of the result of a random collective."""
        group = self.rng.choice(self.groups)
        kind = self.rng.choice(
            ["all_gather", "all_gather", "all_reduce", "reduce_scatter", "broadcast"]
            + ["all_to_all", "permute", "reduce"]
        )
        if kind == "all_gather":
            x = self.pick_shard(scope, 1)
            return kind, group, x, x and (x.type[1] * group.size, x.type[2])
        if kind == "reduce_scatter":
            x = self.pick_shard(scope, group.size)
            return kind, group, x, x and (x.type[1] // group.size, x.type[2])
        x = self.pick_kind(scope, "T")
        return kind, group, x, x.type[1:]

    def pick_shard(self, scope, factor):
        """A tensor of `factor` shards: what is gathered from or scattered to."""
        n = self.shard * factor
        wanted = [tensor(n), tensor(n, "dynamic"), tensor(2 * n, "matrix"), tensor(0)]
        known = [t for t in wanted if any(v.type == t for v in scope)]
        return self.pick(scope, self.rng.choice(known)) if known else None

    def details(self, kind, group):
        """A root, and pairs in which some members do not send or receive."""
        size = group.size
        targets = self.rng.sample(range(size), size)
        pairs = [[source, target] for source, target in enumerate(targets)]
        count = self.rng.choice([size, size, self.rng.randrange(size + 1)])
        return {
            "again": False,
            "op": kind,
            "group": group,
            "root": self.rng.randrange(size),
            "pairs": self.rng.sample(pairs, count),
        }

    def make_start(self, scope, nodes, depth, uniform):
        kind, group, x, shape = self.collective(scope)
        if not x:
            return
        self.starts = True
        self.emit(
            scope,
            nodes,
            Node("start", [self.value(future(*shape))], [x], **self.details(kind, group)),
        )

    def make_again(self, scope, nodes, depth, uniform):
        """The very same collective once more."""
        starts = [n for n in nodes if n.kind == "start"]
        if starts:
            node = copy.copy(self.rng.choice(starts))
            node.again = True
            node.results = [self.value(v.type) for v in node.results]
            self.emit(scope, nodes, node)

    def make_coalesced(self, scope, nodes, depth, uniform):
        group = self.rng.choice(self.groups)
        kinds = ["all_reduce", "permute", "reduce", "all_to_all", "broadcast"]
        kind = self.rng.choice(kinds)
        x = self.pick_kind(scope, "T")
        # One launch has one dimension, so matrices stand among themselves.
        matrix = x.type[2] == "matrix"
        same = [v for v in scope if v.type[0] == "T" and (v.type[2] == "matrix") == matrix]
        sources = [x, self.pick_kind(same, "T")]
        self.starts = True
        self.emit(
            scope,
            nodes,
            Node(
                "start",
                [self.value(future(*x.type[1:])) for x in sources],
                sources,
                **self.details(kind, group),
            ),
        )

    def make_into(self, scope, nodes, depth, uniform):
        kind, group, x, shape = self.collective(scope)
        out = self.pick(scope, tensor(*shape)) if x else None
        if not out:
            return
        self.starts = True
        self.emit(
            scope,
            nodes,
            Node("into", [self.value(out.type)], [x, out], **self.details(kind, group)),
        )

    def wait(self, scope, nodes, f):
        self.emit(scope, nodes, Node("wait", [self.value(tensor(*f.type[1:]))], [f]))

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
            Node("wait", [self.value(tensor(*v.type[1:])) for v in (f, g)], [f, g]),
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
        x = self.pick_elements(scope)
        rank = self.pick(scope, "rank")
        if not uniform and rank and self.rng.random() < 0.5:
            number = self.rng.randrange(self.ranks)
            node = Node("is_rank", [result], [rank], number=number)
        elif not uniform:
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
