"""Hostile files: what each would do to whoever reads it without bounds, and how a workspace made of it is answered."""

from __future__ import annotations

import base64
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from tests.hostile.images import SCRIPTS
from tests.image_samples import png, svg

REFUSED: Final = "422 source_unread"
UNKNOWN: Final = "422 format_unknown"
MADE: Final = "201"

_Files = Mapping[str, str | bytes]
_PAGE: Final = "Home a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1.md"
_BYTES: Final = 4_900_000  # of one file, below the bounds of most formats
_ZIPS: Final = tuple(f"{number}.zip" for number in range(6))


@dataclass(frozen=True, slots=True)
class HostileFiles:
    """What is sent, and the status and code of the answer; `files` makes them by path."""

    name: str
    answer: str
    files: Callable[[], _Files]

    def body(self) -> bytes:
        """The body that makes a workspace of them."""
        contents = {path: one if isinstance(one, bytes) else one.encode() for path, one in self.files().items()}
        sent = [{"path": path, "content_base64": base64.b64encode(one).decode()} for path, one in contents.items()]
        return json.dumps({"import": {"format": "files", "files": sent}}).encode()


def _packed(markup: str) -> str:
    """A page as draw.io packs it."""
    deflating = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflating.compress(quote(markup, safe="").encode()) + deflating.flush()).decode()


def _page(inside: str) -> str:
    return f'<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>{inside}</root></mxGraphModel>'


def _box(number: int, label: str = "Box") -> str:
    place = f'<mxGeometry x="{number * 200}" width="120" height="60" as="geometry"/>'
    return f'<mxCell id="n{number}" value={quoteattr(label)} style="html=1;" vertex="1" parent="1">{place}</mxCell>'


def _pages(markup: str, count: int) -> str:
    """A drawing with the same packed page again and again."""
    return f"<mxfile>{f'<diagram>{_packed(markup)}</diagram>' * count}</mxfile>"


def _png(keyword: bytes, packed: bytes) -> bytes:
    chunk = keyword + b"\0\0" + packed
    return b"\x89PNG\r\n\x1a\n" + len(chunk).to_bytes(4, "big") + b"zTXt" + chunk + bytes(4)


def _zip(files: _Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as writing:
        for path, content in files.items():
            writing.writestr(path, content)
    return packed.getvalue()


def _drawing(content: str | bytes, name: str = "a.drawio") -> Callable[[], _Files]:
    return lambda: {name: content}


def _variables() -> _Files:
    """75,000 variables, each of which is a long one written out."""

    def pod(name: str, count: int) -> str:
        named = ", ".join(f"{{name: V{number}, value: $(A)}}" for number in range(count))
        long = f"{{name: A, value: {'x.' * 9_990}svc}}"
        return (
            f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n"
            f"spec: {{containers: [{{name: a, image: a, env: [{long}, {named}]}}]}}\n"
        )

    return {"a.yaml": pod("a", 37_500), "b.yaml": pod("b", 37_500)}


def _laughs() -> str:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    return f"services: {{web: {{image: a}}}}\nl0: &l0 [a]\n{levels}"


def _doubling_includes() -> _Files:
    files = {f"f{n}.dsl": f"!include f{n + 1}.dsl\n!include f{n + 1}.dsl\n" for n in range(25)}
    return {"a.dsl": "workspace {\n!include f0.dsl\n}\n", **files, "f25.dsl": "# the end\n"}


def _doubling_constants() -> str:
    lines = [f'!const C{n} "{"${C" + str(n - 1) + "}"}{"${C" + str(n - 1) + "}"}"' for n in range(1, 40)]
    return "\n".join(['workspace "${C39}" {', '!const C0 "lol"', *lines, "model {", 'a = person "${C39}"', "}", "}"])


def _images(count: int) -> bytes:
    """An export of Notion that shows images of ten megabytes, which are packed to nothing."""
    page = "# Home\n\n" + "".join(f"![](a{number}.png)\n" for number in range(count))
    return _zip({_PAGE: page, **{f"a{n}.png": png(salt=bytes([n]) + bytes(9_900_000)) for n in range(count)}})


_ENTITIES: Final = "".join(
    f'<!ENTITY {after} "{f"&{before};" * 10}">' for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)
_DOCTYPE: Final = f'<!DOCTYPE mxfile [<!ENTITY a "ha">{_ENTITIES}]>'
_FAR: Final = '<!DOCTYPE mxfile [<!ENTITY far SYSTEM "file:///etc/passwd">]>'
_HTML: Final = '<img src=x onerror="alert(1)"><script>alert(1)</script><a href="javascript:alert(1)">Go</a>'

HOSTILE_FILES: Final = (
    HostileFiles("draw.io: a thousand million laughs", REFUSED, _drawing(f"{_DOCTYPE}<mxfile>&i;</mxfile>")),
    HostileFiles("draw.io: a file of the server", REFUSED, _drawing(f"{_FAR}<mxfile>&far;</mxfile>")),
    HostileFiles("draw.io: a million levels", REFUSED, lambda: {"a.drawio": "<mxfile>" + "<a>" * 1_000_000}),
    HostileFiles("draw.io: two million elements", REFUSED, lambda: {"a.drawio": "<mxfile>" + "<a/>" * 2_000_000}),
    HostileFiles("draw.io: a page of 60 MB in 60 KB", REFUSED, lambda: {"a.drawio": _pages(" " * 20_000_000, 1)}),
    HostileFiles("draw.io: 500 packed pages of 1 MB", MADE, lambda: {"a.drawio": _pages(_page(" " * 330_000), 500)}),
    HostileFiles(
        "draw.io: 500 packed pages of 4,000 elements", MADE,
        lambda: {"a.drawio": _pages(_page(_box(1) + "<a/>" * 4_000), 500)},
    ),
    HostileFiles(
        "draw.io: a PNG that unpacks to 60 MB", REFUSED,
        lambda: {"a.drawio.png": _png(b"mxfile", zlib.compress(b" " * 60_000_000))},
    ),
    HostileFiles(
        "draw.io: scripts in an SVG", MADE,
        lambda: {"a.drawio.svg": svg(f"content={quoteattr(f'<mxfile><diagram>{_page(_box(1))}</diagram></mxfile>')}",
                                     inside=SCRIPTS)},
    ),
    HostileFiles("draw.io: scripts in labels", MADE, _drawing(_page(_box(1, _HTML)))),
    HostileFiles("Excalidraw: a million levels", REFUSED,
                 lambda: {"a.excalidraw": '{"type":"excalidraw","elements":' + "[" * 1_000_000}),
    HostileFiles("Excalidraw: half a million elements", REFUSED, lambda: {
        "a.excalidraw": '{"type":"excalidraw","elements":[' + ",".join(['{"type":"a"}'] * 500_000) + "]}"}),
    HostileFiles("YAML: aliases for 100 thousand million values", REFUSED, lambda: {"compose.yaml": _laughs()}),
    HostileFiles("YAML: an alias within what it repeats", REFUSED,
                 lambda: {"compose.yaml": "services: &a {web: {image: a, x: *a}}\n"}),
    HostileFiles("YAML: five million brackets", REFUSED, lambda: {"compose.yaml": "services: " + "[" * _BYTES}),
    HostileFiles("compose: defaults in defaults", MADE, lambda: {
        "compose.yaml": f"services: {{web: {{image: '{'${A:-' * 6_000}x{'}' * 6_000}'}}}}\n"}),
    HostileFiles("compose: files that include one another", MADE, lambda: {
        "compose.yaml": "include: [b.yaml]\nservices: {web: {image: a}}\n",
        "b.yaml": "include: [compose.yaml]\nservices: {db: {image: b}}\n"}),
    HostileFiles("compose: services that extend one another", MADE, lambda: {
        "compose.yaml": "services: {a: {extends: b, image: x}, b: {extends: a, image: y}}\n"}),
    HostileFiles("Kubernetes: $(A) in 75,000 variables", REFUSED, _variables),
    HostileFiles("Kubernetes: a million levels of JSON", REFUSED,
                 lambda: {"a.json": '{"apiVersion":"v1","kind":"Pod","spec":' + '{"a":' * 900_000}),
    HostileFiles("Structurizr: includes in circles", MADE, lambda: {
        "a.dsl": "workspace {\nmodel {\na = person \"A\"\n!include b.dsl\n}\n}\n", "b.dsl": "!include a.dsl\n"}),
    HostileFiles("Structurizr: includes that double 25 times", REFUSED, _doubling_includes),
    HostileFiles("Structurizr: constants that double 39 times", REFUSED, lambda: {"a.dsl": _doubling_constants()}),
    HostileFiles("Structurizr: files of the server and of the network", MADE, lambda: {
        "a.dsl": "workspace {\n!include ../../../etc/passwd\n!include http://169.254.169.254/latest\n"
                 "model {\na = person \"A\"\n}\n}\n"}),
    HostileFiles("Structurizr: a million blocks in one another", REFUSED,
                 lambda: {"a.dsl": "workspace {\n" + "model {\n" * 600_000}),
    HostileFiles("DOT: a million levels", REFUSED, lambda: {"a.dot": "digraph {" + "subgraph {" * 400_000}),
    HostileFiles("DOT: half a million nodes", REFUSED,
                 lambda: {"a.dot": "digraph {" + ";".join(f"n{n}" for n in range(500_000)) + "}"}),
    HostileFiles("DOT: scripts in HTML labels", MADE, lambda: {"a.dot": f"digraph {{ a [label=<{_HTML}>] }}"}),
    HostileFiles("Mermaid: half a million lines", REFUSED,
                 lambda: {"a.mmd": "flowchart LR\n" + "".join(f"n{n} --> n{n + 1}\n" for n in range(500_000))}),
    HostileFiles("diagram as text: a million lines", REFUSED,
                 lambda: {"a.diagram.txt": "".join(f"n{n} -> n{n + 1}\n" for n in range(500_000))}),
    HostileFiles("Markdown: a million headings", REFUSED, lambda: {"a.md": "#\n" * 1_000_000}),
    HostileFiles("Markdown: half a million underlined headings", REFUSED, lambda: {"a.md": "a\n=\n" * 500_000}),
    HostileFiles("Markdown: a million headings, lines end at CR", REFUSED, lambda: {"a.md": "#\r" * 1_000_000}),
    HostileFiles("Markdown: 20 MB of brackets", REFUSED, lambda: {"a.md": "[" * 20_000_000}),
    HostileFiles("Markdown: a heading of 9 MB of brackets", "422 batch_rejected",
                 lambda: {"a.md": "# " + "[" * 9_000_000}),
    HostileFiles("Notion: a page of 2 MB of headings and links", REFUSED, lambda: {
        "Export.zip": _zip({_PAGE: "# [a](b.md)\n" * 160_000})}),
    HostileFiles("Notion: a page of 80 MB", REFUSED, lambda: {"Export.zip": _zip({_PAGE: "#\n" * 40_000_000})}),
    HostileFiles("Notion: a zip of 320 MB in 320 KB", REFUSED, lambda: {
        "Export.zip": _zip({_PAGE: "# Home", "a.png": bytes(320_000_000)})}),
    HostileFiles("Notion: six zips of 60 MB in a zip", REFUSED, lambda: {
        "Export.zip": _zip({_PAGE: "# Home", **dict.fromkeys(_ZIPS, _zip({"a.png": bytes(60_000_000)}))})}),
    HostileFiles("Notion: 200 MB of images in 200 KB", MADE, lambda: {"Export.zip": _images(20)}),
    HostileFiles("Notion: a path that leads out", REFUSED, lambda: {
        "Export.zip": _zip({_PAGE: "# Home", "../../etc/cron.d/a": "x"})}),
    HostileFiles("Notion: 20,000 files", REFUSED, lambda: {
        "Export.zip": _zip({_PAGE: "# Home", **{f"{n}.png": "" for n in range(20_000)}})}),
    HostileFiles("zip: 60 MB of Markdown in 60 KB", REFUSED, lambda: {"a.zip": _zip({"a.md": b"a" * 60_000_000})}),
    HostileFiles("zips: six of 40 MB in 40 KB each", REFUSED,
                 lambda: dict.fromkeys(_ZIPS, _zip({"a.md": b"a" * 40_000_000}))),
    HostileFiles("zip: a path that leads out", REFUSED, lambda: {"a.zip": _zip({"../a.md": "x"})}),
    HostileFiles("zip: 300,000 entries", REFUSED, lambda: {"a.zip": _zip({"a.md": "x"}) + b"PK\x01\x02" * 300_000}),
    HostileFiles("2,000 files that nobody knows", UNKNOWN, lambda: {f"{n}.bin": b"?" * 5_000 for n in range(2_000)}),
)  # fmt: skip
