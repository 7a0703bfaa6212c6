"""usage: check-limits.py DIST_OPT COUNT

Random programs with loops, branches and calls, scheduled under bounds: the
scheduler warns of those, and only those, in which dist-verify-schedule counts
more than the bounds allow.
"""
import random
import re
import subprocess
import sys

LIMITS = "max-in-flight=1 limits=h:bytes=40,count=0"
HEAD = """\
dist.process_group @g ranks [[0, 1]]
dist.process_group @h ranks [[0, 1], [2, 3]]
func.func private @reduces(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  return %u : tensor<4xf32>
}
func.func private @starts(%x: tensor<4xf32>) -> !dist.future<tensor<4xf32>> {
  %a = dist.all_reduce sum %x on <@h> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %a : !dist.future<tensor<4xf32>>
}
func.func private @waits(%f: !dist.future<tensor<4xf32>>) -> tensor<4xf32> {
  %u = dist.wait %f : !dist.future<tensor<4xf32>>
  %a = dist.all_reduce max %u on <@h> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %v = dist.wait %a : !dist.future<tensor<4xf32>>
  return %v : tensor<4xf32>
}
"""
T, F = "tensor<4xf32>", "!dist.future<tensor<4xf32>>"
T8, F8 = "tensor<8xf32>", "!dist.future<tensor<8xf32>>"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count = [], 0

    def name(self):
        self.count += 1
        return "%%v%d" % self.count

    def emit(self, text):
        self.lines.append(text)

    def operation(self, tensors, futures, gathers, depth):
        """Futures are futures of this block, to be consumed in it."""
        pick, group = self.random.choice, self.random.choice("gh")
        kind = self.random.choices(
            ["reduce", "gather", "wait", "compute", "call", "for", "if"],
            [4, 3, 4, 3, 2, depth < 2, depth < 2])[0]
        if kind == "reduce":
            futures.append(self.name())
            self.emit("%s = dist.all_reduce sum %s on <@%s> : (%s) -> %s"
                      % (futures[-1], pick(tensors), group, T, F))
        elif kind == "gather":
            gathers.append(self.name())
            self.emit("%s = dist.all_gather %s dim 0 on <@%s> : (%s) -> %s"
                      % (gathers[-1], pick(tensors), group, T, F8))
        elif kind == "wait":
            self.consume(tensors, futures, gathers)
        elif kind == "compute":
            operands = [pick(tensors) for _ in range(self.random.randint(1, 3))]
            self.opaque(tensors, operands, [T] * len(operands))
        elif kind == "call":
            self.call(tensors, futures)
        elif kind == "for":
            self.loop(tensors, futures, depth)
        else:
            self.branch(tensors, futures, depth)

    def opaque(self, tensors, operands, types):
        result = self.name()
        self.emit('%s = dist.opaque "op"(%s) {flops = 1 : i64} : (%s) -> %s'
                  % (result, ", ".join(operands), ", ".join(types), T))
        tensors.append(result)

    def consume(self, tensors, futures, gathers):
        waits = [(f, F, T) for f in futures] + [(f, F8, T8) for f in gathers]
        if not waits:
            return
        future, kind, payload = self.random.choice(waits)
        (futures if kind == F else gathers).remove(future)
        result = self.name()
        self.emit("%s = dist.wait %s : %s" % (result, future, kind))
        if kind == F:
            tensors.append(result)
        else:
            for _ in range(self.random.randint(1, 2)):
                self.opaque(tensors, [result, self.random.choice(tensors)],
                            [T8, T])

    def call(self, tensors, futures):
        result = self.name()
        callee = self.random.choice(["reduces", "starts", "waits"])
        if callee == "waits" and futures:
            future = futures.pop(self.random.randrange(len(futures)))
            self.emit("%s = func.call @waits(%s) : (%s) -> %s"
                      % (result, future, F, T))
            tensors.append(result)
        elif callee == "starts":
            self.emit("%s = func.call @starts(%s) : (%s) -> %s"
                      % (result, self.random.choice(tensors), T, F))
            futures.append(result)
        else:
            self.emit("%s = func.call @reduces(%s) : (%s) -> %s"
                      % (result, self.random.choice(tensors), T, T))
            tensors.append(result)

    def loop(self, tensors, futures, depth):
        result, future, tensor = self.name(), self.name(), self.name()
        if futures and self.random.random() < 0.7:
            init = futures.pop()
            self.emit("%s:2 = scf.for %s = %%c0 to %%n step %%c1 iter_args(%s = "
                      "%s, %s = %s) -> (%s, %s) {" % (
                          result, self.name(), future, init, tensor,
                          self.random.choice(tensors), F, T))
            inner, own = tensors + [tensor], [future]
            self.block(inner, own, depth + 1, keep=1)
            self.emit("scf.yield %s, %s : %s, %s" % (own[0], inner[-1], F, T))
            futures.append(result + "#0")
            tensors.append(result + "#1")
        else:
            self.emit("%s = scf.for %s = %%c0 to %%n step %%c1 iter_args(%s = "
                      "%s) -> (%s) {" % (result, self.name(), tensor,
                                         self.random.choice(tensors), T))
            inner = tensors + [tensor]
            self.block(inner, [], depth + 1)
            self.emit("scf.yield %s : %s" % (inner[-1], T))
            tensors.append(result)
        self.emit("}")

    def branch(self, tensors, futures, depth):
        result = self.name()
        taken = futures.pop() if futures and self.random.random() < 0.5 else None
        keep = self.random.random() < 0.5
        self.emit("%s = scf.if %%c -> %s {" % (result, F if keep else T))
        for side in range(2):
            inner, own = list(tensors), [taken] if taken else []
            self.block(inner, own, depth + 1, keep=int(keep))
            self.emit("scf.yield %s : %s" % ((own[0], F) if keep
                                             else (inner[-1], T)))
            self.emit("}" if side else "} else {")
        (futures if keep else tensors).append(result)

    def block(self, tensors, futures, depth, keep=0):
        gathers = []
        for _ in range(self.random.randint(2, 12 if depth == 0 else 5)):
            self.operation(tensors, futures, gathers, depth)
        while len(futures) > keep or gathers:
            kept = futures[:keep]
            del futures[:keep]
            self.consume(tensors, futures, gathers)
            futures[:0] = kept
        while len(futures) < keep:
            futures.append(self.name())
            self.emit("%s = dist.all_reduce max %s on <@g> : (%s) -> %s"
                      % (futures[-1], self.random.choice(tensors), T, F))

    def run(self):
        tensors = ["%x", "%y"]
        self.block(tensors, [], 0)
        return HEAD + """\
func.func @f(%%x: %s, %%y: %s, %%n: index, %%c: i1) -> (%s) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
%s
  return %s : %s
}
""" % (T, T, ", ".join([T] * len(tensors)), "\n".join(self.lines),
            ", ".join(tensors), ", ".join([T] * len(tensors)))


SEPARATOR = "// -----\n"


def run(dist_opt, text, flags):
    """-> output, numbers of the programs with a diagnostic that has `found`"""
    done = subprocess.run([dist_opt, "-", "--split-input-file"] + flags,
                          input=text, capture_output=True, text=True)
    starts = [0]
    for number, line in enumerate(text.splitlines(), 1):
        if line + "\n" == SEPARATOR:
            starts.append(number)
    found = set()
    for line in re.findall(r"^<stdin>:(\d+):\d+: (?:warning|error):.*(?:cannot be "
                           r"kept|in flight on group)", done.stderr, re.M):
        found.add(max(i for i, at in enumerate(starts) if at < int(line)))
    others = re.search(r"^.*error: (?!.*in flight on group).*$", done.stderr, re.M)
    assert not others, others[0]
    return done.stdout, found


def main():
    dist_opt, count = sys.argv[1], int(sys.argv[2])
    programs = [Generator(seed).run() for seed in range(count)]
    text, warned = run(dist_opt, SEPARATOR.join(programs),
                       ["--dist-schedule=" + LIMITS])
    _, refused = run(dist_opt, text, ["--dist-verify-schedule=" + LIMITS])
    for seed in sorted(warned ^ refused):
        print("program %d: %s" % (seed, "warned of" if seed in warned else
                                  "not warned of, but refused"))
        print(programs[seed])
    # A test of nothing would pass too.
    assert count < 50 or (len(warned) > count // 10
                          and len(warned) < count - count // 10), len(warned)
    print("%d programs, %d beyond the bounds" % (count, len(warned)))
    sys.exit(bool(warned ^ refused))


if __name__ == "__main__":
    main()
