"""The tool that edits: a batch that is applied or becomes a proposal, by role and by what it takes away."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from draftsmith.access.roles import is_at_least
from draftsmith.agents import edit_answers
from draftsmith.agents.answer import ToolAnswer
from draftsmith.agents.inputs import EditArguments
from draftsmith.agents.marks import LINES, TEXT, Marks, edge_mark, field_mark, is_of_section, line_mark, node_mark
from draftsmith.assistant.answers.offers import check_offered, offer_of
from draftsmith.assistant.answers.parse import explanations_of, operations_of
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.replica import Replica
from draftsmith.model.fields import EDGE_DEFAULTS, NODE_FIELDS
from draftsmith.ports.runs import Mode
from draftsmith.transform.matching.node_names import nodes_meant
from draftsmith.transform.requests.batch import Batch, parsing_batch
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.agents.edit_request import WAITS, AgentRequest
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests.identity import RequestIdentity, fingerprint, identify

_TOOL: Final = "edit"
_OF_CALL: Final = frozenset({"workspace", "base_revision", "mode", "dry_run", "id"})
_LEAST_ID: Final = 8
_DOCUMENT_WORDS: Final = ("section", "text")
_FIELDS: Final = (
    *(("node", field) for field in NODE_FIELDS),
    *(("edge", field) for field in (*EDGE_DEFAULTS, "source", "target")),
)
_MOST_OF_PROPERTIES: Final = 10_000


async def edit(
    needs: AgentDependencies, call: Call, asked: EditArguments, arguments: Mapping[str, object]
) -> ToolAnswer:
    """Run a batch, or propose it.

    Raises:
        DraftsmithError: `stale_base`, `unread_change`, `batch_rejected` and whatever else refuses a batch; `forbidden`
            for `apply` in a role that only proposes.
    """
    may_apply = is_at_least(call.role, "editor")
    if asked.mode == "apply" and not may_apply:
        raise DraftsmithError("forbidden", f"As {call.role} you may propose, not apply; use mode auto or propose.")
    if asked.id and len(asked.id) < _LEAST_ID:
        raise _invalid("/id", f"An id has {_LEAST_ID} to 128 characters; use a fresh one for each edit.")
    content = {
        name: value for name, value in arguments.items() if name not in _OF_CALL or (name == "id" and "op" in arguments)
    }
    notes: dict[str, None] = {}
    operations = operations_of(_TOOL, content, notes)
    check_offered(_TOOL, operations)
    batch = await in_slices(parsing_batch(operations, needs.limits, offer=offer_of(_TOOL)))
    said = asked.explanation or "; ".join(explanations_of(_TOOL, content))
    request = await _request(needs, call, asked, operations, batch, said[:1000])
    if asked.id and not asked.dry_run:
        made = await needs.suggestions.find_repeated(call.workspace_id, request)
        if made is not None:
            return edit_answers.proposal_answer(call.workspace_id, made, link=call.link_of(made["id"]), replayed=True)
    mode: Mode = asked.mode if may_apply else "propose"
    if mode == "propose":
        return await _propose(needs, call, asked, request, operations, "" if may_apply else _ROLE.format(call.role))
    try:
        answer = await needs.workspaces.submit(call.workspace_id, replace(request, mode=mode))
    except DraftsmithError as error:
        if error.code != WAITS:
            raise
        return await _propose(needs, call, asked, request, operations, error.detail)
    if answer["changed"] and not answer["dry_run"] and not answer["replayed"]:
        await _learn(needs, call, request)
    warnings = [*({"message": note} for note in notes), *answer["warnings"]]
    return edit_answers.edit_answer(call.workspace_id, {**answer, "warnings": warnings}, link=call.link)


_ROLE: Final = "As {} it may only propose."


async def _request(
    needs: AgentDependencies,
    call: Call,
    asked: EditArguments,
    operations: Sequence[Any],
    batch: Batch,
    explanation: str,
) -> AgentRequest:
    """The batch with what the agent has been shown by now."""
    actor = call.agent.actor
    identity: RequestIdentity = identify(actor, asked.id or None, needs.clock)
    words = set(_words(operations))

    def look(replica: Replica) -> tuple[str, set[str]]:
        diagram = replica.workspace.diagram
        return replica.head.epoch, {node_id for word in words for node_id in nodes_meant(diagram, word)}

    epoch, named = await needs.workspaces.read(call.workspace_id, look)
    marks = await needs.store.marks(call.agent.id, call.workspace_id, epoch)
    facts = [operations, asked.base_revision, asked.mode, asked.explanation]
    return AgentRequest(
        batch_id=identity.batch_id, txid=identity.txid, fingerprint=fingerprint(facts) if identity.is_given else "",
        actor=actor, scope=call.agent.person.id, dry_run=asked.dry_run, explanation=explanation, source="mcp",
        batch=batch, limits=needs.limits, base=asked.base_revision,
        marks=marks, floor=floor_of(marks, operations, named),
    )  # fmt: skip


async def _propose(
    needs: AgentDependencies,
    call: Call,
    asked: EditArguments,
    request: AgentRequest,
    operations: Sequence[Any],
    reason: str,
) -> ToolAnswer:
    """Keep a batch as a proposal, or say that it would become one."""
    checked = replace(request, dry_run=True)
    if asked.dry_run:
        answer = await needs.workspaces.submit(call.workspace_id, checked)
        return edit_answers.edit_answer(
            call.workspace_id, answer, link=call.link, reason=reason or "You asked for a proposal."
        )
    made = await needs.suggestions.make(
        call.workspace_id, checked, cast(Sequence[Mapping[str, Any]], operations), reason=reason
    )
    return edit_answers.proposal_answer(call.workspace_id, made, link=call.link_of(made["id"]), replayed=False)


async def _learn(needs: AgentDependencies, call: Call, request: AgentRequest) -> None:
    """What an agent has written itself it has read."""
    epoch = await needs.workspaces.read(call.workspace_id, lambda replica: replica.head.epoch)
    for revision, marks in request.learned.marks.items():
        await needs.store.add_marks(call.agent.id, call.workspace_id, epoch, marks, revision)


def floor_of(marks: Marks, operations: Sequence[Any], named: Collection[str] = ()) -> int | None:
    """The oldest revision among the marks that may matter to some operations; None for none.

    `named`: ids of nodes that they call by a label.

    Those of nodes and edges that are not named count from there on, too: beyond, they count as not shown. All marks
    matter where too many of properties would.
    """
    words, properties = {*_words(operations), *named}, set(_properties(operations))
    if len(words) * len(properties) > _MOST_OF_PROPERTIES:
        return min(marks.values(), default=None)
    fields = [*_FIELDS, *((part, f"properties.{name}") for part in ("node", "edge") for name in properties)]
    about = {mark for word in words for mark in (line_mark(word), node_mark(word), edge_mark(word))}
    about |= {field_mark(part, word, field) for word in words for part, field in fields}
    relevant = [revision for mark, revision in marks.items() if mark in about or mark in (LINES, TEXT)]
    if any(word in _DOCUMENT_WORDS for word in words):
        relevant += [revision for mark, revision in marks.items() if is_of_section(mark)]
    return min(relevant, default=None)


def _words(value: Any) -> Iterator[str]:
    """Texts and names of fields in a value, at any depth; long texts are no ids."""
    if isinstance(value, str):
        if len(value) <= 200:
            yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _words(inner)
    elif isinstance(value, Collection):
        for inner in value:
            yield from _words(inner)


def _properties(value: Any) -> Iterator[str]:
    """Names of properties in a value, at any depth."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "properties" and isinstance(inner, Mapping):
                yield from map(str, inner)
            else:
                yield from _properties(inner)
    elif isinstance(value, Collection) and not isinstance(value, str):
        for inner in value:
            yield from _properties(inner)


def _invalid(path: str, message: str) -> DraftsmithError:
    return DraftsmithError(
        "invalid_request", f"{message} Nothing was applied.", [Problem(-1, "", "field_invalid", path, message)]
    )
