"""Typed text on the real store: rebased over what others have committed, on no stack, and taken back by range."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.record import decode_record
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Blob
from draftsmith.transform.steps.changeset import from_json
from draftsmith.usecases.replicas.log_reader import load_replica
from tests.integration.client import Api, check_problem
from tests.integration.typists import ADA, BOB, CLEO, Typist, assert_sound, entries_of, new_workspace, workers

TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone 🚀 known.\n"


async def refusal_of_push(answer: Any) -> DraftsmithError:
    """The refusal of a push that must be refused."""
    with pytest.raises(DraftsmithError) as refusal:
        await answer
    return refusal.value


async def test_what_others_committed_comes_first(redis_url: str) -> None:
    """P14: two people on two workers type into one word from one base; both are there, the first to commit first."""
    async with workers(redis_url, "left", "right") as both:
        w = await new_workspace(both[0], TEXT)
        ada, bob = Typist(both[0], w, ADA), Typist(both[1], w, BOB)
        await ada.look()
        await bob.look()
        at = TEXT.index("queue")
        await ada.push((at, at, "big "))
        answer = await bob.push((at, at, "fast "), (at, at + 5, "bus"))
        assert (answer["kind"], answer["changed"], answer["revision"]) == ("text", True, 3)
        assert await assert_sound(both, w) == TEXT.replace("queue", "big fast bus")


async def test_a_base_far_behind_is_read_from_the_log(redis_url: str) -> None:
    """A page that slept through two thousand commits, more than memory holds, still gets its words in."""
    async with workers(redis_url, "left") as both:
        w = await new_workspace(both[0], TEXT)
        ada, bob = Typist(both[0], w, ADA), Typist(both[0], w, BOB)
        await ada.look()
        for number in range(2_000):
            await bob.look()
            await bob.push((0, 0, "🚀" if number % 7 == 0 else "-"))
        at = len(TEXT) - 1
        await ada.push((at, at, " Really."))
        text = await assert_sound(both, w)
        assert text.endswith("None 🚀 known. Really.\n")


async def test_a_base_that_is_gone_is_refused(redis_url: str) -> None:
    """Another epoch or history, a revision that is not there, one that was trimmed, one too far back: `base_gone`."""
    async with workers(redis_url, "left") as [one]:
        w = await new_workspace(one, TEXT)
        ada = Typist(one, w, ADA)
        await ada.look()
        await ada.push((0, 0, "a"), given="first-push")
        ada.epoch = "another"
        assert (await refusal_of_push(ada.push((0, 0, "b")))).code == "base_gone"
        await ada.look()
        for revision in (1, 2):  # as after a failover that lost the tail, whose numbers were filled anew
            ada.base, ada.head = revision, Head(ada.epoch, revision, "0123456789abcdef")
            assert (await refusal_of_push(ada.push((0, 0, "b")))).code == "base_gone"
        await ada.look()
        ada.base += 1
        assert (await refusal_of_push(ada.push((0, 0, "b")))).code == "base_gone"
        for _ in range(2):
            replica = await load_replica(one.log, w)
            head = replica.head
            assert await one.log.put_snapshot(w, Blob(head.epoch, head.revision, head.chain, 0, replica.dump())) == "ok"
            await ada.edit({"op": "rename_workspace", "name": f"Shop {head.revision}"})
        assert await one.log.trim(w, ada.epoch, 2) == 2
        one.forget(w)
        ada.base, ada.text = 1, TEXT
        assert (await refusal_of_push(ada.push((0, 0, "b")))).code == "base_gone"
        assert await assert_sound([one], w) == "a" + TEXT


async def test_a_repeat_is_answered_from_the_log(redis_url: str) -> None:
    """The same push again, on any worker, however much came since: once in the log; another under its id is refused."""
    async with workers(redis_url, "left", "right") as both:
        w = await new_workspace(both[0], TEXT)
        ada, again, bob = (Typist(both[side], w, who) for side, who in ((0, ADA), (1, ADA), (1, BOB)))
        for one in (ada, again, bob):
            await one.look()
        first = await ada.push((0, 0, "once "), given="push-0001")
        await bob.push((0, 0, "twice "))
        repeat = await again.push((0, 0, "once "), given="push-0001")
        assert (first["replayed"], repeat["replayed"]) == (False, True)
        assert first["revision"] == repeat["revision"] == 2
        again.base = 99
        other = await refusal_of_push(again.push((0, 0, "once "), given="push-0001"))
        assert other.code == "key_reused"  # it says something else now
        assert (await assert_sound(both, w)).count("once") == 1


async def test_what_does_not_fit_is_refused(redis_url: str) -> None:
    """A wrong length, a split surrogate pair: refused with a sentence, and nothing is changed."""
    async with workers(redis_url, "left") as [one]:
        w = await new_workspace(one, TEXT)
        ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
        await ada.look()
        await bob.look()
        length = len(TEXT) + 1  # a rocket is two units
        rocket = TEXT.index("🚀")
        wrong: list[list[Any]] = [
            [length - 1, [0, "x"]],
            [rocket + 1, [0, "x"], length - rocket - 1],
            [rocket, [1], length - rocket - 1],
        ]
        for changes in wrong:
            refusal = await refusal_of_push(ada.push_changes(from_json(changes)))
            assert refusal.code == "invalid_request"
            assert "revision 1" in refusal.detail
        await bob.push((0, 0, "b"))
        assert (await refusal_of_push(ada.push_changes(from_json(wrong[0])))).code == "invalid_request"
        assert await assert_sound([one], w) == "b" + TEXT


async def test_the_document_has_a_limit(redis_url: str) -> None:
    """Typing beyond it is refused; making a document shorter that is too long already is not."""
    async with workers(redis_url, "left") as [one]:
        w = await new_workspace(one, TEXT)
        ada = Typist(one, w, ADA, WorkspaceLimits(document_chars=len(TEXT) + 3))
        await ada.look()
        assert (await refusal_of_push(ada.push((0, 0, "1234")))).code == "limit_document"
        assert (await ada.push((0, 0, "123")))["changed"]
        small = Typist(one, w, ADA, WorkspaceLimits(document_chars=10))
        await small.look()
        assert (await refusal_of_push(small.push((0, 0, "x")))).code == "limit_document"
        assert (await small.push((0, 3, "")))["changed"]
        assert await assert_sound([one], w) == TEXT


async def test_what_changes_nothing_makes_no_commit(redis_url: str) -> None:
    """Deleting what others have deleted, writing what stands there, nothing at all: answered, and not committed."""
    async with workers(redis_url, "left") as [one]:
        w = await new_workspace(one, TEXT)
        ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
        await ada.look()
        await bob.look()
        await ada.push((0, 6, ""))
        for cuts in ([(0, 6, "")], [(8, 10, "We")], []):
            answer = await bob.push(*cuts)
            assert (answer["changed"], answer["revision"]) == (False, 2)
        assert len(await entries_of(one, w)) == 2


async def test_a_commit_says_where_and_holds_only_what_changed(redis_url: str) -> None:
    """Kind, door and sentence as of any commit; on no stack; the log holds the push and not the document."""
    async with workers(redis_url, "left") as [one]:
        w = await new_workspace(one, TEXT + "lorem ipsum " * 5_000)
        ada = Typist(one, w, ADA)
        await ada.edit({"op": "update_node", "id": "api", "label": "Front"})
        revision = await ada.write("None 🚀", "\nmuch")
        entry = (await entries_of(one, w))[revision - 1]
        record = decode_record(entry.body)
        assert (entry.kind, entry.scope, record.source) == ("text", "", "page")
        assert record.what == "Edited “Risks” in the document"
        assert record.places == [["# Plan ## Risks", 7, 7]]
        assert not record.warnings
        assert len(entry.body) < 250
        undone = await ada.undo()
        assert (undone["ref"], undone["changed"]) == (revision - 1, True)
        assert "🚀\nmuch" in await ada.look()


async def test_many_type_at_once(redis_url: str) -> None:
    """Sixty pushes, an edit of the diagram and one of the document at one time: each word once, in far fewer groups."""
    async with workers(redis_url, "left") as [one]:
        w = await new_workspace(one, TEXT)
        typists = [Typist(one, w, actor) for actor in (ADA, BOB, CLEO) * 20]
        for typist in typists:
            await typist.look()
        groups, at = one.counters.groups, TEXT.index("known")
        quote = {"op": "edit_section", "section": "Risks", "find": "None", "replace": "Hardly any 🚀"}
        await asyncio.gather(
            *(typist.push((at, at, f"<{number}>")) for number, typist in enumerate(typists)),
            typists[0].edit({"op": "update_node", "id": "api", "label": "Front"}),
            typists[1].edit(quote),
            *(typist.push((0, 0, f"[{number}]")) for number, typist in enumerate(typists)),
        )
        text = await assert_sound([one], w)
        for number in range(60):
            assert text.count(f"<{number}>") == text.count(f"[{number}]") == 1
        assert len(await entries_of(one, w)) == 123
        assert one.counters.groups - groups <= 12


class TestRevertOfARange:
    async def test_takes_back_one_persons_typing_among_others(self, redis_url: str) -> None:
        """One commit takes back what Ada typed; what Bob typed in between and the diagram's edits stay."""
        async with workers(redis_url, "left", "right") as both:
            w = await new_workspace(both[0], TEXT)
            ada, bob = Typist(both[0], w, ADA), Typist(both[1], w, BOB)
            first = await ada.write("one queue", ", and it ")
            await bob.write("Plan", " B 🚀")
            await ada.write("and it ", "is fast")
            await bob.edit({"op": "update_node", "id": "api", "label": "Front"})
            await ada.erase("None 🚀")
            last = await ada.write("is fast", "er")
            await bob.write("known", " yet")
            before = await assert_sound(both, w)
            answer = await bob.revert(first, last)
            assert (answer["kind"], answer["ref"], answer["left_out"]) == ("revert", first, [])
            expected = TEXT.replace("Plan", "Plan B 🚀").replace("known", "known yet")
            assert await assert_sound(both, w) == expected
            what = decode_record((await entries_of(both[0], w))[-1].body).what
            assert what == "Reverted: Edited “Plan B 🚀”, “Risks” in the document"

            # The revert stands on Bob's stack, and going to and fro leaves nothing behind.
            assert not (await ada.undo())["changed"]
            assert (await bob.undo())["ref"] == answer["revision"]
            assert await assert_sound(both, w) == before
            await bob.redo()
            assert await assert_sound(both, w) == expected

    async def test_leaves_out_what_others_changed_and_says_so(self, redis_url: str) -> None:
        """Stretches that Bob wrote into stay, in words; what he deleted altogether needs no word; the rest goes."""
        async with workers(redis_url, "left") as [one]:
            w = await new_workspace(one, TEXT)
            ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
            first = await ada.write("one queue", " alpha")
            for before, word in (("alpha", " beta"), ("beta", " gamma"), ("gamma", " delta")):
                last = await ada.write(before, word)
            await bob.write(" ga", "RRR")
            await bob.erase(" beta")
            answer = await ada.revert(first, last)
            assert answer["left_out"] == [{"what": "the typed text “gamma”", "why": "that text has been changed since"}]
            assert await assert_sound([one], w) == TEXT.replace("queue", "queue gaRRRmma")

    async def test_shows_what_would_happen(self, redis_url: str) -> None:
        """A dry run says the same and does nothing; a second revert finds nothing and makes no commit."""
        async with workers(redis_url, "left") as [one]:
            w = await new_workspace(one, TEXT)
            ada = Typist(one, w, ADA)
            first = await ada.write("queue", "s")
            last = await ada.write("queues", "!")
            dry = await ada.revert(first, last, dry_run=True)
            done = await ada.revert(first, last)
            assert dry["diff"] == done["diff"]
            again = await ada.revert(first, last)
            assert (again["changed"], again["left_out"]) == (False, [])
            assert len(await entries_of(one, w)) == last + 1

    async def test_refuses_what_is_no_range_of_typing(self, redis_url: str) -> None:
        """An end before the beginning, beyond the head, a beginning that was not typed."""
        async with workers(redis_url, "left") as [one]:
            w = await new_workspace(one, TEXT)
            ada = Typist(one, w, ADA)
            await ada.edit({"op": "rename_workspace", "name": "Bank"})
            typed = await ada.write("queue", "s")
            assert (await refusal_of_push(ada.revert(typed, typed - 1))).code == "invalid_request"
            assert (await refusal_of_push(ada.revert(typed, typed + 1))).code == "revision_unknown"
            assert (await refusal_of_push(ada.revert(2, typed))).code == "not_revertable"
            assert (await refusal_of_push(ada.revert(1, typed))).code == "not_revertable"
            assert (await ada.revert(typed, typed))["changed"]
            assert await assert_sound([one], w) == TEXT


class TestRowsOfTyping:
    async def test_are_listed_page_by_page_and_taken_back(self, api: Api, redis_url: str) -> None:
        """Two people's typing, to and fro: two rows, whatever the page size; a row says what takes it back."""
        async with workers(redis_url, "left") as [one]:
            w = await new_workspace(one, TEXT)
            ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
            for number in range(5):
                await ada.write("queue", f" a{number}")
                await bob.write("known", f" b{number}")
            await bob.edit({"op": "update_node", "id": "api", "label": "Front"})
            await ada.write("queue", " a5")
            rows = history_rows(api, w, limit=1)
            assert [row["revisions"] for row in rows] == [[13, 10, 8, 6, 4, 2], [12], [11, 9, 7, 5, 3], [1]]
            assert rows == history_rows(api, w, limit=50)
            assert (rows[0]["what"], rows[0]["counts"]["text"]) == ("Typed in “Plan”", 6)
            asked = rows[0]["revert"]
            answer = api.ask("POST", f"/workspaces/{w}/commits/{asked['rev']}/revert", json={"upto": asked["upto"]})
            assert (answer["kind"], answer["ref"], answer["left_out"]) == ("revert", 2, [])
            assert api.read(w)["document"]["text"] == TEXT.replace("known", "known b4 b3 b2 b1 b0")
            single = api.ask("GET", f"/workspaces/{w}/commits/3")["revert"]
            assert single == {"rev": 3, "upto": 3}
            assert [row["revert"] for row in (rows[1], rows[3])] == [{"rev": 12, "upto": None}, None]

    async def test_a_cursor_of_another_form_is_refused(self, api: Api, redis_url: str) -> None:
        """What is no cursor of this list: 422, and not a page of something."""
        async with workers(redis_url, "left") as [one]:
            w = await new_workspace(one, TEXT)
            for parts in ([1], [1, 2], [1, ["2"]], [1, [0]], [0, []], [1, [True]], [1, [2**53]], [1, [], 3]):
                text = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()
                path = f"/api/v1/workspaces/{w}/commits"
                check_problem(api.get(path, params={"grouped": True, "cursor": text}), 422, "invalid_request")


def history_rows(api: Api, w: str, limit: int) -> list[dict[str, Any]]:
    """All rows of the history, page by page."""
    rows: list[dict[str, Any]] = []
    query: dict[str, Any] = {"grouped": True, "limit": limit}
    while True:
        page = api.ask("GET", f"/workspaces/{w}/commits", params=query)
        rows += page["items"]
        if page["next_cursor"] is None:
            return rows
        assert len(page["items"]) == limit
        query["cursor"] = page["next_cursor"]
