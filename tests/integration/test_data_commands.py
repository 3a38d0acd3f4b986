"""The commands `export`, `import`, `backup` and `recover`, as somebody types them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from draftsmith.usecases.upkeep.archives import NAMES
from tests.contracts.backends import RedisBackend, open_redis
from tests.forking import run
from tests.integration.edited_workspaces import EditedWorkspace
from tests.integration.processes import Run, get, processes_of, wait_for
from tests.kit.commands import draftsmith
from tests.timeouts import TIMEOUT_SECONDS

T = TypeVar("T")
SHOP = '# Shop\n\nSells things.\n\n```mermaid\nflowchart LR\n  web["Web"] --> api["API"]\n```\n'


def with_life(url: str, work: Callable[[RedisBackend, EditedWorkspace], Awaitable[T]]) -> T:
    async def run() -> T:
        async with open_redis(url) as store:
            return await work(store, EditedWorkspace(store.log, store.index))

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def on_a_server(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on the tests' own server, unless a test brings a data folder."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    if "embedded" in request.node.name:
        monkeypatch.delenv("REDIS_URL", raising=False)
    else:
        monkeypatch.setenv("REDIS_URL", request.getfixturevalue("redis_url"))


def test_what_was_exported_can_be_imported(tmp_path: Path) -> None:
    """JSON without a loss, Markdown with its flowchart, Mermaid and text by the names of their files, draw.io whole."""
    (tmp_path / "shop.md").write_bytes(SHOP.replace("\n", "\r\n").encode())
    first = draftsmith("import", tmp_path / "shop.md").stdout.strip()
    whole = draftsmith("export", first).stdout
    assert {node["id"] for node in json.loads(whole)["diagram"]["nodes"]} == {"web", "api"}
    draftsmith("export", first, "-o", tmp_path / "shop.json")
    assert (tmp_path / "shop.json").read_text() == whole
    second = draftsmith("import", tmp_path / "shop.json", "--name", "Second").stdout.strip()
    assert json.loads(draftsmith("export", second).stdout) == {**json.loads(whole), "name": "Second"}
    draftsmith("export", second, "--format", "markdown", "-o", tmp_path / "again.md")
    assert (tmp_path / "again.md").read_bytes() == (tmp_path / "shop.md").read_bytes()
    draftsmith("export", second, "--format", "mermaid", "-o", tmp_path / "Flow chart.mmd")
    third = draftsmith("import", tmp_path / "Flow chart.mmd").stdout.strip()
    assert json.loads(draftsmith("export", third).stdout)["name"] == "Flow chart"
    draftsmith("export", second, "--format", "text", "-o", tmp_path / "Flow.diagram.txt")
    fourth = draftsmith("import", tmp_path / "Flow.diagram.txt").stdout.strip()
    assert json.loads(draftsmith("export", fourth).stdout)["name"] == "Flow"
    assert draftsmith("export", fourth, "--format", "text").stdout == (tmp_path / "Flow.diagram.txt").read_text()
    draftsmith("export", second, "--format", "drawio", "-o", tmp_path / "plan.drawio")
    fifth = draftsmith("import", tmp_path / "plan.drawio").stdout.strip()
    assert json.loads(draftsmith("export", fifth).stdout)["diagram"] == json.loads(whole)["diagram"]
    assert len({first, second, third, fourth, fifth}) == 5


def test_an_archive_is_written(tmp_path: Path) -> None:
    """With every format; without pictures, which are named, where none can be drawn."""
    (tmp_path / "shop.md").write_text(SHOP)
    w = draftsmith("import", tmp_path / "shop.md").stdout.strip()
    draftsmith("export", w, "--format", "zip", "-o", tmp_path / "shop.zip")
    found = zipfile.ZipFile(tmp_path / "shop.zip")
    pictures = {"diagram.svg", "diagram.png"} if "diagram.svg" in found.namelist() else {"left-out.txt"}
    assert set(found.namelist()) == {*NAMES.values(), *pictures}
    assert json.loads(found.read("workspace.json")) == json.loads(draftsmith("export", w).stdout)


def test_each_page_of_a_drawing_becomes_a_workspace(tmp_path: Path) -> None:
    """Or the one that is asked for; what is not taken over is said."""
    cells = '<mxCell id="a" value="{0}" vertex="1"/><mxCell id="e" edge="1" source="a"/>'
    page = f"<mxGraphModel><root>{cells}</root></mxGraphModel>"
    pages = "".join(f'<diagram name="{name}">{page.format(name)}</diagram>' for name in ("Shop", "Page-2"))
    (tmp_path / "plan.drawio").write_text(f"<mxfile>{pages}</mxfile>")
    made = draftsmith("import", tmp_path / "plan.drawio")
    names = [json.loads(draftsmith("export", w).stdout)["name"] for w in made.stdout.split()]
    assert names == ["Shop", "Page-2"]
    assert "Shop: Shape e was not taken over: a line needs a shape at both ends" in made.stderr
    (second,) = draftsmith("import", tmp_path / "plan.drawio", "--page", 2, "--name", "Mine").stdout.split()
    whole = json.loads(draftsmith("export", second).stdout)
    assert (whole["name"], [node["label"] for node in whole["diagram"]["nodes"]]) == ("Mine", ["Page-2"])
    assert "[page_unknown]" in draftsmith("import", tmp_path / "plan.drawio", "--page", 3, code=1).output
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "[drawio_unread]" in draftsmith("import", tmp_path / "photo.png", code=1).output
    (tmp_path / "shop.md").write_text(SHOP)
    draftsmith("import", tmp_path / "shop.md", "--page", 1, code=2)


def test_a_diagram_is_exported_as_a_picture(tmp_path: Path) -> None:
    """As the server draws it, without one: whole or in part, in either theme, at any size."""
    pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")
    (tmp_path / "shop.md").write_text(SHOP)
    w = draftsmith("import", tmp_path / "shop.md").stdout.strip()
    light, dark = (draftsmith("export", w, "--format", "svg", "--theme", theme).stdout for theme in ("light", "dark"))
    assert all(f'data-id="{node}"' in light for node in ("web", "api"))
    assert light != dark
    part = draftsmith("export", w, "--format", "svg", "--node", "web").stdout
    assert 'data-id="web"' in part
    assert 'data-id="api"' not in part
    draftsmith("export", w, "--format", "png", "--scale", "2", "-o", tmp_path / "shop.png")
    content = (tmp_path / "shop.png").read_bytes()
    assert content[:4] == b"\x89PNG"
    width = int(light.partition(' width="')[2].partition('"')[0])
    assert int.from_bytes(content[16:20], "big") == 2 * width
    failed = draftsmith("export", w, "--format", "png", "--node", "gone", code=1)
    assert "node_not_found" in failed.stderr


def test_a_workspace_is_exported_as_pdf(tmp_path: Path) -> None:
    """The same file that a server answers with, without one; or what to install for it."""
    pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")
    (tmp_path / "shop.md").write_text(SHOP)
    w = draftsmith("import", tmp_path / "shop.md").stdout.strip()
    tried = subprocess.run([sys.executable, "-P", "-c", "import weasyprint"], capture_output=True, check=False)
    if tried.returncode:
        assert "[pdf_unavailable]" in draftsmith("export", w, "--format", "pdf", code=1).output
        return
    draftsmith("export", w, "--format", "pdf", "-o", tmp_path / "shop.pdf")
    assert (tmp_path / "shop.pdf").read_bytes()[:5] == b"%PDF-"


def test_refusals_say_what_and_why(tmp_path: Path) -> None:
    """In one line with the code, exit code 1; 2 for a command that makes no sense."""
    (tmp_path / "a.json").write_text('{"format": "other"}')
    (tmp_path / "b.json").write_text(
        '{"format": "draftsmith/1", "diagram": {"nodes": [{"id": "A!", "type": "x", "label": "A"}]}}'
    )
    (tmp_path / "c.bin").write_text("?")
    (tmp_path / "d.md").write_bytes(b"\xff\xfe")
    (tmp_path / "e.mmd").write_text("%% hand-drawn\ngantt\n  title Plan\n")
    for name, code in (("a.json", "file_unreadable"), ("d.md", "file_unreadable"), ("none.md", "file_unreadable")):
        assert f"[{code}]" in draftsmith("import", tmp_path / name, code=1).output
    refused = draftsmith("import", tmp_path / "b.json", code=1).output
    assert "/import/1/nodes/0" in refused
    other = draftsmith("import", tmp_path / "e.mmd", code=1).output
    assert "[mermaid_unread]" in other
    assert "Line 2: this is a Gantt chart" in other
    assert "[format_unknown]" in draftsmith("import", tmp_path / "c.bin", code=1).output
    assert "[workspace_not_found]" in draftsmith("export", "nothing", code=1).output
    assert "[workspace_not_found]" in draftsmith("export", "0" * 26, code=1).output
    assert "[file_unwritable]" in draftsmith("backup", tmp_path / "no" / "b.zip", code=1).output
    assert "[file_unreadable]" in draftsmith("recover", tmp_path / "none.zip", code=1).output
    draftsmith("recover", code=2)
    draftsmith("recover", tmp_path / "b.zip", "--repair", "0" * 26, code=2)


def test_backup_and_recover(redis_url: str, tmp_path: Path) -> None:
    """All or one, as they were or as copies; newer work stays."""
    (tmp_path / "shop.md").write_text(SHOP)
    ids = sorted(draftsmith("import", tmp_path / "shop.md", "--name", name).stdout.strip() for name in ("A", "B"))
    said = draftsmith("backup", tmp_path / "b.zip").stderr
    assert "2 of 2: Saved “" in said
    assert "2 workspaces" in said
    assert "[file_exists]" in draftsmith("backup", tmp_path / "b.zip", code=1).output
    draftsmith("backup", tmp_path / "b.zip", "--force")

    async def lose_one_and_change_one(store: RedisBackend, life: EditedWorkspace) -> None:
        await store.log.set_deleted(ids[0], True)
        await store.log.purge(ids[0])
        await store.index.remove(ids[0])
        life.w = ids[1]
        await life.grow(1)

    with_life(redis_url, lose_one_and_change_one)
    refused = draftsmith("recover", tmp_path / "b.zip", code=1).output
    assert f"Recovered: “A” ({ids[0]})" in refused or f"Recovered: “B” ({ids[0]})" in refused
    assert "[newer_exists]" in refused
    assert json.loads(draftsmith("export", ids[0]).stdout)["document"]["text"] == SHOP
    draftsmith("recover", tmp_path / "b.zip", "--workspace", ids[1], "--force")
    assert json.loads(draftsmith("export", ids[1]).stdout)["document"]["text"] == SHOP
    said = draftsmith("recover", tmp_path / "b.zip", "--workspace", ids[1], "--as-copies").stderr
    copy = said.strip().rpartition(" as ")[2].rstrip(".")
    assert json.loads(draftsmith("export", copy).stdout)["document"]["text"] == SHOP
    assert "[workspace_not_found]" in draftsmith(
        "recover", tmp_path / "b.zip", "--workspace", "0" * 26, code=1
    ).output  # fmt: skip


def test_a_frozen_workspace_is_exported_and_repaired(redis_url: str, tmp_path: Path) -> None:
    """What could not stay is written into the data folder, and said."""

    async def freeze(_: RedisBackend, life: EditedWorkspace) -> str:
        await life.begin()
        await life.grow(5)
        await life.poison()
        return life.w

    w = with_life(redis_url, freeze)
    frozen = draftsmith("export", w)
    assert "is frozen" in frozen.stderr
    said = draftsmith("recover", "--repair", w).stderr
    assert "goes on from revision 6; before, its log ended at 7" in said
    path = Path(said.strip().rpartition(": ")[2])
    assert path.is_relative_to(tmp_path / "data")
    assert [json.loads(line)["revision"] for line in path.read_text().splitlines()] == [7]
    again = draftsmith("export", w)
    assert (again.stdout, again.stderr) == (frozen.stdout, "")
    assert "Nothing to repair" in draftsmith("recover", "--repair", w).stderr


def test_embedded_commands_start_the_store_and_stop_it(tmp_path: Path) -> None:
    """Without a server, and nothing is left running; where to see it is said."""
    (tmp_path / "shop.md").write_text(SHOP)
    made = draftsmith("import", tmp_path / "shop.md")
    w = made.stdout.strip()
    assert made.stderr.splitlines()[-1] == "To see it: draftsmith serve"
    draftsmith("backup", tmp_path / "b.zip")
    other = tmp_path / "other"
    draftsmith("recover", tmp_path / "b.zip", "--data-dir", other)
    assert json.loads(draftsmith("export", w, "--data-dir", other).stdout)["document"]["text"] == SHOP
    wait_for(lambda: not processes_of(tmp_path))


def test_embedded_commands_use_the_server_that_runs(tmp_path: Path) -> None:
    """An import goes through its API, and says where it is seen; a backup goes beside it."""
    (tmp_path / "shop.md").write_text(SHOP)
    run = Run(tmp_path / "data", tmp_path, app="draftsmith.main:create_app")
    try:
        url = run.url()
        made = draftsmith("import", tmp_path / "shop.md", "--name", "Through the door")
        w = made.stdout.strip()
        assert made.stderr == f"Open it: {url}/w/{w}\n"
        shown = get(f"{url}/api/v1/workspaces/{w}")
        assert (shown["name"], shown["document"]["text"]) == ("Through the door", SHOP)
        assert "1 workspace," in draftsmith("backup", tmp_path / "b.zip").stderr
        assert "Unchanged" in draftsmith("recover", tmp_path / "b.zip").stderr
        (commit,) = get(f"{url}/api/v1/workspaces/{w}/commits")["items"]
        assert (commit["source"], commit["actor"]["id"]) == ("import", "local:api")
        (tmp_path / "bad.json").write_text('{"format": "draftsmith/1", "diagram": {"nodes": [{"id": 5}]}}')
        assert "[invalid_request]" in draftsmith("import", tmp_path / "bad.json", code=1).output
    finally:
        run.end()
    wait_for(lambda: not processes_of(tmp_path))


def test_a_folder_becomes_a_folder_of_workspaces_with_one_report(tmp_path: Path) -> None:
    """A workspace for each set, what became of each file; what tools keep for themselves is passed over."""
    plans = tmp_path / "plans"
    (plans / "deep").mkdir(parents=True)
    for name in (".git", "deep/node_modules/.cache"):
        (plans / name).mkdir(parents=True)
    (plans / "shop.md").write_text(SHOP)
    (plans / "deep" / "flow.mmd").write_text("flowchart LR\n  a[Shop] --> b[Orders]\n  classDef x fill:#f00\n")
    (plans / "broken.mmd").write_text("pie\n")
    (plans / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (plans / ".git" / "notes.md").write_text("# No\n")
    made = draftsmith("import", plans)
    names = {json.loads(draftsmith("export", w).stdout)["name"] for w in made.stdout.split()}
    assert len(names) == 2
    assert "flow" in names
    assert "plans/deep/flow.mmd: Mermaid, 1 workspace, 2 nodes, 1 not taken over" in made.stderr
    assert "plans/broken.mmd, line 1: Mermaid, not read: " in made.stderr
    assert "plans/photo.png: not recognized, left out" in made.stderr
    assert "notes.md" not in made.output
    assert made.stderr.startswith(
        f"Not looked into, being hidden or of packages and tools: {plans}/.git, {plans}/deep/node_modules\n"
    )
    draftsmith("import", plans / "missing.md", plans / "photo.png", code=1)
    (tmp_path / "other.bin").write_bytes(b"?")
    unknown = draftsmith("import", plans / "photo.png", tmp_path / "other.bin", code=1)
    assert "[format_unknown]" in unknown.output


def test_a_zip_becomes_a_folder_of_workspaces(tmp_path: Path) -> None:
    """It is read as the folder in it would be, and one that leads out of itself says so."""
    with zipfile.ZipFile(tmp_path / "plans.zip", "w") as packed:
        packed.writestr("shop.md", SHOP)
        packed.writestr("deep/flow.mmd", "flowchart LR\n  a[Shop] --> b[Orders]\n")
    made = draftsmith("import", tmp_path / "plans.zip")
    assert len(made.stdout.split()) == 2
    assert "plans.zip/deep/flow.mmd: Mermaid, 1 workspace, 2 nodes" in made.stderr
    with zipfile.ZipFile(tmp_path / "slip.zip", "w") as packed:
        packed.writestr("../shop.md", SHOP)
    refused = draftsmith("import", tmp_path / "slip.zip", code=1)
    assert "leads out of the folder" in refused.output


def test_what_is_logged_of_parsers_is_not_among_the_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Mermaid's own fail, a flowchart is read line by line, also in a zip, and that is said.

    In a process of its own: where logs go is decided once in each, so in this one by whichever test was first.
    """
    pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")
    script = tmp_path / "editor" / "charts" / "charts.js"
    script.parent.mkdir(parents=True)
    (tmp_path / "editor" / "index.html").write_text("")
    script.write_text("globalThis.draftsmithCharts = { run: () => { throw new Error('broken'); } };")
    monkeypatch.setenv("EDITOR_DIR", str(tmp_path / "editor"))
    with zipfile.ZipFile(tmp_path / "plans.zip", "w") as packed:
        packed.writestr("flow.mmd", "flowchart LR\n  a[Shop] --> b[Orders]\n")
    command = [sys.executable, "-m", "draftsmith.cli", "import", str(tmp_path / "plans.zip")]
    made = run(command, capture_output=True, text=True, env=dict(os.environ), timeout=TIMEOUT_SECONDS)
    assert made.returncode == 0, made.stderr
    assert len(made.stdout.split()) == 1
    assert "Mermaid's parser has failed, so this flowchart is read line by line" in made.stderr
    assert "engine_failed" in made.stderr


def test_files_are_compared_with_a_workspace_and_taken_over(tmp_path: Path) -> None:
    """Nothing changes without being asked for; what is gone goes only where it is named."""
    flow = tmp_path / "flow.mmd"
    (tmp_path / "empty.md").write_text("# Open\n")
    w = draftsmith("import", tmp_path / "empty.md").stdout.strip()
    flow.write_text("flowchart LR\n  shop[Shop] --> orders[Orders]\n")
    dry = draftsmith("import", flow, "--into", w)
    assert (dry.stdout, "New: node Shop (shop)" in dry.stderr) == ("", True)
    assert "Applied: revision 2" in draftsmith("import", flow, "--into", w, "--apply").stdout
    flow.write_text("flowchart LR\n  shop[Shop]\n  mail[Mail]\n")
    second = draftsmith("import", flow, "--into", w, "--apply", "--delete", "orders")
    assert "No longer there: node Orders (orders)" in second.stderr
    nodes = json.loads(draftsmith("export", w).stdout)["diagram"]["nodes"]
    assert {one["id"] for one in nodes} == {"shop", "mail"}
    assert "[node_not_found]" in draftsmith("import", flow, "--into", w, "--delete", "shop", code=1).output
    flow.write_text("flowchart LR\n  till[Till]\n")
    assert "[server_away]" in draftsmith("import", flow, "--into", w, "--propose", code=1).output
    draftsmith("import", flow, "--apply", code=2)
