# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts time and memory of an order of a step graph.

usage: python3 -m dist_mlir.graph_cost GRAPH.json[.gz] [--order ORDER.json]

GRAPH.json is a dump as dist_mlir.graph_import reads it, ORDER.json a list of all
its nodes' names; without it the graph's own order counts. An order that is none
of the graph is an error. Prints one JSON object:

  step_ms, exposed_ms    predicted time, and the part of it that only waits
  bound_ms, ratio        no order is faster than the bound; step / bound
  peak_bytes, peak_ratio most memory in use; to that of the graph's own order

The machine: one serial compute stream of H100s (60 % of 989 Tflop/s, 3.35 TB/s,
views are free) and one stream per group that carries collectives in the order
of their starts, 8 ranks a node. A collective costs what NCCL's model of rings and
trees, with the low-latency and the simple protocol, predicts. Groups do not slow
each other down.

The bound: compute is serial, so all compute that lies between two dependent
collectives runs between them (the cut bound, which also gives each operation a
least time before and after it); and no stream is done before its operations are,
each within these times (preemptive schedules by longest tail). Needs numpy.
"""
import argparse
import heapq
import json
import math
import sys

from dist_mlir.graph_import import (COLLECTIVES, HOST, VIEWS, SPLITS,
                                    ImportFailure, base_name, load_graph,
                                    num_bytes, refs)

FLOPS_PER_SECOND = 989e12 * 0.6
BYTES_PER_SECOND = 3.35e12
RANKS_PER_NODE = 8

# Links in bytes per microsecond.
NVLINK, NIC = 370e3, 46e3
LL_INSIDE, LL_PER_RING_OF_8 = 141e3, 35e3

# Latencies in microseconds: base, per step inside a node on one and on several
# nodes, per step between nodes.
RING_LL = (6.6, 0.6, 1.0, 2.7)
RING_SIMPLE = (8.4, 3.4, 3.4, 14.0)
TREE_LL = (6.8, 0.6, 1.0, 5.0)
TREE_SIMPLE = (8.4, 4.0, 4.0, 14.0)


def collective_us(kind, size, ranks, nodes):
    """`size` is that of the larger side, on `ranks` ranks of `nodes` nodes."""
    if ranks <= 1:
        return 0.0
    inside = ranks // nodes
    several = nodes > 1
    if kind == "all_to_all":
        # A part for every other rank, over its link and the own NIC at once.
        data = max((inside - 1) / NVLINK, (ranks - inside) / NIC) * size / ranks
        first = RING_SIMPLE[3] if several else RING_SIMPLE[1]
        return (RING_SIMPLE[0] + first + data
                + max(inside - 1 - (not several), 0) * RING_LL[1]
                + max(ranks - inside - 1, 0) * RING_LL[3])
    bus = min(NVLINK, NIC * inside) if several else NVLINK
    low = min(bus / 2, LL_PER_RING_OF_8 * inside / 8 if several else LL_INSIDE)
    rounds = 2 if kind == "all_reduce" else 1
    across = nodes - 1 if several else 0
    times = []
    for (base, one, more, net), speed in ((RING_LL, low), (RING_SIMPLE, bus)):
        step = more if several else one
        latency = (ranks - 1 - across) * step + across * net
        data = size * (ranks - 1) / ranks / speed
        times.append(base + rounds * (latency + data))
    if kind == "all_reduce":
        for (base, one, more, net), speed in (
                (TREE_LL, min(low, bus / 3.8)), (TREE_SIMPLE, bus * 0.92)):
            step = more if several else one
            latency = (inside - 1) * step + math.log2(nodes) * net
            times.append(base + 2 * latency + 2 * size / speed)
    return min(times)


def nodes_per_group(groups):
    """A single group fills its nodes. Of several, the last one is a node's ranks
    and the others have one rank on each node, but for one as large as all others
    together, which is the flat mesh."""
    fill = {name: max(1, size // RANKS_PER_NODE) for name, size in groups.items()}
    if len(groups) == 1:
        return fill
    *outer, inner = sorted(groups, key=lambda name: (len(name), name))
    world = math.prod(groups.values())
    return {inner: 1, **{
        name: fill[name] if len(groups) > 2 and groups[name] ** 2 == world
        else groups[name] for name in outer}}


class Node:
    """kind: compute, view, start or wait. `seconds` occupy the compute stream or,
    of a start, that of `group`. `storages` are what its result lives in: its own
    name, or those of what it shows."""
    __slots__ = ("name", "kind", "group", "operands", "users", "seconds", "size",
                 "storages", "start", "reads_data")


class StepGraph:
    def __init__(self, graph):
        self.inputs = {name: num_bytes(out) for name, *out in graph["inputs"]}
        self.outputs = [name[1:] for name in graph["outputs"] if name]
        self.nodes, self.by_name = [], {}
        self.sizes = {name: [size] for name, size in self.inputs.items()}
        self.storages = {name: (name,) for name in self.inputs}
        spans = nodes_per_group(graph["groups"])
        for description in graph["nodes"]:
            node = self.create(description, graph["groups"], spans)
            self.nodes.append(node)
            self.by_name[node.name] = node
            for operand in node.operands:
                if operand in self.by_name:
                    self.by_name[operand].users.append(node)

    def create(self, description, groups, spans):
        args = description["args"] + list(description.get("kwargs", {}).values())
        base = base_name(description["op"])
        node = Node()
        node.name, node.group, node.start = description["name"], None, None
        node.operands = list(dict.fromkeys(refs(args)))
        node.users, node.seconds, node.kind = [], 0.0, "compute"
        node.reads_data = base != "sym_size"
        outs = [num_bytes(out) for out in description["outs"]]
        self.sizes[node.name] = outs
        node.size = sum(outs)
        shows = False
        if base == "wait_tensor":
            shows = True
            started = self.by_name.get(node.operands[0])
            # A future of another graph has arrived; a second wait is for nothing.
            node.kind = "wait" if started and started.kind == "start" else "view"
            node.start = started
        elif base in COLLECTIVES:
            node.kind, kind = "start", COLLECTIVES[base]
            named = [arg for arg in args
                     if isinstance(arg, str) and arg in groups]
            if not named:
                raise ImportFailure("node %s: no group among the arguments %s"
                                    % (node.name, args))
            node.group = named[-1]
            ranks = groups[node.group]
            size = self.sizes[node.operands[0]][0]
            if kind == "all_gather":
                size *= ranks
            node.seconds = 1e-6 * collective_us(kind, size, ranks,
                                                spans[node.group])
        elif base in VIEWS or base in SPLITS:
            node.kind, shows = "view", True
        elif base not in HOST and not description["op"].startswith("operator."):
            read = sum(sum(self.sizes[name][:4]) for name in node.operands)
            if base in ("full", "empty"):
                read = 0
            elif base in ("embedding", "index_select"):
                read = node.size
            moved = 0 if base == "empty" else read + node.size
            if base in ("copy_", "_foreach_copy_"):
                shows, moved = True, read
            node.seconds = max(description.get("flops", 0) / FLOPS_PER_SECOND,
                               moved / BYTES_PER_SECOND)
        node.storages = (node.name,)
        if shows:
            shown = node.operands if base == "_foreach_copy_" \
                else node.operands[:1]
            node.storages = tuple(dict.fromkeys(
                storage for name in shown for storage in self.storages[name]))
            node.size = 0
        self.storages[node.name] = node.storages
        return node

    def get_order(self, names):
        """The nodes of an order; an ImportFailure when it is none."""
        if sorted(names) != sorted(self.by_name):
            raise ImportFailure("the order is no permutation of the nodes")
        known = set(self.inputs)
        for name in names:
            for operand in self.by_name[name].operands:
                if operand not in known:
                    raise ImportFailure("%s stands before %s" % (name, operand))
            known.add(name)
        return [self.by_name[name] for name in names]

    def simulate(self, order):
        """-> seconds of the step, and of them those that only wait"""
        now, exposed, streams, done = 0.0, 0.0, {}, {}
        for node in order:
            if node.kind == "start":
                done[node.name] = streams[node.group] = node.seconds + max(
                    now, streams.get(node.group, 0.0))
            elif node.kind == "wait":
                late = done[node.start.name] - now
                if late > 0:
                    exposed += late
                    now = done[node.start.name]
            else:
                now += node.seconds
        step = max([now, *streams.values()])
        return step, exposed + step - now

    def peak(self, order):
        """Most bytes in use. What is made is there before anything goes. Inputs
        that are parameters and what is returned stay; a start's operand is read
        until the wait."""
        last = {}
        for at, node in enumerate(order):
            used = list(node.storages)
            read = node.operands if node.reads_data else []
            if node.kind == "wait":
                read = read + node.start.operands
            for name in read:
                used += self.storages[name]
            for storage in used:
                last[storage] = at
        size = {**self.inputs, **{node.name: node.size for node in self.nodes}}
        stay = {name for name in self.inputs if name.startswith("primals")}
        for name in self.outputs:
            stay.update(self.storages[name])
        freed = [0] * len(order)
        for storage, at in last.items():
            if storage not in stay:
                freed[at] += size[storage]
        used = most = sum(self.inputs.values())
        for node, gone in zip(order, freed):
            used += node.size
            most = max(most, used)
            used -= gone
        return most

    def bound(self):
        """Seconds that no order is faster than."""
        head, tail = {}, {}
        for node in self.nodes:
            head[node.name] = max(
                (head[name] + self.by_name[name].seconds
                 for name in node.operands if name in self.by_name), default=0.0)
        for node in reversed(self.nodes):
            tail[node.name] = max((tail[user.name] + user.seconds
                                   for user in node.users), default=0.0)
        for name, before, after in self.cut():
            head[name] = max(head[name], before)
            tail[name] = max(tail[name], after)
        best = max(head[node.name] + node.seconds + tail[node.name]
                   for node in self.nodes)
        streams = {}
        for node in self.nodes:
            if node.seconds > 0:
                streams.setdefault(node.group, []).append(
                    (head[node.name], tail[node.name], node.seconds))
        return max([best] + [one_stream(jobs) for jobs in streams.values()])

    def reach(self, nodes, get_next):
        """For each node the collectives that it reaches, as bits."""
        bits, found = {}, {}
        for node in self.nodes:
            if node.kind == "start":
                bits[node.name] = 1 << len(bits)
        for node in nodes:
            mask = 0
            for other in get_next(node):
                mask |= found[other.name] | bits.get(other.name, 0)
            found[node.name] = mask
        return found

    def cut(self):
        """(collective, least time before it, least time after it) of each."""
        import numpy
        starts = [node for node in self.nodes if node.kind == "start"]
        work = [node for node in self.nodes
                if node.kind == "compute" and node.seconds > 0]
        if not starts or not work:
            return []
        before = self.reach(self.nodes, lambda node: [
            self.by_name[name] for name in node.operands if name in self.by_name])
        after = self.reach(self.nodes[::-1], lambda node: node.users)
        width = (len(starts) + 7) // 8

        def unpack(mask):
            return numpy.unpackbits(
                numpy.frombuffer(mask.to_bytes(width, "little"), numpy.uint8),
                bitorder="little")[:len(starts)]

        above = numpy.array([unpack(before[node.name]) for node in work], float)
        below = numpy.array([unpack(after[node.name]) for node in work], float)
        seconds = numpy.array([node.seconds for node in work])
        # between[i, j]: compute after collective i and before collective j.
        between = (above * seconds[:, None]).T @ below
        first, last = seconds @ below, seconds @ above
        cost = numpy.array([node.seconds for node in starts])
        least_before, least_after = numpy.zeros((2, len(starts)))
        for j, node in enumerate(starts):
            way = unpack(before[node.name]).astype(bool)
            times = (least_before + cost + between[:, j])[way]
            least_before[j] = max(first[j], times.max(initial=0.0))
        for i in reversed(range(len(starts))):
            way = unpack(after[starts[i].name]).astype(bool)
            times = (least_after + cost + between[i])[way]
            least_after[i] = max(last[i], times.max(initial=0.0))
        return [(node.name, b, a)
                for node, b, a in zip(starts, least_before, least_after)]


def one_stream(jobs):
    """Least time of one stream with (earliest begin, time after, seconds) jobs,
    when a job may be interrupted: the longest time after it goes first."""
    jobs = sorted(jobs)
    heap, now, at, best = [], 0.0, 0, 0.0
    while at < len(jobs) or heap:
        if not heap:
            now = max(now, jobs[at][0])
        while at < len(jobs) and jobs[at][0] <= now:
            heapq.heappush(heap, [-jobs[at][1], jobs[at][2]])
            at += 1
        run = heap[0][1]
        if at < len(jobs):
            run = min(run, jobs[at][0] - now)
        now += run
        heap[0][1] -= run
        if heap[0][1] <= 1e-15:
            best = max(best, now - heapq.heappop(heap)[0])
    return best


def report(step_graph, names=None):
    """What the module's text promises, as an object."""
    order = step_graph.nodes if names is None else step_graph.get_order(names)
    step, exposed = step_graph.simulate(order)
    bound, peak = step_graph.bound(), step_graph.peak(order)
    return {"step_ms": round(step * 1e3, 3), "exposed_ms": round(exposed * 1e3, 3),
            "bound_ms": round(bound * 1e3, 3), "ratio": round(step / bound, 4),
            "peak_bytes": peak,
            "peak_ratio": round(peak / step_graph.peak(step_graph.nodes), 4)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("--order", metavar="ORDER.json")
    options = parser.parse_args()
    try:
        names = None
        if options.order:
            with open(options.order) as file:
                names = json.load(file)
        print(json.dumps(report(StepGraph(load_graph(options.graph)), names)))
    except (OSError, ValueError, ImportFailure) as failure:
        sys.exit("%s: %s" % (options.graph, failure))


if __name__ == "__main__":
    main()
