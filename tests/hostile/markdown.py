"""A grammar of Markdown whose every rule may be repeated, nested or left open far beyond what anybody writes."""

from __future__ import annotations

from collections.abc import Callable

from tests.hostile.drawing import Draw

Rule = Callable[["Markdown", int], str]


class Markdown:
    """Draws documents, and what stands in a line of one.

    Attributes:
        titles: the headings that were drawn, as they stand in the document.
    """

    def __init__(self, draw: Draw, nodes: list[str]) -> None:
        self.draw, self.nodes = draw, nodes
        self.titles: list[str] = []

    def document(self, most: int | None = None) -> str:
        """A document of blocks, at most so many characters."""
        left = self.draw.size(most or self.draw.scale.text, 20)
        blocks: list[str] = []
        only = self.draw.pick(_BLOCKS)[1] if self.draw.odds(0.3) else None  # the same again and again
        while left > 0 and len(blocks) < 3_000:
            rule = only or self.draw.weighed(_BLOCKS)
            block = rule(self, self.draw.size(left))[:left]
            blocks.append(block)
            left -= len(block) + 2
        gap = "\n" if self.draw.odds(0.3) else "\n\n"
        text = gap.join(blocks)
        return text.replace("\n", "\r\n") if self.draw.odds(0.05) else text

    def line(self, most: int) -> str:
        """What may stand in a line: plain words, or marks that nest, repeat or stay open."""
        left = self.draw.size(most)
        parts: list[str] = []
        while left > 0 and len(parts) < 200:
            part = self.draw.weighed(_INLINES)(self, self.draw.size(left))[:left]
            parts.append(part)
            left -= max(1, len(part))
        return "".join(parts).replace("\n", " ")

    def title(self, most: int = 300) -> str:
        """A heading's text."""
        title = self.line(self.draw.size(most)) if self.draw.odds(0.5) else self.draw.words(40)
        self.titles.append(title)
        return title

    # Blocks

    def heading(self, most: int) -> str:
        level = self.draw.rng.randint(1, 8)
        title = self.title(most)
        if self.draw.odds(0.2):
            return f"{title}\n{self.draw.pick('=-') * self.draw.size(max(1, most - len(title)))}"
        return f"{'#' * level} {title}{' ' + '#' * self.draw.size(9) if self.draw.odds(0.2) else ''}"

    def many_headings(self, most: int) -> str:
        sign = "#" * self.draw.rng.randint(1, 6)
        titles = [f"{self.draw.pick('abcd')}{number}" for number in range(max(1, min(most, 400_000) // 12))]
        self.titles += titles[:200]
        return "\n".join(f"{sign} {title}" for title in titles)

    def paragraph(self, most: int) -> str:
        return "\n".join(self.line(most // 2 + 1) for _ in range(self.draw.rng.randint(1, 3)))

    def listing(self, most: int) -> str:
        sign = self.draw.pick(["-", "*", "+", "1.", "1)", "999999999.", "- [ ]"])
        count = max(1, min(most // 8, 50_000))
        deep = self.draw.pick([0, 0, 1, 2])
        return "\n".join(f"{' ' * (deep * min(number, 500))}{sign} {self.draw.unit()}" for number in range(count))[
            :most
        ]

    def nested(self, most: int) -> str:
        sign = self.draw.pick(["> ", ">", "- ", "1. ", "> - ", "  * ", "\t- "])
        return sign * max(1, most // len(sign)) + self.draw.unit()

    def fence(self, most: int) -> str:
        sign = self.draw.pick("`~") * self.draw.size(max(3, most // 4), 3)
        end = f"\n{sign}" if self.draw.odds(0.5) else ""
        return f"{sign}{self.draw.pick(['', 'mermaid', 'sh', self.draw.unit()])}\n{self.draw.pump(most)}{end}"

    def table(self, most: int) -> str:
        wide = self.draw.size(max(2, most // 20), 2)
        row = "|" + f"{self.draw.pick(['a', '`|`', self.draw.unit()])}|".replace("\n", " ") * wide
        rule = "|" + f"{self.draw.pick(['-', ':-:', '---'])}|" * wide
        return "\n".join([row, rule, *[row] * max(1, min(2_000, most // (len(row) + 1)))])

    def html(self, most: int) -> str:
        sign = self.draw.pick(["<a", "<!--", "<![CDATA[", "<?", "<!A", "</", "<div>", "<b x='", "<script>", "<x:y/"])
        return (sign * max(1, most // len(sign)))[:most]

    def references(self, most: int) -> str:
        count = max(1, min(most // 16, 20_000))
        back = "".join(f"[{number % 97}]" for number in range(min(count, 5_000)))
        return (
            "\n".join(f"[{number}]: /{number} '{self.draw.pick('abc')}" for number in range(count))[:most]
            + "\n\n"
            + back
        )

    def pumped(self, most: int) -> str:
        return self.draw.pump(most)

    def lines(self, most: int) -> str:
        unit = self.draw.unit()
        return "\n".join(f"{unit}{number}" for number in range(max(1, min(most // 8, 130_000))))[:most]

    # In a line

    def words(self, most: int) -> str:
        return self.draw.words(min(most, 300)) + " "

    def repeated(self, most: int) -> str:
        sign = self.draw.pick(["`", "[", "![", "](", "*", "_", "*_", "**", "~~", "<", "&", "\\", "!", "``", "[]", "a_"])
        return sign * max(1, most // len(sign))

    def opened(self, most: int) -> str:
        begin, fill, end = self.draw.pick(
            [
                ("[a](", " ", '"'), ("[a](<", "b", ""), ("[a](b '", "\\'", ""), ("[", "[a]", "]("), ("`", "`` ", ""),
                ("![", "![a](b", ")"), ("<", "a ", ""), ("<a ", 'b="', ""), ("&", "a", ""), ("&#", "9", ""),
                ("**a", "**a", " "), ("[a](#node/", "n", ""), ("http://", "a.", ""), ("a@", "b.", ""), ("…", " …", "a"),
            ]
        )  # fmt: skip
        return begin + fill * max(1, most // len(fill)) + end

    def paired(self, most: int) -> str:
        begin, end = self.draw.pick(
            [("[", "](x)"), ("*", "*"), ("**", "**"), ("`", "`"), ("(", ")"), ("_", "_"), ("<b>", "</b>")]
        )
        deep = max(1, most // (len(begin) + len(end)))
        return begin * deep + "x" + end * deep

    def link(self, most: int) -> str:
        node = self.draw.pick(self.nodes) if self.nodes else "none"
        return f"[{self.draw.pump(min(most, 200))}](#node/{node}) "


_BLOCKS: list[tuple[float, Rule]] = [
    (6, Markdown.heading), (1, Markdown.many_headings), (5, Markdown.paragraph), (2, Markdown.listing),
    (2, Markdown.nested), (2, Markdown.fence), (1, Markdown.table), (1, Markdown.html), (1, Markdown.references),
    (3, Markdown.pumped), (1, Markdown.lines),
]  # fmt: skip
_INLINES: list[tuple[float, Rule]] = [
    (4, Markdown.words), (3, Markdown.repeated), (3, Markdown.opened), (2, Markdown.paired), (2, Markdown.pumped),
    (2, Markdown.link),
]  # fmt: skip
