"""Draws what a scripted model means to do to a document: which section, which words, what it writes.

Which operation has which of these says the table of moves. Not here: how it is misquoted (`quoting`).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence

from tests.noise.quotes import Quote, quote_in
from tests.noise.samples import Part, Sample
from tests.simulation.player import NothingThere, Player, View
from tests.simulation.relay.values import BodyText, Quotation, SectionName, Substitute

_NAMELESS_SHARE = 0.2  # of what falls on a section that no name can mean, because another has the same headings
_PREAMBLE_SHARE = 0.03  # of sections, in documents that have text before the first heading
_EVERYWHERE_SHARE = 0.035  # of quotations
_DELETED_SHARE = 0.1  # of sentences and phrases
_OTHER_LEVEL_SHARE = 0.15  # of sections that are put beside one of another level
_OFTEN = {"text": 0.9, "level": 0.8, "scope": 0.25}


class DocumentPlayer(Player):
    """Draws the values of one operation on a document; its texts know what they stand for (`values`)."""

    errs = 0

    def __init__(self, rng: random.Random, sample: Sample, step: int) -> None:
        super().__init__(rng, View(text=sample.text))
        self._rng, self._sample, self._step = rng, sample, step
        self._section: Part | None = None
        self._beside: Part | None = None
        self._found: Quotation | None = None

    def takes(self, field: str) -> bool:
        """Say whether an optional field is drawn this time."""
        return self._is_everywhere if field == "all" else self.happens(_OFTEN.get(field, 0.5))

    def flag(self) -> bool:
        """Say whether all places are meant where the words stand."""
        return self._is_everywhere

    @property
    def _is_everywhere(self) -> bool:
        return self._found is not None and self._found.quote is None and self._section is not None

    # -- sections ----------------------------------------------------------------------------------------------------

    def section(self) -> SectionName:
        """Return a section; seldom one that has its headings in common with another."""
        self._section = self._beside = self._found = None
        if self._preamble and self.happens(_PREAMBLE_SHARE):
            return SectionName(None)
        self._section = self._nameable(self._sample.parts)
        return SectionName(self._section)

    def neighbour(self) -> SectionName:
        """Return a section beside the one that was drawn before, mostly of its level."""
        parts, own = self._sample.parts, self._section
        if own is not None:
            level = own.chain[-1][0]
            others = [one for one in parts if not own.holds(one) and not one.holds(own)]
            alike = [one for one in others if one.chain[-1][0] == level]
            parts = others if self.happens(_OTHER_LEVEL_SHARE) else alike
        self._beside = self._nameable(parts)
        return SectionName(self._beside)

    def level(self) -> int:
        """Return the level of the section beside, or that of any."""
        beside = self._beside or self.one(self._sample.parts)
        return beside.chain[-1][0]

    def _nameable(self, parts: Sequence[Part]) -> Part:
        part = self.one(parts)
        if not self._sample.is_chain_unique(part) and not self.happens(_NAMELESS_SHARE):
            raise NothingThere
        return part

    @property
    def _preamble(self) -> list[re.Match[str]]:
        """Lines before the first heading that stand there once."""
        before = self._sample.text[: self._sample.parts[0].start] if self._sample.parts else ""
        front = re.match(r"---\n.*?\n---\n", before, re.DOTALL)
        lines = [found for found in re.finditer(r"[^\n]*\w[^\n]*", before) if not front or found.start() >= front.end()]
        return [found for found in lines if before.count(found[0]) == 1]

    # -- texts -------------------------------------------------------------------------------------------------------

    def quote(self, section: str) -> Quotation:
        """Return words of a section: a stretch that stands there once, or a word that stands there often."""
        if self._section is None:
            self._found = Quotation(self.one(self._preamble)[0])
        elif self.happens(_EVERYWHERE_SHARE):
            self._found = Quotation(self._frequent(self._section))
        else:
            quote = quote_in(self._sample, self._section, self._rng)
            if quote is None:
                raise NothingThere
            self._found = Quotation(quote)
        return self._found

    def _frequent(self, part: Part) -> str:
        """A word that stands in a section and its subsections a few times."""
        text = self._sample.text
        own = text[part.start : part.end]
        if not self._sample.is_chain_unique(part) or len(own) > len(text) / 2:
            raise NothingThere
        words = Counter(re.findall(r"(?<![\w`*-])[a-z]{6,}(?![\w`*-])", text[part.body : part.end]))
        return self.one(sorted(word for word in words if 2 <= own.count(word) <= 6))

    def text(self, field: str) -> str:
        """Return a text of this step."""
        match field:
            case "replace":
                return Substitute(self._written_instead())
            case "text":
                return BodyText(self._written_below())
            case _:
                return f"{field.capitalize()} of step {self._step}"

    def _written_instead(self) -> str:
        if self._found is not None and self._found.quote is not None:
            return written_instead(self._found.quote, self._rng, self._step)
        return f"wording{self._step}" if self._is_everywhere else f"{self._found or ''} Step {self._step}."

    def _written_below(self) -> str:
        step, rng = self._step, self._rng
        links = f"with `code`, **weight** and a [link](https://example.com/{step})"
        paragraph = f"Step {step} wrote this paragraph, {links}."
        items = "\n".join(f"- item {number} of step {step}" for number in range(1, rng.randint(2, 4)))
        table = f"| Step | Count |\n|---|---|\n| {step} | {rng.randint(1, 90)} |"
        code = f"```text\n# no heading, step {step}\n```"
        return "\n\n".join(rng.sample([paragraph, items, table, code], rng.randint(1, 3)))


def written_instead(quote: Quote, rng: random.Random, step: int) -> str:
    """What a model writes in place of a quote: the same kind of block, in part the same words."""
    true = quote.true
    mark = re.match(r"\s*(?:[-*+]|\d+[.)]|>)\s+", true) if quote.shape in ("item", "line", "lines") else None
    lead = mark[0] if mark else ""
    if quote.shape == "code":
        return f"{true.rstrip()}_{step}"
    if quote.shape == "row":
        cells = re.split(r"(?<!\\)\|", true)
        cells[1] = f" changed in step {step} "
        return "|".join(cells)
    if quote.shape in ("lines", "blocks") or not quote.is_prose:
        lines = true.split("\n")
        return "\n".join([*lines[:-1], f"{lines[-1]} and step {step}"]) if quote.is_prose else f"{true} {step}"
    words = true[len(lead) :].split(" ")
    ways: list[Callable[[], str]] = [
        lambda: lead + f"Step {step} says it otherwise.",
        lambda: lead + f"In step {step}, `code` and **more** replaced this sentence.",
        lambda: true + f" Step {step} adds a sentence.",
        lambda: lead + " ".join([*words[: len(words) // 2], f"(step {step})", *words[len(words) // 2 :]]),
        lambda: lead + f"One line of step {step}\n" + " " * len(lead) + "and another one.",
    ]
    if quote.shape in ("sentence", "phrase") and rng.random() < _DELETED_SHARE:
        return ""
    return rng.choice(ways)()
