"""Replacements that repeat their find with a change, both as a block reads on the page: its marks must stay.

A change is made in the document, where it is plain what must come of it. The find is what the block reads as before it,
the replacement what it reads as behind it, by markdown-it; neither has any mark of the block.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.noise.cases import Apply, Case, attempt
from tests.noise.quotes import Quote
from tests.noise.samples import Library, Line, Part, Sample

_READER = MarkdownIt("commonmark").enable("strikethrough")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
# Where nothing is changed but by those who mean marks: code, links, images, addresses, tags, footnotes, escapes.
_MARKED = re.compile(
    r"(?P<code>(?<![`\\])(?P<ticks>`+)(?!`)(?P<in_code>[^`]+)(?P=ticks)(?!`))"
    r"|(?P<link>(?<![\\!\[])\[(?P<in_link>[^\[\]`]+)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\]))"
    r"|!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])|\[[^\[\]]*\]|<[^<>\n]+>|https?://\S+|\\.|&\w+;"
    r"|(?P<emphasis>(?<![\w*_\\])(?P<stars>\*\*|\*|__|_)(?![\s*_])(?P<in_emphasis>[^*_`\[\]\\<>]+)(?<![\s*_])(?P=stars)"
    r"(?![\w*_]))"
)
_DEFINITION = re.compile(r"\s*\[[^\[\]]+\]:")
_WORD = re.compile(r"(?<![\w/.'’-])[A-Za-z]{4,}(?![\w/.'’-])")
_NEW_WORDS = ("quokka", "zephyr", "marzipan", "wombat", "pumpernickel")
_SENTENCES = ("A quokka may wander off.", "Zephyrs blow there, too.", "Marzipan is extra.")


@dataclass(frozen=True)
class Block:
    """Lines of a document that are one paragraph, or items or rows that follow one another."""

    sample: Sample
    part: Part
    start: int
    end: int
    kind: str

    @property
    def text(self) -> str:
        return self.sample.text[self.start : self.end]

    def reads(self, text: str, gap: str) -> str:
        """What a text in the place of the block reads as; `gap`: what a line end within a paragraph is read as."""
        lines = [text] if self.kind == "prose" else re.split(r"\r\n|\n|\r", text)
        found = []
        for line in lines:
            mark = _ITEM.match(line) if self.kind == "item" else None
            begin = mark[0] if mark else ""
            inline = _READER.parseInline(line[len(begin) :], {"references": _references(self.sample.text)})
            found.append(begin + "".join(_words_of(inline[0].children or [], gap)))
        return "\n".join(found)


@lru_cache(maxsize=64)
def _references(text: str) -> dict[str, dict[str, str]]:
    env: dict[str, dict[str, dict[str, str]]] = {}
    _READER.parse(text, env)
    return env.get("references", {})


def _words_of(tokens: list[Token], gap: str) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "code_inline", "text_special"):
            yield token.content
        elif token.type == "image":
            yield from _words_of(token.children or [], gap)
        elif token.type == "softbreak":
            yield gap
        elif token.type == "hardbreak" or (token.type == "html_inline" and token.content.startswith("<br")):
            yield "\n"


def blocks(sample: Sample, part: Part) -> Iterator[Block]:
    """The blocks of a section's own text, tables and lists in runs of up to three lines."""
    run: list[Line] = []
    for line in [*sample.lines(part), None]:
        kind = None if line is None else line.kind
        is_over = run and (kind != run[0].kind or (kind != "prose" and len(run) == 3))
        if is_over:
            text = sample.text[run[0].start : run[-1].end]
            start, end = len(text) - len(text.lstrip()), len(text.rstrip())
            if not _DEFINITION.match(text):
                yield Block(sample, part, run[0].start + start, run[0].start + end, run[0].kind)
            run = []
        if line is not None and kind in ("prose", "item", "row"):
            run.append(line)


def _block(sample: Sample, rng: random.Random) -> Block | None:
    """A block with marks whose words stand once in its section."""
    if not sample.parts:
        return None
    part = rng.choice(sample.parts)
    some = [block for block in blocks(sample, part) if block.reads(block.text, "\n") != block.text]
    if not some or not sample.is_chain_unique(part):
        return None
    block = rng.choice(some)
    quote = Quote(sample, part, block.start, block.end, block.kind)
    return block if quote.is_unique_in(part) and len(block.text) <= 3000 else None


def _plain_words(text: str) -> list[re.Match[str]]:
    """Words outside of all marks."""
    spans = [found.span() for found in _MARKED.finditer(text)]
    words = [one for one in _WORD.finditer(text) if one[0] not in _NEW_WORDS]
    return [one for one in words if not any(start < one.end() and one.start() < end for start, end in spans)]


def word_changed(text: str, rng: random.Random) -> str | None:
    words = _plain_words(text)
    if not words:
        return None
    word = rng.choice(words)
    return text[: word.start()] + rng.choice(_NEW_WORDS) + text[word.end() :]


def word_inserted(text: str, rng: random.Random) -> str | None:
    words = _plain_words(text)
    if not words:
        return None
    at = rng.choice(words).start()
    return f"{text[:at]}{rng.choice(_NEW_WORDS)} {text[at:]}"


def word_deleted(text: str, rng: random.Random) -> str | None:
    """A word that stands between blanks in its line, and nowhere beside itself."""
    words = [one for one in _plain_words(text) if re.match(r" \w", text[one.end() :]) and text[one.start() - 1] == " "]
    words = [one for one in words if not re.search(rf"\b{one[0]}\W{{1,9}}{one[0]}\b", text)]
    if not words:
        return None
    word = rng.choice(words)
    return text[: word.start()] + text[word.end() + 1 :]


def several_words(text: str, rng: random.Random) -> str | None:
    for change in rng.sample([word_changed, word_changed, word_inserted, word_deleted], rng.randint(2, 4)):
        text = change(text, rng) or text
    return text


def sentence_after(text: str, rng: random.Random) -> str | None:
    return f"{text} {rng.choice(_SENTENCES)}" if text.rstrip().endswith((".", "!", "?", ":")) else None


def sentence_before(text: str, rng: random.Random) -> str | None:
    begin = _ITEM.match(text)
    at = begin.end() if begin else 0
    return f"{text[:at]}{rng.choice(_SENTENCES)} {text[at:]}" if "|" not in text else None


def word_in_a_mark(text: str, rng: random.Random) -> str | None:
    """A word between two others of a link or of emphasis: the mark goes on around it."""
    places = []
    for found in _MARKED.finditer(text):
        group = "in_link" if found["link"] else "in_emphasis" if found["emphasis"] else None
        if group is None:
            continue
        words = list(re.finditer(r"\S+", found[group]))
        inner = [one for one in words[1:-1] if one[0].isalpha()]
        ends = [word for one in (words[:1], words[-1:]) for word in one if word[0].isalpha() and len(word[0]) > 4]
        inner = inner if len(ends) == 2 else []
        places += [(found.start(group) + one.start(), found.start(group) + one.end()) for one in inner]
    if not places:
        return None
    start, end = rng.choice(places)
    return text[:start] + rng.choice(_NEW_WORDS) + text[end:]


def content_replaced(text: str, rng: random.Random) -> str | None:
    """All that a mark is around is other words: it goes, and that is told."""
    marks = [one for one in _MARKED.finditer(text) if one["link"] or one["code"] or one["emphasis"]]
    if not marks:
        return None
    mark = rng.choice(marks)
    content = mark["in_link"] or mark["in_code"] or mark["in_emphasis"]
    if "|" in content or any(sign in content for sign in "*_`[]&\\") or text.count(content) != 1:
        return None
    return text[: mark.start()] + rng.choice(_NEW_WORDS) + text[mark.end() :]


_CHANGES: dict[str, tuple[int, Callable[[str, random.Random], str | None]]] = {
    "repeated: word changed": (10, word_changed),
    "repeated: word inserted": (6, word_inserted),
    "repeated: word deleted": (6, word_deleted),
    "repeated: several words": (8, several_words),
    "repeated: sentence after": (8, sentence_after),
    "repeated: sentence before": (5, sentence_before),
    "repeated: word in a mark": (4, word_in_a_mark),
    "repeated: content replaced": (4, content_replaced),
}
REPEATED: dict[str, int] = {
    **{kind: weight for kind, (weight, _) in _CHANGES.items()},
    "repeated: link written": 4,
}


def repeated(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A block quoted as it reads, and the same with a change."""
    block = _block(sample, rng)
    if block is None:
        return None
    gap = rng.choice(["\n", " "])
    text = block.text
    find = block.reads(text, gap)
    if kind == "repeated: link written":
        links = [one for one in _MARKED.finditer(text) if one["link"]]
        if not links:
            return None
        link = rng.choice(links)
        reads = block.reads(link["in_link"], gap)
        after = f"{text[: link.start()]}[{link['in_link']}](https://example.org/new){text[link.end() :]}"
        if find.count(reads) != 1:
            return None
        replace = find.replace(reads, f"[{reads}](https://example.org/new)")
    else:
        changed = _CHANGES[kind][1](text, rng)
        if changed is None or changed == text:
            return None
        after, replace = changed, block.reads(changed, gap)
    if replace == find or find in sample.text or not _is_said_apart(block, gap):
        return None
    edit = {"section": block.part.path, "find": find, "replace": replace}
    accepted = frozenset([sample.text[: block.start] + after + sample.text[block.end :]])
    return Case(kind, sample.name, sample.text, [edit], accepted, true=text)


def _is_said_apart(block: Block, gap: str) -> bool:
    """Whether the find is not taken for marks itself: what is a sign to its reader would be a mark in Markdown."""
    find = block.reads(block.text, gap)
    return block.reads(find, gap) == find


def two_ways(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """One of two equal words with different links stays, and nothing says which: refused."""
    block = _block(sample, rng)
    if block is None or block.kind != "prose":
        return None
    word = rng.choice(_NEW_WORDS)
    one, other = rng.choice(
        [(f"[{word}](#one)", f"[{word}](#two)"), (word, f"**{word}**"), (f"`{word}`", f"[{word}](#two)")]
    )
    added = f" Ask {one} and {other} then."
    text = sample.text[: block.end] + added + sample.text[block.end :]
    if sample.text.count(word):
        return None
    edit = {"section": block.part.path, "find": f"Ask {word} and {word} then.", "replace": f"Ask {word} then."}
    return Case(kind, sample.name, text, [edit], codes=frozenset(["edit_ambiguous"]), true=added)


def as_read(apply: Apply, shelf: Library) -> str:
    """Every paragraph with links, quoted as it reads on the page, with one sentence more: what is left of it."""
    asked = accepted = links = kept = right = 0
    for sample in shelf.plain:
        for part in sample.parts:
            for block in blocks(sample, part):
                find = block.reads(block.text, " ")
                there = sum(found["link"] is not None for found in _MARKED.finditer(block.text))
                if block.kind != "prose" or not there or find in sample.text or not sample.is_chain_unique(part):
                    continue
                edit = {"section": part.path, "find": find, "replace": f"{find} {_SENTENCES[0]}"}
                after = attempt(apply, sample.text, [edit])
                asked, links = asked + 1, links + there
                if isinstance(after, str):
                    stays = after[block.start : len(after) - len(sample.text) + block.end]
                    kept += sum(found["link"] is not None for found in _MARKED.finditer(stays))
                    accepted += 1
                    right += stays == f"{block.text} {_SENTENCES[0]}"
    return f"{asked} paragraphs with {links} links: {accepted} accepted, {right} of them right, {kept} links kept"
