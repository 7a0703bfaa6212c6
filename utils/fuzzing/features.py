"""What programs exercise."""

from fuzzing.passes import ON_BUFFERS, REORDERING, STOCK
from fuzzing.program import walk

KINDS = "all_gather all_reduce reduce_scatter broadcast all_to_all permute reduce"


def has(*kinds):
    return lambda node: node.kind in kinds


def collective(test):
    return lambda node: node.kind in ("start", "into", "begin") and test(node)


def within(kind, test):
    """A node of `kind` with a region that has a node of `test`."""
    return lambda node: node.kind == kind and any(
        test(inner) for region in node.regions for inner in walk(region.nodes)
    )


def hands_on(kind):
    """Control flow with a future among its results."""
    return lambda node: node.kind == kind and any(
        v.type[0] == "F" for v in node.results
    )


# Features of a node.
NODES = {
    **{kind: collective(lambda n, kind=kind: n.op == kind) for kind in KINDS.split()},
    "functional start": has("start"),
    "in place": has("into"),
    "destination is the source": lambda n: n.kind == "into"
    and n.operands[0] is n.operands[1],
    "coalesced launch": lambda n: n.kind == "start" and len(n.results) > 1,
    "one source twice in a launch": lambda n: n.kind == "start"
    and len(set(n.operands)) < len(n.operands),
    "dim other than the first": collective(
        lambda n: n.operands[0].type[2] == "matrix" and n.op != "all_reduce"
    ),
    "exchange of columns": collective(
        lambda n: n.op == "all_to_all" and n.operands[0].type[2] == "matrix"
    ),
    "the same start again": lambda n: n.kind == "start" and n.again,
    "dynamic size": collective(lambda n: n.operands[0].type[2] == "dynamic"),
    "zero size": collective(lambda n: n.operands[0].type[1] == 0),
    "group of one": collective(lambda n: n.group.size == 1),
    "several lists": collective(lambda n: len(n.group.lists) > 1),
    "mesh": collective(lambda n: "@m" in n.group.text),
    "process group": collective(lambda n: "@g" in n.group.text),
    "tag": collective(lambda n: bool(n.group.tag)),
    "order of a group": collective(lambda n: n.group.lists[0][0] > n.group.lists[0][-1]),
    "in place with a future": has("begin"),
    "view of a buffer": collective(lambda n: n.operands[0].type[3:] not in ((), (None,))),
    "buffers carried by a loop in flight": lambda n: n.kind == "for"
    and any(r.type[0] == "F" and len(r.type) == 4 for r in n.results),
    "wait of several": lambda n: n.kind == "wait" and len(n.operands) > 1,
    "start in a branch": within("if", has("start")),
    "start in a for": within("for", has("start")),
    "start in a while": within("while", has("start")),
    "start in a switch": within("switch", has("start")),
    "wait in a for": within("for", has("wait")),
    "nested loops": within("for", has("for", "while")),
    "no iteration": lambda n: n.kind in ("for", "while") and n.trips == 0,
    "unknown number of iterations": lambda n: n.kind == "for" and n.trips == "scalar",
    "future out of if": hands_on("if"),
    "future carried by for": hands_on("for"),
    "future carried by while": hands_on("while"),
    "future out of switch": hands_on("switch"),
    "future out of call": hands_on("call"),
    "future into call": lambda n: n.kind == "call"
    and any(v.type[0] == "F" for v in n.operands),
    "select of futures": hands_on("select"),
    "rank": has("rank"),
    "branch on the rank": has("is_rank"),
    "branch on data of the rank": has("odd"),
    "write at an index": has("insert"),
    "slice": has("slice"),
    "insert a slice": has("put"),
    "another form of a tensor": has("view"),
}

# Features of a case.
CASES = {
    "group without some ranks": lambda c: any(
        n.kind in ("start", "into", "begin") and not all(map(n.group.of, range(c.ranks)))
        for f in c.program.functions
        for n in walk(f.nodes)
    ),
    "cf blocks": lambda c: any(
        f.blocks and any(n.kind in ("if", "for") for n in f.nodes)
        for f in c.program.functions
    ),
    "link delay": lambda c: c.delay,
    "specialised for each rank": lambda c: c.specialised and c.ranks > 1,
    "no pass": lambda c: not c.passes,
    "several passes": lambda c: len(c.passes) > 1,
    **{f"{n} ranks": lambda c, n=n: c.ranks == n for n in range(1, 9)},
    **{p: lambda c, p=p: p in c.passes for p in STOCK + ON_BUFFERS + REORDERING},
}


def histogram(cases):
    """The number of programs that have each feature."""
    counts = dict.fromkeys([*NODES, *CASES], 0)
    for case in cases:
        nodes = [n for f in case.program.functions for n in walk(f.nodes)]
        for feature, test in NODES.items():
            counts[feature] += any(map(test, nodes))
        for feature, test in CASES.items():
            counts[feature] += bool(test(case))
    return counts
