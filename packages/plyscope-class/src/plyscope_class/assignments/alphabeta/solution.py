"""The model solution of the assignment on alpha-beta. Keep it from students."""

from math import inf


def alphabeta(node, depth, alpha, beta):
    """Return the value of a node within the window, fail-soft; cut at alpha >= beta."""
    children = node.children if depth > 0 else []
    if not children:
        return node.value
    best = -inf if node.is_max else inf
    for child in children:
        value = alphabeta(child, depth - 1, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best


def search(node, depth, alpha, beta, table, order):
    """Return the value of a node, fail-soft, with the moves of `order`.

    `table` holds (value, kind) by key and depth; the kind is "exact", "lower" or "upper". None is
    no table.
    """
    value, kind = table.get((node.key, depth), (0, "")) if table is not None else (0, "")
    if (
        kind == "exact"
        or (kind == "lower" and value >= beta)
        or (kind == "upper" and value <= alpha)
    ):
        return value
    children = order(node, depth) if depth > 0 else []
    if not children:
        if table is not None:
            table[node.key, depth] = node.value, "exact"
        return node.value
    low, high = alpha, beta
    best = -inf if node.is_max else inf
    for child in children:
        value = search(child, depth - 1, alpha, beta, table, order)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    kind = "upper" if best <= low else "lower" if best >= high else "exact"
    if table is not None:
        table[node.key, depth] = best, kind
    return best


def ordered(node, depth):
    """Return the value of a node: the best children by their estimates come first.

    An estimate costs a visit, so only children that will be searched deeper are looked at.
    """

    def best_first(node, depth):
        if depth < 2:
            return node.children
        return sorted(node.children, key=lambda child: child.value, reverse=node.is_max)

    return search(node, depth, -inf, inf, None, best_first)


def table(node, depth):
    """Return the value of a node: equal positions are searched once."""
    return search(node, depth, -inf, inf, {}, lambda node, depth: node.children)


def deepening(node, depth):
    """Return the value of a node by deeper and deeper searches.

    Each search begins with the children that the one before, kept in a table, found to be best.
    """
    known = {}

    def best_first(node, depth):
        def value(child):
            for left in range(depth, -1, -1):
                if (child.key, left) in known:
                    return known[child.key, left][0]
            return -inf if node.is_max else inf

        return sorted(node.children, key=value, reverse=node.is_max)

    for deep in range(1, depth + 1):
        result = search(node, deep, -inf, inf, known, best_first)
    return result
