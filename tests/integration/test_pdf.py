"""PDF over HTTP, by the real process, and what it may load: nothing."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys

import httpx
import pytest

from draftsmith.adapters.files.editor_folder import static_folder
from draftsmith.adapters.process.pdf_writer import pdf_of
from draftsmith.adapters.server.picture_process import pictures_in
from tests.image_samples import png
from tests.integration.client import Api, edge, node
from tests.kit.fixtures import workspace_fixture
from tests.pdf_pages import PdfPage, drawing_of, pages_of

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

CHAPTERS = [f"## Chapter {at}\n\nOf chapter {at}.\n\n" + "Words and words and more words. " * 120 for at in range(1, 7)]
TEXT = "# Shop\n\nSee [Api](#node/api).\n\n" + "\n\n".join(CHAPTERS) + "\n"
KUBERNETES_BLUE = b"0.196078 0.427451 0.901961 rg"


@pytest.fixture(scope="module", autouse=True)
def has_weasyprint() -> None:
    """It is tried in a process of its own: Pango may be missing, which no package says."""
    tried = subprocess.run(
        [sys.executable, "-P", "-c", "import weasyprint"], check=False, capture_output=True, text=True
    )
    if tried.returncode:
        assert not os.environ.get("REQUIRE_PDF"), tried.stderr
        pytest.skip(
            "WeasyPrint cannot be loaded here (apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0): "
            + tried.stderr.strip().rpartition("\n")[2]
        )


w = workspace_fixture(
    [node("api", position={"x": 0, "y": 0}), node("db", position={"x": 1600, "y": 0}), edge("api", "db")],
    name="Shop",
    document={"text": TEXT},
)
"""A workspace with a wide diagram and a document of several pages."""


def pdf(api: Api, w: str) -> httpx.Response:
    return api.get(f"/api/v1/workspaces/{w}/export", params={"format": "pdf"})


def pages(api: Api, w: str) -> list[PdfPage]:
    answer = pdf(api, w)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf"), answer.text
    return pages_of(answer.content)


def test_it_is_the_exported_page_on_paper(api: Api, w: str) -> None:
    """Contents with numbers, the whole diagram on a page that lies, and the document; every page has its number."""
    found = pages(api, w)
    contents, diagram, *document = found
    assert "Contents" in contents["text"]
    assert contents["links"].count("#") >= 7
    assert (diagram["width"], diagram["height"]) == (842, 595)
    assert all((page["width"], page["height"]) == (595, 842) for page in (contents, *document))
    assert {"Api", "Db"} <= set(diagram["text"].split())
    for at, page in enumerate(found, 1):
        assert f"{at} / {len(found)}" in page["text"]
    for chapter in range(1, 7):
        at = next(at for at, page in enumerate(found, 1) if f"Of chapter {chapter}." in page["text"])
        line = next(line for line in contents["text"].splitlines() if line.startswith(f"Chapter {chapter}"))
        assert line.endswith(str(at))
    assert len(found) > 4


def test_it_has_the_images_of_the_document(api: Api, w: str) -> None:
    """From where the workspace keeps them."""
    image = png(40, 30)
    sha256 = hashlib.sha256(image).hexdigest()
    api.ask("PUT", f"/workspaces/{w}/images/{sha256}", 201, content=image, headers={"Content-Type": "image/png"})
    without = pdf(api, w).content.count(b"/Subtype /Image")
    text = f"{TEXT}\n![Figure](images/{sha256}.png)\n"
    api.ask("PUT", f"/workspaces/{w}/document", 200, json={"text": text})
    assert pdf(api, w).content.count(b"/Subtype /Image") == without + 1


def test_it_has_images_of_nodes_and_icons_of_technologies(api: Api, w: str) -> None:
    """As pictures have them: an icon as shapes in the colours of its mark, and an image in its place."""
    without = pdf(api, w).content
    assert KUBERNETES_BLUE not in drawing_of(without)
    api.batch(w, {"op": "update_node", "id": "api", "technology": "Kubernetes 1.34"})
    assert KUBERNETES_BLUE in drawing_of(pdf(api, w).content)
    image = png(40, 30)
    sha256 = hashlib.sha256(image).hexdigest()
    api.ask("PUT", f"/workspaces/{w}/images/{sha256}", 201, content=image, headers={"Content-Type": "image/png"})
    api.batch(w, {"op": "update_node", "id": "api", "image": f"images/{sha256}.png"})
    found = pdf(api, w).content
    assert found.count(b"/Subtype /Image") == without.count(b"/Subtype /Image") + 1
    assert KUBERNETES_BLUE not in drawing_of(found)


def test_it_loads_nothing() -> None:
    """Whatever a page says: no other server, no file of this one."""
    static = static_folder()
    assert static is not None
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        html = (
            f'<link rel="stylesheet" href="{address}"><style>@import "{address}";'
            f"@font-face{{font-family:x;src:url({address})}}body{{font-family:x;background:url({address})}}</style>"
            f'<img src="{address}"><img src="file:///etc/hostname"><img src="image:{"0" * 64}.png">'
            f'<object data="{address}"></object><svg><image href="{address}"/><use href="{address}#a"/></svg>'
            "Here it ends."
        )
        content = pdf_of(html, {}, {400: pictures_in(static) / "Inter-400.ttf"})
        assert "Here it ends." in pages_of(content)[0]["text"]
        with pytest.raises(BlockingIOError):
            server.accept()
