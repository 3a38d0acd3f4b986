"""Eight hours of three people typing into one document: in the evening the morning can still be taken back.

`TYPING_DAY_KEYS` says how many keys each of them presses, 5,000 an hour: 40,000 are a whole day and take a minute or
two. `TYPING_DAY_SEED` gives another day. That nobody is kept waiting meanwhile: `bench/test_typing_day.py`.
"""

from __future__ import annotations

import os

from draftsmith.usecases.upkeep.snapshot import Policy, make_snapshot
from tests.integration.typing_day import ALPHABETS, KEYS_PER_HOUR, first_row, lived
from tests.integration.typists import ADA, BOB, Typist, assert_sound, workers
from tests.seeds import seed_named

KEYS = int(os.environ.get("TYPING_DAY_KEYS", str(KEYS_PER_HOUR)))
KEYS_PER_DAY = 3 * 40_000


def of_others(text: str) -> str:
    """What Ada has not written of a document."""
    return "".join(letter for letter in text if letter not in f"{ALPHABETS[ADA]}# \n")


async def test_a_morning_can_be_taken_back_in_the_evening(redis_url: str) -> None:
    """By the rules of retention as they stand; what others wrote into it stays, in words."""
    seed = int(seed_named("TYPING_DAY_SEED"))
    async with workers(redis_url, "evening") as [one]:
        w, day, clock = await lived(one.log, seed, KEYS)
        pushes = day.pushes / (3 * KEYS)
        meta = await one.log.meta(w)
        assert meta is not None
        policy = Policy()
        for _ in range(2):  # commits go up to the snapshot before the newest
            assert (await make_snapshot(one.log, w, policy, clock)).base == 0
        assert pushes * KEYS_PER_DAY < policy.max_entries
        assert meta.log_bytes / (3 * KEYS) * KEYS_PER_DAY < policy.max_bytes

        row = await first_row(one, w)
        ada, bob = Typist(one, w, ADA), Typist(one, w, BOB)
        before = await ada.look()
        shown = await ada.revert(row["revert"]["rev"], row["revert"]["upto"], dry_run=True)
        typed = max((change["old"] for change in shown["diff"]["document"]), key=len)
        middle = before.index(typed) + len(typed) // 2
        await bob.look()
        await bob.push(*((middle + at, middle + at, "N") for at in range(8)))
        before = await ada.look()
        first, last = row["revert"]["rev"], row["revert"]["upto"]
        answer = await ada.revert(first, last)
        print(
            f"{day.pushes} pushes and {day.edits} edits, {pushes:.2f} commits a key, {meta.log_bytes / 1e6:.1f} MB, "
            f"{len(before)} characters; row of {len(row['revisions'])} taken back, "
            f"{len(answer['left_out'])} left out: {answer['left_out'][:3]}"
        )
        after = await assert_sound([one], w)
        assert answer["left_out"]
        assert all(left["why"] == "that text has been changed since" for left in answer["left_out"])
        assert of_others(after) == of_others(before)
        assert len(after) < len(before)
        await ada.undo()
        assert await assert_sound([one], w) == before

        # Others can look back to the morning as well.
        await ada.revert(first, dry_run=True)
        await bob.edit({"op": "update_node", "id": "api", "notes": "Late."}, base=first)
        await (await one.log_reader(w))[1].state(first)
