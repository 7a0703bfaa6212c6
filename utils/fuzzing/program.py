"""What a random program consists of."""

# Elements of a shard by the number of ranks: every group's size divides it.
SHARDS = {1: 4, 2: 6, 3: 6, 4: 4, 5: 10, 6: 6, 7: 14, 8: 8}


def tensor(size, form="static"):
    """A tensor of `size` elements: "static" or "dynamic" with one dimension, or
    a "matrix" of two rows."""
    return ("T", size, form)


def future(size, form="static"):
    return ("F", size, form)


class Group:
    """Who takes part, as it is written and as it is."""

    def __init__(self, text, lists, tag=""):
        self.text, self.lists, self.tag = text, lists, tag
        self.size = len(lists[0])

    def of(self, rank):
        """The list that has `rank`, or None."""
        return next((members for members in self.lists if rank in members), None)

    def name(self, members):
        """What a trace calls the communicator of `members`."""
        return f"{members}" + (f' tag "{self.tag}"' if self.tag else "")


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


def walk(nodes):
    """All nodes, those of regions after the node that has them."""
    for node in nodes:
        yield node
        for region in node.regions:
            yield from walk(region.nodes)
