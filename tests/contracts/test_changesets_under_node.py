"""Our changes to a text against the editor's own package under Node: the same values, case by case.

Cases are generated from a seed, which is printed; `CHANGESETS_SEED` repeats one. Node and the editor's packages are
there wherever the editor was built.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.transform.steps.changeset import ChangeSet, from_json, of_parts, replacing
from draftsmith.transform.steps.rebase import map_changes
from draftsmith.usecases.requests.typing_request import typed_changes
from tests.seeds import seed_named
from tests.timeouts import TIMEOUT_SECONDS

SCRIPT = Path(__file__).parents[1] / "node" / "changesets.mjs"
CASES = 3_000
# Surrogate pairs, a family of several, a flag of two, combining marks, a letter beyond the first plane, a tab.
CHARACTERS = ["a", "b", " ", "é", "e\u0301", "🚀", "👩\u200d👧", "🇨🇭", "𝒳", "漢", "\t", "\n", "\n\n"]


class Cases:
    """Texts and changes as pages make them: several cursors, neighbours that touch, deletions over insertions."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def case(self) -> dict[str, Any]:
        text = self.text()
        mine, theirs = self.changes(text), self.changes(text)
        pushes = self.chain(text, self._random.randint(1, 3))
        return {
            "doc": text,
            "mine": mine,
            "theirs": theirs,
            "after": self.changes(mine.apply(text)),
            "pushes": pushes,
            "over": self.chain(text, self._random.randint(0, 4)),
        }

    def text(self) -> str:
        most = self._random.choice([0, 1, 6, 6, 20, 20, 400])
        return "".join(self._random.choices(CHARACTERS, k=self._random.randint(0, most)))

    def chain(self, text: str, count: int) -> list[ChangeSet]:
        """Changes that follow one another."""
        found = []
        for _ in range(count):
            found.append(self.changes(text))
            text = found[-1].apply(text)
        return found

    def changes(self, text: str) -> ChangeSet:
        """Up to five replaced stretches; often at places where another change of this case may stand, too."""
        places = [0, len(text) // 3, len(text) // 2, len(text)]
        cuts = [self._random.choice([*places, self._random.randint(0, len(text))]) for _ in range(10)]
        count = self._random.choice([0, 1, 1, 2, 5])
        cuts = sorted(cuts[: 2 * count])
        spans = []
        for start, end in zip(cuts[::2], cuts[1::2], strict=True):
            written = "".join(self._random.choices(CHARACTERS, k=self._random.choice([0, 0, 1, 3])))
            spans.append((start, self._random.choice([start, end]), written))
        return replacing(text, spans)


def ours(case: dict[str, Any]) -> dict[str, Any]:
    """What we make of a case, in the form of the script's answer."""
    mine, theirs, text = case["mine"], case["theirs"], case["doc"]
    return {
        "json": mine.to_json(),
        "applied": mine.apply(text),
        "inverse": mine.invert(mine.deleted_texts(text)).to_json(),
        "mapped": map_changes(mine, theirs).to_json(),
        "mapped_before": map_changes(mine, theirs, before=True).to_json(),
        "composed": mine.compose(case["after"]).to_json(),
        "chain": [changes.to_json() for changes in chained(case["pushes"], case["over"])],
    }


def chained(pushes: Sequence[ChangeSet], over: Sequence[ChangeSet]) -> Sequence[ChangeSet]:
    """Pushes over commits: each push is mapped over the commit, and the commit over the push, for the next one."""
    for other in over:
        moved: list[ChangeSet] = []
        rest = other
        for push in pushes:
            moved.append(map_changes(push, rest))
            rest = map_changes(rest, push, before=True)
        pushes = moved
    return pushes


def theirs(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the editor's package makes of the cases."""
    content = json.dumps(cases, default=lambda changes: changes.to_json())
    done = subprocess.run(
        ["node", SCRIPT], input=content.encode(), capture_output=True, check=False, timeout=TIMEOUT_SECONDS
    )
    assert done.returncode == 0, done.stderr.decode()
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def test_the_same_values_as_the_editors_package() -> None:
    """P14: apply, invert, map both ways, compose, rebased chains and the JSON form agree, whatever is typed."""
    seed = int(seed_named("CHANGESETS_SEED"))
    generator = Cases(seed)
    cases = [generator.case() for _ in range(CASES)]
    for number, (case, answer) in enumerate(zip(cases, theirs(cases), strict=True)):
        assert ours(case) == answer, f"case {number} of seed {seed}: {case}"
        assert from_json(answer["mapped"]) == map_changes(case["mine"], case["theirs"])


def test_the_examples_of_the_protocol() -> None:
    """What docs/protocol.md shows of mapping is what both sides do."""
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
    rows = re.findall(r'^\| `(".*")` \| `(.+)` \| `(.+)` \| `(.+)` \| `(.+)` \| `(".*")` \|$', page, re.MULTILINE)
    shown = [[json.loads(cell) for cell in row] for row in rows]
    assert len(shown) >= 7
    cases, expected = [], []
    for text, mine, other, over, back, both in shown:
        one, two = from_json(mine), from_json(other)
        nothing = replacing(one.apply(text), [])
        cases.append({"doc": text, "mine": one, "theirs": two, "after": nothing, "pushes": [one], "over": [two]})
        expected.append((over, both))
        assert map_changes(two, one, before=True).to_json() == back
        assert map_changes(two, one, before=True).apply(one.apply(text)) == both
    flipped = [{**case, "mine": case["theirs"], "theirs": case["mine"]} for case in cases]
    for number, case in enumerate(flipped):
        case |= {"after": replacing(case["mine"].apply(case["doc"]), []), "pushes": [], "over": []}
        assert shown[number][4] == ours(case)["mapped_before"]
    answers = theirs([*cases, *flipped])
    for number, (case, (over, both)) in enumerate(zip(cases, expected, strict=True)):
        assert ours(case) == answers[number]
        assert answers[number]["mapped"] == over
        assert from_json(over).apply(case["theirs"].apply(case["doc"])) == both
        assert answers[len(cases) + number]["mapped_before"] == shown[number][4]


def test_the_cases_are_worth_something() -> None:
    """The generator makes what differs between implementations, so the comparison above can fail."""
    generator = Cases(1)
    cases = [generator.case() for _ in range(CASES)]
    pairs = [(case["mine"], case["theirs"]) for case in cases]
    assert sum(map_changes(mine, other) != map_changes(mine, other, before=True) for mine, other in pairs) > CASES / 20
    assert sum(any(ord(character) > 0xFFFF for character in case["doc"]) for case in cases) > CASES / 4
    assert sum(len(list(mine.changes())) > 1 for mine, _ in pairs) > CASES / 10
    assert sum(mine.is_empty for mine, _ in pairs) > CASES / 20
    assert sum(case["doc"] == "" for case in cases) > CASES / 50


@pytest.mark.parametrize(
    "shape",
    [
        [[0, "a\rb"]],
        [[0, "a\r", "b"]],
        [[0, "\ud83d"]],
        [[0, "\udc80x"]],
        [-1],
        [1.5],
        [True],
        ["a"],
        [[]],
        [["a"]],
        [[0, 5]],
        [[0, None]],
        [2**31],
        [[-1, "a"]],
        {"0": 1},
        "text",
        None,
    ],
)
def test_what_is_no_change_is_refused(shape: object) -> None:
    """CR, half a surrogate pair, and whatever is not of the form: a refusal with a sentence."""
    with pytest.raises(DraftsmithError) as refusal:
        typed_changes(shape)
    assert refusal.value.code == "invalid_request"


@pytest.mark.parametrize("changes", [[1, [0, "x"], 1], [[1]], [1, [1, "x"]]])
def test_a_split_surrogate_pair_is_refused(changes: list[Any]) -> None:
    """A rocket is two units; no change may begin or end between them."""
    parts = from_json([*changes, *([1] if changes == [[1]] else [])])
    with pytest.raises(ValueError, match="split a surrogate pair"):
        parts.apply("🚀")
    assert of_parts([(2, "")]).apply("🚀") == ""
