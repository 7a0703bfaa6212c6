"""What a program must return."""

from fuzzing.program import Value

MASK = 0xFFFFFFFF


def wrap(value):
    value &= MASK
    return value - (1 << 32) if value >> 31 else value


class Interpreter:
    """All ranks together; a future is its value. Ranks that took different
    branches are separate sets."""

    def __init__(self, program):
        self.ranks, self.shard = program.ranks, program.shard
        # What each rank issues on groups of more than one: kind and group.
        self.traces = [[] for _ in range(program.ranks)]
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
                self.rank = r
                operands = [env[r][v] for v in node.operands]
                result = getattr(self, "eval_" + node.kind)(node, env[r], *operands)
                for v in node.results:
                    env[r][v] = result

    def eval_empty(self, node, env):
        return None

    def eval_fill(self, node, env, out):
        number = node.number
        number = env[number] if isinstance(number, Value) else number
        return [number] * node.results[0].type[1]

    def eval_rank(self, node, env):
        return self.rank

    def eval_is_rank(self, node, env, rank):
        return rank == node.number

    def eval_view(self, node, env, x):
        return x

    def eval_add(self, node, env, a, b):
        return [wrap(x + y) for x, y in zip(a, b)]

    def eval_insert(self, node, env, x):
        index = env[node.index] if isinstance(node.index, Value) else node.index
        return x[:index] + [node.number] + x[index + 1 :]

    def eval_element(self, node, env, x):
        return x[node.index]

    def eval_slice(self, node, env, x):
        offset = env[node.offset] if isinstance(node.offset, Value) else node.offset
        return x[offset : offset + (self.shard - 1) * node.stride + 1 : node.stride]

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
        self.record(node)
        for result, x in zip(node.results, node.operands):
            self.communicate(node, result, x, env, ranks)

    def run_into(self, node, env, ranks):
        self.record(node)
        self.communicate(node, node.results[0], node.operands[0], env, ranks)

    def record(self, node):
        for r in range(self.ranks):
            members = node.group.of(r)
            if members and len(members) > 1:
                self.traces[r].append((node.op, node.group.name(members)))

    def communicate(self, node, result, source, env, ranks):
        assert len(ranks) == self.ranks
        matrix = source.type[2] == "matrix"
        received = {}
        for members in node.group.lists:
            # A matrix is cut and put together along its rows: each row is a
            # collective of its own.
            parts = [env[m][source] for m in members]
            rows = 2 if matrix else 1
            split = [[p[i * len(p) // rows : (i + 1) * len(p) // rows] for p in parts]
                     for i in range(rows)]
            for position, r in enumerate(members):
                received[r] = [
                    x for row in split for x in self.receive(node, position, row)
                ]
        for r in ranks:
            env[r][result] = received.get(r, [0] * result.type[1])

    def receive(self, node, position, parts):
        """What the member at `position` gets of the members' `parts`."""
        total = [wrap(sum(column)) for column in zip(*parts)]
        zeros = [0] * len(total)
        piece = len(total) // len(parts)
        own = slice(position * piece, (position + 1) * piece)
        if node.op == "all_gather":
            return [x for part in parts for x in part]
        if node.op == "all_reduce":
            return total
        if node.op == "broadcast":
            return parts[node.root]
        if node.op == "reduce":
            return total if position == node.root else zeros
        if node.op == "permute":
            senders = [s for s, t in node.pairs if t == position]
            return parts[senders[0]] if senders else zeros
        if node.op == "all_to_all":
            return [x for p in parts for x in p[own]]
        return total[own]

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
