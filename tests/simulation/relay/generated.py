"""Documents made by rule, for what real ones seldom have: the same ones every time.

Each trait is one way in which documents differ. A document has a few of them, so that every two meet somewhere.
"""

from __future__ import annotations

import random
from itertools import combinations

TRAITS = (
    "front matter",
    "preamble",
    "setext headings",
    "closed headings",
    "numbered headings",
    "tight headings",
    "deep sections",
    "duplicate headings",
    "formatted headings",
    "crlf",
    "no final newline",
    "wide blanks",
    "astral characters",
)
_SUBJECTS = ["order", "payment", "session", "report", "index", "queue", "ledger", "upload", "tenant", "alert"]
_PARTS = ["gateway", "store", "worker", "cache", "scheduler", "replica", "parser", "router", "archive", "monitor"]
_VERBS = ["reads", "keeps", "forwards", "validates", "merges", "retries", "rejects", "publishes", "compacts", "signs"]
_TOOLS = ["`retry_limit`", "**one writer**", "[the runbook](https://example.com/runbook)", "*at least once*", "Redis 7"]
_TAILS = [
    "so that a late answer changes nothing",
    "which the team – by agreement – reviews twice a year",
    "because “exactly once” can't be had here",
    "and it does not wait for the others",
    "within 250 ms, or it gives up",
]


def generated_documents(count: int = 24, seed: int = 1) -> list[tuple[str, str]]:
    """Names and texts: one plain document, every trait beside the next one, then other pairs."""
    pairs = list(zip(TRAITS, [*TRAITS[1:], TRAITS[0]], strict=True))
    others = [pair for pair in combinations(TRAITS, 2) if pair not in pairs]
    random.Random(seed).shuffle(others)
    chosen: list[set[str]] = [set(), *map(set, [*pairs, *others])]
    return [_Maker(number, traits, seed).document() for number, traits in enumerate(chosen[:count])]


class _Maker:
    """Writes one document."""

    def __init__(self, number: int, traits: set[str], seed: int) -> None:
        self._chance = random.Random(f"{seed}:{number}")
        self._traits = traits
        self._name = f"generated {number:02} ({', '.join(sorted(traits)) or 'plain'})"
        self._numbers = [0] * 7
        self._used: set[str] = set()

    def document(self) -> tuple[str, str]:
        blocks: list[str] = []
        if "front matter" in self._traits:
            blocks.append("---\ntitle: A design\nstatus: draft\n---")
        if "preamble" in self._traits:
            blocks.append(self._paragraph())
        blocks += [self._heading(1, "Design"), self._paragraph()]
        for _ in range(self._chance.randint(4, 6)):
            blocks += self._section(2)
        if "duplicate headings" in self._traits:
            blocks += [self._heading(2, "Risks"), self._paragraph(), self._heading(2, "Rollback plan")]
            blocks += [self._paragraph(), self._heading(3, "Risks"), self._paragraph()]
        return self._name, self._joined(blocks)

    def _joined(self, blocks: list[str]) -> str:
        text = ""
        for before, block in zip(["", *blocks], blocks, strict=False):
            gap = "" if not text else "\n\n"
            if gap and "tight headings" in self._traits and before.startswith("#"):
                gap = "\n"
            if gap and "wide blanks" in self._traits and self._chance.random() < 0.3:
                gap = self._chance.choice(["\n\n\n", "\n  \n\n", "  \n\n"])
            text += gap + block
        text += "" if "no final newline" in self._traits else "\n"
        return text.replace("\n", "\r\n") if "crlf" in self._traits else text

    def _section(self, level: int) -> list[str]:
        blocks = [self._heading(level, self._title())]
        blocks += [self._block() for _ in range(self._chance.randint(1, 4))]
        deepest = 5 if "deep sections" in self._traits else 3
        if level < deepest and self._chance.random() < (0.8 if deepest == 5 else 0.5):
            for _ in range(self._chance.randint(1, 2)):
                blocks += self._section(level + 1)
        return blocks

    def _title(self) -> str:
        while True:
            subject, part = self._chance.choice(_SUBJECTS), self._chance.choice(_PARTS)
            title = self._chance.choice(
                [f"{subject.title()} {part}", f"The {part} of each {subject}", f"{part.title()}s & {subject}s"]
            )
            if title not in self._used:
                self._used.add(title)
                return title

    def _heading(self, level: int, title: str) -> str:
        if "formatted headings" in self._traits and self._chance.random() < 0.5:
            title = title.replace(title.rsplit(maxsplit=1)[-1], f"`{title.rsplit(maxsplit=1)[-1]}`")
        if "numbered headings" in self._traits and level > 1:
            self._numbers[level] += 1
            self._numbers[level + 1 :] = [0] * (6 - level)
            title = ".".join(str(number) for number in self._numbers[2 : level + 1]) + f" {title}"
        if "setext headings" in self._traits and level < 3:
            return f"{title}\n{('=' if level == 1 else '-') * len(title)}"
        closing = f" {'#' * level}" if "closed headings" in self._traits else ""
        return f"{'#' * level} {title}{closing}"

    def _block(self) -> str:
        makers = [
            self._paragraph,
            self._paragraph,
            self._list,
            self._numbered_list,
            self._table,
            self._code,
            self._quote,
        ]
        return self._chance.choice(makers)()

    def _sentence(self) -> str:
        chance = self._chance
        subject = f"The {chance.choice(_SUBJECTS)} {chance.choice(_PARTS)}"
        middle = chance.choice([f" {chance.choice(_TOOLS)} for", f" up to {chance.randint(2, 900)} of", ""])
        face = chance.choice(["🙂", "𝒳", "🧭"]) + " " if "astral characters" in self._traits else ""
        verb = chance.choice(_VERBS)
        return f"{face}{subject} {verb}{middle} the {chance.choice(_SUBJECTS)} {chance.choice(_TAILS)}."

    def _paragraph(self) -> str:
        sentences = [self._sentence() for _ in range(self._chance.randint(1, 4))]
        return self._chance.choice([" ", "\n"]).join(sentences)

    def _list(self) -> str:
        mark = self._chance.choice("-*+")
        gap = self._chance.choice(["\n", "\n", "\n\n"])
        items = [f"{mark} {self._sentence()}" for _ in range(self._chance.randint(2, 5))]
        if self._chance.random() < 0.4:
            items[0] += f"\n  {mark} {self._sentence()}"
        return gap.join(items)

    def _numbered_list(self) -> str:
        return "\n".join(f"{at}. {self._sentence()}" for at in range(1, self._chance.randint(3, 6)))

    def _table(self) -> str:
        rows = [
            f"| {self._chance.choice(_SUBJECTS)} {at} | {self._chance.choice(_VERBS)} the"
            f" {self._chance.choice(_PARTS)} | {self._chance.randint(1, 900)} |"
            for at in range(self._chance.randint(2, 5))
        ]
        return "\n".join(["| What | Does | Count |", "|---|---|---|", *rows])

    def _code(self) -> str:
        lines = [
            f"{self._chance.choice(_PARTS)}_{at}: {self._chance.randint(1, 90)}"
            for at in range(self._chance.randint(2, 5))
        ]
        return "\n".join(["```yaml", "# settings, no heading", *lines, "```"])

    def _quote(self) -> str:
        return f"> {self._sentence()}\n> {self._sentence()}"
