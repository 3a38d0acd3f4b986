"""When a run waits for a yes: by what it does, not by what is left to see of it afterwards."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from draftsmith.assistant.answers.decision import reason_to_propose
from draftsmith.assistant.answers.losses import Losses, losses_of
from draftsmith.history.diff import diff_of, places_of
from draftsmith.model.fields import EDGE_DEFAULTS, NODE_FIELDS
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.ports.runs import Mode
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import stage
from draftsmith.transform.steps.steps import roll_back
from draftsmith.transform.undo.carry import carry
from tests.builders import Op, workspace_of
from tests.kit.documents import edit_section

TEXT = """# Shop

Orders come in.

## Risks

One machine.

## Storage

Postgres.
"""
LONG = "# Shop\n\n" + "".join(f"## Part {n}\n\n{'Words of it. ' * 20}\n\n" for n in range(6))
NODES: list[Op] = [
    {"op": "add_node", "id": "a", "type": "service", "label": "A", "notes": "kept by hand"},
    {"op": "add_node", "id": "b", "type": "database", "label": "B"},
    {"op": "add_edge", "source": "a", "target": "b"},
    {"op": "group_nodes", "id": "g", "label": "Group", "ids": ["a"]},
]


def reason(
    *batches: list[Op] | Op, mode: Mode = "auto", text: str = TEXT, nodes: list[Op] = NODES, is_first: bool = False
) -> str | None:
    """Why what is staged batch by batch waits; None if it does not."""
    workspace = workspace_of(*nodes, text=text) if nodes else Workspace("Shop")
    workspace.document.text = text
    count, chars = workspace.diagram.node_count, len(text.strip())
    before = workspace.document.outline
    staged = []
    for batch in batches:
        operations = [batch] if isinstance(batch, dict) else batch
        staged += stage(workspace, parse_batch(operations, WorkspaceLimits()), operations, WorkspaceLimits())
    roll_back([step for one in staged for step in one.steps], workspace)
    done = carry(workspace, staged, ())
    diff = diff_of(done.steps, places_of(done.text, text))
    after = workspace.document.outline
    lost = max(0, len(before.sections) - len(after.sections))
    losses = losses_of(done.operations, diff, workspace.diagram, text, before, after)
    return reason_to_propose(
        mode, staged, diff, losses, nodes=count, chars=chars, sections_lost=lost, is_first=is_first
    )


@pytest.mark.parametrize(
    "batches",
    [
        [{"op": "update_node", "id": "a", "label": "Orders"}],
        [{"op": "delete_edge", "source": "a", "target": "b"}],
        [edit_section("## Risks", "One machine.", "Two machines.")],
        [{"op": "rename_section", "section": "## Risks", "title": "Dangers"}],
        [{"op": "rename_section", "section": f"## {name}", "title": f"The {name}"} for name in ("Risks", "Storage")],
        [{"op": "move_section", "section": "## Risks", "after": "## Storage"}],
        [edit_section("## Risks", "## Risks", "## Dangers")],
        [{"op": "add_node", "id": "x", "type": "cache", "label": "X"}, {"op": "delete_node", "id": "x"}],
        [{"op": "insert_section", "title": "New", "text": "x", "after": "## Risks"}, edit_section("## New", "x", "y")],
        [{"op": "replace_section", "section": "## Risks", "text": "Another text."}],
    ],
)  # fmt: skip
def test_small_changes_are_applied(batches: list[Op]) -> None:
    """Changes, renames, moves, and what the run itself made and took away, need nobody's yes."""
    assert reason(*batches) is None


@pytest.mark.parametrize(
    "batches, said",
    [
        ([{"op": "delete_node", "id": "b"}], "deletes 1 node"),
        ([{"op": "delete_nodes", "ids": ["a", "b"]}], "deletes 2 nodes"),
        ([{"op": "delete_node", "id": "g", "children": "delete"}], "deletes 2 nodes"),
        ([{"op": "ungroup_nodes", "id": "g"}], "deletes 1 node"),
        (
            [{"op": "delete_node", "id": "a"}, {"op": "add_node", "id": "a", "type": "service", "label": "A"}],
            "deletes 1 node",
        ),
        ([{"op": "delete_section", "section": "## Risks"}], "deletes a section"),
        (
            [
                {"op": "delete_section", "section": "## Risks"},
                {"op": "insert_section", "title": "Costs", "text": "x", "after": "## Storage"},
            ],
            "deletes a section",
        ),
        ([{"op": "replace_section", "section": "# Shop", "scope": "subtree", "text": "Short."}], "deletes 2 sections"),
        (
            [{"op": "replace_section", "section": "# Shop", "scope": "subtree", "text": "## X\n\nx\n\n## Y\n\ny"}],
            "deletes 2 sections",
        ),
        ([edit_section("## Risks", "## Risks", "Risks")], "deletes a section"),
        ([{"op": "replace_document", "text": TEXT.replace("One", "Two")}], "whole"),
    ],
)  # fmt: skip
def test_losses_wait(batches: list[Op], said: str) -> None:
    """Nodes, groups and sections that go, also where something else stands in their place afterwards."""
    found = reason(*batches)
    assert found is not None
    assert said in found
    assert reason(*batches, mode="apply") is None or "whole" not in said


def test_the_share_of_a_short_text_says_nothing() -> None:
    """Below a few hundred characters nobody is asked because of a share."""
    assert reason(edit_section("## Storage", "Postgres.", ""), text="# Shop\n\n## Storage\n\nPostgres.\n") is None


def test_a_large_part_of_the_text_waits_however_it_goes() -> None:
    """Emptying sections by edits is a loss as well as deleting them; in mode apply it was asked for."""
    empty: list[Op] = [{"op": "replace_section", "section": f"## Part {n}", "text": "x"} for n in range(3)]
    found = reason(*empty, text=LONG)
    assert found is not None
    assert found == "It deletes or replaces 780 of 1,646 characters (47 %) of the document."
    assert reason(*empty, text=LONG, mode="apply") is None
    assert reason(*empty[:1], text=LONG) is None


def test_a_rewrite_that_removes_much_waits_in_every_mode() -> None:
    """Wholes come from models that forget; more than 30 % never goes without a yes."""
    for mode in ("auto", "apply"):
        found = reason({"op": "replace_document", "text": "# Shop\n"}, mode=mode)  # type: ignore[arg-type]
        assert found is not None
        assert "30 %" in found
    whole: Op = {"op": "replace_diagram", "nodes": [{"id": "b", "type": "database", "label": "B"}], "edges": []}
    assert "30 %" in str(reason(whole, mode="apply"))


def test_the_first_content_of_a_workspace_is_applied_whatever_its_size() -> None:
    """There is nothing to lose; unless others have put something in meanwhile, which the run then takes away."""
    many: list[Op] = [{"op": "add_node", "id": f"n{n}", "type": "service", "label": f"N{n}"} for n in range(40)]
    assert reason(many, nodes=[], text="", is_first=True) is None
    assert "40 things" in str(reason(many, nodes=[], text=""))
    assert "deletes 1 node" in str(reason(many, {"op": "delete_node", "id": "b"}, is_first=True))
    assert "deletes a section" in str(reason({"op": "delete_section", "section": "## Risks"}, is_first=True))


def test_twenty_changes_are_few_and_one_more_is_many() -> None:
    """The bound is on what is different in the end."""
    many: list[Op] = [{"op": "add_node", "id": f"n{n}", "type": "service", "label": f"N{n}"} for n in range(21)]
    assert reason(many[:20]) is None
    assert "21 things" in str(reason(many))
    assert reason(many, {"op": "delete_node", "id": "n0"}) is None


IN_WORDS = {
    "node.technology": "technologies",
    "node.notes": "notes",
    "node.color": "colours",
    "edge.color": "connection colours",
    "node.properties": "properties",
    "node.parent": "places in groups",
    "node.custom_type": "own types",
    "edge.properties": "connection properties",
    "document.title": "section titles",
    "node.owner": "owners",  # not there today
}


@pytest.mark.parametrize(
    "name",
    [*(f"node.{field}" for field in NODE_FIELDS), *(f"edge.{field}" for field in EDGE_DEFAULTS), *IN_WORDS],
)
def test_every_field_has_words(name: str) -> None:
    """A loss is stated in words whatever the field, also one that the diagram gets later."""
    about, _, field = name.partition(".")
    many = IN_WORDS.get(name, f"{'connection ' if about == 'edge' else ''}{field}s")
    losses = Losses(cleared=Counter({name: 4}))
    said = reason_to_propose("auto", [], diff_of([], []), losses, nodes=9, chars=0, sections_lost=0, is_first=False)
    assert said == f"It clears 4 {many}."


def test_who_asks_for_a_proposal_gets_one() -> None:
    """Whatever it does."""
    assert reason({"op": "update_node", "id": "a", "label": "Z"}, mode="propose") == "You asked for a proposal."


# -- destruction in every form -----------------------------------------------------------------------------------------

WORDS = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo"
)
PROSE = " ".join(f"{word} {number}" for number in range(8) for word in WORDS.split())  # more than 1,000 characters
CHAPTERS = "# System\n\n" + "".join(f"## Chapter {n}\n\n{PROSE.replace(' 1', f' {n}1')}\n\n" for n in range(4))
IDS = [f"n{number}" for number in range(12)]
SYSTEM: list[Op] = [
    *(
        {
            "op": "add_node",
            "id": node,
            "type": "service",
            "label": f"Node {node}",
            "description": f"What {node} does",
            "technology": "Go",
            "notes": "by hand",
            "properties": {"owner": "team"},
        }
        for node in IDS
    ),
    *(
        {"op": "add_edge", "source": one, "target": other, "label": f"calls {other}", "description": "over HTTP"}
        for one, other in pairwise(IDS)
    ),
    {"op": "group_nodes", "id": "east", "label": "East", "ids": IDS[:6]},
    {"op": "group_nodes", "id": "west", "label": "West", "ids": IDS[6:]},
]
LINKS = list(pairwise(IDS))


def system(*batches: list[Op] | Op, text: str = CHAPTERS, mode: Mode = "auto", nodes: list[Op] = SYSTEM) -> str | None:
    """As `reason`, in a workspace of twelve nodes, eleven connections and four long chapters."""
    return reason(*batches, text=text, nodes=nodes, mode=mode)


def update(**fields: object) -> list[Op]:
    return [{"op": "update_node", "id": node, **fields} for node in IDS]


def update_edges(**fields: object) -> list[Op]:
    return [{"op": "update_edge", "source": one, "target": other, **fields} for one, other in LINKS]


def insert(number: int, **more: object) -> Op:
    one, other = LINKS[number]
    node = {"type": "queue", "label": f"Queue {number}", "id": f"q{number}"}
    return {"op": "insert_between", "source": one, "target": other, "node": node, **more}


def in_order(text: str, count: int) -> Op:
    """Replace the section by words that are not there, as many characters."""
    return {"op": "replace_section", "section": text, "text": "xyz " * (count // 4)}


DESTRUCTION: dict[str, tuple[list[Op], str]] = {
    "every edge deleted": (
        [{"op": "delete_edge", "source": one, "target": other} for one, other in LINKS],
        "removes 11 connections",
    ),
    "every edge redirected": (
        [{"op": "rewire_edge", "source": one, "target": other, "new_target": "east"} for one, other in LINKS],
        "redirects 11 connections",
    ),
    "edges deleted and redirected": (
        [{"op": "delete_edge", "source": one, "target": other} for one, other in LINKS[:2]]
        + [{"op": "rewire_edge", "source": one, "target": other, "new_target": "west"} for one, other in LINKS[2:4]],
        "removes 2 connections and redirects 2 connections",
    ),
    "edges deleted, others in their place": (
        [
            {"op": kind, "source": one, "target": other, **more}
            for one, other in LINKS[:4]
            for kind, more in (("delete_edge", {}), ("add_edge", {"id": f"again-{one}", "label": "x"}))
        ],
        "removes 4 connections",
    ),
    "edges led through a node that was there": (
        [{"op": "insert_between", "source": one, "target": other, "node": "n11"} for one, other in LINKS[:4]],
        "removes 4 connections",
    ),
    "edges led through one new node, so that who calls whom is lost": (
        [
            {"op": "add_node", "id": "hub", "type": "other", "label": "Hub"},
            *({"op": "rewire_edge", "source": a, "target": b, "new_target": "hub"} for a, b in LINKS[:8:2]),
            *({"op": "add_edge", "source": "hub", "target": b} for _, b in LINKS[:8:2]),
        ],
        "redirects 4 connections",
    ),
    "every edge label cleared": (update_edges(label=""), "clears 11 connection labels"),
    "every edge label replaced": (update_edges(label="x"), "replaces 11 connection labels"),
    "every edge description cleared": (update_edges(description=None), "clears 11 connection descriptions"),
    "every edge kind changed": (update_edges(kind="data"), "replaces 11 connection kinds"),
    "every edge turned round": (update_edges(direction="none"), "replaces 11 connection directions"),
    "every edge's properties written anew as edges of the same id": (
        [
            {"op": kind, "source": one, "target": other}
            for one, other in LINKS
            for kind in ("delete_edge", "add_edge")
        ],
        "clears 22 fields (11 connection labels, 11 connection descriptions)",
    ),
    "edges led through new nodes without their labels": (
        [insert(number, in_label="", out_label="") for number in range(2)],
        "clears 4 fields (2 connection labels, 2 connection descriptions)",
    ),
    "every description cleared": (update(description=""), "clears 12 descriptions"),
    "every technology cleared": (update(technology=None), "clears 12 technologies"),
    "all notes cleared": (update(notes=""), "clears 12 notes"),
    "all properties cleared": (update(properties={"owner": None}), "clears 12 properties"),
    "all properties emptied": (update(properties={"owner": ""}), "clears 12 properties"),
    "every type made other": (update(type="other"), "clears 12 types"),
    "some of each cleared": (
        [
            {"op": "update_node", "id": "n0", "description": "", "notes": ""},
            {"op": "update_node", "id": "n1", "description": "", "technology": ""},
        ],
        "clears 4 fields (2 descriptions, 1 note, 1 technology)",
    ),
    "every node renamed": (update(label="X"), "replaces 12 labels"),
    "every type changed": (update(type="database"), "replaces 12 types"),
    "every description replaced": (update(description="n/a"), "replaces 12 descriptions"),
    "a few cleared and many replaced": (
        update(label="X")[:8] + update(notes="")[:3],
        "clears 3 notes and replaces 8 labels",
    ),
    "nodes taken out of their groups": (
        [{"op": "move_to_group", "ids": IDS[:4], "group": None}],
        "clears 4 places in groups",
    ),
    "nodes moved to other groups": (
        [
            {"op": "move_to_group", "ids": IDS[:6], "group": "west"},
            {"op": "move_to_group", "ids": IDS[6:], "group": "east"},
        ],
        "replaces 12 places in groups",
    ),
    "a group dissolved": ([{"op": "ungroup_nodes", "id": "east"}], "deletes 1 node and clears 6 places in groups"),
    "a section emptied": ([{"op": "replace_section", "section": "## Chapter 1", "text": "."}], "of “Chapter 1”"),
    "a section replaced by nonsense of equal length": ([in_order("## Chapter 1", len(PROSE))], "of “Chapter 1”"),
    "a section's words put in another order": (
        [
            {
                "op": "replace_section",
                "section": "## Chapter 1",
                "text": " ".join(sorted(PROSE.replace(" 1", " 11").split(), reverse=True)),
            }
        ],
        "of “Chapter 1”",
    ),
    "every section replaced by nonsense of equal length": (
        [in_order(f"## Chapter {number}", len(PROSE)) for number in range(4)],
        "of the document",
    ),
    "a section deleted by a quote of it": (
        [edit_section("## Chapter 2", PROSE.replace(" 1", " 21"), "")],
        "of “Chapter 2”",
    ),
    "a word everywhere": (
        [{"op": "edit_section", "section": "## Chapter 1", "find": word, "replace": "-", "all": True}
         for word in WORDS.split()],
        "of “Chapter 1”",
    ),
    "many small edits that together eat a section": (
        [edit_section("## Chapter 1", f"{word} {number}", "-") for number in range(2, 8) for word in WORDS.split()],
        "of “Chapter 1”",
    ),
    "a section moved and then emptied": (
        [
            {"op": "move_section", "section": "## Chapter 1", "after": "## Chapter 3"},
            {"op": "replace_section", "section": "## Chapter 1", "text": "."},
        ],
        "of “Chapter 1”",
    ),
    "a section emptied and as much written elsewhere": (
        [
            {"op": "replace_section", "section": "## Chapter 1", "text": "."},
            {"op": "append_to_section", "section": "## Chapter 2", "text": "xyz " * 500},
        ],
        "of “Chapter 1”",
    ),
    "a chapter and its parts, none of them long": (
        [edit_section(f"### Part {number}", " ".join([f"w{number}"] * 60), "-") for number in range(4)],
        "of “Chapter 0”",
    ),
    "a section swallowed by a fence": (
        [edit_section("## Chapter 1", "alpha 0", "\n```\n\nalpha 0")],
        "deletes 2 sections",
    ),
    "every heading written anew": (
        [{"op": "rename_section", "section": f"### Part {number}", "title": f"X{number}"} for number in range(11)],
        "replaces 11 section titles",
    ),
    "the document replaced": ([{"op": "replace_document", "text": CHAPTERS.replace("alpha", "omega")}], "whole"),
}  # fmt: skip
TEXTS = {
    "a chapter and its parts, none of them long": CHAPTERS.replace(
        "## Chapter 1",
        "".join(f"### Part {n}\n\n{' '.join([f'w{n}'] * 60)}\n\n" for n in range(4)) + "## Chapter 1",
    ).replace(PROSE, "Short."),
    "every heading written anew": CHAPTERS + "".join(f"### Part {n}\n\nText.\n\n" for n in range(11)),
}


@pytest.mark.parametrize("form", DESTRUCTION)
def test_destruction_waits_whatever_its_form(form: str) -> None:
    """In one batch or in many; the reason is a sentence with the numbers. What was asked for by mode apply is done."""
    batch, said = DESTRUCTION[form]
    text = TEXTS.get(form, CHAPTERS)
    for batches in ([batch], batch):
        found = system(*batches, text=text)
        assert found is not None
        assert said in found
    assert system(batch, text=text, mode="apply") is None


@pytest.mark.parametrize(
    "batch",
    [
        pytest.param(DESTRUCTION["every edge deleted"][0][:3], id="three edges"),
        pytest.param(update(description="")[:3], id="three fields cleared"),
        pytest.param(update(label="X")[:10], id="ten fields replaced"),
        pytest.param([edit_section("## Chapter 1", PROSE.replace(" 1", " 11")[:300], "-")], id="300 characters"),
        pytest.param([insert(number) for number in range(3)], id="nodes put between, labels kept"),
        pytest.param(
            [{"op": "move_section", "section": f"## Chapter {n}", "before": "## Chapter 0"} for n in (3, 2, 1)],
            id="every section moved",
        ),
        pytest.param(
            [{"op": "move_section", "section": "## Chapter 3", "into": "## Chapter 0"}],
            id="a section moved into another, so that its level changes",
        ),
        pytest.param(
            [{"op": "replace_section", "section": "## Chapter 1", "text": PROSE.replace(" 1", " 11") + " And more."}],
            id="a section written again with one sentence more",
        ),
        pytest.param(
            [
                {
                    "op": "replace_section",
                    "section": "## Chapter 1",
                    "text": f"First {PROSE.replace(' 1', ' 11').replace('golf 3', 'tennis')} last.",
                }
            ],
            id="a section written again with other words here and there",
        ),
        pytest.param(
            [*update(description="")[:3], *[{"op": "update_node", "id": n, "description": "New"} for n in IDS[:3]],
             *update(description="")[3:6]],
            id="cleared and filled again",
        ),
        pytest.param(
            [
                {"op": kind, "source": "east", "target": node}
                for node in IDS[6:]
                for kind in ("add_edge", "delete_edge")
            ],
            id="edges of its own deleted",
        ),
        pytest.param(
            [{"op": "add_node", "id": "new", "type": "cache", "label": "C", "description": "Own"},
             *({"op": "update_node", "id": "new", field: ""} for field in ("description", "technology", "notes"))],
            id="fields of its own cleared",
        ),
        pytest.param([{"op": "group_nodes", "id": "all", "label": "All", "ids": ["east", "west"]}], id="nodes grouped"),
        pytest.param(
            [{"op": "rename_section", "section": f"## Chapter {n}", "title": f"Part {n}"} for n in range(4)],
            id="sections renamed",
        ),
    ],
)  # fmt: skip
def test_plain_gestures_stay_applied(batch: list[Op]) -> None:
    """Below the bounds, and where what was there is still there, nobody is asked."""
    assert system(batch) is None
    assert system(*batch) is None


def test_nodes_put_between_keep_what_they_stand_between() -> None:
    """Four connections are led through a node each: what leads where can still be seen, so no connection is lost."""
    bare = [{**one, "description": ""} if one["op"] == "add_edge" else one for one in SYSTEM]
    assert system([insert(number) for number in range(4)], nodes=bare) is None
    gateway: Op = {"op": "add_node", "id": "gate", "type": "gateway", "label": "Gate"}
    callers: list[Op] = [{"op": "add_edge", "source": node, "target": "n11", "label": "pay"} for node in IDS[:6]]
    through: list[Op] = [{"op": "rewire_edge", "source": n, "target": "n11", "new_target": "gate"} for n in IDS[:6]]
    on: Op = {"op": "add_edge", "source": "gate", "target": "n11"}
    assert system([gateway, *through, on], nodes=[*bare, *callers]) is None
    assert "redirects 6 connections" in str(system([gateway, *through], nodes=[*bare, *callers]))


def test_losses_are_of_what_others_put_in_too() -> None:
    """A first draft is applied whatever it writes; what it takes from somebody who wrote meanwhile waits."""
    emptied: Op = {"op": "replace_section", "section": "## Chapter 1", "text": "."}
    assert "of “Chapter 1”" in str(reason(emptied, nodes=SYSTEM, text=CHAPTERS, is_first=True))


def test_characters_are_counted_as_people_count_them() -> None:
    """Signs that take two units in a browser's editor count once."""
    text = CHAPTERS.replace("alpha", "😀😀😀😀😀")
    found = system(in_order("## Chapter 1", 1000), text=text)
    assert found == system(in_order("## Chapter 1", 1000))
    assert found is not None
    assert "“Chapter 1”" in found


def test_text_of_its_own_is_nobodys_loss() -> None:
    """What an earlier batch of the run has written, a later one may take out again."""
    own = f"Own words. {'more ' * 120}".strip()
    written: Op = {"op": "append_to_section", "section": "## Chapter 1", "text": own}
    assert system(written, edit_section("## Chapter 1", own, "Shorter.")) is None


@pytest.mark.parametrize("lines", [3_000, 20_000])
def test_very_long_texts_are_counted_too(lines: int) -> None:
    """By words, by lines, and where even that is too much, all that was replaced counts as gone."""
    text = "# Log\n\n" + "".join(f"line {number} of it all is here\n" for number in range(lines))
    new = "".join(f"{number} nothing that was there before\n" for number in range(lines))
    found = reason({"op": "replace_section", "section": "# Log", "text": new}, text=text)
    assert found is not None
    assert found.endswith("(99 %) of the document.")
