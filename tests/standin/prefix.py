"""What lies before a point of a conversation: signatures of thoughts, and the prompt cache.

A thought is signed with everything before it, so a history that was rewritten does not fit any more. The cache knows
the prefixes that ended at a mark, byte for byte and in the order of the wire: tools, system, messages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
_LOOKBACK = 20
"""Blocks before a mark that are searched for a prefix that is known."""


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Give the content of a message as blocks; a text is short for one."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def turns_of(messages: Sequence[Json]) -> list[dict[str, Any]]:
    """Give the turns: messages of one role in a row are one turn to the API; system messages do not count."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "system":
            continue
        blocks = blocks_of(message["content"])
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": message["role"], "content": blocks})
    return turns


def _bare(value: Any) -> Any:
    """Give the value without marks and nulls, which are no content."""
    if isinstance(value, Mapping):
        return {name: _bare(one) for name, one in value.items() if name != "cache_control" and one is not None}
    return [_bare(one) for one in value] if isinstance(value, (list, tuple)) else value


def fingerprint(*parts: Any) -> str:
    """Give a digest of what is said, whatever the order of fields."""
    text = json.dumps([_bare(part) for part in parts], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def count_tokens(*parts: Any) -> int:
    """Count by the stand-in's own measure: four characters of JSON each."""
    return sum(len(json.dumps(_bare(part), ensure_ascii=False)) for part in parts if part) // 4


def sign(body: Json, turns: Sequence[Json], before: Sequence[Json], thought: str) -> str:
    """Sign a thought with the whole conversation before it, and with what its own turn said before it."""
    return fingerprint(body["model"], blocks_of(body.get("system")), body.get("tools"), turns, before, thought)


def wrong_signature_or_none(body: Json) -> str | None:
    """Say which thought of a history is bound to another conversation, if one is."""
    turns = turns_of(body["messages"])
    for i, turn in enumerate(turns):
        for j, block in enumerate(turn["content"]):
            if turn["role"] != "assistant" or block["type"] != "thinking":
                continue
            if block.get("signature") != sign(body, turns[:i], turn["content"][:j], block["thinking"]):
                return (
                    f"messages.{i}.content.{j}: Invalid `signature` in `thinking` block. "
                    "The block is bound to a different conversation."
                )
    return None


class PromptCache:
    """Prefixes that were marked, and what a request reads and writes of them."""

    def __init__(self, floor: int) -> None:
        """Make an empty cache; `floor`: prefixes of fewer tokens are silently not kept."""
        self._floor = floor
        self._known: set[str] = set()

    def use(self, body: Json) -> dict[str, int]:
        """Look up and keep the marked prefixes of a request; the three numbers of its input."""
        blocks = list(_on_the_wire(body))
        ends, sizes = _running(body["model"], blocks)
        marks = [i for i, block in enumerate(blocks) if block.get("cache_control")]
        if body.get("cache_control") and blocks and len(blocks) - 1 not in marks:
            marks.append(len(blocks) - 1)
        read = written = 0
        for mark in marks:
            near = range(max(0, mark - _LOOKBACK), mark + 1)
            read = max([read, *(sizes[i] for i in near if ends[i] in self._known)])
        for mark in marks:
            if sizes[mark] >= self._floor:
                self._known.add(ends[mark])
                written = max(written, sizes[mark] - read)
        total = sizes[-1] if sizes else 0
        return {
            "input_tokens": total - read - written,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
        }


def _running(model: str, blocks: Sequence[Json]) -> tuple[list[str], list[int]]:
    """Give the digest and the tokens of the prefix that ends with each block."""
    digest, size = hashlib.sha256(model.encode()), 0
    ends: list[str] = []
    sizes: list[int] = []
    for block in blocks:
        text = json.dumps(_bare(block), ensure_ascii=False)
        digest.update(text.encode("utf-8", "surrogatepass"))
        size += len(text)
        ends.append(digest.hexdigest())
        sizes.append(size // 4)
    return ends, sizes


def _on_the_wire(body: Json) -> Iterator[dict[str, Any]]:
    yield from body.get("tools") or []
    yield from blocks_of(body.get("system"))
    for turn in turns_of(body["messages"]):
        for block in turn["content"]:
            yield {"role": turn["role"], **block}
