"""Questions about a diagram: what is found, what is beside what, and what follows if something fails."""

from __future__ import annotations

import pytest

from bench.states import workspace_of as grid
from draftsmith.assistant.tools import queries
from draftsmith.assistant.tools.queries import find_nodes, impact, neighbours, paths, unconnected_nodes
from draftsmith.model.workspace import Workspace
from tests.builders import canonical, edge, group, node, workspace_of
from tests.shop import shop


def _ids(rows: list[queries.ReachableNode]) -> list[str]:
    return [row.id for row in rows]


def _found(text: str, **filters: object) -> list[str]:
    return find_nodes(shop(), text, **filters).ids  # type: ignore[arg-type]  # each test gives what fits


# -- find_nodes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, ids",
    [
        ("databases", ["orders-db"]),
        ("all the Databases there are", ["orders-db"]),
        ("caches", ["session-store"]),
        ("load balancers", []),
        ("workers", ["fax-worker", "mailer"]),
        ("external providers", ["card-provider"]),
        ("third-party vendor", ["card-provider"]),
        ("groups", ["core"]),
        ("gateways", ["api-gateway"]),
    ],
)
def test_a_word_for_a_kind_finds_its_type(text: str, ids: list[str]) -> None:
    """Databases are what has the type, whatever they are called; other nodes that speak of them are not."""
    assert _found(text) == ids


@pytest.mark.parametrize(
    "text, ids",
    [
        ("postgresql", ["orders-db"]),
        ("Postgres", ["orders-db"]),
        ("memcached", ["session-store"]),
        ("redis", []),
        ("python", ["orders", "payments"]),
        ("stripe", ["card-provider"]),
        ("paymnets", ["payments"]),
        ("ann", ["orders"]),
        ("orders database", ["orders-db"]),
        ("python payments", ["payments"]),
    ],
)
def test_other_words_are_looked_for(text: str, ids: list[str]) -> None:
    """A product that is not there is not there: "redis" does not mean every cache."""
    assert _found(text) == ids


def test_what_fits_better_comes_first() -> None:
    """A name counts more than a mention, and equals come by id."""
    workspace = workspace_of(
        node("b", label="Billing"),
        node("a", label="Audit", description="Reads billing data."),
        node("c", label="billing"),
    )
    assert find_nodes(workspace, "billing").ids == ["b", "c", "a"]


def test_no_node_with_all_words_gives_those_with_some() -> None:
    """Then it is said so."""
    found = find_nodes(shop(), "payments zookeeper")
    assert (found.ids, found.partly) == (["payments"], True)
    assert find_nodes(shop(), "payments python").partly is False


def test_filters_are_exact_and_combine() -> None:
    """Types, words of the technology and a group narrow what words find; without words they say it all."""
    assert _found("", types=["worker"]) == ["fax-worker", "mailer"]
    assert _found("", technology="go") == ["inventory"]
    assert _found("", technology="g") == []
    assert _found("", group="core") == ["orders", "payments"]
    assert _found("pay", group="core") == ["payments"]
    assert _found("orders", types=["database"]) == ["orders-db"]


def test_the_limit_cuts_and_the_total_says_so() -> None:
    """How many there are is told, however few are shown."""
    found = find_nodes(grid(50), "service", limit=3)
    assert (found.ids, found.total) == (["n0", "n1", "n10"], 50)


def test_a_label_may_say_the_kind() -> None:
    """A "User database" of type storage is a database; a "Database group" is a group."""
    workspace = workspace_of(node("a", type="storage", label="User database"), group("b", label="Database group"))
    assert find_nodes(workspace, "databases").ids == ["a"]


def test_only_small_words_are_taken_as_they_are() -> None:
    """A request of nothing but small words looks for them; it does not list everything."""
    assert _found("the it") == []


# -- neighbours --------------------------------------------------------------------------------------------------------


def _beside(workspace: Workspace, node_id: str, *args: object) -> list[tuple[str, str, int]]:
    return [(row.id, way, row.distance) for row, way in neighbours(workspace, node_id, *args)]  # type: ignore[arg-type]


def test_neighbours_by_direction_and_depth() -> None:
    """In goes against the arrows, out along them; each node once in each direction, nearest first."""
    workspace = workspace_of(*map(node, "abcd"), edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("d", "b"))
    assert _beside(workspace, "b") == [("a", "in", 1), ("d", "in", 1), ("c", "out", 1)]
    assert _beside(workspace, "b", "in") == [("a", "in", 1), ("d", "in", 1)]
    assert _beside(workspace, "b", "out", 2) == [("c", "out", 1), ("d", "out", 2)]
    assert _beside(workspace, "a", "in", 5) == []


def test_neighbours_over_odd_directions() -> None:
    """An edge of direction both is found both ways; one of direction none as it is drawn."""
    workspace = workspace_of(*map(node, "abc"), edge("a", "b", direction="both"), edge("a", "c", direction="none"))
    assert _beside(workspace, "a") == [("b", "in", 1), ("b", "out", 1), ("c", "out", 1)]
    assert _beside(workspace, "c") == [("a", "in", 1)]


def test_neighbours_of_and_through_groups() -> None:
    """A group has the neighbours of what is in it; who calls a group calls what is in it."""
    workspace = workspace_of(
        group("g"), node("a"), node("m", parent="g"), node("n", parent="g"), node("z"), edge("a", "g"), edge("m", "z")
    )
    assert _beside(workspace, "g") == [("a", "in", 1), ("z", "out", 1)]
    assert _beside(workspace, "m") == [("a", "in", 1), ("z", "out", 1)]
    assert _beside(workspace, "n") == [("a", "in", 1)]
    assert _beside(workspace, "a") == [("g", "out", 1)]
    assert _beside(workspace, "a", "out", 2) == [("g", "out", 1), ("z", "out", 2)]


def test_parallel_edges_are_one_neighbour_with_both() -> None:
    """Both edges are named."""
    [(row, _), *_] = [one for one in neighbours(shop(), "card-provider") if one[0].id == "payments"]
    assert row.edges == ("payments--card-provider", "payments--card-provider-2")


# -- paths -------------------------------------------------------------------------------------------------------------


def test_paths_along_the_arrows_shortest_first() -> None:
    """All simple ways, and none twice."""
    workspace = workspace_of(
        *map(node, "abcd"), edge("a", "b"), edge("b", "d"), edge("a", "d"), edge("b", "c"), edge("c", "d"),
        edge("a", "b", label="again"),
    )  # fmt: skip
    found = paths(workspace, "a", "d")
    assert found.paths == [["a", "d"], ["a", "b", "d"], ["a", "b", "c", "d"]]
    assert (found.truncated, found.undirected) == (False, False)
    assert paths(workspace, "a", "d", limit=2).paths == [["a", "d"], ["a", "b", "d"]]
    assert paths(workspace, "a", "d", limit=2).truncated is True


def test_paths_without_regard_to_the_arrows_are_said_to_be_so() -> None:
    """Only where there is no way along them; an edge of direction none counts then."""
    workspace = workspace_of(*map(node, "abcx"), edge("a", "b"), edge("c", "b", direction="none"))
    assert paths(workspace, "a", "c") == queries.Paths([["a", "b", "c"]], False, True)
    assert paths(workspace, "a", "x") == queries.Paths()
    assert paths(workspace, "a", "a").paths == [["a"]]


def test_paths_through_groups_do_not_join_what_is_in_them() -> None:
    """Into a group and out of it is a way; from one thing in it to another is none."""
    workspace = workspace_of(
        group("g"), *map(node, "az"), node("m", parent="g"), node("n", parent="g"), edge("a", "g"), edge("m", "z")
    )
    assert paths(workspace, "a", "z").paths == [["a", "g", "m", "z"]]
    assert paths(workspace, "n", "z").undirected is True
    assert paths(workspace, "m", "n").paths == [["m", "g", "a", "g", "n"]], "a reaches both"
    assert paths(workspace, "g", "z").paths == [["g", "m", "z"]]
    assert paths(workspace, "a", "m").paths == [["a", "g", "m"]]
    assert paths(workspace, "g", "m").paths == []
    alone = workspace_of(group("g"), node("m", parent="g"), node("n", parent="g"))
    assert paths(alone, "m", "n").paths == [], "they share a group, which connects nothing"


def test_a_very_long_way_stands_alone() -> None:
    """Others are not looked for, and it is said that there may be more."""
    found = paths(grid(400, 1), "n0", "n300")
    assert [len(path) for path in found.paths] == [301]
    assert found.truncated


# -- impact ------------------------------------------------------------------------------------------------------------


def test_what_calls_or_depends_breaks_transitively() -> None:
    """Callers of callers too, with the way to the failure; what the failed one calls does not break."""
    workspace = workspace_of(
        *map(node, "abcde"),
        edge("a", "b"),
        edge("b", "c", kind="dependency"),
        edge("c", "d"),
        edge("e", "b", kind="async"),
    )
    found = impact(workspace, "c")
    assert [(row.id, row.distance, row.via) for row in found.breaks] == [
        ("b", 1, ("b", "c")),
        ("a", 2, ("a", "b", "c")),
    ]
    assert found.starves == found.backs_up == []


def test_receivers_starve_and_senders_back_up() -> None:
    """Downstream transitively, upstream only who sends directly."""
    workspace = workspace_of(
        *map(node, "abcd"), edge("a", "b", kind="async"), edge("b", "c", kind="data"), edge("c", "d", kind="async")
    )
    found = impact(workspace, "b")
    assert _ids(found.starves) == ["c", "d"]
    assert _ids(found.backs_up) == ["a"]
    assert found.breaks == []
    assert _ids(impact(workspace, "c").backs_up) == ["b"], "a sends to b, which still stands"


def _weak(workspace: Workspace, failed: str) -> dict[str, tuple[int, int]]:
    return {one.reached.id: (one.lost, one.sources) for one in impact(workspace, failed).weakened}


def test_what_others_still_feed_loses_one_of_its_sources() -> None:
    """It does not starve, nor does what it feeds; where the last source goes, it does."""
    workspace = workspace_of(
        *map(node, "abcdx"),
        *(edge(one, "b", kind="async") for one in "acx"),
        edge("b", "d", kind="data"),
        edge("x", "c", kind="data"),
    )
    found = impact(workspace, "a")
    assert (found.starves, [one.in_words for one in found.weakened]) == ([], ["loses one of its three sources"])
    found = impact(workspace, "x")
    assert _ids(found.starves) == ["c"]
    assert [one.in_words for one in found.weakened] == ["loses two of its three sources"]
    assert _ids(impact(workspace, "b").starves) == ["d"]


def test_the_way_to_a_lost_source_leads_through_what_is_lost() -> None:
    """Not through something nearer that goes on."""
    pairs = ("ab", "xb", "bd", "ap", "ps", "sd")
    workspace = workspace_of(*map(node, "abdpsx"), *(edge(one, other, kind="data") for one, other in pairs))
    ways = {one.reached.id: one.reached.via for one in impact(workspace, "a").weakened}
    assert ways == {"b": ("b", "a"), "d": ("d", "s", "p", "a")}


def test_two_arrows_from_one_source_are_one_source() -> None:
    """So it starves when that fails."""
    workspace = workspace_of(*map(node, "ab"), edge("a", "b", kind="async"), edge("a", "b", kind="data", label="more"))
    assert _ids(impact(workspace, "a").starves) == ["b"]


def test_a_circle_does_not_feed_itself() -> None:
    """What was fed from outside by the failed one alone starves as a whole; with another source, one loses one."""
    circle = [*map(node, "abcx"), edge("a", "b", kind="data"), edge("b", "c", kind="data"), edge("c", "b", kind="data")]
    assert _ids(impact(workspace_of(*circle), "a").starves) == ["b", "c"]
    fed = workspace_of(*circle, edge("x", "c", kind="data"))
    assert impact(fed, "a").starves == []
    assert _weak(fed, "a") == {"b": (1, 2)}


def test_sources_that_are_groups() -> None:
    """A group that fails is one source; of one that fails in part, each thing in it is one."""
    workspace = workspace_of(
        group("g"), node("m", parent="g"), node("n", parent="g"), *map(node, "bx"),
        edge("g", "b", kind="data"), edge("x", "b", kind="data"),
    )  # fmt: skip
    assert _weak(workspace, "g") == {"b": (1, 2)}
    assert _weak(workspace, "m") == {"b": (1, 3)}
    inside = workspace_of(
        group("g"), node("m", parent="g"), *map(node, "ax"), edge("a", "g", kind="data"), edge("x", "m", kind="data")
    )
    assert _weak(inside, "a") == {"m": (1, 2)}
    assert _ids(impact(inside, "a").starves) == ["g"]


def test_a_second_thing_that_is_called_stands_in_for_nothing() -> None:
    """Arrows do not say that one thing can take another's place, so whoever calls what fails breaks."""
    workspace = workspace_of(*map(node, "abc"), edge("a", "b"), edge("a", "c"))
    found = impact(workspace, "b")
    assert _ids(found.breaks) == ["a"]
    assert found.weakened == []


@pytest.mark.parametrize("direction, breaks", [("forward", []), ("both", ["b"]), ("none", [])])
def test_directions_in_impact(direction: str, breaks: list[str]) -> None:
    """Both means that each needs the other; none means that nothing follows."""
    workspace = workspace_of(*map(node, "ab"), edge("a", "b", direction=direction))
    assert _ids(impact(workspace, "a").breaks) == breaks


def test_a_group_fails_with_everything_in_it() -> None:
    """Whoever needs anything in it breaks; what is in it is the failure itself."""
    workspace = workspace_of(
        group("g"), group("h", parent="g"), node("m", parent="g"), node("n", parent="h"), *map(node, "abc"),
        edge("a", "m"), edge("b", "n"), edge("c", "h"), edge("m", "n"),
    )  # fmt: skip
    assert _ids(impact(workspace, "g").breaks) == ["a", "b", "c"]
    assert _ids(impact(workspace, "h").breaks) == ["b", "c", "m", "a"]
    assert impact(workspace, "g").breaks[1].via == ("b", "n", "g")


def test_an_edge_at_a_group_is_an_edge_at_each_in_it() -> None:
    """Who needs the group needs its member; if the group needs something, all in it breaks with that."""
    workspace = workspace_of(
        group("g"), node("m", parent="g"), node("n", parent="g"), *map(node, "ad"), edge("a", "g"), edge("g", "d")
    )
    assert _ids(impact(workspace, "m").breaks) == ["a"]
    assert [(row.id, row.distance) for row in impact(workspace, "d").breaks] == [("g", 1), ("m", 1), ("n", 1), ("a", 2)]


def test_a_very_long_way_is_shortened_in_the_middle() -> None:
    """However far away something is, the way to it stays short, and both ends of it are right."""
    far = impact(grid(200, 1), "n0").breaks[-1]
    assert (far.distance, far.via[:2], far.via[-1], len(far.via)) == (199, ("n1", "n2"), "n0", 24)
    assert far.via.count("…") == 1


def test_circles_end() -> None:
    """A circle of calls breaks as a whole, once."""
    workspace = workspace_of(*map(node, "abc"), edge("a", "b"), edge("b", "c"), edge("c", "a"))
    assert _ids(impact(workspace, "a").breaks) == ["c", "b"]


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_unconnected_leaves_groups_out() -> None:
    """Nodes without an edge."""
    workspace = workspace_of(group("g"), node("a", parent="g"), *map(node, "bcd"), edge("b", "c"))
    assert unconnected_nodes(workspace) == ["a", "d"]
    assert {problem.code for problem in queries.check_diagram(workspace)} == {"orphan", "unlabelled_edge"}


def test_questions_change_nothing_and_answer_alike() -> None:
    """Reading twice gives the same, in a workspace that is read from its own dump, too; nothing is written."""
    workspace = shop()
    before = canonical(workspace)
    for ask in (
        lambda one: find_nodes(one, "orders"),
        lambda one: neighbours(one, "orders", "both", 3),
        lambda one: paths(one, "web-shop", "card-provider", 10),
        lambda one: impact(one, "orders-db"),
        queries.check_diagram,
    ):
        assert ask(workspace) == ask(workspace) == ask(shop())
    assert canonical(workspace) == before
