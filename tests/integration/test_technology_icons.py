"""Icons of technologies by the real server: in its pictures as the page exports them, and from an operator's folder."""

from __future__ import annotations

import base64
import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.cli.group import main
from tests.image_samples import svg
from tests.integration.client import Api, node
from tests.integration.servers import Server, running
from tests.integration.test_node_image_pictures import red_pixels
from tests.integration.test_picture_routes import NODE, SVG, picture
from tests.integration.test_picture_routes import png as png_of
from tests.kit.fixtures import api_fixture
from tests.technology_icons import embedded_icons, shipped_icons

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

RECT = '<rect width="40" height="40" fill="rgb(230,20,30)"/>'
HOSTILE = (
    '<script>alert(1)</script><style>@import "https://evil.example/x.css"</style><image href="/etc/passwd"/>'
    '<rect width="40" height="40" fill="rgb(230,20,30)" onload="alert(1)"/>'
)


@pytest.fixture(scope="module")
def icons_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("icons")
    (folder / "acme-billing.svg").write_bytes(svg('viewBox="0 0 40 40"', HOSTILE))
    (folder / "postgresql.svg").write_bytes(svg('viewBox="0 0 40 40"', RECT))
    (folder / "broken.svg").write_bytes(b"<svg")
    return folder


@pytest.fixture(scope="module")
def with_icons(redis_server: str, icons_folder: Path) -> Iterator[Server]:
    """A worker with an operator's folder of icons."""
    with running(redis_server, "w-icons", ICONS_DIR=str(icons_folder)) as servers:
        yield servers[0]


own = api_fixture("with_icons")


def hrefs(text: str) -> list[str]:
    """What the images of a picture hold."""
    return [image.attrib["href"] for image in ET.fromstring(text).iter(f"{SVG}image")]


def test_a_picture_has_them_as_the_page_exports_it(api: Api) -> None:
    """To the byte as Node makes it of the same icons; each once, however the technology is written."""
    w = api.create(name="Technologies")
    names = ["PostgreSQL", "postgres 17", "AWS Lambda", "k8s", "Kafka, Flink", "Nothing known", "constructor"]
    api.batch(w, *(node(f"n{at}", technology=name) for at, name in enumerate(names)))
    whole = api.read(w)
    icons = embedded_icons(whole["diagram"])
    assert len(icons["images"]) == 4
    request = {"diagram": whole["diagram"], "nodes": None, "title": whole["name"], "theme": "dark", "scale": 1, **icons}
    folder = static_folder()
    assert folder is not None
    command = ["node", "-e", NODE, str(folder / "picture" / "picture.js")]
    lines = subprocess.run(command, input=json.dumps([request]), capture_output=True, text=True, check=True).stdout
    found = picture(api, w, theme="dark")
    assert found.text == json.loads(lines)
    assert sorted(hrefs(found.text)) == sorted(icons["images"].values())
    assert len(list(ET.fromstring(found.content).iter(f"{SVG}use"))) == 5


def test_every_shipped_icon_can_be_read(api: Api) -> None:
    """What the table names is there, for good; the table itself is looked at anew."""
    answer = api.get("/icons/index.json")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("application/json", "no-cache")
    for icon in answer.json()["icons"]:
        found = api.get(f"/{icon['file']}")
        assert (found.status_code, found.headers["content-type"]) == (200, "image/svg+xml"), icon
        assert "immutable" in found.headers["cache-control"]
        assert "default-src 'none'" in found.headers["content-security-policy"]


def test_an_operator_has_icons_of_their_own(own: Api, with_icons: Server) -> None:
    """Cleaned, beside the shipped ones and in place of those with the same name; in pixels, too."""
    index = {icon["names"][0]: icon for icon in own.get("/icons/index.json").json()["icons"]}
    assert len(index) == len(shipped_names()) + 1
    for name in ("acme billing", "PostgreSQL"):
        found = own.get(f"/{index[name]['file']}")
        assert (found.status_code, found.headers["content-type"]) == (200, "image/svg+xml")
        assert not any(word in found.text for word in ("script", "alert", "style", "image ", "evil", "passwd"))
        assert "rgb(230,20,30)" in found.text
    w = own.create(name="Own")
    own.batch(
        w, node("a", technology="Acme Billing 2"), node("b", technology="Postgres"), node("c", technology="Redis")
    )
    data = [base64.b64decode(href.partition(",")[2]) for href in hrefs(picture(own, w).text)]
    files = (index[name]["file"] for name in ("acme billing", "PostgreSQL", "Redis"))
    assert sorted(data) == sorted(own.get(f"/{file}").content for file in files)
    assert red_pixels(png_of(own, w, scale=2, nodes="a").content) > 50 * 50
    assert [line["file"] for line in with_icons.logged(event="icon_left_out")] == ["broken.svg"]


def shipped_names() -> list[Any]:
    """The usual name of each shipped icon."""
    folder = static_folder()
    assert folder is not None
    return [icon["names"][0] for icon in json.loads((folder / "icons/index.json").read_bytes())["icons"]]


def test_no_other_file_of_the_folder_is_served(own: Api) -> None:
    """Nor anything beside it."""
    for name in ("acme-billing.svg", "broken.svg", "../broken.svg", "%2e%2e/broken.svg", "none.json"):
        assert own.get(f"/icons/{name}").status_code == 404


def test_the_command_draws_them(
    own: Api, icons_folder: Path, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`draftsmith export --format svg` has the icons that the server has."""
    w = own.create(name="Command")
    own.batch(w, node("a", technology="acme-billing"), node("b", technology="Redis"))
    for name, value in (("DATA_DIR", tmp_path), ("REDIS_URL", redis_url), ("ICONS_DIR", icons_folder)):
        monkeypatch.setenv(name, str(value))
    done = CliRunner().invoke(main, ["export", w, "--format", "svg"])
    assert done.exit_code == 0, f"{done.output} {done.stderr}"
    assert done.stdout == picture(own, w).text
    assert shipped_icons().find("acme-billing") is None
