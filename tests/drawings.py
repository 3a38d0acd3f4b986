"""Random drawings and batches of new nodes for them, and what is wrong with a drawing: what lies on what."""

from __future__ import annotations

from itertools import combinations
from random import Random

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.placement.surroundings import overlap, rect_in
from tests.builders import Op, edge, group, node, update, workspace_of

Rect = tuple[float, float, float, float]


def rects_of(diagram: Diagram) -> dict[NodeId, Rect]:
    """Where everything stands on screen."""
    rects = {one: rect_in(diagram, one, None, ()) for one in diagram.node_ids()}
    return {one: rect for one, rect in rects.items() if rect is not None}


def overlaps_of(diagram: Diagram) -> set[tuple[NodeId, NodeId]]:
    """Nodes that lie on each other and nodes in frames that they do not belong to, as pairs."""
    rects = rects_of(diagram)
    inside = {one: {*diagram.ancestors(one)} for one in rects}
    return {
        (one, other)
        for one, other in combinations(sorted(rects), 2)
        if overlap(rects[one], rects[other]) and one not in inside[other] and other not in inside[one]
    }


def drawing(random: Random, *, locks: bool = True) -> Workspace:
    """Nodes and groups in a loose grid, some groups nested, some nodes and groups locked, with random edges."""
    made: list[Op] = []
    plain: list[str] = []
    y = 0.0
    for row in range(random.randint(1, 4)):
        x, tallest = random.choice((0.0, 40.0)), 72.0
        for column in range(random.randint(1, 5)):
            name = f"{row}{column}"
            locked = {"locked": True} if locks and random.random() < 0.15 else {}
            if random.random() < 0.4:
                width, height = _group(random, made, plain, name, (x, y), None, locked)
                x, tallest = x + width, max(tallest, height)
            else:
                made.append(node(f"n{name}", x, y, **locked))
                plain.append(f"n{name}")
                x += 180
            x += random.choice((24, 40, 80, 200))
        y += tallest + random.choice((24, 48, 100))
    edges = {tuple(random.sample(plain, 2)) for _ in range(len(plain))} if len(plain) > 1 else set()
    locks_put = [update(op["id"], locked=True) for op in made if op.pop("locked", False)]
    return workspace_of(*made, *(edge(source, target) for source, target in sorted(edges)), *locks_put)


def _group(
    random: Random,
    made: list[Op],
    plain: list[str],
    name: str,
    at: tuple[float, float],
    parent: str | None,
    locked: Op,
) -> tuple[float, float]:
    """Add a group with what stands in it; its drawn size."""
    made.append(group(f"g{name}", *at, **({} if parent is None else {"parent": parent}), **locked))
    x, tallest, count = 24.0, 72.0, random.randint(0, 3)
    for number in range(count):
        if parent is None and random.random() < 0.2:
            width, height = _group(random, made, plain, f"{name}{number}", (x, 40), f"g{name}", {})
        else:
            made.append(node(f"n{name}{number}", x, 40, parent=f"g{name}"))
            plain.append(f"n{name}{number}")
            width, height = 180.0, 72.0
        x, tallest = x + width + random.choice((24, 80)), max(tallest, height)
    return (max(x, 180) + 100, tallest + 64) if count else (180, 72)


def batch_for(random: Random, workspace: Workspace, least: int = 1, most: int = 12) -> list[Op]:
    """New nodes and groups without positions, so many, connected with each other and with what is there."""
    diagram = workspace.diagram
    there = sorted(one for one in diagram.node_ids() if not diagram.is_group(one))
    open_groups = sorted(one for one in diagram.groups() if diagram.lock_on(one) is None)
    ops: list[Op] = []
    new: list[str] = []
    for number in range(random.randint(least, most)):
        op: Op = {"op": "add_node", "id": f"x{number}", "type": "service", "label": f"X{number}"}
        if random.random() < 0.2:
            op["type"] = "group"
        if open_groups and random.random() < 0.5:
            op["parent"] = random.choice(open_groups)
        if there and random.random() < 0.2 and "parent" not in op:
            near = random.choice(there)
            if not any(diagram[one].get("locked") for one in diagram.ancestors(near)):
                op["near"] = near
        ops.append(op)
        (open_groups if op["type"] == "group" else new).append(op["id"])
    ends = [*there, *new]
    pairs = {tuple(random.sample(ends, 2)) for _ in range(len(new) * 2)} if len(ends) > 1 else set()
    known = {diagram.ends(one) for one in diagram.edge_ids()}
    ops += [edge(*pair) for pair in sorted(pairs) if pair not in known]
    return ops


def regrouping_for(random: Random, workspace: Workspace) -> list[Op]:
    """New groups around what is there and what is new, in one of the ways in which batches make them."""
    diagram = workspace.diagram
    ops = [op for op in batch_for(random, workspace) if op["op"] == "add_node"]
    parents: dict[str | None, list[str]] = {}
    for one in sorted(diagram.node_ids()):
        parents.setdefault(diagram.parent(one), []).append(one)
    for op in ops:
        if "near" not in op:
            parents.setdefault(op.get("parent"), []).append(op["id"])
    parent, members = random.choice(sorted(parents.items(), key=str))
    chosen = random.sample(members, random.randint(1, min(3, len(members))))
    if random.random() < 0.5:
        return [*ops, {"op": "group_nodes", "id": "made", "label": "Made", "ids": chosen}]
    made: Op = {"op": "add_node", "id": "made", "type": "group", "label": "Made"}
    if parent is not None and random.random() < 0.5:
        made["parent"] = parent
    return [*ops, made, {"op": "move_to_group", "ids": chosen, "group": "made"}]
