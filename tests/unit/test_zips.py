"""Zips of files of any format: what is in them comes as from a folder, and none is unbounded or leads out of itself."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest

from draftsmith.model.readers import zips
from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.readers.registry import recognize
from draftsmith.model.readers.zips import path_within, unpack_zips
from draftsmith.usecases.upkeep.files_import import read_part, read_sets

FLOW = "flowchart LR\n  shop[Shop] --> orders[Orders]\n"
PAGE = "Home a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1.md"


def zipped(files: Mapping[str, str | bytes], path: str = "docs.zip", kind: int = zipfile.ZIP_DEFLATED) -> SourceFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as writing:
        for name, content in files.items():
            writing.writestr(name, content)
    return SourceFile(path, packed.getvalue())


def reason(file: SourceFile) -> str:
    """Why nothing of a zip is read."""
    ((one,), unrecognized) = read_sets([file], None)
    assert one.problem is not None
    assert (one.recognized.reader, one.found, unrecognized) == ("zip", (), [])
    return one.problem.reason


def test_what_is_in_a_zip_is_recognized_as_in_a_folder() -> None:
    """Files that belong together are one set; what tools keep, and what is of no format, is not unpacked."""
    files = {
        "plans/": "",
        "plans/flow.mmd": FLOW,
        "plans/compose.yaml": "include: [parts/db.yaml]\nservices: {web: {image: a}}\n",
        "plans/parts/db.yaml": "services: {db: {image: postgres}}\n",
        "plans/node_modules/x/README.md": "# No",
        "plans/.git/notes.md": "# No",
        "plans/film.mp4": bytes(1_000),
    }
    found = {
        one.sources.root.path: (one.reader, len(one.sources.files))
        for one in recognize(unpack_zips([zipped(files)])).sets
    }
    assert found == {"docs.zip/plans/flow.mmd": ("mermaid", 1), "docs.zip/plans/compose.yaml": ("compose", 2)}


def test_a_set_of_a_zip_is_taken_by_its_root() -> None:
    file = zipped({"a.mmd": FLOW, "b.md": "# Two\n"})
    assert read_part([file], None, None, "docs.zip/b.md").content["name"] == "Two"
    assert read_part([file], "zip", 2).content["name"] == "Two"


def test_a_file_is_recognized_again_whatever_its_zip_is_called() -> None:
    def sources(file: SourceFile) -> list[str]:
        return [one["properties"]["source_id"] for one in read_part([file], None, None).content["diagram"]["nodes"]]

    first = sources(zipped({"plans/flow.mmd": FLOW}))
    assert (
        first
        == sources(zipped({"plans/flow.mmd": FLOW}, "docs (1).zip"))
        == sources(SourceFile("plans/flow.mmd", FLOW.encode()))
    )


@pytest.mark.parametrize(
    "path, within",
    [
        ("a.zip/b/c.md", "b/c.md"),
        ("x/A.ZIP/c.md", "c.md"),
        ("b/c.md", "b/c.md"),
        ("a.zip", "a.zip"),
        ("a.zip/b.zip/c", "b.zip/c"),
    ],
)
def test_a_path_is_that_within_the_zip(path: str, within: str) -> None:
    assert path_within(path) == within


def test_an_export_of_notion_is_left_to_its_reader() -> None:
    ((one,), _) = read_sets([zipped({PAGE: "# Home", "flow.mmd": FLOW})], None)
    assert (one.recognized.reader, one.found[0].document) == ("notion", "# Home\n")


@pytest.mark.parametrize(
    "made, said",
    [
        (lambda: zipped({"a.mmd": FLOW, "../../etc/cron.d/a.md": "x"}), "leads out of the folder"),
        (lambda: zipped({"/etc/a.md": "x"}), "leads out of it"),
        (lambda: zipped({"a.mmd": FLOW}, kind=zipfile.ZIP_LZMA), "packed in a way that is not read"),
        (lambda: zipped({f"{number}.md": "" for number in range(2_001)}), "more than 2,000 files"),
        (lambda: zipped({"film.mp4": "x"}), "nothing in it can be imported"),
        (lambda: SourceFile("a.zip", b"PK\x03\x04 and no more"), "damaged, or no zip"),
        (lambda: SourceFile("a.zip", zipped({"a.md": "x"}).content + b"PK\x01\x02" * 50_001), "more than 2,000 files"),
        (lambda: zipped({"a.md": bytes(50_000_001)}), "too much in the zips together"),
        (lambda: zipped({"b.zip": zipped({"a.mmd": FLOW}).content}), "lies in another zip"),
    ],
    ids=["slip", "absolute", "other packing", "many files", "nothing", "damaged", "many entries", "bomb", "nested"],
)  # fmt: skip
def test_a_zip_that_is_not_unpacked_says_why(made: Callable[[], SourceFile], said: str) -> None:
    assert said in reason(made())


def test_all_zips_that_come_together_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many bombs there are, what they unpack to is counted once for all of them."""
    monkeypatch.setattr(zips, "MAX_BYTES", 1_000)
    files = [zipped({f"{number}.md": "a" * 400}, f"{number}.zip") for number in range(5)]
    assert [one.path for one in unpack_zips(files)] == ["0.zip/0.md", "1.zip/1.md", "2.zip", "3.zip", "4.zip"]
