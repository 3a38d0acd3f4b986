"""What is said instead of a sentence that is refused: why, and two sentences that would be understood.

First the sentence itself put right: cut into several, with the unclear part replaced, or without its end; then forms
that share a verb or a thing with it, filled with names of this diagram; then two of the commonest. Each is tried before
it is offered, and none is ever carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations, islice
from typing import Final

from rapidfuzz import fuzz, process

from draftsmith.assistant.builtin.clause import Edit
from draftsmith.assistant.builtin.grammar import FORMS, WORDS, Form, forms_for, mask_all, read, verb_of
from draftsmith.assistant.builtin.masking import NAME, QUOTE, Slot, clauses, core, mask, whole_text, word_set
from draftsmith.assistant.builtin.names import Names, unused_name
from draftsmith.assistant.builtin.new_things import noun_type, quote_text
from draftsmith.assistant.builtin.refusal import Refusal, UnclearSentence
from draftsmith.assistant.builtin.template import Gap
from draftsmith.model.ids import NodeId
from draftsmith.model.vocabulary import GROUP

_TRIED, _TRIED_SIGNS = 84, 40_000  # sentences, and their characters together, so that of a long text fewer are tried
_MOST_CUTS, _MOST_CUT_OFF, _MOST_LIKE_IT, _SEARCHED = 4, 12, 3, 60
_SAME_VERB, _NEAR_WORD, _SAME_THING = 85, 75, 80  # "remove" and "move" are 80 % alike
_CUT = re.compile(r",?\s(?:and|but|plus|&|\+)\s(?:also\s)?|,\s", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|them|that|this)\b", re.IGNORECASE)
_PLACED = re.compile(rf",?\s(?:to|in|into|inside|for|with|on|at|by)\s(?=[{NAME}{QUOTE}])", re.IGNORECASE)
_CONNECTED = re.compile(r",?\sand connect(?:ed)?(?: (?:it|them))? (?:to|with)\s", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)
_LISTED: Final = word_set("node nodes new title section kinds text")  # several may be named there
_MAY_BE_JOINED: Final = word_set(
    "unknown not_found inexact not_a_group section_not_found unquoted type_unknown kind_unknown direction_unknown"
)
_THINGS: Final = word_set(
    "connection group section bullet paragraph type technology description label kind direction diagram node "
    "path route text layout"
)
"""What sentences are about, in the singular; forms that hold one share it with a sentence that does."""
_NO_VERBS: Final = frozenset({"what", "who", "which", "how", "in", "is", "path", "the", ""})
"""First words of forms that say nothing of what a sentence is about."""
_JOINING: Final = word_set("connect link calls reads writes publishes subscribes")
"""Verbs of forms about two nodes that are not connected."""
_OTHER: Final = word_set(
    "füge entferne lösche verbinde benenne zeige ändere was welche bitte wie ajoute ajouter supprime supprimer "
    "connecte renomme montre quels quelles comment añade agrega elimina conecta renombra muestra qué cuáles cómo "
    "aggiungi rimuovi collega rinomina mostra quali adicione adicionar remova remover conecte renomeie quais como "
    "voeg verwijder toon dodaj usuń połącz lägg anslut tilføj fjern forbind"
)
_HELP = re.compile(
    r"help(?: me)?|commands|what (?:can|could) (?:you|i|we) (?:do|say|ask|write|type)(?: here)?"
    r"|(?:what|which) (?:commands|sentences|forms)(?: .*)?|what do you (?:know|understand|do)"
    r"|how does (?:this|it) work",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"(?:how (?:do|can|could) (?:i|we|you) )?(?:(?:undo|redo|revert|roll ?back)(?: \S+){0,5}"
    r"|take (?:it|that|this) back)",
    re.IGNORECASE,
)
_UNDO_IS = (
    "Undo is no command here. Ctrl+Z (⌘Z on a Mac) takes back your own newest change, 'Undo all' on the card of a "
    "request all that it changed, and in the history (Shift+H) any change can be reverted alone."
)


class Offers:
    """What can be offered for one refused clause of a text."""

    def __init__(self, text: str, place: Slot, names: Names, *, may_edit: bool) -> None:
        self.text, self.place, self.names, self.may_edit = text, place, names, may_edit
        self.clause = clause = place.raw
        self._masked = mask_all(clause, names, with_grammar=False)
        self._span = core(self._masked)
        masked = self._masked.masked.lower()
        self._plain = " ".join(masked.replace(NAME, " x ").replace(QUOTE, " x ").split())
        self._words_written = set(re.findall(r"[^\W\d_]+", masked))
        self._things = _THINGS & {word for one in self._words_written for word in (one, one.removesuffix("s"))}
        self._quotes = self._masked.texts_of(QUOTE)
        self._mentioned_names = [*self._masked.texts_of(NAME), *self._quotes]
        self._said = [ids[0] for name in self._mentioned_names if len(ids := names.exactly(name)) == 1]
        self._sections = names.workspace.document.outline.sections
        self._titled = [
            one for one in self._sections if one.plain in self._mentioned_names or one.title in self._mentioned_names
        ]

    def refusal(self, unclear: UnclearSentence, is_understood: Callable[[str], bool]) -> Refusal:
        """Why it is refused, and what is offered; told as `joined` where it is several sentences in one."""
        left = _TRIED_SIGNS

        def is_usable(sentence: str) -> bool:
            nonlocal left
            left -= len(sentence)
            return left >= 0 and is_understood(sentence)

        plain = self._masked.slot(*self._span).raw
        if unclear.kind in ("unknown", "type_unknown") and _HELP.fullmatch(plain):
            unclear = UnclearSentence("help", f"Built-in commands understand these forms: {self._known_forms()}.")
        if unclear.kind == "unknown" and _UNDO.fullmatch(plain):
            unclear = UnclearSentence("undo", _UNDO_IS)
        is_about_words = unclear.kind in ("name_unclear", *_MAY_BE_JOINED)
        put_right = next(filter(is_usable, self._as_several()), None) if is_about_words else None
        if put_right is not None and unclear.kind in _MAY_BE_JOINED:
            reason = "That is more than one command in one sentence. Send them with ';' between them."
            unclear = UnclearSentence("joined", reason)
        elif put_right is None:
            others = (
                self._with_place() if is_about_words else self._as_named() if unclear.kind == "pronoun" else iter(())
            )
            put_right = next(filter(is_usable, others), None)
        candidates = dict.fromkeys(islice(chain(filter(None, [put_right]), self._candidates(unclear)), _TRIED))
        return Refusal(*self._kind_and_reason(unclear), tuple(islice(filter(is_usable, candidates), 2)))

    def _kind_and_reason(self, unclear: UnclearSentence) -> tuple[str, str]:
        if unclear.kind != "unknown":
            return unclear.kind, unclear.reason
        if _is_other_language(self.text):
            return "language", "Built-in commands are fixed sentences in English."
        near = self._similar()[:_MOST_LIKE_IT]
        like = f"Forms like it: {_in_short(near)}." if near else f"These I know: {self._known_forms()}."
        return unclear.kind, f"{unclear.reason} {like}"

    def _known_forms(self) -> str:
        """Of the forms that begin alike, the shortest."""
        forms = sorted(forms_for(may_edit=self.may_edit), key=lambda form: len(form.variants[0]))
        shortest = {form.variants[0][0]: form for form in reversed(forms)}
        return _in_short(list(shortest.values())[::-1])

    # -- the sentence itself, put right ------------------------------------------------------------------------------

    def _as_several(self) -> Iterator[str]:
        """Yield the text with its clause as several, with ";" between them.

        First one for each thing in a slot; then cut where it is joined, fewest cuts first, with the verb said again
        where a part has none, and with "it" replaced by what the part before it speaks of. Where there are more joints
        than `_MOST_CUTS`, nothing is cut.
        """
        yield from self._one_each()
        cuts = [found.span() for found in _CUT.finditer(self._masked.masked, *self._span)]
        for count in range(1, len(cuts) + 1 if len(cuts) <= _MOST_CUTS else 1):
            for chosen in combinations(cuts, count):
                parts = self._masked.cut(chosen, *self._span)
                if all(part.raw for part in parts):
                    yield self._with_clause("; ".join(self._as_sentences(parts)))

    def _one_each(self) -> Iterator[str]:
        """One for each thing that stands in a slot of the form that it has."""
        matches = ((form, form.pattern.fullmatch(self._masked.masked, *self._span)) for form in FORMS)
        form, found = next(((form, one) for form, one in matches if one is not None), (None, None))
        if form is None or found is None:
            return
        for start, end in (found.span(slot) for slot, sort in form.slots.items() if sort in _LISTED and found[slot]):
            front, back = self._masked.slot(self._span[0], start).raw, self._masked.slot(end, self._span[1]).raw
            cuts = (joint.span() for joint in _CUT.finditer(self._masked.masked, start, end))
            things = [part.raw for part in self._masked.cut(cuts, start, end)]
            if len(things) > 1:
                yield self._with_clause("; ".join(" ".join(filter(None, (front, thing, back))) for thing in things))

    def _as_sentences(self, parts: Sequence[Slot]) -> Iterator[str]:
        before = ""
        for part in parts:
            has_verb = not before or any(word in form.verbs for word in part.raw.lower().split() for form in FORMS)
            before = ("" if has_verb else f"{before.partition(' ')[0]} ") + self._with_name(part, before)
            yield before

    def _as_named(self) -> Iterator[str]:
        """With "it" replaced by what the clause before it speaks of."""
        before = self.text[: self.place.start] + " "  # ends after "then", which is one only before a blank
        for clause in clauses(mask(before, self.names.within(before)))[-1:]:
            yield self._with_clause(self._with_name(self._masked.slot(*self._span), clause.raw))

    def _with_place(self) -> Iterator[str]:
        """With a place as the forms say it."""
        for joint, new in ((_CONNECTED, "connected to"), (_PLACED, "to group"), (_PLACED, "connected to")):
            found = joint.search(self._masked.masked, *self._span)
            if found is not None:
                front, back = (self._span[0], found.start()), (found.end(), self._span[1])
                yield self._with_clause(f"{self._masked.slot(*front).raw} {new} {self._masked.slot(*back).raw}")

    def _without_last_words(self) -> Iterator[str]:
        """Without its last words."""
        cuts = [found.start() for found in re.finditer(r",?\s", self._masked.masked[: self._span[1]])]
        yield from (
            self._with_clause(self._masked.slot(self._span[0], cut).raw) for cut in cuts[: -_MOST_CUT_OFF - 1 : -1]
        )

    def _with_clause(self, clause: str) -> str:
        """The text with another clause in the place of the refused one."""
        return self.text[: self.place.start] + clause + self.text[self.place.end :]

    def _with_name(self, slot: Slot, before: str) -> str:
        """A part with "it" replaced by what the sentence before it makes, renames or mentions."""
        name = self._spoken_of(before) if _IT.search(slot.raw) else ""
        return _IT.sub(lambda _: name, slot.raw, count=1) if name else slot.raw

    def _spoken_of(self, sentence: str) -> str:
        try:
            made = read(sentence, self.names)
        except UnclearSentence:
            return ""
        for one in made.operations if isinstance(made, Edit) else ():
            shape = one["node"] if isinstance(one.get("node"), dict) else one
            name = shape.get("label") or shape.get("title")
            if name and one["op"] not in ("add_edge", "update_edge"):
                return name if name.isalnum() else quote_text(name)
            for field in ("id", "target"):  # of two ends the one named last
                if one.get(field) in self.names.labels:
                    return self.names.call(NodeId(one[field]))
        return ""

    # -- other sentences ---------------------------------------------------------------------------------------------

    def _candidates(self, unclear: UnclearSentence) -> Iterator[str]:
        if not _NEGATED.search(self.clause):  # without it, the sentence would say the opposite
            slot, clause = unclear.slot or whole_text(self.clause), self.clause
            put_right = (self._with_clause(clause[: slot.start] + new + clause[slot.end :]) for new in unclear.instead)
            shortened = self._without_last_words() if unclear.kind in _MAY_BE_JOINED else iter(())
            yield from chain(*((put_right, shortened) if unclear.kind.endswith("_unknown") else (shortened, put_right)))
        yield from unclear.hints
        yield from self._respelt() if unclear.kind == "unknown" else ()
        for form in self._similar():
            is_asked_for = not _NEGATED.search(self.clause) and any(map(self._is_written, form.verbs))
            if not form.is_risky or (is_asked_for and (self._titled or self._said or not form.slots)):
                yield from self._fill_form(form)
        if self.may_edit:
            yield f"add a service called {quote_text(self.names.free('Billing'))}"
        yield from ("list all databases", "how many nodes are there", "how many services are there")

    def _respelt(self) -> Iterator[str]:
        """The sentence with one word exchanged for a word of the grammar that is spelt nearly so."""
        for found in re.finditer(r"[a-z]+", self.clause, re.IGNORECASE):
            word = found[0].lower()
            near = process.extractOne(word, sorted(WORDS), scorer=fuzz.ratio, score_cutoff=_NEAR_WORD)
            if near is not None and word not in WORDS:
                yield self._with_clause((self.clause[: found.start()] + near[0] + self.clause[found.end() :]).strip())

    def _similar(self) -> list[Form]:
        """The forms that have a verb or a thing in common with the sentence, nearest first."""
        return sorted(filter(self._shares, forms_for(may_edit=self.may_edit)), key=lambda form: -self._nearness(form))

    def _shares(self, form: Form) -> bool:
        """By a word, or by a slot for something of which the sentence speaks."""
        is_verb = any(map(self._is_written, form.verbs - _NO_VERBS))
        return is_verb or not self._things.isdisjoint(form.words) or not self._sorts.isdisjoint(form.slots.values())

    def _is_written(self, verb: str) -> bool:
        """Whether a verb is among the words, small slips after its first letter allowed."""
        return any(word[:1] == verb[:1] and fuzz.ratio(verb, word) >= _SAME_VERB for word in self._words_written)

    def _nearness(self, form: Form) -> float:
        """How near a form is: as a whole, and at its first word, which is mostly the verb."""
        verb, slots = verb_of(self._plain), max(1, len(self._mentioned_names))
        likeness = (
            fuzz.ratio(plain, self._plain)
            + 0.8 * fuzz.ratio(verb_of(plain), verb)
            - 6 * max(0, plain.split().count("x") - slots)
            for plain in form.plain
        )
        return max(likeness) + _SAME_THING * (
            len(self._things & form.words) + bool(self._kinds and "kinds" in form.slots)
        )

    @cached_property
    def _sorts(self) -> set[str]:
        """The sorts of slots for what the sentence speaks of: nodes, sections, a kind of node."""
        spoken = {"node": self._said, "nodes": self._said, "section": self._titled, "kinds": self._kinds}
        return {sort for sort, things in spoken.items() if things}

    @cached_property
    def _kinds(self) -> str:
        """The first word that says a kind of node, in the plural; empty if there is none."""
        found = (word for word in re.findall(r"[a-z]{3,}", self._plain) if noun_type(word) is not None)
        word = next(found, "")
        return word if word.endswith("s") or not word else re.sub(r"y$", "ie", word) + "s"

    # -- forms filled in ---------------------------------------------------------------------------------------------

    def _fill_form(self, form: Form) -> Iterator[str]:
        """The form as sentences about what was spoken of, else about what is there; which of them fit is tried."""
        for one, other in self._pairs(is_free=not form.verbs.isdisjoint(_JOINING)):
            values = [
                part if isinstance(part, str) else self._value(form, part, other if part.name == "b" else one)
                for part in form.variants[0]
            ]
            if all(values):
                yield "".join(values)

    def _pairs(self, *, is_free: bool) -> Iterator[tuple[str, str]]:
        """Two nodes that were spoken of, else two of which one leads to the other, or does not; empty where none is."""
        diagram, said, call = self.names.workspace.diagram, list(dict.fromkeys(self._said)), self.names.call
        if len(said) > 1:
            yield call(said[0]), call(said[1])
            return
        free = (i for i in self.names.easy if self.names.types[i] != GROUP and diagram.lock_on(i) is None)
        order = list(dict.fromkeys([*said, *free]))[:_SEARCHED]
        for one in order[: 1 if said else 2]:
            others = (i for i in (order if is_free else sorted(diagram.outgoing(one))) if i != one)
            yield call(one), next((call(i) for i in others if not is_free or not diagram.edges_between(one, i)), "")
        if not order:
            yield "", ""

    def _value(self, form: Form, gap: Gap, node: str) -> str:
        """What to put into a slot; empty where there is nothing."""
        if gap.sort == GROUP:
            groups = (i for i in [*self._said, *self.names.easy] if self.names.types[i] == GROUP)
            return next(map(self.names.call, groups), "")
        if gap.sort == "section":
            is_other = gap.name != "section" and "section" in form.slots
            found = self._sections[-1:] if is_other else [*self._titled, *self._sections][:1]
            return next((quote_text(self.names.section_name(one)) for one in found), "")
        titles = {section.plain.casefold() for section in self._sections}
        return {
            "node": node,
            "nodes": node,
            "quote": quote_text(self._quotes[0]) if len(self._quotes) == 2 else "",
            "new": f"a service called {quote_text(self.names.free('Billing'))}",
            "label": quote_text(self.names.free("Front office")),
            "title": quote_text(unused_name("Next steps", lambda title: title.casefold() in titles)),
            "text": quote_text(self._quotes[-1]) if len(self._quotes) in (1, 2) else '"to be decided"',
            "quoted": '"to be decided"',
            "type": "service",
            "kind": "async",
            "direction": "both",
            "kinds": self._kinds or "databases",
            "technology": "Redis",
        }[gap.sort]


def _in_short(forms: Sequence[Form]) -> str:
    """Forms as they are written, with … for what is filled in."""
    plain = ("".join("…" if isinstance(part, Gap) else part for part in form.variants[0]) for form in forms)
    return "; ".join(dict.fromkeys(plain))


def _is_other_language(text: str) -> bool:
    """Whether a sentence begins like one that is not English, or is written in another script."""
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(letter > "\u024f" for letter in letters)
    first = re.findall(r"\w+", text.casefold())[:1]
    return (bool(letters) and foreign * 2 > len(letters)) or (bool(first) and first[0] in _OTHER)
