"""The forms in which a workspace leaves and comes in as a file: their names, endings and media types.

The one list of them: routes, the command line and OpenAPI (and the page's types from there) take it from here. How each
is written and read is not here (`usecases.upkeep.import_export`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Format = Literal["json", "markdown", "mermaid"]
TextFormat = Literal["markdown", "mermaid"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)


@dataclass(frozen=True, slots=True)
class FormatFacts:
    """`endings`: of files' names, in lower case."""

    media_type: str
    endings: tuple[str, ...]


FORMAT_FACTS: Final[Mapping[Format, FormatFacts]] = {
    "json": FormatFacts("application/json", (".json",)),
    "markdown": FormatFacts("text/markdown", (".md", ".markdown")),
    "mermaid": FormatFacts("text/vnd.mermaid", (".mmd", ".mermaid")),
}


def format_of(name: str) -> Format | None:
    """Tell the format from the name of a file; None if it does not say."""
    lowered = name.lower()
    return next((form for form, facts in FORMAT_FACTS.items() if lowered.endswith(facts.endings)), None)
