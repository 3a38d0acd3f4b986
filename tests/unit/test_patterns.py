"""Patterns: what a file has to be, how they are found by words, and what their shapes come to on a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from draftsmith.adapters.files.prompt_files import read_pattern_files
from draftsmith.assistant.patterns.pattern import LONGEST_FILE, Pattern, read_pattern, read_patterns
from draftsmith.assistant.patterns.search import find_patterns, pattern_text, search_patterns
from draftsmith.assistant.patterns.shape import MOST_SELECTED, FilledPattern, fill_pattern
from draftsmith.errors import DraftsmithError
from draftsmith.history.diff import diff_of, is_nothing
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import stage
from tests.builders import canonical, edge, node, workspace_of
from tests.drawings import overlaps_of
from tests.seeds import run_seed
from tests.shop import shop

FILES = read_pattern_files()
IDS = sorted(path.removesuffix(".md") for path in FILES)
LIMITS = WorkspaceLimits()


@cache
def patterns() -> tuple[Pattern, ...]:
    return read_patterns(FILES)


def pattern(pattern_id: str) -> Pattern:
    return next(one for one in patterns() if one.id == pattern_id)


def filled_pattern(
    pattern_id: str, workspace: Workspace, nodes: Sequence[str] = (), edges: Sequence[str] = ()
) -> FilledPattern:
    return fill_pattern(pattern(pattern_id), workspace.diagram, [*map(NodeId, nodes)], [*map(EdgeId, edges)])


def brief(operations: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Operations by what they are about."""
    ends = ("source", "target")
    return [
        (
            one["op"],
            *(one[name] for name in ("id", *ends) if name in one),
            *filter(None, [one.get("node", {}).get("id")]),
        )
        for one in operations
    ]


def laid_out() -> Workspace:
    """The shop, drawn so that nothing lies on anything, and with one edge at most between two."""
    workspace = shop()
    tidy = [
        {"op": "delete_edge", "source": "payments", "target": "card-provider", "label": "refunds"},
        {"op": "layout_diagram", "scope": "all"},
    ]
    stage(workspace, parse_batch(tidy, LIMITS), tidy, LIMITS)
    assert overlaps_of(workspace.diagram) == set()
    return workspace


def selections(random: Random) -> list[tuple[Workspace, Sequence[str], Sequence[str]]]:
    """An empty workspace, the shop with nothing, with each node, with each edge, and with some nodes at once."""
    diagram = laid_out().diagram
    nodes, edges = [*diagram.node_ids()], [*diagram.edge_ids()]
    some = [random.sample(nodes, count) for count in (2, 3, 5, 8) for _ in range(4)]
    chosen = [
        ([], []),
        *(([one], []) for one in nodes),
        *(([], [one]) for one in edges),
        *((each, []) for each in some),
    ]
    return [(workspace_of(), [], []), *((laid_out(), ns, es) for ns, es in chosen)]


class TestFiles:
    def test_there_are_patterns_and_anti_patterns(self) -> None:
        """At least ten, of both kinds; each says when, what for and against, and what to ask."""
        kinds = [one.kind for one in patterns()]
        assert len(kinds) >= 10
        assert kinds.count("anti-pattern") >= 3
        for one in patterns():
            assert min(len(one.when), len(one.forces), len(one.questions)) >= 3, one.id

    @pytest.mark.parametrize(
        "old, new, said",
        [
            ("kind: pattern", "kind: idea", "patterns/x.md, line 4: kind is pattern or anti-pattern, not 'idea'"),
            ("version: 1", "version: one", "patterns/x.md needs a version, a whole number"),
            ("words: ", "tags: ", "the front matter has exactly kind, name, roles, version, words"),
            ("## When", "## Where", "line 12: the sections are When, Forces, Shape, Questions, in this order"),
            ("database, storage, search", "database, storge", "line 8: there is no node type 'storge'"),
            ("  database: Database;", "  Database: Database;", "line 8: a role is of the form"),
            ("* The same data", "The same data", "line 14: When is a list; its lines begin with '* '"),
            ('"id": "cache"', '"id": "Cache 1"', "line 28, operation 1: a new node needs an id"),
            ('"target": "{cache}"', '"target": "{cash}"', "line 30, operation 2: 'cash' is neither a role nor"),
            ('"op": "add_edge"', '"op": "delete_node"', "operation 2: 'delete_node' is not one of add_node"),
            ('"type": "cache"', '"type": "cahce"', "line 28, operation 1: there is no node type 'cahce'"),
            ('"near": "{service}",', '"near": "{service}"', "line 29: Shape is no JSON"),
        ],
    )
    def test_a_file_that_is_wrong_says_where(self, old: str, new: str, said: str) -> None:
        """The message names the file, the line and what would be right; it stops the start as other prompts do."""
        text = FILES["cache-aside.md"]
        assert old in text
        with pytest.raises(ValueError, match=r"^patterns/x\.md") as error:
            read_pattern("x.md", text.replace(old, new, 1))
        assert said in str(error.value)

    def test_a_name_is_there_once_and_a_file_is_short(self) -> None:
        text = FILES["saga.md"]
        with pytest.raises(ValueError, match="another file has the name 'Saga'"):
            read_patterns({"a.md": text, "b.md": text})
        with pytest.raises(ValueError, match="at most 6,000"):
            read_pattern("x.md", text + "x" * LONGEST_FILE)


class TestSearch:
    @pytest.mark.parametrize(
        "words, first",
        [
            ("we need rate limiting", "rate-limiter"),
            ("Replace the legacy monolith", "strangler-fig"),
            ("peaks overload the workers", "queue-load-levelling"),
            ("what is a single point of failure here?", "single-point-of-failure"),
            ("circuit-breaker", "circuit-breaker"),
            ("CQRS", "read-replica"),
            ("too many calls between services", "chatty-services"),
        ],
    )
    def test_words_find_what_they_mean(self, words: str, first: str) -> None:
        assert find_patterns(patterns(), words)[0].id == first

    def test_without_words_all_are_found_and_small_words_find_none(self) -> None:
        assert [*find_patterns(patterns(), " ")] == [*patterns()]
        assert find_patterns(patterns(), "which pattern should we use?") == []

    def test_an_answer_is_bounded_whatever_is_asked(self) -> None:
        """At most three whole, the others by a line; no match lists what there is."""
        everything = " ".join(word for one in patterns() for word in one.words)
        answer = search_patterns(patterns(), {"query": everything[:1_000], "limit": 3}).text
        assert answer.count("# ") == 3
        assert len(answer) < 3 * LONGEST_FILE
        nothing = search_patterns(patterns(), {"text": "zebra"}).text
        assert all(one.id in nothing for one in patterns())
        assert search_patterns(patterns(), {"text": "Saga"}).text == pattern_text(pattern("saga"))


class TestShapes:
    @pytest.mark.parametrize("pattern_id", IDS)
    def test_a_pattern_fits_whatever_is_selected_and_lies_on_nothing(self, pattern_id: str) -> None:
        """On an empty diagram, for nothing, each node, each edge and several: one batch, no refusal, no overlap."""
        for workspace, nodes, edges in selections(Random(run_seed())):
            before = canonical(workspace)
            done = filled_pattern(pattern_id, workspace, nodes, edges)
            if not done.operations:
                continue
            staged = stage(workspace, parse_batch(done.operations, LIMITS), done.operations, LIMITS)
            assert overlaps_of(workspace.diagram) == set(), (pattern_id, nodes, edges)
            assert {*done.new_ids} <= {*workspace.diagram.node_ids()}
            assert not is_nothing(diff_of([step for one in staged for step in one.steps]))
            assert canonical(workspace) != before

    @pytest.mark.parametrize("pattern_id", IDS)
    def test_a_pattern_connects_what_it_makes(self, pattern_id: str) -> None:
        """On an empty diagram it is one connected whole, without a node that nothing leads to."""
        workspace = workspace_of()
        done = filled_pattern(pattern_id, workspace)
        stage(workspace, parse_batch(done.operations, LIMITS), done.operations, LIMITS)
        assert len(workspace.diagram.components()) == 1

    def test_an_edge_that_is_there_is_used(self) -> None:
        """A queue goes into the edge between the two, a cache leaves the edge to the database as it is."""
        assert brief(filled_pattern("queue-load-levelling", shop(), ["orders", "mailer"]).operations) == [
            ("insert_between", "orders", "mailer", "work-queue"),
            ("update_edge", "orders", "work-queue"),
            ("update_edge", "work-queue", "mailer"),
        ]
        assert brief(filled_pattern("cache-aside", shop(), ["orders-db", "orders"]).operations) == [
            ("add_node", "cache"),
            ("add_edge", "orders", "cache"),
        ]

    def test_who_calls_comes_first_whatever_the_order_of_the_selection(self) -> None:
        done = filled_pattern("circuit-breaker", shop(), ["inventory", "orders"])
        assert done.roles["caller"] == ["orders"]
        assert done.roles["callee"] == ["inventory"]

    def test_neighbours_have_their_role_unselected(self) -> None:
        """What leads to the selected service is led through what is put before it."""
        operations = filled_pattern("rate-limiter", shop(), ["api-gateway"]).operations
        assert ("delete_edge", "web-shop--api-gateway") in brief(operations)
        assert ("add_edge", "web-shop", "rate-limiter") in brief(operations)
        assert ("add_edge", "rate-limiter", "api-gateway") in brief(operations)

    def test_each_of_many_gets_its_own(self) -> None:
        """Every service but the first owner gets a database, under ids that are free."""
        workspace = workspace_of(
            *(node(one, 200 * place, label=one) for place, one in enumerate(("a", "b", "c"))),
            node("own-database", 900),
            node("db", 200, 300, type="database", label="DB"),
            *(edge(one, "db", label="rows") for one in ("a", "b", "c")),
        )
        done = filled_pattern("shared-database", workspace, ["db", "a", "b", "c"])
        assert done.new_ids == ["own-database-2", "own-database-3"]
        said = brief(done.operations)
        assert ("add_edge", "b", "own-database-2") in said
        assert ("add_edge", "c", "own-database-3") in said
        assert [one for one in said if one[0] == "delete_edge"] == [("delete_edge", "b--db"), ("delete_edge", "c--db")]

    def test_which_of_several_edges_is_asked_and_said_by_selecting_one(self) -> None:
        workspace = shop()
        with pytest.raises(DraftsmithError) as error:
            filled_pattern("circuit-breaker", workspace, ["payments", "card-provider"])
        candidates = error.value.problems[0].candidates
        assert (error.value.problems[0].code, len(candidates)) == ("edge_ambiguous", 2)
        chosen = filled_pattern("circuit-breaker", workspace, edges=[candidates[1]])
        assert chosen.operations[0]["label"] == "refunds"

    def test_what_has_no_role_is_said_and_what_is_not_there_refused(self) -> None:
        assert filled_pattern("cache-aside", shop(), ["orders", "orders-db", "metrics"]).unused == ["metrics"]
        with pytest.raises(DraftsmithError) as error:
            filled_pattern("cache-aside", shop(), ["no-such"], ["nor-this"])
        assert [one.code for one in error.value.problems] == ["node_not_found", "edge_not_found"]
        many = workspace_of(*(node(f"n{one}", 200 * one) for one in range(MOST_SELECTED + 1)))
        with pytest.raises(DraftsmithError, match="at most 50"):
            filled_pattern("saga", many, [*many.diagram.node_ids()])
