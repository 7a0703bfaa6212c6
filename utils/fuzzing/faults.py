"""Faults made on purpose, to see that the fuzzer finds them."""

from fuzzing.features import NODES
from fuzzing.program import walk


class Fault:
    """What is done wrong: `passes` instead of `right` ones, on all ranks or on
    the first one alone."""

    def __init__(self, name, passes, right=(), one_rank=False):
        self.kind = name
        self.name = name + " on one rank" * one_rank
        self.passes, self.right, self.one_rank = passes, list(right), one_rank


def seeded(name):
    return f"test-seed-fault{{name={name}}}"


# Faults that have a place only in programs with some feature: others need not be
# compiled to know.
NEEDS = {
    "dim": "exchange of columns",
    "pairs": "permute",
    "tag": "tag",
    "sources": "coalesced launch",
    "selects": "select of futures",
    "destination": "in place",
    "merged-starts": "the same start again",
}

# What a wrong pass would do to collectives and values.
SOURCE = """root reduction dim pairs reversed-group tag stale-group dropped-wait
destination off-by-one sources yields selects kind merged-starts dead-starts
hoisted-starts sunk-starts""".split()
ONE_RANK = """swapped-starts dead-starts merged-starts hoisted-starts tag kind root
reduction""".split()
# What a wrong pass would do to buffers.
BUFFERS = "sunk-waits raised-starts frees".split()
# What the lowering protects from.
PROTECTIONS = """keeps drops dups copies last-use wait-effect opaque-destination
may-touch source-dies late-free""".split()

LOWER = "dist-buffers-to-llvm"
FAULTS = [
    *(Fault(name, [seeded(name)]) for name in SOURCE),
    *(Fault(name, [seeded(name)], one_rank=True) for name in ONE_RANK),
    *(
        Fault(name, ["dist-bufferize", seeded(name), LOWER], ["dist-bufferize", LOWER])
        for name in BUFFERS
    ),
    *(
        Fault(
            f"without {name}",
            [f"test-dist-to-llvm{{without={name}}}"],
            ["test-dist-to-llvm"],
        )
        for name in PROTECTIONS
    ),
]


class Hunt:
    """Looks for faults in the same programs one after the other."""

    def __init__(self, runner, seeds):
        self.runner, self.seeds = runner, seeds
        self.cases, self.right, self.sound = {}, {}, {}

    def case(self, seed):
        if seed not in self.cases:
            self.cases[seed] = self.runner.case(seed)
        return self.cases[seed]

    def compiled(self, seed, fault, passes):
        """The program of the first rank after its passes; None on failure."""
        case = self.case(seed)
        wanted = Fault(fault.name, passes)
        name = self.runner.write(case, case.texts()[0], 0)
        done, path = self.runner.compile(case, name, wanted)
        if done.returncode:
            return None
        with open(path) as file:
            return file.read()

    def may_have(self, seed, fault):
        """Whether the program has a place for the fault."""
        if fault.kind not in NEEDS:
            return True
        test = NODES[NEEDS[fault.kind]]
        functions = self.case(seed).program.functions
        return any(test(n) for f in functions for n in walk(f.nodes))

    def makes_difference(self, seed, fault):
        key = seed, tuple(fault.right)
        if key not in self.right:
            self.right[key] = self.compiled(seed, fault, fault.right)
        return self.right[key] != self.compiled(seed, fault, fault.passes)

    def is_sound(self, seed):
        if seed not in self.sound:
            self.sound[seed] = self.runner.seed(seed).kind == "passed"
        return self.sound[seed]

    def find(self, fault):
        """The number of programs until the fault is found, and how it shows;
        None if it is not."""
        for count, seed in enumerate(self.seeds, 1):
            case = self.case(seed)
            if case.values is None or not self.may_have(seed, fault):
                continue
            if not self.makes_difference(seed, fault):
                continue
            got = self.runner.execute(case, case.texts(), fault)
            kind = case.judge(got)
            if kind != "passed" and self.is_sound(seed):
                return count, kind
        return None
