"""What a random program consists of."""

SHARD = 6  # divides by 2 and by 3

def tensor(size):
    return ("T", size)


def future(size):
    return ("F", size)


class Group:
    """Who takes part, as it is written and as it is."""

    def __init__(self, text, members):
        self.text, self.members = text, members


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
