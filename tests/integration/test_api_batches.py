"""The one door and its sugar over HTTP: answers, refusals, dry runs, and what a base is compared with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.client import Api, check_problem, edge, edit, label, node
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 26
TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n\n## Cost\n\nTen a month.\n"


w = workspace_fixture([node("api"), node("db"), edge("api", "db", id="reads")], name="Write", document={"text": TEXT})
"""A workspace with two connected nodes and a document."""


def test_one_batch_changes_diagram_and_document_as_one_commit(api: Api, w: str) -> None:
    before = api.read(w)
    operations = [
        node("cache"),
        edge("api", "cache"),
        {"op": "delete_edge", "id": "reads"},
        edit("Risks", "None", "Few"),
    ]
    answer = api.batch(w, *operations, explanation="Cheaper.")
    facts = ("revision", "changed", "dry_run", "replayed", "kind", "ref", "left_out")
    assert [answer[name] for name in facts] == [3, True, False, False, "edit", None, []]
    assert [result["op"] for result in answer["results"]] == [one["op"] for one in operations]
    assert [added["id"] for added in answer["diff"]["nodes"]["added"]] == ["cache"]
    assert answer["diff"]["edges"]["removed"] == ["reads"]
    assert answer["diff"]["document"] == [
        {"section": "# Plan ## Risks", "from_line": 7, "to_line": 7, "old": "None", "new": "Few"}
    ]
    assert answer["results"][3]["match"]["section"] == "# Plan ## Risks"
    assert [warning["code"] for warning in answer["warnings"]] == ["orphan"]
    (commit, _, _) = api.ask("GET", f"/workspaces/{w}/commits")["items"]
    assert (commit["revision"], commit["why"]) == (3, "Cheaper.")
    api.ask("POST", f"/workspaces/{w}/undo")
    after = api.read(w)
    assert (after["diagram"], after["document"]) == (before["diagram"], before["document"])


def test_all_problems_come_back_at_once_and_nothing_happens(api: Api, w: str) -> None:
    before = api.state(w)
    body = {
        "operations": [
            node("fine"),
            edge("api", "nowhere"),
            label("apj", "x"),
            edit("Hazards", "None", "x"),
            node("db"),
            edge("db", "db"),
        ]
    }
    found = check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "batch_rejected")
    reasons = [(one["index"], one["code"]) for one in found["problems"]]
    assert reasons == [
        (1, "node_not_found"), (2, "node_not_found"), (3, "section_not_found"), (4, "node_exists"), (5, "self_loop"),
    ]  # fmt: skip
    assert found["problems"][1]["candidates"][0] == "api"
    assert found["problems"][0]["path"] == "/operations/1/target"
    assert api.state(w) == before


def test_a_batch_that_changes_nothing_makes_no_commit(api: Api, w: str) -> None:
    before = api.state(w)
    answer = api.batch(w, label("api", "Api"), edit("Risks", "None known.", "None known."))
    assert (answer["changed"], answer["revision"]) == (False, 2)
    assert api.state(w) == before


@pytest.mark.parametrize("is_good", [True, False])
def test_a_dry_run_answers_alike_and_leaves_no_trace(api: Api, w: str, is_good: bool) -> None:
    before, tag = api.state(w), api.get(f"/api/v1/workspaces/{w}").headers["etag"]
    operations = [node("new"), edge("new", "api" if is_good else "nowhere"), edit("Cost", "Ten", "Nine")]
    path, key = f"/workspaces/{w}/batches", {"Idempotency-Key": "dry-run-key"}
    dry = api.send_to("POST", path, json={"operations": operations, "dry_run": True}, headers=key)
    assert api.state(w) == before
    assert api.get(f"/api/v1/workspaces/{w}").headers["etag"] == tag
    real = api.send_to("POST", path, json={"operations": operations}, headers=key)
    assert dry.status_code == real.status_code == (200 if is_good else 422)
    same = ("results", "diff", "warnings") if is_good else ("code", "problems")
    assert {name: dry.json()[name] for name in same} == {name: real.json()[name] for name in same}
    if is_good:
        assert (dry.json()["dry_run"], dry.json()["changed"], dry.json()["revision"]) == (True, True, 2)


def test_minimal_answers_leave_the_diff_out(api: Api, w: str) -> None:
    path = f"/workspaces/{w}/batches"
    for wish in ("return=minimal", 'respond-async, return = "minimal"', "Return=Minimal; x=1"):
        response = api.send_to("POST", path, json={"operations": [node(f"n{len(wish)}")]}, headers={"Prefer": wish})
        assert "diff" not in response.json(), wish
        assert response.headers["preference-applied"] == "return=minimal"
    full = api.send_to("POST", path, json={"operations": [node("n")]}, headers={"Prefer": "return=representation"})
    assert "diff" in full.json()
    assert "preference-applied" not in full.headers


def test_ids_are_made_from_labels_and_given_back(api: Api, w: str) -> None:
    answer = api.batch(
        w, {"op": "add_node", "type": "service", "label": "Größe & Straße"}, edge("api", "db", label="2")
    )
    assert [result["ids"] for result in answer["results"]] == [["grosse-strasse"], ["api--db"]]


class TestBase:
    """409 only where the same field, an existence spoken of, or an overlapping span has changed since."""

    def stale(self, api: Api, w: str, *operations: Any, base: Any = 2) -> dict[str, Any]:
        before = api.state(w)
        body = {"operations": list(operations), "base_revision": base}
        found = check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 409, "stale_base")
        assert api.state(w) == before
        assert found["revision"] == api.read(w)["revision"]
        return found

    def test_the_same_field(self, api: Api, w: str) -> None:
        api.batch(w, label("api", "Renamed"))
        (change,) = self.stale(api, w, label("api", "Other"))["changes"]
        assert (change["revision"], change["part"], change["id"], change["field"]) == (3, "node", "api", "label")

    def test_another_field_or_node_is_no_matter(self, api: Api, w: str) -> None:
        api.batch(w, label("api", "Renamed"), label("db", "Renamed too"))
        answer = api.batch(w, {"op": "update_node", "id": "api", "technology": "Go"}, node("more"), base_revision=2)
        assert answer["revision"] == 4
        api.batch(w, {"op": "update_node", "id": "db", "notes": "n"}, base_revision=2)

    def test_a_node_that_has_gone(self, api: Api, w: str) -> None:
        api.batch(w, {"op": "delete_node", "id": "db"})
        found = self.stale(api, w, edge("api", "db", label="writes"))
        assert found["changes"][0]["id"] == "db"
        assert found["problems"][0]["code"] == "node_not_found"

    def test_a_node_that_has_gone_and_come_again(self, api: Api, w: str) -> None:
        api.batch(w, {"op": "delete_node", "id": "db"})
        api.batch(w, node("db"))
        self.stale(api, w, edge("api", "db", label="writes"))

    def test_an_edge_that_has_gone_spoken_of_by_its_ends(self, api: Api, w: str) -> None:
        api.batch(w, {"op": "delete_edge", "id": "reads"})
        found = self.stale(api, w, {"op": "update_edge", "source": "api", "target": "db", "label": "x"})
        assert found["changes"][0] == {"revision": 3, "part": "edge", "id": "reads", "field": ""}

    def test_a_batch_that_was_wrong_already_is_wrong_and_not_stale(self, api: Api, w: str) -> None:
        api.batch(w, node("a"), label("api", "Renamed"))
        body = {"operations": [label("nobody-at-all", "x")], "base_revision": 2}
        check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "batch_rejected")

    def test_an_id_that_was_taken_already_is_wrong_and_not_stale(self, api: Api, w: str) -> None:
        """What others did to that node does not matter; only that it was made since would."""
        api.batch(w, {"op": "update_node", "id": "api", "notes": "Busy at night."}, label("db", "Renamed"), node("new"))
        for taken in (node("api"), edge("db", "api", id="reads")):
            body = {"operations": [taken], "base_revision": 2}
            check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "batch_rejected")
        found = self.stale(api, w, node("new"))
        assert found["changes"] == [{"revision": 3, "part": "node", "id": "new", "field": ""}]
        assert found["problems"][0]["code"] == "node_exists"
        assert "about" not in found["problems"][0]

    def test_an_id_that_is_made_from_a_label_is_never_stale(self, api: Api, w: str) -> None:
        """It is made at the head; but what names the id that others have taken meanwhile is."""
        api.batch(w, node("cache"))
        made = {"op": "add_node", "type": "cache", "label": "Cache"}
        assert api.batch(w, made, base_revision=2)["results"][0]["ids"] == ["cache-2"]
        assert self.stale(api, w, made, edge("api", "cache"))["changes"][0]["id"] == "cache"

    def test_a_text_that_was_never_there_is_wrong_and_not_stale(self, api: Api, w: str) -> None:
        """Others wrote in another section; in this one, nothing was changed."""
        api.batch(w, edit("Cost", "Ten", "Nine"))
        body = {"operations": [edit("Risks", "no such words", "x")], "base_revision": 2}
        check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "batch_rejected")
        api.batch(w, edit("Risks", "None known.", "Some known."))
        found = self.stale(api, w, edit("Risks", "None known.", "x"))
        start = api.read(w)["document"]["text"].index("## Risks")
        place = {"from": start, "to": start + len("## Risks\n\nSome known.\n\n")}
        assert found["changes"] == [{"revision": 4, "part": "document", "id": "", "field": "", **place}]

    def test_everything_that_clashes_is_named_at_once(self, api: Api, w: str) -> None:
        """What forbids operations, in every section of a document, and what those that fit would overwrite."""
        api.batch(w, node("more"))
        base = api.read(w)["revision"]
        api.batch(w, label("api", "Renamed"))
        api.batch(w, {"op": "delete_nodes", "ids": ["db", "more"]})
        api.batch(
            w, edit("Risks", "None known.", "Some known."), edit("Plan", "We use one queue.", "We use two queues.")
        )
        api.batch(w, edit("Cost", "Ten", "Nine"))
        found = self.stale(
            api, w, label("api", "Other"), edge("db", "more"), {"op": "delete_nodes", "ids": ["more", "api"]},
            edit("Risks", "None known.", "x"), edit("Cost", "Ten", "x"), base=base,
        )  # fmt: skip
        assert [one["code"] for one in found["problems"]] == [*["node_not_found"] * 3, *["find_not_found"] * 2]
        named = {(one["revision"], one["part"], one["id"], one["field"]) for one in found["changes"]}
        assert named == {
            (4, "node", "api", "label"), (5, "node", "db", ""), (5, "node", "more", ""),
            (6, "document", "", ""), (7, "document", "", ""),
        }  # fmt: skip
        text = api.read(w)["document"]["text"]
        places = sorted(text[one["from"] : one["to"]].strip() for one in found["changes"] if one["part"] == "document")
        assert places == ["## Cost\n\nNine a month.", "## Risks\n\nSome known."]

    def test_a_label_that_means_another_node_since(self, api: Api, w: str) -> None:
        """Although the batch fits: the label was another's at the base, or one that nobody had."""
        api.batch(w, label("db", "Ledger"))
        base = api.read(w)["revision"]
        api.batch(w, label("db", "Old ledger"))
        api.batch(w, label("api", "Ledger"))
        for operation in ({"op": "delete_node", "id": "ledger"}, edge("db", "Ledger", label="x")):
            found = self.stale(api, w, operation, base=base)
            named = [(one["revision"], one["id"], one["field"]) for one in found["changes"]]
            assert sorted(named) == [(4, "db", "label"), (5, "api", "label")]
        assert api.batch(w, edge("db", "Ledger", label="x"), base_revision=5)["changed"]

    def test_an_overlapping_span(self, api: Api, w: str) -> None:
        api.batch(w, edit("Risks", "None known.", "Some known."))
        (change,) = self.stale(api, w, edit("Risks", "known.", "feared."))["changes"]
        assert (change["revision"], change["part"]) == (3, "document")

    def test_another_span_is_no_matter(self, api: Api, w: str) -> None:
        api.batch(w, edit("Risks", "None known.", "Some known."))
        assert api.batch(w, edit("Cost", "Ten", "Nine"), base_revision=2)["changed"]
        assert "Some known." in api.read(w)["document"]["text"]

    def test_a_token_does_as_well_as_a_number(self, api: Api, w: str) -> None:
        tag = api.get(f"/api/v1/workspaces/{w}").headers["etag"]
        api.batch(w, label("api", "Renamed"))
        self.stale(api, w, label("api", "Other"), base=tag)
        self.stale(api, w, label("api", "Other"), base=tag.strip('"'))
        assert api.batch(w, label("db", "Other"), base_revision=tag)["changed"]

    def test_a_token_of_another_history(self, api: Api, w: str) -> None:
        epoch, revision, chain = api.get(f"/api/v1/workspaces/{w}").headers["etag"].strip('"').split(".")
        self.stale(api, w, node("x"), base=f"{'0' * 26}.{revision}.{chain}")
        self.stale(api, w, node("x"), base=f"{epoch}.{revision}.00000000")

    def test_a_revision_that_is_not_there_yet(self, api: Api, w: str) -> None:
        assert self.stale(api, w, node("x"), base=99)["changes"] == []

    @pytest.mark.parametrize("base", [-1, 1.5, True, "2", "", "x" * 300, "a.b.c", [], 2**70])
    def test_what_is_no_base(self, api: Api, w: str, base: Any) -> None:
        body = {"operations": [node("x")], "base_revision": base}
        found = check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "invalid_request")
        assert found["problems"][0]["path"] == "/base_revision"

    def test_if_match_names_the_base_of_any_write(self, api: Api, w: str) -> None:
        tag = api.get(f"/api/v1/workspaces/{w}").headers["etag"]
        patch = f"/workspaces/{w}/nodes/api"
        assert api.ask("PATCH", patch, json={"label": "One"}, headers={"If-Match": tag})["changed"]
        stale = api.send_to("PATCH", patch, json={"label": "Two"}, headers={"If-Match": tag})
        check_problem(stale, 409, "stale_base")
        check_problem(api.send_to("DELETE", patch, headers={"If-Match": tag}), 409, "stale_base")
        assert api.ask("PATCH", patch, json={"label": "Two"}, headers={"If-Match": "*"})["changed"]
        check_problem(api.send_to("PATCH", patch, json={}, headers={"If-Match": "x"}), 422, "invalid_request")
        both = {"operations": [node("x")], "base_revision": api.read(w)["revision"]}
        wrong = api.send_to("POST", f"/workspaces/{w}/batches", json=both, headers={"If-Match": ":"})
        check_problem(wrong, 422, "invalid_request")


class TestSugar:
    """Small writes are small batches: the same answer, the same refusals."""

    def test_nodes(self, api: Api, w: str) -> None:
        made = api.ask("POST", f"/workspaces/{w}/nodes", 201, json={"type": "cache", "label": "Cache"})
        assert made["results"] == [{"index": 0, "op": "add_node", "ids": ["cache"]}]
        changed = api.ask("PATCH", f"/workspaces/{w}/nodes/cache", json={"label": "Quick", "description": None})
        assert changed["diff"]["nodes"]["changed"] == [{"id": "cache", "fields": {"label": ["Cache", "Quick"]}}]
        gone = api.ask("DELETE", f"/workspaces/{w}/nodes/cache")
        assert gone["diff"]["nodes"]["removed"] == ["cache"]

    def test_deleting_a_node_may_bridge_the_gap(self, api: Api, w: str) -> None:
        api.batch(w, node("store"), edge("db", "store"))
        answer = api.ask("DELETE", f"/workspaces/{w}/nodes/db", params={"bridge": True})
        assert [(one["source"], one["target"]) for one in answer["diff"]["edges"]["added"]] == [("api", "store")]
        check_problem(api.delete(f"/api/v1/workspaces/{w}/nodes/api?children=keep"), 422, "invalid_request")

    def test_edges(self, api: Api, w: str) -> None:
        made = api.ask("POST", f"/workspaces/{w}/edges", 201, json={"source": "db", "target": "api", "label": "tells"})
        (name,) = made["results"][0]["ids"]
        api.batch(w, node("other"))
        changed = api.ask("PATCH", f"/workspaces/{w}/edges/{name}", json={"target": "other", "kind": "async"})
        assert changed["diff"]["edges"]["changed"][0]["fields"] == {
            "target": ["api", "other"],
            "kind": ["sync", "async"],
        }
        assert api.ask("DELETE", f"/workspaces/{w}/edges/{name}")["diff"]["edges"]["removed"] == [name]

    def test_the_document(self, api: Api, w: str) -> None:
        put = api.ask("PUT", f"/workspaces/{w}/document", json={"text": TEXT.replace("Ten", "Nine"), "eol": "crlf"})
        assert [one["new"] for one in put["diff"]["document"]] == ["Nine a month.\n"]
        assert api.ask("GET", f"/workspaces/{w}/document")["eol"] == "crlf"
        path = f"/workspaces/{w}/document/edits"
        edits = [
            {"section": "Risks", "find": "None", "replace": "Some"},
            {"section": "Cost", "find": "Nine", "replace": "8"},
        ]
        answer = api.ask("POST", path, json={"edits": edits, "explanation": "Why not"})
        assert [result["op"] for result in answer["results"]] == ["edit_section"] * 2
        one_bad = {"edits": [edits[1], {"section": "Cost", "find": "8", "replace": "7"}]}
        found = check_problem(api.send_to("POST", path, json=one_bad), 422, "batch_rejected")
        assert found["problems"][0]["code"] == "find_not_found"

    @pytest.mark.parametrize(
        "method, path, body, code",
        [
            ("POST", "/edges", {"source": "api", "target": "reads"}, "node_not_found"),
            ("POST", "/nodes", {"type": "service", "label": "X", "parent": "api"}, "not_a_group"),
        ],
    )
    def test_what_is_not_there_or_is_something_else(
        self, api: Api, w: str, method: str, path: str, body: Any, code: str
    ) -> None:
        before = api.state(w)
        response = api.send_to(method, f"/workspaces/{w}{path}", **({"json": body} if body is not None else {}))
        found = check_problem(response, 422, "batch_rejected")
        assert [one["code"] for one in found["problems"]] == [code]
        assert api.state(w) == before

    @pytest.mark.parametrize(
        "method, path, body, code, near",
        [
            ("GET", "/nodes/dbb", None, "node_not_found", "db"),
            ("PATCH", "/nodes/dbb", {"label": "x"}, "node_not_found", "db"),
            ("DELETE", "/nodes/dbb", None, "node_not_found", "db"),
            ("DELETE", "/nodes/reads", None, "node_not_found", None),
            ("GET", "/edges/readz", None, "edge_not_found", "reads"),
            ("PATCH", "/edges/readz", {"label": "x"}, "edge_not_found", "reads"),
            ("PATCH", "/edges/readz", {"label": "x", "target": "db"}, "edge_not_found", "reads"),
            ("DELETE", "/edges/readz", None, "edge_not_found", "reads"),
        ],
    )
    def test_an_address_that_leads_to_nothing(
        self, api: Api, w: str, method: str, path: str, body: Any, code: str, near: str | None
    ) -> None:
        """404 however it is asked, with the nearest ids."""
        before = api.state(w)
        response = api.send_to(method, f"/workspaces/{w}{path}", **({"json": body} if body is not None else {}))
        found = check_problem(response, 404, code)
        assert found["candidates"][:1] == ([near] if near else [])
        assert api.state(w) == before

    def test_an_address_names_a_node_by_its_id_alone(self, api: Api, w: str) -> None:
        """A node that is called like one that is gone is not deleted in its place; the body may name nodes by label."""
        api.batch(w, label("api", "cache"), {"op": "update_node", "id": "db", "label": "Data Base"})
        for method, body in (("DELETE", None), ("PATCH", {"notes": "x"})):
            url = f"/workspaces/{w}/nodes/cache"
            check_problem(
                api.send_to(method, url, **({"json": body} if body is not None else {})), 404, "node_not_found"
            )
        made = api.ask("POST", f"/workspaces/{w}/edges", 201, json={"source": "data base", "target": "Cache"})
        assert made["diff"]["edges"]["added"][0]["id"] == "db--api"

    @pytest.mark.parametrize(
        "method, path, body",
        [
            ("POST", "/nodes", {"type": "api", "label": "x"}),
            ("PATCH", "/nodes/a", {}),
            ("DELETE", "/nodes/a", None),
            ("POST", "/edges", {"source": "a", "target": "b"}),
            ("PATCH", "/edges/a", {}),
            ("DELETE", "/edges/a", None),
            ("PUT", "/document", {"text": ""}),
            ("POST", "/document/edits", {"edits": [{"section": "", "find": "a", "replace": "b"}]}),
            ("POST", "/batches", {"operations": [node("a")]}),
            ("POST", "/undo", {}),
            ("POST", "/redo", {}),
            ("POST", "/checkpoints", {"name": "x"}),
            ("DELETE", "/checkpoints/x", None),
            ("POST", "/commits/1/revert", {}),
            ("POST", "/revisions/1/restore", {}),
        ],
    )
    def test_every_write_to_no_workspace_is_the_same_404(self, api: Api, method: str, path: str, body: Any) -> None:
        options = {"json": body} if body is not None else {}
        for w in (NOBODY, "short", NOBODY + "0"):
            check_problem(api.send_to(method, f"/workspaces/{w}{path}", **options), 404, "workspace_not_found")
