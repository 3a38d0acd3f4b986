"""Generated documents with the headings that the server finds in them, which the page has to find as well.

`python -m tests.node.heading_cases` writes tests/fixtures/generated-headings.json anew.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import orjson

from draftsmith.model.markdown.sections import outline_of

FILE: Final = Path(__file__).parents[1] / "fixtures" / "generated-headings.json"
_COUNT: Final = 400
_SEED: Final = 20261128
_FRONTS: Final = ["", "", "", "---\na: b\n---\n", "---\n# c\nb\n...\n", "\ufeff", "---\na: b\n", "---\n\na: b\n---\n"]
_PIECES: Final = [
    "# A\n", "## B\n", "### C `c`\n", "text\n", "\n", "\n", "\n", "---\n", "===\n", "-\n", "```\n", "~~~\n", "* * *\n",
    "> q\n", "> # in a quote\n", "- x\n", "1. a\n", "   ## in a list\n", "    code\n", "    # in a note\n", "  ",
    "<div>\n", "</div>\n", "<!--\n", "-->\n", "<!-- # x -->\n", "<!--> # y\n", "> <!--\n", "> -->\n", "<p>\n",
    "<details>\n", "</details>\n", "<summary>S</summary>\n", "- <details>\n", "  # in item\n", "  </details>\n",
    '<a name="x"></a>\n', "<br>\n", "text <br>\n", "<kbd>\n", '<img src="x">\n', "<script>\n", "</script>\n",
    "<?x\n", "?>\n",
    "[x]: y\n", "[^1]: note\n", "[^a]: # h\n", "[^1]\n", "text[^1]\n", "> [^2]: # q\n", "- [^3]: n\n", "[^]: x\n",
    "[^a b]: x\n", "[^b]:\n", "\\[^1]: x\n", "   [^4]: y\n", "    [^5]: y\n", "[^1]: - a\n", "[^6]: [^7]: # z\n",
    "a: b\n", "| a |\n", "|---|\n", "| b |\n", "> [!NOTE]\n", "> text\n", "$$\n", "$a$\n", "==m==\n", "- " * 12 + "x\n",
]  # fmt: skip


def heading_cases() -> list[dict[str, Any]]:
    """Documents that are put together at random, always the same ones, with addresses and sections (level, line)."""
    chance = random.Random(_SEED)
    return [_case(chance) for _ in range(_COUNT)]


def _case(chance: random.Random) -> dict[str, Any]:
    length = chance.randint(1, chance.choice([4, 8, 16]))
    text = chance.choice(_FRONTS) + "".join(chance.choice(_PIECES) for _ in range(length))
    outline = outline_of(text)
    sections = [[one.level, one.line] for one in outline.sections]
    return {"markdown": text, "anchors": list(outline.anchors.names), "sections": sections}


def written(cases: list[dict[str, Any]]) -> bytes:
    """The file, one case a line."""
    return b"[\n" + b",\n".join(orjson.dumps(case) for case in cases) + b"\n]\n"


if __name__ == "__main__":
    FILE.write_bytes(written(heading_cases()))
