"""Which sections of a long document are sent in full beside its outline: those that the request seems to be about.

From certain to weak: where the cursor stands; whose heading the request names; in which a phrase stands that it quotes;
which link a node that it names or that is selected; what stands below a heading that it names; which share words with
the request, in the heading or in the text. They are taken in this order while there is room (`MessageRoom`), for the
last kind a part of it. A section that does not fit is in the outline only. Subsections count by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.context.mentions import named_nodes
from draftsmith.assistant.context.message_room import MessageRoom
from draftsmith.assistant.tools.node_search import is_small, search_words
from draftsmith.assistant.tools.text_search import TextSearch, quoted_phrases
from draftsmith.model.document import from_units, units
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.workspace import Workspace
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused

_MOST_LINKS: Final = 50  # to one node
_PLACES: Final = 12  # lines of the text that are compared with the request
_MOST_WORDS: Final = 60  # of the request


def named_sections(workspace: Workspace, prompt: str, focus: Focus, room: MessageRoom) -> list[Section]:
    """The sections that are sent in full, in the order of the document."""
    outline = workspace.document.outline
    left, kept = room.sections, room.sections - room.weak_sections
    taken: dict[int, Section] = {}
    for is_certain, section in _ranked_sections(workspace, prompt, focus):
        size = section.own_end - section.start
        fits = size <= (left if is_certain else left - kept)
        if section.index not in taken and fits and outline.text[section.body : section.own_end].strip():
            taken[section.index] = section
            left -= size
    return [taken[index] for index in sorted(taken)]


def selected_section(outline: Outline, focus: Focus) -> Section | None:
    """The section in which the cursor or the selected text stands; None where there is none of that name."""
    if focus.section is not None and focus.section.strip():
        try:
            return find_section(outline, focus.section, "", fuzzy=False)
        except OperationRefused:
            return None
    if focus.range is not None and focus.range.start < min(focus.range.end, units(outline.text)):
        return outline.at(_point(outline.text, focus.range.start))
    return None


def _ranked_sections(workspace: Workspace, prompt: str, focus: Focus) -> Iterator[tuple[bool, Section]]:
    """Sections, the most certain first, with whether they are; some come more than once."""
    outline = workspace.document.outline
    selected = selected_section(outline, focus)
    if selected is not None:
        yield True, selected
    asked = search_words(prompt)
    titled = _sections_by_title(outline, asked)
    for section in titled:
        yield True, section
    search = TextSearch(outline)
    for phrase in quoted_phrases(prompt):
        found = search.find(f'"{phrase}"', _PLACES)
        yield from ((True, place.section) for place in found.places if place.section and not found.partly)
    for section in _sections_by_links(workspace, prompt, focus):
        yield True, section
    for section in outline.sections:
        if any(one.start < section.start < one.end for one in titled):
            yield True, section
    for section in _alike(outline, search, asked):
        yield False, section


def _sections_by_title(outline: Outline, asked: Sequence[str]) -> list[Section]:
    """Sections whose whole heading stands in the request, longer headings first; numbers before a heading count not."""
    said = f" {' '.join(asked)} "
    found = [(len(title), section) for section in outline.sections if (title := _title(section))]
    named = [(length, section) for length, section in found if f" {' '.join(_title(section))} " in said]
    return [section for _, section in sorted(named, key=lambda one: (-one[0], one[1].index))]


def _title(section: Section) -> list[str]:
    title = search_words(section.plain)
    while len(title) > 1 and title[0].isdigit():
        title = title[1:]
    return title


def _sections_by_links(workspace: Workspace, prompt: str, focus: Focus) -> list[Section]:
    """Sections that link nodes which are named or selected, those that link the most of them first."""
    outline = workspace.document.outline
    named = set(named_nodes(workspace.diagram, prompt, focus))
    links: dict[int, set[str]] = {}
    for node_id in named:
        for found in islice(re.finditer(rf"\]\(#node/{re.escape(node_id)}\)", outline.text), _MOST_LINKS):
            section = outline.at(found.start())
            if section is not None:
                links.setdefault(section.index, set()).add(node_id)
    return [outline.sections[index] for index in sorted(links, key=lambda index: (-len(links[index]), index))]


def _alike(outline: Outline, search: TextSearch, asked: Sequence[str]) -> list[Section]:
    """Sections that share words with the request, the most alike first; rarer words count more, double in headings."""
    scores: dict[int, int] = {}
    content = [_stem(word) for word in asked if not is_small(word)]
    for word in list(dict.fromkeys(content))[:_MOST_WORDS]:
        found = search.sections_with(word)
        weight = 1 + len(outline.sections).bit_length() - len(found).bit_length()
        for index in found:
            titled = any(other.startswith(word) for other in search_words(outline.sections[index].plain))
            scores[index] = scores.get(index, 0) + weight * (2 if titled else 1)
    best = max(scores.values(), default=0)
    ranked = sorted(scores, key=lambda index: (-scores[index], index))
    return [outline.sections[index] for index in ranked if 2 * scores[index] >= best]


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def _point(text: str, at: int) -> int:
    """A position in code points for one in UTF-16 units; one inside a character is moved to its end."""
    to_point = from_units(text)
    try:
        return to_point(at)
    except UnicodeDecodeError:
        return to_point(at + 1)
