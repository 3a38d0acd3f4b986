"""Bodies that are no JSON, or such as nobody writes: cut off, deep, wide, of wrong types; and what is not HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.hostile.drawing import Draw
from tests.hostile.wire import JSON, Request

_HOSTS = ["127.0.0.1\\@elsewhere.example", "[::1", "elsewhere.example", "localhost:99999", ""]
_LONE = ["\\ud800", "\\udfff", "\\udc00\\ud800", "\\ud83d"]


def encoded(value: object) -> bytes:
    """JSON as a careless program writes it: huge numbers, and half surrogate pairs as escapes."""
    return json.dumps(value, ensure_ascii=True, default=str).encode()


class Bodies:
    """Spoils a request that was in order."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def spoiled(self, request: Request) -> Request:
        """The same request, made bad in one way."""
        ways: list[tuple[float, Callable[[Request], Request]]] = [
            (3, self.cut), (2, self.slow), (2, self.chunked), (2, self.deep), (2, self.wide), (3, self.wrong_type),
            (1, self.twice), (1, self.lone), (1, self.no_text), (2, self.length), (2, self.headers), (1, self.flipped),
            (1, self.large), (1, self.numbers),
        ]  # fmt: skip
        return self.draw.weighed(ways)(request)

    # What is sent, and when

    def cut(self, request: Request) -> Request:
        """The connection ends in the middle of the body, or the client says no more for a while and then leaves."""
        draw = self.draw
        sends = draw.rng.randint(0, max(0, len(request.body) - 1))
        return replace(request, kind="cut off", sends=sends, then="leave")

    def slow(self, request: Request) -> Request:
        """The body comes in pieces, far apart."""
        pieces = self.draw.rng.randint(3, 12)
        return replace(request, kind="slow", pieces=pieces, pause=self.draw.scale.slow / pieces)

    def chunked(self, request: Request) -> Request:
        """Chunks: tiny ones, or such as are no chunks."""
        draw = self.draw
        headers = (*request.headers, ("Transfer-Encoding", "chunked"))
        if draw.odds(0.5):
            size = draw.pick([1, 2, 7, 1000])
            pieces = [request.body[at : at + size] for at in range(0, min(len(request.body), size * 3_000), size)]
            body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
        else:
            body = draw.pick(
                [
                    b"zz\r\n",
                    b"-1\r\nx\r\n",
                    b"f" * 40 + b"\r\n",
                    b"5\r\nab",
                    b"1;" + b"x" * 70_000 + b"\r\na\r\n0\r\n\r\n",
                ]
            )
        return replace(
            request,
            kind="chunks",
            headers=headers,
            body=body,
            sends=len(body),
            then=draw.pick(["leave", "wait"]),
            listens=2.0,
        )

    def length(self, request: Request) -> Request:
        """Another length than that of the body."""
        length = self.draw.pick(
            ["-1", "0", "1", "99999999999999999999", "0x10", "1, 2", "", f"{len(request.body) - 1}"]
        )
        headers = (*request.headers, ("Content-Length", length))
        return replace(request, kind="wrong length", headers=headers, sends=len(request.body), then="leave")

    def headers(self, request: Request) -> Request:
        """Headers that are long, many, twice, odd, or of another site."""
        draw = self.draw
        more: tuple[tuple[str, str], ...] = draw.pick(
            [
                (("X-Long", "x" * draw.size(200_000)),),
                tuple((f"X-{number}", "y") for number in range(draw.size(2_000))),
                (("Origin", "https://elsewhere.example"), ("Sec-Fetch-Site", "cross-site")),
                (("Host", draw.pick(_HOSTS)),),
                (("Content-Type", draw.pick(["text/plain", "application/json; charset=utf-16", "text/json", ""])),),
                (("Content-Encoding", "gzip"),),
                (("If-Match", draw.pump(500).replace("\n", "").replace("\r", "") or "x"),),
                (("If-None-Match", '"' * draw.size(5_000)),),
                (("Idempotency-Key", draw.pump(200).replace("\n", "").replace("\r", "") or "x"),),
                (("Prefer", "wait=" + "9" * draw.size(5_000)),),
                (("Prefer", draw.pick([", ;=" * 500, "return=minimal" + " " * 9_000, "wait=-1", "wait=1e9"])),),
                (("Cookie", "; ".join(f"draftsmith={'A' * number}" for number in range(draw.size(60)))),),
                (("Expect", "100-continue"),),
                (("Last-Event-ID", "9" * draw.size(4_000)),),
            ]
        )  # fmt: skip
        names = {name for name, _ in more}
        kept = tuple((name, value) for name, value in request.headers if name not in names)
        return replace(request, kind="headers", headers=(*kept, *more))

    # What it says

    def deep(self, request: Request) -> Request:
        """Lists in lists, or objects in objects, alone or in the place of a value."""
        draw = self.draw
        deep = draw.size(200_000)
        begin, end = draw.pick([(b"[", b"]"), (b'{"a":', b"}"), (b'[{"operations":', b"}]")])
        inner = begin * deep + b"1" + (end * deep if draw.odds(0.7) else b"")
        body = inner if draw.odds(0.5) else b'{"operations":' + inner + b"}"
        return replace(request, kind="deep", body=body)

    def wide(self, request: Request) -> Request:
        """Very many fields nobody knows, or very many empty values."""
        draw = self.draw
        size = draw.size(draw.scale.body, 100)
        if draw.odds(0.4):
            piece = draw.pick([b"[]", b"{}", b"0", b"null", b'""', b'{"op":""}'])
            body = b'{"operations":[' + b",".join([piece] * (size // (len(piece) + 1))) + b"]}"
        else:
            body = (
                b'{"operations":[],' + b",".join(b'"k%d":%d' % (number, number) for number in range(size // 16)) + b"}"
            )
            body = body.replace(b",}", b"}")
        return replace(request, kind="wide", body=body)

    def large(self, request: Request) -> Request:
        """One text as large as a body may be, and larger."""
        size = self.draw.size(self.draw.scale.body + 100_000, 1_000)
        return replace(request, kind="large", body=b'{"operations":"' + b"a" * size + b'"}')

    def wrong_type(self, request: Request) -> Request:
        """One value, anywhere, is of another type."""
        try:
            value = json.loads(request.body)
        except ValueError:
            return replace(request, kind="not JSON", body=b"[" + request.body)
        return replace(request, kind="wrong type", body=encoded(self._changed(value, 0)))

    def _changed(self, value: Any, depth: int) -> Any:
        draw = self.draw
        if isinstance(value, dict) and value and draw.odds(0.9):
            key = draw.pick(list(value))
            return {**value, key: self._changed(value[key], depth + 1)}
        if isinstance(value, list) and value and draw.odds(0.9):
            at = draw.rng.randrange(len(value))
            return [*value[:at], self._changed(value[at], depth + 1), *value[at + 1 :]]
        return draw.anything()

    def twice(self, request: Request) -> Request:
        """The same key again and again."""
        again = b'"operations":[],' * self.draw.size(20_000)
        return replace(request, kind="keys twice", body=b"{" + again + request.body[1:])

    def lone(self, request: Request) -> Request:
        """Half a surrogate pair, somewhere in a text."""
        half = self.draw.pick(_LONE).encode()
        at = request.body.find(b'": "') + 4 if b'": "' in request.body else 1
        return replace(request, kind="half a pair", body=request.body[:at] + half + request.body[at:])

    def no_text(self, request: Request) -> Request:
        """Bytes that are no UTF-8, or another encoding."""
        draw = self.draw
        at = draw.rng.randint(0, len(request.body))
        odd = draw.pick([b"\xff", b"\xed\xa0\x80", b"\x00", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xef\xbb\xbf"])
        return replace(request, kind="no text", body=request.body[:at] + odd * draw.size(1_000) + request.body[at:])

    def flipped(self, request: Request) -> Request:
        """A few bytes are others."""
        body = bytearray(request.body or b"{}")
        for _ in range(self.draw.size(20)):
            body[self.draw.rng.randrange(len(body))] = self.draw.rng.randrange(256)
        return replace(request, kind="bytes changed", body=bytes(body))

    def numbers(self, request: Request) -> Request:
        """Numbers with very many digits, as a revision, a place, or alone."""
        digits = b"9" * self.draw.size(200_000)
        number = self.draw.pick(
            [digits, b"-" + digits, b"0." + digits, b"1e" + digits[:50], b"1E-" + digits[:9], digits + b"e-5"]
        )
        body = self.draw.pick(
            [number, b'{"operations":[{"op":"move_nodes","positions":{"n0":{"x":%b,"y":0}}}]}' % number,
             b'{"operations":[{"op":"delete_node","id":"n0"}],"base_revision":%b}' % number]
        )  # fmt: skip
        return replace(request, kind="numbers", body=body, headers=JSON)
