"""Counts of what came of every edit, and the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

SILENT = "silent"
TOLD = "refused"
OVERTAKEN = "somebody changes the quoted words"
_WHAT = ("quoted text", "whole sections", "a diagram", "document and diagram")
_ORDER = (*(f"edit: {what}" for what in _WHAT), *(f"reversal: {what}" for what in _WHAT), "undo", OVERTAKEN)
_HEAD = f"{'':<34}{'n':>7}{'1st try':>9}{'2nd':>7}{'3rd':>7}{'refused':>9}{'silent':>8}"
_WIDEST = 500  # characters of a line that is shown


@dataclass(frozen=True)
class Finding:
    """Something that came out otherwise than it was meant, and nobody was told.

    Attributes:
        where: document, round, pair and step.
        kind: of the edit.
        what: in a few words.
        details: to repeat it.
    """

    where: str
    kind: str
    what: str
    details: str

    def __str__(self) -> str:
        shown = (line if len(line) <= _WIDEST else f"{line[:_WIDEST]}…" for line in self.details.splitlines())
        return "\n".join([f"{self.where}: {self.kind}: {self.what}", *shown])


@dataclass
class Tally:
    """What came of all edits.

    Attributes:
        rows: by kind of edit, how often it was right at which try ("1", "2", "3"), refused or silently wrong.
        noises: the same by what was wrong with the quotes and names.
        counts: everything else that is counted.
        findings: every silent corruption.
        guesses: edits that were carried out as they were meant though their quote said something else.
    """

    rows: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    noises: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refusals: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    guesses: list[Finding] = field(default_factory=list)

    def add(self, kind: str, noise: str, outcome: str) -> None:
        """Count one edit."""
        self.rows[_row_of(kind)][outcome] += 1
        for one in noise.split(" + "):
            self.noises[one][outcome] += 1
        self.counts["edits"] += 1
        self.counts[outcome] += 1

    def take(self, other: Tally) -> None:
        """Add up with another one."""
        for kind, row in other.rows.items():
            self.rows[kind].update(row)
        for kind, row in other.noises.items():
            self.noises[kind].update(row)
        self.refusals.update(other.refusals)
        self.counts.update(other.counts)
        self.findings += other.findings
        self.guesses += other.guesses

    def table(self) -> str:
        """A line for each group of kinds, the totals, and what else was counted."""
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        for kind, row in self.rows.items():
            groups[_group_of(kind)].update(row)
            groups["all"].update(row)
        lines = [
            _HEAD,
            *(_line(name, groups[name]) for name in _ORDER if name in groups),
            _line("all", groups["all"]),
            "",
        ]
        return "\n".join([*lines, *(f"{name:<62}{count:>8}" for name, count in self._told())])

    def kind_table(self) -> str:
        """A line for each kind of edit."""
        return "\n".join([_HEAD, *(_line(kind, row) for kind, row in sorted(self.rows.items()))])

    def noise_table(self) -> str:
        """A line for each way in which quotes and names were wrong."""
        return "\n".join([_HEAD, *(_line(kind, row) for kind, row in sorted(self.noises.items()))])

    def _told(self) -> list[tuple[str, int]]:
        names = [
            "documents", "relays", "relays that ended with the original",
            "relays that were told otherwise", "pairs", "pairs that ended where they began",
            "reversals by an edit", "reversals by undo", "commits of the two people", "batches that others overtook",
            "corrected by the refusal alone", "corrected by reading again", "sent again: nothing changed",
            "people's edits taken back by undo", "people's edits that undo left, and said so",
        ]  # fmt: skip
        return [(name, self.counts[name]) for name in names]


def _group_of(kind: str) -> str:
    """The group of a kind of edit."""
    way, _, name = kind.rpartition(": ")
    if way == "undo" or name == OVERTAKEN:
        return way or name
    what = "document and diagram" if name == "document and diagram" else "a diagram"
    if name.endswith("section"):
        what = "whole sections"
    if name.startswith(("edit_section", "two edits")):
        what = "quoted text"
    return f"{'reversal' if way else 'edit'}: {what}"


def _row_of(kind: str) -> str:
    """The row of a kind of edit."""
    way, _, rest = kind.partition(": ") if kind.startswith(("reversal: ", "undo: ")) else ("", "", kind)
    operation = "document and diagram" if " + " in rest else rest.split(":")[0]
    return f"{way}: {operation}" if way else operation


def _line(kind: str, row: Counter[str]) -> str:
    n = sum(row.values())

    def share(name: str) -> str:
        return f"{100 * row[name] / max(n, 1):.1f}"

    return f"{kind:<34}{n:>7}{share('1'):>9}{share('2'):>7}{share('3'):>7}{share(TOLD):>9}{row[SILENT]:>8}"
