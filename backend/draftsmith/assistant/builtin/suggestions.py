"""Two sentences to offer instead of one that is refused: with names of this diagram, and understood when sent.

First the sentence itself as several, or with the unclear part replaced; then forms that share a verb or a thing with
it; then two of the commonest. Each is tried before it is offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final

from rapidfuzz import fuzz, process

from draftsmith.assistant.builtin.forms import Form
from draftsmith.assistant.builtin.grammar import WORDS, forms_for
from draftsmith.assistant.builtin.naming import Names
from draftsmith.assistant.builtin.new_names import quoted
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.assistant.builtin.slot_filler import SlotFiller, is_like, verbs
from draftsmith.assistant.builtin.splitting import Splitter
from draftsmith.model.workspace import Workspace

_TRIED: Final = 84
_TRIED_SIGNS: Final = 40_000
"""Characters of all sentences that are tried, so that for a long text fewer are."""
_NEGATED = re.compile(r"\b(?:not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)
_OTHER_TEXT = (
    "füge entferne lösche verbinde benenne zeige ändere was welche bitte wie ajoute ajouter supprime supprimer "
    "connecte renomme montre quels quelles comment añade agrega elimina conecta renombra muestra qué cuáles cómo "
    "aggiungi rimuovi collega rinomina mostra quali adicione adicionar remova remover conecte renomeie quais como "
    "voeg verwijder toon dodaj usuń połącz lägg anslut tilføj fjern forbind"
)
_OTHER = frozenset(_OTHER_TEXT.split())
_JOINED_TEXT = (
    "unknown not_found inexact not_a_group section_not_found unquoted type_unknown kind_unknown direction_unknown"
)
_MAY_BE_JOINED: Final = frozenset(_JOINED_TEXT.split())


def other_language(text: str) -> bool:
    """Whether a sentence begins like one that is not English, or is written in another script."""
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(letter > "\u024f" for letter in letters)
    first = re.findall(r"\w+", text.casefold())[:1]
    return (bool(letters) and foreign * 2 > len(letters)) or (bool(first) and first[0] in _OTHER)


def suggest(
    text: str,
    clause: str,
    workspace: Workspace,
    names: Names,
    unclear: Unclear,
    *,
    may_edit: bool,
    is_understood: Callable[[str], bool],
) -> tuple[Unclear, tuple[str, ...]]:
    """Two sentences that are understood here, and why the one that was written is not.

    Args:
        text: what was written.
        clause: the part of it that is refused.
        workspace, names: whose names are used.
        unclear: why it is refused; told as `joined` where it is two sentences with "and" between them.
        may_edit: whether it may change anything.
        is_understood: tries a sentence.
    """
    left = _TRIED_SIGNS

    def is_usable(sentence: str) -> bool:
        nonlocal left
        if len(sentence) > left:
            return False
        left -= len(sentence)
        return is_understood(sentence)

    splitter = Splitter(text, clause, workspace, names)
    is_about_words = unclear.kind in ("name_unclear", *_MAY_BE_JOINED)
    several = next(filter(is_usable, splitter.as_several()), None) if is_about_words else None
    if several is not None and unclear.kind in _MAY_BE_JOINED:
        unclear = Unclear("joined", "That is more than one command in one sentence. Send them with ';' between them.")
    others: Iterator[str] = splitter.as_named() if unclear.kind == "pronoun" else iter(())
    if is_about_words:
        others = chain(splitter.as_continued(), splitter.as_one())
    one = next(filter(is_usable, others), None) if several is None else None
    found: dict[str, None] = {}
    for sentence in chain(
        filter(None, (several, one)),
        islice(_candidates(text, clause, SlotFiller(workspace, names, clause), unclear, may_edit), _TRIED),
    ):
        if sentence not in found and is_usable(sentence):
            found[sentence] = None
        if len(found) == 2:
            break
    return unclear, tuple(found)


def offers(text: str, workspace: Workspace, may_edit: bool, is_understood: Callable[[str], bool]) -> tuple[str, ...]:
    """Two sentences that are understood and differ from one that is, but did not fit."""
    _, found = suggest(
        text,
        text,
        workspace,
        Names(workspace),
        Unclear("", ""),
        may_edit=may_edit,
        is_understood=lambda one: one != text and is_understood(one),
    )
    return found


def similar_forms(clause: str, workspace: Workspace, names: Names, *, may_edit: bool) -> list[Form]:
    """The forms that have a verb or a thing in common with a sentence, nearest first."""
    filler = SlotFiller(workspace, names, clause)
    shared = [form for form in forms_for(may_edit=may_edit) if filler.shares(form)]
    return sorted(shared, key=lambda form: -filler.nearness(form))


def _candidates(text: str, clause: str, filler: SlotFiller, unclear: Unclear, may_edit: bool) -> Iterator[str]:
    if not _NEGATED.search(clause):  # without it, the sentence would say the opposite
        yield from (text[:start] + new + text[end:] for start, end, new in unclear.instead)
    yield from unclear.hints
    if unclear.kind == "unknown":
        yield from _respelt(text, clause)
    shared = [form for form in _offered(may_edit, clause) if filler.shares(form)]
    for form in sorted(shared, key=lambda form: -filler.nearness(form)):
        sentence = filler.fill(form)
        if sentence is not None:
            yield sentence
    commonest = ["list all databases", "how many nodes are there"]
    if may_edit:
        commonest[:0] = [f"add a service called {quoted(filler.free('Billing'))}"]
    yield from (*commonest, "how many services are there")


def _respelt(text: str, clause: str) -> Iterator[str]:
    """The sentence with one word exchanged for a word of the grammar that is spelt nearly so."""
    at = text.find(clause)
    for found in re.finditer(r"[a-z]+", clause, re.IGNORECASE):
        word = found[0].lower()
        if word not in WORDS:
            near = process.extractOne(word, sorted(WORDS), scorer=fuzz.ratio, score_cutoff=75)
            if near is not None:
                yield text[: at + found.start()] + near[0] + text[at + found.end() :]


def _offered(may_edit: bool, clause: str) -> Iterator[Form]:
    """The forms that may be used here; those that take something away only where one of their verbs was written."""
    written = set(re.findall(r"\w+", clause.lower()))
    for form in forms_for(may_edit=may_edit):
        if form.is_risky and (_NEGATED.search(clause) or not any(is_like(verb, written) for verb in verbs(form))):
            continue
        yield form
