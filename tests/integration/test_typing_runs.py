"""Undo of what one typed before a reload: one's own newest run that stands, on the real store."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests import from_input, typing_runs
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.upkeep.history import undo_state
from tests.integration.typists import ADA, BOB, Typist, assert_sound, new_workspace, workers

TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n"
EDIT = {"op": "edit_section", "section": "Risks", "find": "None", "replace": "Few"}


class Writer(Typist):
    """A typist who undoes as the page does after a reload."""

    async def undo_typing(self, expect: int | None = None) -> Any:
        step = from_input.undo(
            identify(self.actor, None, self.workspaces.clock), self.actor,
            limits=self.limits, scope="mine", expect=expect, force=False, touching="typing",
        )  # fmt: skip
        return await self.workspaces.submit(self.w, step)

    async def next(self) -> tuple[int | None, int | None]:
        """What undo would take of the document: typing, and a commit."""
        replica, past = await self.workspaces.log_reader(self.w)
        state = await undo_state(past, replica, self.actor.id)
        typing, commit = state["undo_typing"], state["undo_document"]
        return None if typing is None else typing["rev"], None if commit is None else commit["rev"]


async def two_writers(one: Workspaces) -> tuple[str, Writer, Writer]:
    w = await new_workspace(one, TEXT)
    return w, Writer(one, w, ADA), Writer(one, w, BOB)


async def test_the_newest_run_goes_first_then_what_came_before_it(redis_url: str) -> None:
    """A run is several pushes, whoever writes in between; an older edit comes next; both come back by redo."""
    async with workers(redis_url, "one") as [one]:
        w, ada, bob = await two_writers(one)
        await ada.edit(EDIT)
        await ada.write("known.", " Really")
        await bob.write("# Plan", " B")
        last = await ada.write("Really", " none.")
        after = TEXT.replace("None known.", "Few known.").replace("# Plan", "# Plan B")
        assert await ada.next() == (last, 2)
        assert await bob.next() == (4, None)
        done = await ada.undo_typing(expect=last)
        assert (done["kind"], done["ref"], done["changed"], done["left_out"]) == ("undo", 3, True, [])
        assert await ada.look() == after
        assert await ada.next() == (None, 2)
        assert (await ada.redo())["changed"]
        assert await ada.look() == after.replace("known.", "known. Really none.")
        assert await ada.next() == (None, 7)  # the redo is on the stack, and newer
        await ada.undo()
        assert await ada.next() == (None, 2)
        await assert_sound([one], w)


async def test_a_run_ends_at_a_pause_and_at_anything_else(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with workers(redis_url, "one") as [one]:
        _, ada, _ = await two_writers(one)
        first = await ada.write("queue", "s")
        await ada.edit({"op": "rename_workspace", "name": "Other"})
        second = await ada.write("known.", " Yet.")
        monkeypatch.setattr(typing_runs, "PAUSE_MS", 0)
        third = await ada.write("Yet.", " Not.")
        for expected in (third, second, first):
            assert (await ada.next())[0] == expected
            assert (await ada.undo_typing())["ref"] == expected
        assert await ada.look() == TEXT
        assert await ada.next() == (None, None)
        assert not (await ada.undo_typing())["changed"]


async def test_typing_that_was_taken_back_is_passed_over(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the editor's own undo, by a revert, by an undo; what was deleted does not come back a second time."""
    monkeypatch.setattr(typing_runs, "PAUSE_MS", 0)
    async with workers(redis_url, "one") as [one]:
        _, ada, bob = await two_writers(one)
        kept = await ada.write("queue", "s")
        gone = await ada.erase("We use one ")
        await bob.revert(gone, gone)
        assert await ada.look() == TEXT.replace("queue", "queues")
        assert (await ada.next())[0] == kept
        monkeypatch.setattr(typing_runs, "PAUSE_MS", 60_000)
        await ada.write("known.", " x")
        last = await ada.erase(" x")
        assert (await ada.next())[0] == last  # now one run, of which only the oldest letter is left
        assert (await ada.undo_typing())["ref"] == kept
        assert await ada.look() == TEXT


async def test_what_the_caller_did_not_see_is_not_taken(redis_url: str) -> None:
    async with workers(redis_url, "one") as [one]:
        _, ada, bob = await two_writers(one)
        seen = await ada.write("queue", "s")
        await ada.write("queues", "!")
        with pytest.raises(DraftsmithError, match="undo_moved"):
            await ada.undo_typing(expect=seen)
        assert not (await bob.undo_typing())["changed"]
        assert "queues!" in await ada.look()
