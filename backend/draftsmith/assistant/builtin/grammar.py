"""The table of all forms of sentences, and how a clause is read: the first form that matches decides.

From the table come the parser, the completions, the sentences that a refusal offers, and the grammar in
docs/commands.md, which a test compares. What a form does is in `node_edits`, `edge_edits`, `document_edits` and
`questions`; the language of the templates is described in `template`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from draftsmith.assistant.builtin import document_edits as document
from draftsmith.assistant.builtin import edge_edits as edges
from draftsmith.assistant.builtin import node_edits as nodes
from draftsmith.assistant.builtin import questions
from draftsmith.assistant.builtin.clause import Clause, Edit, Question
from draftsmith.assistant.builtin.masking import MaskedText, core, mask, word_set
from draftsmith.assistant.builtin.names import Names
from draftsmith.assistant.builtin.questions import ask
from draftsmith.assistant.builtin.refusal import UnclearSentence
from draftsmith.assistant.builtin.template import Gap, Variant, pattern, variants

_TAKES_AWAY: Final = word_set("remove delete rename replace change set disconnect ungroup label lay tidy")
_BEFORE_VERB = re.compile(r"^(?:in (?:the )?(?:section )?)?x,? ")
_SHOWN: Final = 8  # variants of each form, that are compared with what was written


@dataclass(frozen=True)
class Form:
    """One form of sentence.

    Attributes:
        template: see `template`.
        build: from the clause to what it asks for; raises UnclearSentence.
    """

    template: str
    build: Callable[[Clause], Edit | Question]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What reads a masked clause."""
        return pattern(self.template)

    @cached_property
    def variants(self) -> list[Variant]:
        """The plain sequences it stands for."""
        return variants(self.template)

    @cached_property
    def words(self) -> set[str]:
        """Its words of grammar."""
        return {word for one in self.variants for part in one if isinstance(part, str) for word in part.split()}

    @cached_property
    def slots(self) -> dict[str, str]:
        """What each slot takes."""
        return {part.name: part.sort for variant in self.variants for part in variant if isinstance(part, Gap)}

    @cached_property
    def plain(self) -> list[str]:
        """The first variants without names: an `x` for each slot."""
        texts = (["x" if isinstance(part, Gap) else part.strip() for part in one] for one in self.variants[:_SHOWN])
        return list(dict.fromkeys(" ".join(text) for text in texts))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The words that say what to do."""
        return frozenset(map(verb_of, self.plain))

    @property
    def is_risky(self) -> bool:
        """Whether it takes something away, so that it is not offered unless it was asked for."""
        return not self.verbs.isdisjoint(_TAKES_AWAY)


def verb_of(plain: str) -> str:
    """The first word that says what to do; a section or the name of who does it comes before."""
    return _BEFORE_VERB.sub("", plain).partition(" ")[0]


_PUT: Final = "(add|put|insert|place) {new}"
_AB: Final = "from {a:node} to {b:node}"
_OF: Final = f"of the connection {_AB} to"
_IN: Final = "in [the ](section |){section}[,]"
_SECTION: Final = "[the ]section {section}"
_TITLE: Final = "(add|create) (a |)[the ][new ]section [called ]{title}"
_TEXT: Final = "[ with [the ]text {text}]"
_WHO: Final = "(what|who|which nodes|which services)"
_NODES_ARE: Final = "(what is|which nodes are|list everything)"
_DOWN: Final = "(fails|is down|goes down|breaks)"

DOCUMENT_FORMS: Final = (
    Form(f"{_IN} (replace|change) (all|every) {{find:quote}} (with|by|to) {{replace:text}}", document.replace_all),
    Form(f"{_IN} (change|replace) {{find:quote}} (to|with|by) {{replace:text}}", document.change_text),
    Form(f"{_IN} add (a |)[the ][new ](bullet[ point]|list item|item) {{text}}", document.add_bullet),
    Form(f"{_IN} add (a |)[the ][new ]paragraph {{text}}", document.add_paragraph),
    Form(f"{_TITLE} before [the ][section ]{{before:section}}{_TEXT}", document.add_section),
    Form(f"{_TITLE} after [the ][section ]{{after:section}}{_TEXT}", document.add_section),
    Form(f"{_TITLE} (into|under|in) [the ][section ]{{into:section}}{_TEXT}", document.add_section),
    Form(f"{_TITLE}{_TEXT}", document.add_section),
    Form(f"(remove|delete) {_SECTION}", document.remove_section),
    Form(f"rename {_SECTION} (to|as) {{title}}", document.rename_section),
    Form(f"move {_SECTION} before [the ][section ]{{before:section}}", document.move_section),
    Form(f"move {_SECTION} after [the ][section ]{{after:section}}", document.move_section),
    Form(f"move {_SECTION} (into|under|in) [the ][section ]{{into:section}}", document.move_section),
)
ASKING_FORMS: Final = (
    Form(f"{_WHO} (calls|call) {{node}}", partial(ask, "callers", "neighbours", direction="in", depth=1)),
    Form("what does {node} call", partial(ask, "called", "neighbours", direction="out", depth=1)),
    # An arrow may stand for a call, or for data that somebody uses who receives it.
    Form(f"{_WHO} (uses|use) {{node}}", partial(ask, "users", "neighbours", direction="both", depth=1)),
    Form("what does {node} use", partial(ask, "used", "neighbours", direction="both", depth=1)),
    Form("what does {node} depend on", partial(ask, "needs", "neighbours", direction="out", depth=5)),
    Form(f"{_WHO} (depends|depend) on {{node}}", partial(ask, "dependents", "neighbours", direction="in", depth=5)),
    Form(f"[(show|find) [me ]][the |a ](path|paths|way|ways|route) {_AB}", questions.paths),
    Form(f"what (breaks|fails|happens) (if|when) {{node}} {_DOWN}", partial(ask, "impact", "impact")),
    Form(f"{_NODES_ARE} (unconnected|not connected)", partial(questions.check, "unconnected")),
    Form("check the diagram", partial(questions.check, "check")),
)
"""Questions whose tools only Ask has."""
READING_FORMS: Final = (
    Form(f"(show|read) [me ]{_SECTION}", questions.show),
    Form("(what is|what stands) in [the ]group {group}", questions.group_content),
    Form("(list|show|find) [me ](everything|all nodes) with {technology}", questions.list_kinds),
    Form("(list|show|find) [me ][all ][the ]{kinds} with {technology}", questions.list_kinds),
    Form("(list|find) [me ][all ][the ]{kinds}", questions.list_kinds),
    Form("which {kinds} (are there|do we have|are in the diagram)", questions.list_kinds),
    Form("show [me ]all [the ]{kinds}", questions.list_kinds),
    Form("how many {kinds}[ (are there|are in the diagram|do we have)]", questions.count),
    Form("describe {node}", questions.describe),
)
"""Questions that Edit answers, too."""
DIAGRAM_FORMS: Final = (
    Form(f"label the connection {_AB} [(as|with) ]{{label:quoted}}", partial(edges.change, "label")),
    Form(f"label the connection {_AB} [(as|with) ]{{label:text}}", partial(edges.change, "label")),
    Form(f"(change|set) the label {_OF} {{label:text}}", partial(edges.change, "label")),
    Form(f"(change|set) the (kind|type) {_OF} [an |a ]{{kind}}", partial(edges.change, "kind")),
    Form(f"(change|set) the direction {_OF} {{direction}}", partial(edges.change, "direction")),
    Form("add {new} [in ]between {a:node} and {b:node}", edges.add_between),
    Form("(put|insert|place) {new} [in ]between {a:node} and {b:node}", edges.put_between),
    Form(f"{_PUT} (before|in front of) {{before:node}}", edges.add_beside),
    Form(f"{_PUT} (after|behind) {{after:node}}", edges.add_beside),
    Form(
        "(connect|link) {a:node} (to|with) {b:node}[ with [the ]label {label:text}][ as [an |a ]{kind}[ connection]]",
        edges.connect,
    ),
    Form("disconnect {a:node} from {b:node}", edges.disconnect_both_ways),
    Form("(remove|delete) the (connection|connections) between {a:node} and {b:node}", edges.disconnect_both_ways),
    Form(f"(remove|delete) the (connection|connections) {_AB}", edges.disconnect),
    Form(f"reverse the connection {_AB}", edges.reverse),
    *(
        Form(f"{{a:node}} {verb} {{b:node}}", partial(edges.connect, label=verb.split()[0], kind=kind))
        for verb, kind in edges.VERBS.items()
    ),
    Form("(add|create) {new} (to|in|into) [the ]group {group}", nodes.add),
    Form("(add|create|put|place) {new} (near|beside|next to) {near:node}", nodes.add),
    Form("(add|create) {new} [and ]connected (to|with) {node}", nodes.add),
    Form("(add|create) {new}", nodes.add),
    Form("rename {node} (to|as) {label}", nodes.rename),
    Form("(change|set) the type of {node} to [an |a ]{type}", nodes.change_type),
    Form("(change|set) the technology of {node} to {technology}", nodes.change_technology),
    Form("(change|set) the description of {node} to {text}", nodes.change_description),
    Form("(remove|delete) {nodes} and bridge (it|them|the gap)", partial(nodes.remove, bridge=True)),
    Form("(remove|delete) {nodes} without bridging", nodes.remove),
    Form("(remove|delete|drop) {nodes}", nodes.remove),
    Form("replace {node} (with|by) {new}", nodes.replace),
    Form("group {nodes} (as|into) {label}", nodes.group),
    Form("ungroup {group}", nodes.ungroup),
    Form("move {nodes} out of (its|their|the) (group|groups)", nodes.move_out),
    Form("move {nodes} out of [the ][group ]{group}", nodes.move_out),
    Form("move {nodes} (into|to) [the ][group ]{group}", nodes.move_in),
    Form("(tidy|lay out|tidy up|arrange) (the diagram|everything)", nodes.lay_out),
)
FORMS: Final[tuple[Form, ...]] = (*DOCUMENT_FORMS, *ASKING_FORMS, *READING_FORMS, *DIAGRAM_FORMS)
WORDS: Final = frozenset(word for form in FORMS for word in form.words)
"""Words of the grammar; a name made of nothing else is also read as grammar."""
LONGEST: Final = 1_000  # signs of a clause, names and quotations counted as one each


def forms_for(*, may_edit: bool) -> tuple[Form, ...]:
    """The forms that are carried out in Edit, or in Ask."""
    if may_edit:
        return (*DOCUMENT_FORMS, *READING_FORMS, *DIAGRAM_FORMS)
    return (*ASKING_FORMS, *READING_FORMS)


def read(text: str, names: Names) -> Edit | Question:
    """Read one clause: with all names marked, else without those that are words of the grammar, else with nodes alone.

    Raises:
        UnclearSentence: as the forms do; `unknown` if none matches, `too_long`.
    """
    first: UnclearSentence | None = None
    for pairs in (names.known_names(text), _no_grammar(names.known_names(text)), _no_grammar(names.within(text))):
        try:
            return _read(mask(text, pairs), names)
        except UnclearSentence as unclear:
            first = unclear if first is None or first.kind == "unknown" else first
    assert first is not None
    raise first


def _read(masked_text: MaskedText, names: Names) -> Edit | Question:
    start, end = core(masked_text)
    if end - start > LONGEST:
        raise UnclearSentence(
            "too_long", "That sentence is long. Put names and text into quotation marks, or send it in parts."
        )
    for form in FORMS:
        found = form.pattern.fullmatch(masked_text.masked, start, end)
        if found is not None:
            taken = ((name, found.span(name)) for name in found.re.groupindex)
            return form.build(
                Clause(names, {name: masked_text.slot(*span) for name, span in taken if span != (-1, -1)})
            )
    raise UnclearSentence("unknown", "I do not know this form of sentence.")


def mask_all(text: str, names: Names, *, with_grammar: bool = True) -> MaskedText:
    """A text with the names of nodes and of sections marked; with or without those that are words of the grammar."""
    return mask(text, names.known_names(text) if with_grammar else _no_grammar(names.known_names(text)))


def _no_grammar(pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    return (pair for pair in pairs if not WORDS.issuperset(pair[1].split()))
