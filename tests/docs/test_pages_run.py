"""What the pages tell people to type is run as it stands there, and answers what the pages say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest

from draftsmith.collab.protocol import live_schema
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import parse_batch
from tests.docs.conftest import Served
from tests.docs.pages import PAGES, REASONS, ROOT, Block, blocks_of, differences, is_promise
from tests.docs.scripts import Played, play_page, runs
from tests.timeouts import TIMEOUT_SECONDS

SAMPLE = "Checkout platform"
# Words at the beginning of a line that make it a command: such a block says `sh`, or nobody runs it.
COMMANDS = ("curl", "docker", "draftsmith", "git", "make", "npm", "pip", "python", "python3", "sudo", "systemctl")
ALL = {page: blocks_of(page) for page in PAGES}
SCRIPTS = [page for page in PAGES if any(runs(block) for block in ALL[page])]


def played(blocks: list[Block], folder: Path, served: Served) -> Played:
    return play_page(blocks, folder, served.address, {"DATA_DIR": str(served.data)})


def faults_of(blocks: list[Block], done: Played) -> list[str]:
    """Where a page's answers are not what it promises."""
    found: list[str] = []
    for index, block in enumerate(blocks):
        if is_promise(blocks, index):
            faults = differences(json.loads(block.text), done.answer(blocks[index - 1]))
            found += [f"{block.place} {fault}" for fault in faults]
        if block.refused and done.answer(block)["code"] != block.refused:
            found.append(f"{block.place} is refused with {done.answer(block)['code']}, not {block.refused}")
    return found


@pytest.mark.parametrize("page", SCRIPTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_a_page_run_and_answer_as_it_says(page: Path, served: Served, folder: Path) -> None:
    """In order, in one shell, against a real server; a refusal that the page does not speak of is a failure."""
    done = played(ALL[page], folder, served)
    assert done.status == 0, f"{page.relative_to(ROOT)}: {done.said}"
    assert faults_of(ALL[page], done) == []


BROKEN = {
    "a command that fails": "```sh\nfalse\n```\n",
    "a refused request": "```sh\ncurl -s http://127.0.0.1:8000/api/v1/workspaces/no-such-one\n```\n",
    "a request that is not refused": "<!-- refused: not_found -->\n```sh\ncurl -s http://127.0.0.1:8000/healthz\n```\n",
    "Python that raises": "```python\nraise SystemExit(3)\n```\n",
    "a name never set": '```sh\necho "$never_set"\n```\n',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_line_is_found(text: str, served: Served, folder: Path) -> None:
    """The test above can fail."""
    assert played(blocks_of(ROOT / "broken.md", text), folder, served).status != 0


def test_another_answer_than_promised_is_found() -> None:
    assert differences({"revision": 3, "id": "…"}, {"revision": 3, "id": "x", "more": 1}) == []
    assert differences({"items": [{"op": "add_node"}]}, {"items": []}) == ["/items has 0 items"]
    assert differences({"a": 1, "b": {"c": [1]}}, {"b": {"c": [2]}}) == ["/a is missing", "/b/c/0 is 2, not 1"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    """A reason is one of a short list; a block of commands cannot hide by not saying that it is one."""
    for block in ALL[page]:
        if block.not_run:
            assert block.not_run in REASONS, f"{block.place}: {block.not_run}"
        elif block.language in ("", "ask", "edit", "text"):
            words = [line.split()[0] for line in block.text.splitlines() if line.split() and not line.startswith(" ")]
            assert not set(words) & set(COMMANDS), f"{block.place} looks like commands: mark it as sh"
        else:
            assert block.language in ("sh", "python", "json", "js"), f"{block.place}: nothing runs {block.language}"


NUMBERED = [(page, number, block) for page in PAGES for number, block in enumerate(ALL[page])]
JSON = [block for page, number, block in NUMBERED if block.language == "json" and not is_promise(ALL[page], number)]


@pytest.mark.parametrize("block", JSON, ids=lambda block: block.place)
def test_json_is_what_a_schema_allows(block: Block) -> None:
    """JSON that answers nothing is a message of the live protocol, or operations."""
    assert is_allowed(json.loads(block.text)), block.place


def is_allowed(value: Any) -> bool:
    """Whether it is a frame or a message of the live protocol, a batch, or operations."""
    schema = live_schema()
    said = {**schema, "type": "object", "items": {}, "$ref": "#/$defs/ClientMessage"}
    operations = [value] if isinstance(value, dict) and "op" in value else value
    if isinstance(operations, dict) and "operations" in operations:
        operations = operations["operations"]
    if isinstance(operations, list) and operations and all(isinstance(one, dict) and "op" in one for one in operations):
        parse_batch(operations, WorkspaceLimits())
        return True
    return jsonschema_rs.is_valid(schema, value) or jsonschema_rs.is_valid(said, value)


def test_json_outside_every_schema_is_found() -> None:
    for value in ({"t": "dance"}, {"free": "form"}, [1, 2]):
        assert not is_allowed(value)


SENTENCES = [
    (block, line)
    for page, _, block in NUMBERED
    if block.language in ("ask", "edit") and page.name != "commands.md"  # that page speaks of another shop
    for line in block.text.splitlines()
]


@pytest.mark.parametrize("block,sentence", SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_sentences_for_the_sample_are_understood_there(block: Block, sentence: str, served: Served) -> None:
    """By the built-in commands; the sample stays as it is."""
    assert outcome_of(block.language, sentence, served) in ("proposed", "answered")


def test_a_sentence_that_is_not_understood_is_found(served: Served) -> None:
    assert outcome_of("edit", "add something nice to Nowhere", served) == "refused"


def outcome_of(workflow: str, sentence: str, served: Served) -> str:
    """What came of a request about the sample; `refused` where it was not understood, or did not fit."""
    asked = {"workflow": workflow, "mode": "propose" if workflow == "edit" else "auto", "prompt": sentence}
    with httpx.Client(base_url=f"{served.address}/api/v1", timeout=TIMEOUT_SECONDS) as api:
        listed = api.get("/workspaces", params={"q": SAMPLE}).json()["items"]
        run = api.post(f"/workspaces/{listed[0]['id']}/runs", json=asked, headers={"Prefer": "wait=60"}).json()
    code = (run["outcome"].get("error") or {}).get("code")
    return "refused" if code in ("not_understood", "name_unclear", "batch_rejected") else str(run["status"])
