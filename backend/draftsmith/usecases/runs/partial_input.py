"""The input of a tool call while it is being streamed, and when parsing it again is worth the cost.

Not here: reading operations out of it (`assistant.parse`), and what they would do (`staging`).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class PartialInput:
    """The part of a call's input that has come so far.

    Attributes:
        tool: which tool is called.
        parts: the pieces of JSON.
        chars: their length.
        parsed_chars: the length when it was last worth parsing.
        previewed: how many of its operations have been previewed.
    """

    tool: str
    parts: list[str] = field(default_factory=list)
    chars: int = 0
    parsed_chars: int = 0
    previewed: int = 0

    def append(self, piece: str) -> bool:
        """Append a piece; whether the whole is worth parsing now.

        It is once it has grown by an eighth or seems complete: parsing costs as much as all that has come, so parsing
        at each piece would be quadratic.
        """
        self.parts.append(piece)
        self.chars += len(piece)
        if "}" not in piece:
            return False
        is_due = self.chars * 8 >= self.parsed_chars * 9 or "".join(self.parts[-4:]).rstrip().endswith("]}")
        self.parsed_chars = self.chars if is_due else self.parsed_chars
        return is_due
