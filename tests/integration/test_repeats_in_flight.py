"""Two requests of one id at the same time: the second is a repeat of the first, or refused, whatever becomes of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.identity import identify
from tests.integration.assistant_workers import ANA
from tests.integration.live_pages import Page, worker
from tests.integration.typists import ADA, new_workspace, workers

FITS = [{"op": "add_node", "id": "fine", "type": "service", "label": "Fine"}]
SAME = [{"op": "update_node", "id": "api", "label": "Api"}]
NEVER = [{"op": "update_node", "id": "nobody", "label": "Nobody"}]
FIRST_IS = {"a change": FITS, "nothing to do": SAME, "refused": NEVER}
OTHER = [{"op": "add_node", "id": "other", "type": "service", "label": "Other"}]
RENAMED = [{"op": "rename_workspace", "name": "Shop"}]  # as it is called
ID = "the-very-same-id"


async def write(one: Workspaces, w: str, operations: list[dict[str, Any]], *, dry_run: bool = False) -> Any:
    batch = parse_batch(operations, one.limits)
    identity = identify(ADA, ID, one.clock)
    request = from_input.edit(
        identity, ADA, operations=operations, batch=batch, limits=one.limits, dry_run=dry_run
    )  # fmt: skip
    return await one.submit(w, request)


def outcome_of(answer: Any) -> Any:
    """What an answer came to: a code, or whether something changed and whether it was a repeat."""
    if isinstance(answer, DraftsmithError):
        return answer.code
    if isinstance(answer, BaseException):
        raise answer
    return answer["changed"], answer["replayed"]


@pytest.mark.parametrize("first", FIRST_IS)
async def test_another_request_under_an_id_in_flight_is_refused(redis_url: str, first: str) -> None:
    """Also where the first one is refused in the end and so leaves its id free."""
    async with workers(redis_url, "one") as [one]:
        w = await new_workspace(one, "")
        answers = await asyncio.gather(
            write(one, w, FIRST_IS[first]), write(one, w, OTHER), write(one, w, FIRST_IS[first]),
            return_exceptions=True,
        )  # fmt: skip
        expected = {"a change": (True, False), "nothing to do": (False, False), "refused": "batch_rejected"}[first]
        repeat = expected if first == "refused" else (expected[0], True)
        assert [outcome_of(answer) for answer in answers] == [expected, "key_reused", repeat]
        if first == "refused":  # and is free again once that has been said
            assert outcome_of(await write(one, w, OTHER)) == (True, False)
        else:
            with pytest.raises(DraftsmithError, match="key_reused"):
                await write(one, w, OTHER)


@pytest.mark.parametrize("first", ["a change", "nothing to do"])
async def test_at_two_workers_one_of_them_is_refused(redis_url: str, first: str) -> None:
    """The log decides which; the refused one changes nothing."""
    async with workers(redis_url, "left", "right") as both:
        for _ in range(8):
            w = await new_workspace(both[0], "")
            await both[1].read(w, lambda replica: None)
            answers = await asyncio.gather(
                write(both[0], w, FIRST_IS[first]), write(both[1], w, OTHER), return_exceptions=True
            )
            codes = [outcome_of(answer) for answer in answers]
            assert codes.count("key_reused") == 1, codes
            nodes = await both[0].read(w, lambda replica: set(replica.workspace.diagram.node_ids()))
            assert ("other" in nodes) == (codes[0] == "key_reused")


async def test_a_preview_takes_no_id(redis_url: str) -> None:
    async with workers(redis_url, "one") as [one]:
        w = await new_workspace(one, "")
        answers = await asyncio.gather(write(one, w, OTHER, dry_run=True), write(one, w, FITS))
        assert [answer["dry_run"] for answer in answers] == [True, False]


class TestPages:
    """Over one connection, where answers are told apart by the id alone."""

    @pytest.mark.parametrize("first", FIRST_IS)
    async def test_the_first_is_answered_and_then_the_second_refused(self, redis_url: str, first: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            page.send("submit", id=ID, operations=RENAMED if first == "nothing to do" else FIRST_IS[first])
            page.send("submit", id=ID, operations=OTHER)
            await page.answer(ID, 1)
            kinds = [(answer["t"], answer.get("code")) for answer in page.answers(ID)]
            expected = ("rejected", "batch_rejected") if first == "refused" else ("committed", None)
            assert kinds == [expected, ("rejected", "key_reused")]
            await self.still_works(page)

    async def test_a_second_that_cannot_be_read_does_not_take_the_answer_of_the_first(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            page.send("submit", id=ID, operations=FITS)
            page.send("submit", id=ID, operations=[{"op": "dance"}])
            page.send("type", id=ID, epoch=page.epoch, base=page.rev, changes=["none"])
            await page.answer(ID, 2)
            codes = [answer.get("code", answer["t"]) for answer in page.answers(ID)]
            assert codes == ["committed", "invalid_request", "invalid_request"]
            await self.still_works(page)

    async def test_the_same_sent_twice_is_answered_once(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            for _ in range(3):
                page.send("submit", id=ID, operations=FITS)
            await self.still_works(page)
            assert [answer["t"] for answer in page.answers(ID)] == ["committed"]

    async def still_works(self, page: Page) -> None:
        """A later write is answered, so everything before it has been."""
        done = await page.do("submit", "write-after", operations=[{**OTHER[0], "id": "after"}])
        assert done["changed"]
