"""The input of a tool call while it is being written, and when it is worth a look.

Not here: reading operations out of it (`assistant.parse`), and what they would do (`staging`).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class CallBeingWritten:
    """A call whose input has come in part.

    Attributes:
        tool: which.
        parts: what has come of the input.
        chars: how much that is.
        looked_at: how much it was when it was last looked at.
        shown: how many of its operations have been shown.
    """

    tool: str
    parts: list[str] = field(default_factory=list)
    chars: int = 0
    looked_at: int = 0
    shown: int = 0

    def take(self, piece: str) -> bool:
        """Take more of it; whether it is worth a look.

        It is once an eighth has been added or it seems to be complete; a look costs as much as all that has come, so
        looking at each piece would make a long call quadratic.
        """
        self.parts.append(piece)
        self.chars += len(piece)
        if "}" not in piece:
            return False
        is_due = self.chars * 8 >= self.looked_at * 9 or "".join(self.parts[-4:]).rstrip().endswith("]}")
        self.looked_at = self.chars if is_due else self.looked_at
        return is_due
