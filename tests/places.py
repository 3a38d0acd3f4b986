"""How many files an addition takes: made-up ones are added to a copy of the project, and what must notice them is run.

`python -m tests.places` does it and prints the files of each; `--each` leaves out one edit after the other and expects
that something fails, so that no file is counted which is not needed; what the page needs is left to its compiler.
`tests/unit/test_structure.py` compares the numbers with `tests/structure.toml` and checks that the edits still fit. Not
counted: tests, what is generated, CHANGELOG.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_BACKEND: Final = "backend/draftsmith"


@dataclass(frozen=True)
class Edit:
    """Text that is added behind a line.

    Attributes:
        file: from the root of the project.
        behind: what stands there exactly once; the text comes right behind it.
        text: what is added.
    """

    file: str
    behind: str
    text: str

    def fault(self, root: Path) -> str:
        """Why it does not fit; empty if it does."""
        file = root / self.file
        count = file.read_text("utf-8").count(self.behind) if file.is_file() else 0
        return "" if count == 1 else f"{self.file}: {self.behind!r} stands there {count} times, not once"

    def apply(self, root: Path) -> None:
        """Write it."""
        file = root / self.file
        file.write_text(file.read_text("utf-8").replace(self.behind, self.behind + self.text), "utf-8")


ADDITIONS: Final[Mapping[str, Sequence[Edit]]] = {
    "an operation": (
        Edit(
            f"{_BACKEND}/transform/requests/operations.py",
            '    op: Literal["rename_workspace"]\n    name: WorkspaceName\n',
            '\n\nclass ShoutNode(Shape):\n    """Write the label of a node in capitals."""\n\n'
            '    op: Literal["shout_node"]\n    id: NodeId\n',
        ),
        Edit(f"{_BACKEND}/transform/requests/operations.py", "    | RenameWorkspace", "\n    | ShoutNode"),
        Edit(
            f"{_BACKEND}/transform/resolvers/document.py",
            '        tx.do(Rename("name", tx.workspace.name, op.name))\n',
            "\n\ndef shout_node(tx: Transaction, op: ops.ShoutNode) -> None:\n"
            '    """Write the label of a node in capitals."""\n'
            "    from draftsmith.transform.resolvers.nodes import update_node\n\n"
            '    fields = {"op": "update_node", "id": op.id, "label": tx.workspace.diagram.label(op.id).upper()}\n'
            "    update_node(tx, ops.UpdateNode.model_validate(fields))\n",
        ),
        Edit(
            f"{_BACKEND}/transform/resolve.py",
            '    "rename_workspace": document.rename_workspace,\n',
            '    "shout_node": document.shout_node,\n',
        ),
        Edit(
            f"{_BACKEND}/assistant/tools/tool_inputs.py",
            '    "rename_workspace": {"name": ""},\n',
            '    "shout_node": {"id": ""},\n',
        ),
        Edit(
            "docs/operations.md",
            "| `rename_workspace` | `name` | text | yes | |\n",
            "| `shout_node` | `id` | node id | yes | which |\n",
        ),
    ),
    "a field of a node": (
        Edit(f"{_BACKEND}/model/fields.py", '    notes="",\n', '    owner="",\n'),
        Edit(f"{_BACKEND}/model/fields.py", 'NODE_TEXTS = ("description", "technology", "notes"', ', "owner"'),
        Edit(f"{_BACKEND}/model/shapes.py", "    notes: str\n", "    owner: str\n"),
        Edit(
            f"{_BACKEND}/transform/requests/operation_fields.py",
            "    notes: LongText | None = None\n",
            "    owner: Technology | None = None\n",
        ),
        Edit(
            "docs/operations.md",
            "| `add_node` | `notes` | text | no | remarks |\n",
            "| `add_node` | `owner` | text | no | who answers for it |\n",
        ),
        Edit(
            "docs/operations.md",
            "| `update_node` | `notes` | text or null | no | null clears |\n",
            "| `update_node` | `owner` | text or null | no | null clears |\n",
        ),
        Edit("frontend/src/model/core/workspace.ts", "['technology', 'description', 'notes'", ", 'owner'"),
        Edit(
            "frontend/src/view/properties/NodeProperties.tsx",
            "        onCommit={(text) => onUpdate({ notes: text || null })}\n      />\n",
            '      <CommitField\n        label="Owner"\n        value={node.owner}\n        most={200}\n'
            "        isDisabled={isDisabled}\n"
            "        onCommit={(text) => onUpdate({ owner: text || null })}\n      />\n",
        ),
    ),
    "a route": (
        Edit(
            f"{_BACKEND}/api/routes/history.py",
            'router = APIRouter(route_class=Route, prefix=API, tags=["history"])\n',
            '\n\n@router.get("/workspaces/{w}/made-up", dependencies=[requires(Action.READ)], '
            "response_model=dict[str, int])\n"
            "async def read_made_up(workspace_id: PathWorkspaceId, context: Ctx) -> Response:\n"
            '    """Read a number that was made up: the revision."""\n'
            "    head = await context.workspaces.read(workspace_id, lambda replica: replica.head.revision)\n"
            '    return json_response({"revision": head})\n',
        ),
        Edit(
            "docs/security.md",
            "| `GET /workspaces/{w}/commits` | 401 | 404 | yes | yes | yes | yes |\n",
            "| `GET /workspaces/{w}/made-up` | 401 | 404 | yes | yes | yes | yes |\n",
        ),
    ),
}
"""What is added for each, and where. One that is needed no more, or one more, changes its bound."""

PROBE: Final = """
from draftsmith.main import contract
from tests.integration.client import Api


def test_what_was_added_works(api: Api) -> None:
    assert "owner" in contract("openapi")["components"]["schemas"]["NodeOut"]["properties"]
    w = api.create(name="Made up")
    node = {"op": "add_node", "id": "shop", "type": "service", "label": "Shop", "owner": "Ada"}
    api.batch(w, node)
    api.batch(w, {"op": "shout_node", "id": "shop"})
    [found] = api.ask("GET", f"/workspaces/{w}")["diagram"]["nodes"]
    assert (found["label"], found["owner"]) == ("SHOP", "Ada")
    api.batch(w, {"op": "update_node", "id": "shop", "owner": None})
    api.ask("POST", f"/workspaces/{w}/undo", json={})
    assert api.ask("GET", f"/workspaces/{w}")["diagram"]["nodes"][0]["owner"] == "Ada"
    assert api.ask("GET", f"/workspaces/{w}/made-up") == {"revision": 5}
"""
CHECKS: Final = (
    "tests/integration/test_made_up.py",
    "tests/unit/test_operations_table.py",
    "tests/unit/test_tools.py",
    "tests/integration/test_policy.py::test_the_page_has_the_same_table",
)


def faults(root: Path) -> list[str]:
    """What keeps the edits from fitting."""
    return [fault for edits in ADDITIONS.values() for edit in edits if (fault := edit.fault(root))]


def counts() -> dict[str, int]:
    """The files that each addition takes."""
    return {name: len({edit.file for edit in edits}) for name, edits in ADDITIONS.items()}


def copy_project(folder: Path) -> None:
    """Copy every file that git knows, or would add, as it is now; no hard links, since a copy is written into."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for file in filter(None, listed.split("\0")):
        if (ROOT / file).is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, folder / file)


@contextmanager
def copied(edits: Sequence[Edit]) -> Iterator[Path]:
    """A copy of the project with edits made and the contract written anew."""
    with tempfile.TemporaryDirectory(prefix="ds-places-") as name:
        copy = Path(name)
        copy_project(copy)
        for edit in edits:
            edit.apply(copy)
        (copy / "tests/integration/test_made_up.py").write_text(PROBE, "utf-8")
        yield copy


def fails(copy: Path) -> str:
    """What the checks say of a copy; empty where they pass."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "backend")}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-x", "-p", "no:cacheprovider", *CHECKS]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"[-3_000:]


def main() -> int:
    """Add everything to a copy, and run what must notice."""
    parser = argparse.ArgumentParser(prog="python -m tests.places", description=__doc__)
    parser.add_argument("--each", action="store_true", help="leave out one edit after the other, too")
    given = parser.parse_args()
    everything = [edit for edits in ADDITIONS.values() for edit in edits]
    with copied(everything) as copy:
        failure = fails(copy)
    print(failure or "all of it works")
    for name, count in counts().items():
        print(f"{name}: {count} files: {', '.join(dict.fromkeys(edit.file for edit in ADDITIONS[name]))}")
    needless = 0
    if given.each and not failure:
        for left_out in everything:
            if left_out.file.startswith("frontend/"):
                continue  # which the compiler of the page checks
            with copied([edit for edit in everything if edit is not left_out]) as copy:
                if not fails(copy):
                    needless += 1
                    print(f"nothing misses {left_out.file}: {left_out.text.strip().splitlines()[0]}")
    return int(bool(failure or needless))


if __name__ == "__main__":
    sys.exit(main())
