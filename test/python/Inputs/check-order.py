"""usage: check-order.py GRAPH.json.gz ORDER.json: the order fits the graph."""
import gzip
import json
import sys

graph = json.load(gzip.open(sys.argv[1], "rt"))
order = json.load(open(sys.argv[2]))
names = [node["name"] for node in graph["nodes"]]
assert sorted(order) == sorted(names), "not a permutation of the nodes"
assert order != names, "nothing was scheduled"


def refs(value):
    if isinstance(value, str):
        return [value[1:]] if value.startswith("%") else []
    if isinstance(value, list):
        return [name for item in value for name in refs(item)]
    return []


known = {name for name, *_ in graph["inputs"]}
nodes = {node["name"]: node for node in graph["nodes"]}
for name in order:
    for operand in refs(nodes[name]["args"]):
        assert operand in known, "%s stands before %s" % (name, operand)
    known.add(name)
