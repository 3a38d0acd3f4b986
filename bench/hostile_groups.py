"""The hostile requests that are measured: what is there before, and what is sent. Each was once an outage or a leak."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from websockets.asyncio.client import connect

from bench.hostile_table import Act, Bench, Group, Prepare, shown
from bench.hostile_typing import next_message
from draftsmith.adapters.files.backup_file import BackupWriter
from draftsmith.history.commit import GENESIS, Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.upkeep.backup import SavedWorkspace
from tests.hostile.files import HOSTILE_FILES
from tests.hostile.images import HOSTILE_IMAGES, HostileImage
from tests.hostile.serving import cpu_seconds, environment, family, high_water
from tests.image_samples import png
from tests.integration.client import Api
from tests.unit.test_mermaid import HOSTILE as HOSTILE_FLOWCHARTS

W = "/api/v1/workspaces/{w}"
PROSE = "# A\n\n" + "\n\n".join(f"Sentence {n} speaks of orders and of the queue." for n in range(350)) + "\n"
SECRET = "sk-made-up-for-this-measurement-0123456789"
LONG = 30_000
BODY = 32 << 20
MARKS = {
    "a line of 30,000 backticks": ("`" * LONG, "`" * LONG),
    "a heading of 30,000 [": ("# " + "[" * LONG, "[" * LONG),
    '[a]( and 30,000 blanks and "': ("[a](" + " " * LONG + '"', "[a](" + " " * LONG + '"'),
}


def made_of(**body: Any) -> Prepare:
    """A workspace that begins with something."""

    async def prepare(bench: Bench, api: Api) -> None:
        bench.w = await asyncio.to_thread(api.create, name="Hostile", **body)

    return prepare


def document(text: str) -> Prepare:
    """A workspace with a document."""
    return made_of(document={"text": text})


def request(method: str, path: str, body: Any = None, **more: Any) -> Act:
    """Send a request; its body is encoded beforehand, where it is not bytes."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()

    async def act(bench: Bench) -> str:
        answer = await bench.send(method, path, raw, **more)
        return shown(answer) + (f" {len(answer.body):,} bytes" if answer.status == 200 and method == "GET" else "")

    return act


def batch(*operations: Any) -> Act:
    """Run a batch."""
    return request("POST", f"{W}/batches", {"operations": list(operations)})


def edit(section: str, find: str, replace: str, **more: Any) -> dict[str, Any]:
    return {"op": "edit_section", "section": section, "find": find, "replace": replace, **more}


# Marks that patterns fall over


def marks(name: str, stored: str, found: str) -> Group:
    """One text as a find, stored, and read afterwards."""
    text = f"{PROSE}\n{stored}\n\nThe end.\n"
    return Group(
        name,
        document(PROSE),
        [
            (f"{name}: as find", batch(edit("A", found, "x"))),
            (f"{name}: stored", request("PUT", f"{W}/document", {"text": text})),
            (f"{name}: outline read afterwards", request("GET", f"{W}/outline")),
            (f"{name}: section read afterwards", request("GET", f"{W}/section?path=A")),
            (f"{name}: lint afterwards", request("GET", f"{W}/lint")),
            (f"{name}: as find where it is stored", batch(edit("A", f"{found}!", "x"))),
            (f"{name}: edited beside it", batch(edit("A", "The end.", "The very end."))),
        ],
    )


# Batches that cost much more than they say


def lines(count: int) -> Group:
    """A document of which every line differs from what is there."""
    before = "\n".join(f"a{number}" for number in range(count))
    after = "\n".join(f"b{number}" for number in range(count))
    name = f"PUT document, {count:,} lines that all differ"
    return Group(name, document(before), [(name, request("PUT", f"{W}/document", {"text": after}))])


def sections(count: int) -> str:
    return "\n\n".join(f"# t{number}\n\nText {number} here." for number in range(count)) + "\n"


def hits() -> Group:
    name = "edit_section, all: true, 950,000 hits"
    return Group(name, document("# A\n\n" + "a " * 950_000), [(name, batch(edit("A", "a", "b", all=True)))])


def many_edits() -> Group:
    name = "50 edits over 30,000 sections"
    operations = [edit(f"t{n * 590}", f"Text {n * 590} here", f"Words {n}") for n in range(50)]
    return Group(name, document(sections(30_000)), [(name, batch(*operations))])


def many_moves() -> Group:
    name = "500 moves over 60,000 sections"
    moves = [{"op": "move_section", "section": f"t{n * 100}", "after": f"t{59_999 - n}"} for n in range(500)]
    headings = "\n".join(f"# t{number}" for number in range(60_000)) + "\n"
    return Group(name, document(headings), [(name, batch(*moves))])


def many_appends() -> Group:
    name = "500 appends to a list of 60,000"
    items = "# A\n\n" + "\n".join(f"- item {number}" for number in range(60_000)) + "\n"
    append = {"op": "append_to_section", "section": "A", "text": "- x"}
    return Group(name, document(items), [(name, batch(*[append] * 500))])


def many_layouts() -> Group:
    name = "50 x layout_diagram of 400 nodes"
    nodes = [{"id": f"n{n}", "type": "service", "label": f"N{n}", "position": {"x": n, "y": n}} for n in range(400)]
    edges = [{"source": f"n{n}", "target": f"n{(n * 7 + step) % 400}"} for n in range(400) for step in (1, 11)]
    edges = list({(one["source"], one["target"]): one for one in edges if one["source"] != one["target"]}.values())
    layouts = [{"op": "layout_diagram", "scope": "all"}] * 50
    return Group(name, made_of(diagram={"nodes": nodes, "edges": edges}), [(name, batch(*layouts))])


# Bodies


def wide() -> Group:
    fields = b'{"operations":[],' + b",".join(b'"k%d":0' % number for number in range(2_100_000)) + b"}"
    lists = b'{"operations":[' + b",".join([b"[]"] * 10_000_000) + b"]}"
    return Group(
        "wide bodies",
        document(PROSE),
        [
            (f"{len(fields) >> 20} MB of unknown fields, batch", request("POST", f"{W}/batches", fields)),
            (f"{len(fields) >> 20} MB of unknown fields, new workspace", request("POST", "/api/v1/workspaces", fields)),
            (f"{len(lists) >> 20} MB of [], batch", request("POST", f"{W}/batches", lists)),
            (f"{len(lists) >> 20} MB of [], new workspace", request("POST", "/api/v1/workspaces", lists)),
        ],
    )


async def _unfinished(bench: Bench) -> str:
    headers = (("Content-Type", "application/json"), ("Content-Length", str(BODY)))
    body = b'{"name":"' + b"x" * (BODY - (1 << 20))
    sent: dict[str, Any] = {"headers": headers, "sends": len(body), "then": "wait", "pieces": 124, "patience": 12.0}
    sending = [bench.send("POST", "/api/v1/workspaces", body, **sent) for _ in range(60)]
    answers = await asyncio.gather(*sending)
    return ", ".join(f"{count} x {what}" for what, count in Counter(map(shown, answers)).most_common(3))


def unfinished() -> Group:
    name = "60 unfinished bodies of 32 MB, held for 12 s"
    return Group(name, document(PROSE), [(name, _unfinished)])


async def _unread(bench: Bench) -> str:
    """Pages that ask for the whole state again and again, and read none of it."""
    parts = urlsplit(bench.server.url)
    head = (
        f"GET /api/v1/workspaces/{bench.w}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    messages = [b'{"t":"hello","v":1}', *[b'{"t":"resync"}'] * 3]
    said = b"".join(bytes([0x81, 0x80 | len(one), 0, 0, 0, 0]) + one for one in messages)
    answers: Counter[str] = Counter()
    with ExitStack() as stack:
        for _ in range(400):
            raw = stack.enter_context(socket.socket())
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(raw, (parts.hostname, parts.port))
            await loop.sock_sendall(raw, head.encode())
            answers[(await loop.sock_recv(raw, 12))[9:].decode()] += 1
            with suppress(OSError):
                await loop.sock_sendall(raw, said)
        await bench.rest()
    return ", ".join(f"{count} x {status}" for status, count in answers.items())


def unread() -> Group:
    name = "400 pages of one client that read nothing"
    return Group(name, document("# A\n" + "x" * 900_000), [(name, _unread)])


async def _cut_key(bench: Bench) -> str:
    body = json.dumps({"api_key": SECRET, "more": "x" * 500}).encode()
    before = cpu_seconds(family(bench.server.pid))
    await bench.send("PUT", "/api/v1/assistant/key", body, sends=len(body) - 100, then="leave")
    await bench.rest()
    used = cpu_seconds(family(bench.server.pid)) - before
    return f"key {'IN THE LOG' if SECRET[:12] in bench.server.log else 'not logged'}, {used:.1f} s of CPU"


def cut_key() -> Group:
    name = "PUT assistant/key, cut off in its body"
    return Group(name, document(PROSE), [(name, _cut_key)], {"LOG_FORMAT": "console"})


# Reading at the limits


def at_the_limits() -> Group:
    """The largest workspace there may be: opened, and read in every way."""
    nodes = [
        {"id": f"n{n}", "type": "service", "label": f"Node {n}", "position": {"x": n % 80 * 260, "y": n // 80 * 140}}
        for n in range(5_000)
    ]
    edges = [
        {"source": f"n{n}", "target": f"n{(n + step) % 5_000}", "label": "calls"}
        for n in range(5_000)
        for step in (1, 7)
    ]
    text = "\n\n".join(
        f"## Part {n}\n\nWords of part {n}: [Node](#node/n{n % 5_000}) and `code`." for n in range(30_000)
    )

    async def prepare(bench: Bench, api: Api) -> None:
        body = {"document": {"text": text[:1_990_000]}, "diagram": {"nodes": nodes, "edges": edges}}
        await made_of(**body)(bench, api)
        await asyncio.to_thread(api.batch, bench.w, edit("Part 7", "Words", "Other words"))
        await bench.restart()

    paths = [
        "", "/diagram", "/document", "/outline", "/lint", "/section?path=" + quote("Part 20000"), "/nodes?q=node+4999",
        "/edges?q=calls&limit=200", "/export?format=json", "/export?format=markdown", "/export?format=mermaid",
        "/revisions/1", "/compare?from=1&to=2", "/commits?grouped=true&section=" + quote("Part 7"),
        "/completions?text=connect+Node+49",
    ]  # fmt: skip
    acts: list[tuple[str, Act]] = [("opening a workspace at the limits", request("GET", f"{W}/nodes/n1"))]
    acts += [(f"at the limits: GET {path or '/'}", request("GET", f"{W}{path}")) for path in paths]
    acts.append(("at the limits: a page's hello", _hello))
    acts.append(("at the limits: one edit", batch(edit("Part 9", "Words", "Other words"))))
    acts.append(("at the limits: layout of all", batch({"op": "layout_diagram", "scope": "all"})))
    acts.append(("at the limits: undo", request("POST", f"{W}/undo", {})))
    acts.append(("at the limits: restore", request("POST", f"{W}/revisions/1/restore", {})))
    acts.append(("at the limits: copy", _copy))
    return Group("at the limits", prepare, acts)


async def _hello(bench: Bench) -> str:
    url = f"{bench.server.url.replace('http', 'ws', 1)}/api/v1/workspaces/{bench.w}/live"
    async with connect(url, max_size=None, compression=None, proxy=None) as socket:
        await socket.send('{"t":"hello","v":1}')
        state = await next_message(socket, "state")
    return f"101 {len(state['workspace']['nodes']):,} nodes"


async def _copy(bench: Bench) -> str:
    answer = await bench.send("POST", "/api/v1/workspaces", json.dumps({"copy_of": bench.w}).encode())
    return shown(answer)


# Backups


def _bomb(file: Path, size: int) -> None:
    """A backup in order, as far as its sums tell, whose log is zeros without an end."""
    piece = b"0" * (1 << 20)

    def zeros() -> Iterator[bytes]:
        yield from (piece for _ in range(size >> 20))

    with BackupWriter(file) as writer:
        log = writer.write("log", zeros())
        saved = SavedWorkspace(
            id=WorkspaceId("01kf0000000000000000000000"), head=Head("01kf0000000000000000000001", 1, GENESIS), base=0,
            summary={"name": "Large"}, created_ms=0, updated_ms=0, deleted_ms=None, log=log, snapshot=None, kept=(),
        )  # fmt: skip
        writer.finish("draftsmith", 0, [saved])


async def _recover(bench: Bench) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "draftsmith.cli", "recover", str(bench.facts["file"]),
        env=environment(DATA_DIR=str(bench.server.data)),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        saying = asyncio.create_task(process.communicate())
        while not saying.done():
            bench.beyond = max(bench.beyond, high_water(process.pid))
            await asyncio.wait([saying], timeout=0.02)
        said = saying.result()[0].decode(errors="replace").strip()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    return f"exit {process.returncode} {said.rpartition('[')[2].rstrip(']')[:30]}"


def recover() -> Group:
    name = "recover of a small file that unpacks to 1.5 GB"

    async def prepare(bench: Bench, api: Api) -> None:
        bench.facts["file"] = bench.server.folder / "bomb.zip"
        await asyncio.to_thread(_bomb, bench.facts["file"], 1_500 << 20)

    return Group(name, prepare, [(name, _recover)])


# Images


def _put(name: str, image: HostileImage, address: str = "") -> tuple[str, Act]:
    """Put an image; without an address, under the hash of its bytes."""
    address = address or sha256(image.content).hexdigest()
    headers = (("Content-Type", image.kind),)
    return name, request("PUT", f"{W}/images/{address}", image.content, headers=headers)


def hostile_images() -> Group:
    """Images that are too large, are none, or would unpack to much; and one under another's hash."""
    acts = [_put(f"image: {image.name}", image) for image in HOSTILE_IMAGES]
    largest = HostileImage("", png(salt=bytes(9_900_000)), "image/png", 201)
    acts += [
        _put("image: ten megabytes under another hash", largest, "0" * 64),
        _put("image: ten megabytes in order", largest),
        ("lint afterwards", request("GET", f"{W}/lint")),
    ]
    return Group("hostile images", document(PROSE), acts)


# Files of imports


def hostile_files() -> Group:
    """Files that would keep a reader busy, lead out of their folder, or hold what runs."""
    acts = [(f"file: {one.name}", request("POST", "/api/v1/workspaces", one.body())) for one in HOSTILE_FILES]
    return Group("hostile files", document(PROSE), acts)


# Mermaid


def flowcharts() -> Group:
    """A megabyte of Mermaid to be drawn, of each kind that could keep a reader busy, and a body without an end."""
    acts = [
        (f"Mermaid, 1 MB: {text[13:33]!r}", request("POST", f"{W}/mermaid", {"text": text[:990_000]}))
        for text in HOSTILE_FLOWCHARTS
    ]
    endless = b'{"text":"flowchart LR\\n' + b"a --> b\\n" * 3_500_000
    acts += [
        ("Mermaid: 10,000 lines", request("POST", f"{W}/mermaid", {"text": _chain_of(10_000)})),
        ("Mermaid: as much as a batch draws", request("POST", f"{W}/mermaid", {"text": _chain_of(249)})),
        ("Mermaid: a body without an end", request("POST", f"{W}/mermaid", endless)),
    ]
    return Group("Mermaid to be drawn", document(PROSE), acts)


def _chain_of(count: int) -> str:
    return "flowchart LR\n" + "".join(f"n{number} --> n{number + 1}\n" for number in range(count))
