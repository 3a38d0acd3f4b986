"""Icons of technologies: which technology has which, those of an operator's folder, and how they get into pictures."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from draftsmith.adapters.files import icon_files
from draftsmith.adapters.files.icon_files import MOST_FILE_BYTES, MOST_FILES, IconFiles
from draftsmith.adapters.files.image_files import ImageFiles
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import address_of
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.node_images import MAX_ALL_ICON_BYTES, technologies_shown
from draftsmith.usecases.upkeep.pictures import Pictures
from tests.builders import group, node, workspace_of
from tests.image_samples import svg
from tests.integration.layout_workers import new, send
from tests.integration.typists import new_workspace
from tests.technology_icons import shipped_icons
from tests.unit.test_pictures import LIGHT, Drawer, picture_for

CASES = json.loads((Path(__file__).parents[1] / "fixtures/technologies.json").read_text("utf-8"))
SHAPE = '<path d="M0 0h9v9z"/>'


@pytest.mark.parametrize("technology, name", CASES)
def test_an_icon_is_found_by_exactly_its_names(technology: str, name: str | None) -> None:
    """As the page finds it, which is tried on the same cases."""
    icon = shipped_icons().find(technology)
    assert (None if icon is None else icon.names[0]) == name


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A built editor with two icons."""
    folder = tmp_path / "dist"
    (folder / "icons").mkdir(parents=True)
    icons = [
        {"id": "kafka", "names": ["Apache Kafka", "Kafka"], "file": "icons/kafka.svg"},
        {"id": "postgresql", "names": ["PostgreSQL", "Postgres"], "file": "icons/postgresql.svg"},
    ]
    (folder / "icons/index.json").write_bytes(orjson.dumps({"icons": icons}))
    for one in icons:
        (folder / str(one["file"])).write_bytes(svg(inside=f"<g id='{one['id']}'/>"))
    return folder


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """An operator's folder."""
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def test_an_editor_without_icons_has_none(tmp_path: Path) -> None:
    """One of an older release, served in place of ours."""
    assert IconFiles(tmp_path, None).find("PostgreSQL") is None


def test_files_of_the_operator_win(static: Path, own_folder: Path) -> None:
    """By each name of what they replace; what is new is known by the name of its file."""
    before = IconFiles(static, None)
    assert not before.own
    (own_folder / "postgres.svg").write_bytes(svg(inside=SHAPE))
    (own_folder / "acme-Billing.SVG").write_bytes(svg(inside=SHAPE + SHAPE))
    (own_folder / "notes.txt").write_text("no icon")
    icons = IconFiles(static, own_folder)
    assert icons.version != before.version
    database = icons.find("PostgreSQL 17")
    billing = icons.find("Acme Billing")
    assert database is not None
    assert billing is not None
    assert (database.id, database.names) == ("postgresql", ("PostgreSQL", "Postgres"))
    assert billing.names == ("acme Billing",)
    assert billing == icons.find("acme-billing 2")
    assert (icons.read(database) or b"").count(b"<path") == 1
    assert (icons.read(billing) or b"").count(b"<path") == 2
    kafka = icons.find("kafka")
    assert kafka is not None
    assert b"kafka" in (icons.read(kafka) or b"")
    index = orjson.loads(icons.own["index.json"])["icons"]
    assert [(one["id"] == "kafka", one["file"] == "icons/kafka.svg") for one in index] == [
        (True, True), (False, False), (False, False)
    ]  # fmt: skip
    assert {one["file"].removeprefix("icons/") for one in index[1:]} == set(icons.own) - {"index.json"}


def test_a_file_of_the_editor_is_read_once(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And kept, up to a bound on what a worker keeps; one that is gone is looked for again."""
    icons = IconFiles(static, None)
    kafka, database = icons.find("Kafka"), icons.find("Postgres")
    assert kafka is not None
    assert database is not None
    file = static / kafka.file
    content = file.read_bytes()
    file.rename(static / "away")
    assert icons.read(kafka) is None
    (static / "away").rename(file)
    assert icons.read(kafka) == content
    file.unlink()
    assert icons.read(kafka) == content
    monkeypatch.setattr(icon_files, "MOST_KEPT_BYTES", len(content))
    assert icons.read(database) is not None
    (static / database.file).unlink()
    assert icons.read(database) is None


def test_what_is_no_icon_is_left_out_and_said(static: Path, own_folder: Path) -> None:
    """By its name and the reason; the others are there."""
    (own_folder / "kafka.svg").write_bytes(svg(inside="<script>evil()</script>"))
    (own_folder / "go.svg").write_bytes(svg(inside=SHAPE) + b" " * MOST_FILE_BYTES)
    (own_folder / f"{'x' * 90}.svg").write_bytes(svg(inside=SHAPE))
    (own_folder / "redis.svg").write_bytes(svg(inside=SHAPE))
    icons = IconFiles(static, own_folder)
    assert [one.file for one in icons.left_out] == ["go.svg", "kafka.svg", "x" * 90 + ".svg"]
    assert "no shape" in icons.left_out[1].reason
    kafka = icons.find("kafka")
    assert kafka is not None
    assert kafka.file == "icons/kafka.svg"
    assert icons.find("redis") is not None


def test_a_folder_is_bounded(static: Path, own_folder: Path) -> None:
    """In its number of files; one that is not there is said."""
    for at in range(MOST_FILES + 1):
        (own_folder / f"icon-{at:04}.svg").write_bytes(svg(inside=SHAPE))
    icons = IconFiles(static, own_folder)
    assert [one.file for one in icons.left_out] == [str(own_folder)]
    none = own_folder / "none"
    assert [(one.file, one.reason) for one in IconFiles(static, none).left_out] == [
        (str(none), "No such file or directory")
    ]
    assert icons.find("icon 0499") is not None
    assert icons.find("icon 0500") is None


def test_what_is_shown_is_that_of_cards_without_an_image() -> None:
    """Groups are frames in a picture, and an image wins."""
    diagram = workspace_of(
        group("g", technology="Kubernetes"),
        node("inner", parent="g", technology="Postgres"),
        node("again", technology="Postgres"),
        node("outer", technology="Kafka"),
        node("own", technology="Go", image=address_of("a" * 64, "image/png")),
        node("plain"),
    ).diagram
    assert technologies_shown(diagram, None) == ["Kafka", "Postgres"]
    assert technologies_shown(diagram, ["g"]) == ["Postgres"]


async def test_icons_are_in_the_question_each_once(workspaces: Workspaces, static: Path, tmp_path: Path) -> None:
    """By the technologies that nodes have; the process that draws knows no names and reads no files."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    images = Images(ImageFiles(tmp_path / "images"))
    one = Pictures(workspaces, images, [drawer], "v1", IconFiles(static, None))
    await send(workspaces, w, [new("a", technology="Postgres"), new("b", technology="PostgreSQL 17")])
    await send(workspaces, w, [new("c", technology="Postgresqueue")])
    await picture_for(one, w)
    [question] = drawer.questions
    content = (static / "icons/postgresql.svg").read_bytes()
    data = f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"
    assert question["images"] == {"icons/postgresql": data}
    assert question["icons"] == {"Postgres": "icons/postgresql", "PostgreSQL 17": "icons/postgresql"}


async def test_the_icon_of_an_own_type_is_in_the_question(workspaces: Workspaces, static: Path, tmp_path: Path) -> None:
    """Of nodes that are of it and have no image, beside that of their technology; not of a type that no node is of."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = Pictures(workspaces, Images(ImageFiles(tmp_path / "images")), [drawer], "v1", IconFiles(static, None))
    rail = {"op": "define_type", "id": "rail", "label": "Rail", "type": "external", "technology": "Postgres"}
    await send(workspaces, w, [rail, {**rail, "id": "unused", "label": "Unused", "technology": "Kafka"}, new("a")])
    await picture_for(one, w)
    await send(workspaces, w, [{"op": "update_node", "id": "a", "type": "rail"}])
    await picture_for(one, w)
    before, after = drawer.questions
    assert "icons" not in before
    assert after["icons"] == {"Postgres": "icons/postgresql"}
    assert after["diagram"]["types"]["rail"] == {"name": "Rail", "base": "external", "icon": "Postgres"}


async def test_icons_have_room_and_need_their_files(workspaces: Workspaces, static: Path, tmp_path: Path) -> None:
    """In the order of their addresses; the picture is whole without one, and has the tag of the whole."""
    drawer, w = Drawer(), await new_workspace(workspaces, "")
    one = Pictures(workspaces, Images(ImageFiles(tmp_path / "images")), [drawer], "v1", IconFiles(static, None))
    size = len((static / "icons/postgresql.svg").read_bytes())
    (static / "icons/kafka.svg").write_bytes(b"x" * (MAX_ALL_ICON_BYTES - size + 1))
    await send(workspaces, w, [new("a", technology="Postgres"), new("b", technology="Kafka")])
    assert (await picture_for(one, w)).tag == await one.tag(WorkspaceId(w), LIGHT)
    (static / "icons/kafka.svg").unlink()
    await send(workspaces, w, [new("c")])
    await picture_for(replace(one, icons=IconFiles(static, None)), w)
    assert [list(question["images"]) for question in drawer.questions] == [["icons/kafka"], ["icons/postgresql"]]


def test_its_bound_is_that_of_the_page() -> None:
    """Both leave out the same icons, so that their pictures are equal."""
    page = Path(__file__).parents[2] / "frontend/src/model/export/nodeImages.ts"
    assert f"MAX_ALL_ICON_BYTES = {MAX_ALL_ICON_BYTES:_};" in page.read_text("utf-8")
