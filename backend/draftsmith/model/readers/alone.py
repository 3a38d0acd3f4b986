"""Formats in which each file is a set by itself, and what several readers of text do alike."""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.model.readers.reading import SourceFile, SourceSet, UnreadableSource


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """Each file is one."""
    return [SourceSet(file, {file.path: file}) for file in files]


def text_of(file: SourceFile, most: int | None = None) -> str:
    """The text of a file in UTF-8, or in UTF-16 if it begins with a byte order mark, which is left out.

    Raises:
        UnreadableSource: it has more than `most` bytes, is in another encoding, or holds NUL characters, which no text
            does.
    """
    content = file.content
    if most is not None and len(content) > most:
        raise UnreadableSource(f"it has more than {most:,} bytes", file.path)
    is_wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = None if is_wide else content.count(b"\n", 0, error.start) + 1
        raise UnreadableSource(
            f"it is not UTF-{16 if is_wide else 8} at byte {error.start:,}", file.path, line
        ) from None
    if "\x00" in text:
        raise UnreadableSource("it is not a text", file.path, text.count("\n", 0, text.index("\x00")) + 1)
    return text


def head_of(file: SourceFile, most: int) -> str:
    """The beginning of a file as text, for a look; what cannot be decoded is replaced."""
    return file.content[:most].decode("utf-8-sig", "replace")
