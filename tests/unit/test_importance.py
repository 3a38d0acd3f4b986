"""What of a large workspace is in the first message: the most important first, up to a budget, the same every time."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from bench.states import workspace_of as grid
from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.context.context import first_message
from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.context.message_room import room_of
from draftsmith.assistant.prompts import PromptSet, prompt_set
from draftsmith.assistant.tools.lines import LEGEND
from draftsmith.assistant.tools.outline import DOCUMENT_WHOLE
from draftsmith.model.workspace import Workspace
from tests.builders import copy_of, edge, group, node, run, workspace_of

_PROMPTS = prompt_set("edit", read_prompts("edit"))


def _block(
    workspace: Workspace,
    tag: str,
    prompt: str,
    focus: Focus | None = None,
    *,
    prompts: PromptSet = _PROMPTS,
    is_small: bool = False,
) -> str:
    message = first_message(
        prompts, workspace, revision=1, prompt=prompt, focus=focus, recap=(), changed_since=(), is_small=is_small
    )
    found = re.search(rf"^<({tag}-\w{{8}})[^>\n]*>\n(.*?)\n</\1>$", message, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[2]


# -- long documents ----------------------------------------------------------------------------------------------------

_TOPICS = ("Orders", "Payments", "Rate limits", "Backups", "3. Capacity", "Incidents")


def _long(texts: Sequence[str] = (), topics: Sequence[str] = _TOPICS) -> Workspace:
    """A long document of sections of 500 characters, with a diagram beside it; `texts` come first in them, in order."""
    parts = ["# Handbook\n\nEverything we know.\n"]
    for number, topic in enumerate([*topics, *(f"Annex {name}" for name in "ABCDEFGHIJKLMNOPQRST")]):
        first = f"{texts[number]} " if number < len(texts) else ""
        parts.append(f"## {topic}\n\n{first}{'filler text. ' * 40}\n")
    nodes = [node("ledger", label="Ledger"), node("gateway", label="API gateway"), edge("gateway", "ledger")]
    workspace = workspace_of(*nodes, text="\n".join(parts))
    assert len(workspace.document.text) > DOCUMENT_WHOLE
    return workspace


def _sections(workspace: Workspace, prompt: str, focus: Focus | None = None) -> list[str]:
    """The headings of the sections that are in the message in full."""
    lines = _block(workspace, "document", prompt, focus).split("\n")
    return [line[3:] for line in lines if line.startswith("## ")]


@pytest.mark.parametrize("workflow, most", [("edit", 6_000), ("ask", 12_000), ("investigate", 12_000)])
def test_a_document_is_sent_whole_up_to_a_size(workflow: str, most: int) -> None:
    """Half as long to whoever edits as to whoever is asked; one of a character more as its outline."""
    prompts = prompt_set(workflow, read_prompts(workflow))
    for size, form in ((most, "whole"), (most + 1, "outline")):
        workspace = workspace_of(text=f"# T\n\n{'x' * (size - 6)}\n")
        assert len(workspace.document.text) == size
        document = _block(workspace, "document", "Say it shorter", prompts=prompts)
        assert (document == workspace.document.text.rstrip("\n")) == (form == "whole")


def test_a_model_that_reads_little_is_sent_little() -> None:
    """A short document whole, of a longer one a few sections; of a diagram as many lines as there is room for."""
    small, whole = room_of("edit", is_small=True), room_of("edit")
    for size in (small.document, small.document + 1):
        workspace = workspace_of(text=f"# T\n\n{'x' * (size - 6)}\n")
        document = _block(workspace, "document", "Say it shorter", is_small=True)
        assert (document == workspace.document.text.rstrip("\n")) == (size == small.document)
    everything = f"Translate {', '.join(_TOPICS)}"
    sent = [_block(_long(), "document", everything, is_small=is_small) for is_small in (True, False)]
    sections = [len(document.split("Sections that")[1]) for document in sent]
    assert small.weak_sections < sections[0] <= small.sections < sections[1]
    lines = _block(grid(150), "diagram", "Rename n7", is_small=True)
    assert lines.startswith("Too large to list")
    assert len(lines) <= small.nodes < len(_block(grid(150), "diagram", "Rename n7")) <= whole.nodes
    assert room_of("regenerate", is_small=True) == room_of("regenerate"), "what is not seen would be deleted"


@pytest.mark.parametrize(
    "prompt, heading",
    [
        ("Say in Orders that nothing is lost", "Orders"),
        ("rate LIMITS: twice as much", "Rate limits"),
        ("Capacity is 40 now", "3. Capacity"),
        ('"two of them are kept" is wrong, it is three', "Backups"),
        ("The API gateway answers within 20 ms", "Incidents"),
        ("Our backup is kept for a year", "Backups"),
        ("How long do restores take?", "Backups"),
    ],
)
def test_sections_that_a_request_names_are_in_full(prompt: str, heading: str) -> None:
    """By their heading, a phrase that stands in them, a node that they link, or words that they share."""
    texts = ["", "", "", "A restore takes an hour; two of them are kept.", "", "[it](#node/gateway) was slow."]
    workspace = _long(texts)
    assert _sections(workspace, prompt) == [heading]
    outline = _block(workspace, "document", prompt).split("\n\nSections that")[0]
    assert outline.count("\n") == 26, "beside the whole outline"


def test_what_is_selected_comes_in_full() -> None:
    """The section of the cursor, of the selected text, and those that link a selected node."""
    workspace = _long(["", "[Ledger](#node/ledger) has it all."])
    at = workspace.document.text.index("## Backups") + 20
    for focus, heading in (
        (Focus(section="## Incidents"), "Incidents"),
        (Focus.model_validate({"range": {"from": at, "to": at + 5}}), "Backups"),
        (Focus.model_validate({"nodes": ["ledger"]}), "Payments"),
    ):
        assert _sections(workspace, "Say it shorter", focus) == [heading]


def test_certain_sections_come_before_weak_ones_up_to_the_budget() -> None:
    """Headings that are named fill it; words that are shared fill half of it; what does not fit is in the outline."""
    weak = _long(["a restore needs the vault"] * 20, [f"Topic {name}" for name in "ABCDEFGHIJKLMNOPQRST"])
    shown = _sections(weak, "Who can restore from the vault?")
    assert 4 <= len(shown) <= room_of("edit").weak_sections // 500
    named = [f"Topic {name}" for name in "KLMNOPQRST"]
    certain = _sections(weak, f"Restore from the vault in {', '.join(named)}")
    assert set(named) <= set(certain)
    assert len(certain) <= room_of("edit").sections // 500
    everything = ", ".join(f"Annex {name}" for name in "ABCDEFGHIJKLMNOPQRST")
    document = _block(_long(), "document", f"Translate {everything}")
    assert len(document.split("Sections that")[1]) <= room_of("edit").sections + 1_000
    large = workspace_of(text="# T\n\n## Large\n\n" + "word " * 4_000 + "\n\n## Small\n\nA large word.\n")
    assert _sections(large, "Shorten Large") == ["Small"], "a section that is too large is in the outline only"


def test_sections_are_sent_as_they_stand() -> None:
    """In the order of the document, each with the path and the line under which it is found."""
    workspace = _long()
    document = _block(workspace, "document", "Swap Incidents and Orders")
    text = workspace.document.text
    for heading in ("## Orders", "## Incidents"):
        begin = text.index(heading)
        section = text[begin : text.index("\n## ", begin)].rstrip("\n")
        assert f"[{heading}, from line {text[:begin].count(chr(10)) + 1}]\n{section}" in document
    assert document.index("[## Orders") < document.index("[## Incidents")
    assert document == _block(copy_of(workspace), "document", "Swap Incidents and Orders")


# -- large diagrams ----------------------------------------------------------------------------------------------------


def _listed(workspace: Workspace, prompt: str, focus: Focus | None = None) -> list[str]:
    """The ids that have a line."""
    lines = _block(workspace, "diagram", prompt, focus).split("\n")
    return [line.split(" ")[0] for line in lines[lines.index(LEGEND) + 1 :]]


def test_a_diagram_of_24000_characters_is_sent_whole() -> None:
    """And one with a line more up to the budget."""
    for count, is_whole in ((240, True), (241, False)):
        workspace = workspace_of(*(node(f"n{number:03}", label="x" * 84) for number in range(count)))
        text = _block(workspace, "diagram", "Tidy up")
        assert (len(_listed(workspace, "Tidy up")) == count) == is_whole
        assert (len(text) > room_of("edit").nodes) == is_whole
        assert len(text) - len(LEGEND) == room_of("edit").diagram or not is_whole


def test_the_room_for_a_large_diagram_is_used() -> None:
    """As many nodes as 16,000 characters hold, with their edges; the rest is counted by type and by group."""
    workspace = grid(600)
    run(workspace, group("one", label="One"), *(node(f"q{number}", type="queue", parent="one") for number in range(5)))
    text = _block(workspace, "diagram", "What does Service 123 do?")
    listed = _listed(workspace, "What does Service 123 do?")
    assert room_of("edit").nodes - 200 < len(text) <= room_of("edit").nodes
    assert f"{len(listed)} of 606 nodes" in text
    assert 'n123 service "Service 123" [Go] -> n124(calls), n125(calls)' in text
    services = sum(one.startswith("n") for one in listed)
    assert re.search(rf"Not listed here \({606 - len(listed)}\): {600 - services} service", text)
    assert 'one group "One": 5 queue' in text
    assert listed == sorted(listed)


def test_nearer_nodes_come_first() -> None:
    """What is named, then what edges connect with it by distance, then its group, then the busiest."""
    workspace = grid(3_000)
    run(workspace, group("team"), *(node(f"t{number}", parent="team") for number in range(3)), edge("t0", "n2000"))
    listed = _listed(workspace, "Rename t0")
    assert {"t0", "n2000", "n2001", "n1999", "n2002", "n1998"} <= set(listed)
    assert not {"n0", "n500", "n2900"} & set(listed), "what is far away has no room"
    numbers = sorted(int(one[1:]) for one in listed if one.startswith("n"))
    assert numbers == list(range(numbers[0], numbers[-1] + 1)), "a neighbourhood without holes"
    small = grid(450)
    run(small, group("team"), *(node(f"t{number}", parent="team") for number in range(3)))
    assert {"t0", "t1", "t2", "team"} <= set(_listed(small, "Rename t0"))


def test_what_a_request_only_speaks_of_is_listed() -> None:
    """A technology, a part of a name or a word for a kind: rarer words first; what everything has says nothing."""
    workspace = grid(2_000)
    run(
        workspace,
        node("ledger-db", type="database", label="Ledger DB", technology="CockroachDB"),
        node("mail-queue", type="queue", label="Outgoing"),
        node("sign-in", type="auth", label="Sign-in for partners"),
    )
    assert "ledger-db" in _listed(workspace, "We replace CockroachDB by PostgreSQL.")
    assert "sign-in" in _listed(workspace, "Partners sign in with a passkey.")
    assert "mail-queue" in _listed(workspace, "Take the queues out.")
    assert not {"ledger-db", "mail-queue", "sign-in"} & set(_listed(workspace, "Every service speaks Go."))


def test_a_node_with_very_many_edges_leaves_room_for_others() -> None:
    """Its line names forty targets and counts the others."""
    workspace = grid(500)
    run(workspace, node("hub"), *(edge("hub", f"n{number}") for number in range(400)))
    text = _block(workspace, "diagram", "What does hub do?")
    [line] = [line for line in text.split("\n") if line.startswith("hub ")]
    assert line.count(", ") == 40
    assert line.endswith(", … and 360 more")
    assert len(_listed(workspace, "What does hub do?")) > 200


def test_a_line_that_is_too_long_keeps_no_other_out() -> None:
    """Where the last of four has no room, shorter ones have that come after it."""
    workspace = grid(500)
    for hub in ("hub-a", "hub-b", "hub-c", "hub-d"):
        run(workspace, node(hub), *(edge(hub, f"n{number}", label="y" * 120) for number in range(60)))
    listed = _listed(workspace, "What do hub-a, hub-b, hub-c and hub-d do?")
    assert {"hub-a", "hub-b", "hub-c", "n0"} <= set(listed)
    assert "hub-d" not in listed


def test_the_busiest_nodes_are_there_without_a_hint() -> None:
    """Something to begin with."""
    workspace = grid(3_000)
    run(workspace, *(edge(f"n{number}", "n2500", label="reports") for number in range(40)))
    assert "n2500" in _listed(workspace, "Tidy up")
    assert "n2501" not in _listed(workspace, "Tidy up")
