"""Laws of staged operations: carrying them over what others did neither damages nor loses anything silently."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.errors import BatchRejected, DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.staged_operations import UNBORN, StagedOperation, set_births, stage, staged_from_json
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.steps import join_text_steps, roll_back, step_from_json
from draftsmith.transform.steps.text import ChangeText, edit_of, in_one, net_of
from draftsmith.transform.undo.carry import carry
from draftsmith.transform.undo.dependencies import dependencies, with_what_they_need
from tests.builders import canonical, copy_of, run
from tests.laws.test_batches import workspaces
from tests.strategies import operations_on

Op = dict[str, Any]


def staged_on(workspace: Workspace, operations: list[Op]) -> list[StagedOperation]:
    """What of some operations can be staged one after the other, each as a batch of its own; left applied."""
    done: list[StagedOperation] = []
    for operation in operations:
        try:
            done += stage(workspace, parse_batch([operation], WorkspaceLimits()), [operation], WorkspaceLimits())
        except (BatchRejected, DraftsmithError):
            continue
    return done


@st.composite
def situations(draw: st.DrawFn) -> tuple[Workspace, list[StagedOperation], bytes]:
    """A workspace, operations staged on it (taken back again), and the bytes of what they lead to."""
    workspace = draw(workspaces())
    staged: list[StagedOperation] = []
    for _ in range(draw(st.integers(1, 5))):
        staged += staged_on(workspace, [draw(operations_on(workspace))])
    after = canonical(workspace)
    roll_back([step for one in staged for step in one.steps], workspace)
    return workspace, staged, after


def apply_some(draw: st.DrawFn, workspace: Workspace, revision: int) -> list[ChangeText]:
    """Let somebody else do something; the text steps of it."""
    texts: list[ChangeText] = []
    for _ in range(draw(st.integers(0, 3))):
        try:
            tx = run(workspace, draw(operations_on(workspace)), revision=revision)
        except DraftsmithError:
            continue
        texts += [step for step in tx.steps if isinstance(step, ChangeText)]
    return texts


@given(situations())
def test_nothing_changed_meanwhile_means_nothing_changes(
    situation: tuple[Workspace, list[StagedOperation], bytes],
) -> None:
    """Carried over nothing, all operations fit and lead to what they were staged to; taking back leaves no trace."""
    workspace, staged, after = situation
    before = canonical(workspace)
    done = carry(workspace, staged, ())
    assert not done.clashes
    assert canonical(workspace) == after
    done.roll_back(workspace)
    assert canonical(workspace) == before


@given(situations(), st.data())
def test_what_is_taken_with_all_it_needs_fits(
    situation: tuple[Workspace, list[StagedOperation], bytes], data: Any
) -> None:
    """Any choice that is closed under dependencies fits by itself."""
    workspace, staged, _ = situation
    before = canonical(workspace)
    wanted = data.draw(st.sets(st.sampled_from(range(len(staged))))) if staged else set()
    chosen = with_what_they_need(staged, wanted)
    done = carry(workspace, staged, (), chosen)
    assert done.clashes == [], (dependencies(staged), [one.asked for one in staged], chosen)
    assert done.indexes == chosen
    done.roll_back(workspace)
    assert canonical(workspace) == before


@given(situations(), st.data())
def test_over_what_others_did(situation: tuple[Workspace, list[StagedOperation], bytes], data: Any) -> None:
    """Every operation is carried whole or reported; others' work stays; it can be replayed from bytes and undone."""
    workspace, staged, _ = situation
    texts = apply_some(data.draw, workspace, 9)
    before = canonical(workspace)
    done = carry(workspace, set_births(staged, 10), texts)
    assert sorted([*done.indexes, *(clash.index for clash in done.clashes)]) == list(range(len(staged)))
    assert all(clash.why for clash in done.clashes)
    after = canonical(workspace)
    assert str(UNBORN).encode() not in after
    done.roll_back(workspace)
    assert canonical(workspace) == before
    follower = copy_of(workspace)
    for step in join_text_steps(done.steps, follower.document.text):
        assert step.conflict(follower) is None
        step.write(follower)
    assert canonical(follower) == after


@given(situations())
def test_survives_bytes(situation: tuple[Workspace, list[StagedOperation], bytes]) -> None:
    """Staged operations are the same after their JSON form."""
    workspace, staged, after = situation
    again = [staged_from_json(one.to_json()) for one in staged]
    carry(workspace, again, ())
    assert canonical(workspace) == after


def letters(text: str) -> set[str]:
    """The words of a text that only somebody else writes."""
    return {word for word in text.split() if word.startswith("foreign")}


@given(situations(), st.data())
def test_any_choice_over_what_others_did(situation: tuple[Workspace, list[StagedOperation], bytes], data: Any) -> None:
    """A choice with all it needs, over others' work: each operation as if it were alone with those it needs, or told.

    Nobody else's text is lost, what is logged can be replayed from its bytes, and taking it back leaves the others'.
    """
    workspace, staged, _ = situation
    texts = apply_some(data.draw, workspace, 9)
    texts += type_some(data.draw, workspace)
    wanted = data.draw(st.sets(st.sampled_from(range(len(staged))))) if staged else set()
    chosen = with_what_they_need(staged, wanted)
    head = copy_of(workspace)
    before, foreign = canonical(workspace), letters(workspace.document.text)
    done = carry(workspace, set_births(staged, 10), texts, chosen)
    assert sorted([*done.indexes, *(clash.index for clash in done.clashes)]) == chosen
    assert foreign <= letters(workspace.document.text), "typing of others was lost"
    after = canonical(workspace)
    follower = copy_of(head)
    for step in [step_from_json(orjson.loads(orjson.dumps(step.to_json()))) for step in done.steps]:
        assert step.conflict(follower) is None
        step.write(follower)
    assert canonical(follower) == after
    for step in reversed(done.steps):
        step.inverse().write(follower)
    assert canonical(follower) == before
    done.roll_back(workspace)
    assert canonical(workspace) == before
    # The steps of each operation, one after the other, come to the same as all of them joined.
    for one in done.operations:
        for step in one.steps:
            assert step.conflict(head) is None
            step.write(head)
    assert canonical(head) == after


@given(situations(), st.data())
def test_only_what_was_chosen_is_done(situation: tuple[Workspace, list[StagedOperation], bytes], data: Any) -> None:
    """Some operations and then the others come to the same as all of them, where nothing depends on the order."""
    workspace, staged, after = situation
    wanted = data.draw(st.sets(st.sampled_from(range(len(staged))))) if staged else set()
    chosen = with_what_they_need(staged, wanted)
    rest = [index for index in range(len(staged)) if index not in chosen]
    if any(dependencies(staged)[index] & set(chosen) for index in rest):
        return  # the rest builds on what was taken, which is another one by then
    first = carry(workspace, staged, (), chosen)
    later = [] if first.text is None else [first.text]
    second = carry(workspace, staged, later, rest)
    if not second.clashes:
        assert canonical(workspace) == after


@given(st.data())
def test_joined_texts_are_one_after_another(data: Any) -> None:
    """Many text steps as one: the same text forwards, the same backwards, whatever is between."""
    workspace = data.draw(workspaces())
    text = workspace.document.text
    steps = type_some(data.draw, workspace, most=12)
    if not steps:
        return
    one = in_one(steps)
    assert one.changes.apply(text) == workspace.document.text
    assert tuple(one.changes.deleted_texts(text)) == one.deleted
    assert one.inverse().changes.apply(workspace.document.text) == text
    net, base = net_of(workspace.document.text, steps[0].changes.length, steps)
    assert base == text
    assert net.apply(text) == workspace.document.text


def type_some(draw: st.DrawFn, workspace: Workspace, most: int = 4) -> list[ChangeText]:
    """Let somebody else type, delete and paste between any two characters, emoji among them."""
    steps: list[ChangeText] = []
    for number in range(draw(st.integers(0, most))):
        text = workspace.document.text
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 0, 1, 5])))
        new = draw(st.sampled_from([f" foreign{number}🚀 ", f"\nforeign{number}\n", "👩‍🚀", "", "x"]))
        if start == end and not new:
            continue
        step = edit_of(text, replacing(text, [(start, end, new)]))
        step.write(workspace)
        steps.append(step)
    return steps
