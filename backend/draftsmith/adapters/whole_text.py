"""Text as it can be sent: pages cut it in the middle of a character, and UTF-8 cannot say that."""

from __future__ import annotations


def repair_surrogates(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
