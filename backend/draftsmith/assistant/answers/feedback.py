"""The results of tool calls in words for the model: what happened and what to send next.

Results are prompts, too. Problems are only put into words here, within `_MOST` characters (about two thousand tokens).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.assistant.answers.offers import tool_offering
from draftsmith.assistant.edit_examples import EditExample, example_of
from draftsmith.assistant.tools.tool_inputs import DIAGRAM_OPERATIONS, DOCUMENT_OPERATIONS
from draftsmith.assistant.tools.tools import operation_line
from draftsmith.errors import DraftsmithError, Problem

_MOST: Final = 8_000
_ONE: Final = 900  # characters of one problem
_QUOTED: Final = 160  # characters of one candidate
_INDEX = re.compile(r"/(\d+)")
_FORM_CODES: Final = frozenset({"op_unknown", "field_unknown", "field_missing", "field_invalid"})
_MOST_FORMS: Final = 2
_OPERATIONS: Final = {**DIAGRAM_OPERATIONS, **DOCUMENT_OPERATIONS}
_AGAIN: Final = "Send the whole batch again, corrected."


def rejection_text(error: DraftsmithError, reader: str = "read_section", examples: Sequence[EditExample] = ()) -> str:
    """Why a batch was refused, problem by problem, with candidates, and how operations of a wrong form are written.

    Args:
        error: the refusal.
        reader: the tool that shows sections.
        examples: of which one is shown for an operation whose form is wrong.
    """
    if not error.problems:
        return f"Nothing was applied. {_sentence(error.detail)} {_AGAIN}"
    lines = ["Nothing was applied."]
    lines += _within([_problem(problem) for problem in error.problems], "problem")
    lines += _forms(error.problems, examples)
    lines.append(_what_next(error.problems, reader))
    return "\n".join(lines)


def _forms(problems: Sequence[Problem], examples: Sequence[EditExample]) -> list[str]:
    """The fields of the operations whose form is wrong, or that are meant by an unknown name; of two at most."""
    wrong = (
        one.candidates[0] if one.code == "op_unknown" and one.candidates else one.op
        for one in problems
        if one.code in _FORM_CODES
    )
    lines: list[str] = []
    for op in [op for op in dict.fromkeys(wrong) if op in _OPERATIONS][:_MOST_FORMS]:
        lines.append(f"Its fields: {operation_line(op, _OPERATIONS[op])}")
        if (example := example_of(examples, op)) is not None:
            lines.append(f"An example: {example.text}")
    return lines


def operation_text(what: str, ids: Sequence[str], lines: Sequence[str]) -> str:
    """What one operation did: a sentence, the ids it has made, and the lines of the document as they read now."""
    said = _clip(what + (f" (id{'s' if len(ids) > 1 else ''}: {', '.join(ids)})" if ids else ""))
    return "\n".join([said, *(f"  {line}" for line in lines)])


def staging_text(lines: Sequence[str], warnings: Sequence[Mapping[str, object]]) -> str:
    """What a batch did; `lines`: one for each operation, `warnings`: problems as JSON."""
    if not lines:
        return "Nothing changed: everything is as this batch wants it already."
    said = [f"Done, {len(lines)} operation{'s' if len(lines) != 1 else ''}; saved together when you finish."]
    said += _within(lines, "line")
    if warnings:
        said.append("Worth a look (fix what you caused, leave the rest):")
        said += _within([f"- {_clip(str(warning.get('message', '')))}" for warning in warnings], "remark")
    return "\n".join(said)


def repeated_text() -> str:
    """The same batch came again."""
    return "This batch was done before, just like this; it was not done a second time. What it made is staged."


def option_text(title: str, lines: Sequence[str], warnings: Sequence[Mapping[str, object]], count: int) -> str:
    """An alternative fits; `count`: of how many that there are now."""
    there_are = f"there {'is' if count == 1 else 'are'} {count} now"
    said = [f"Alternative “{_clip(title)}” fits ({count_text(len(lines))}); {there_are}."]
    said += _within([f"- {_clip(line)}" for line in lines], "line")
    if warnings:
        said.append("Worth a look (to correct it, propose it again under the same title):")
        said += _within([f"- {_clip(str(warning.get('message', '')))}" for warning in warnings], "remark")
    said.append("It was taken back again: the next alternative begins from the workspace as it is.")
    return "\n".join(said)


def one_option(title: str) -> str:
    """There is a single alternative; asked once for another."""
    return (
        f"“{_clip(title)}” is the only alternative so far, and one is no choice. Propose another that is different "
        "in kind, or finish with an answer that says why there is only one."
    )


def clash(lines: Sequence[str]) -> str:
    """Others changed something meanwhile: which staged operations were dropped because of it."""
    return "\n".join(
        [
            "Others changed the workspace meanwhile. These operations of yours no longer fit and were taken back:",
            *_within([f"- {_clip(line)}" for line in lines], "operation"),
            "Your other operations still stand. Look again at what is there now, and send what is still wanted.",
        ]
    )


def written_as_text(count: int, tools: Sequence[str]) -> str:
    """Operations stand in an answer as text; asked once for the call."""
    them = "an operation" if count == 1 else f"{count} operations"
    return (
        f"Your answer holds {them} as text. Text changes nothing. If this is meant to be done, call "
        f"{' or '.join(tools)} with it now; if not, finish with an answer that holds no operations."
    )


def uncorrected_text(batches: Sequence[tuple[str, int, str]]) -> str:
    """Batches that were refused and not corrected: tool, operations and why; asked once, before all is saved."""
    lines = [f"- {tool}, {count_text(count)}: {_sentence(why)}" for tool, count, why in batches]
    return "\n".join(
        [
            "Before you finish: this was refused, and nothing of it is saved:",
            *_within([_clip(line) for line in lines], "refusal"),
            "Correct it and send it whole, or say in your final message what was not done.",
        ]
    )


def count_text(operations: int) -> str:
    """How many operations; a call that could not be read has none."""
    return f"{operations} operation{'' if operations == 1 else 's'}" if operations else "a call"


def broken_json(raw: str) -> str:
    """The input of a call could not be parsed."""
    end = raw[-120:] if len(raw) > 120 else raw
    return (
        f"Nothing was applied. The input was no JSON object ({len(raw)} characters); it ended with: {_one_line(end)}\n"
        "Send the call again as one complete object. For a long text, use several smaller calls."
    )


def unknown_tool(name: str, names: Sequence[str]) -> str:
    """There is no such tool, and which there are; one that is called like an operation belongs into the tool for it."""
    owner = tool_offering(name)
    near = difflib.get_close_matches(name, names, 1, 0.6)
    hint = f" Did you mean {near[0]}?" if near else ""
    if owner in names:
        hint = f" {name} is an operation: send it in the list of {owner}."
    return f"There is no tool '{_one_line(name)[:80]}'.{hint} The tools are: {', '.join(sorted(names))}."


def read_failure_text(message: str) -> str:
    """A question could not be answered; `message` says why and what to ask instead."""
    return f"No answer. {_sentence(message)}"


def report_refusal_text(message: str) -> str:
    """Findings were not taken; `message` says why, a line for each."""
    return (
        f"Nothing was reported.\n{message[:_MOST]}\nSend all findings again, corrected; leave out what does not hold."
    )


def report_text(count: int) -> str:
    """Findings were taken."""
    them = "No finding is" if count == 0 else "1 finding is" if count == 1 else f"{count} findings are"
    return f"{them} kept and shown below your answer. Now answer in words; report again only to replace them."


def missing_report_text(why: str) -> str:
    """A run that is to end with findings has none; `why`: they were refused. Asked once."""
    said = f"Your findings were refused and are not kept:\n{why[:_MOST]}" if why else "You have reported no findings."
    again = "Report them with report_findings, an empty list if there are none, and then give the whole answer again."
    return f"Before you finish: {said}\n{again}"


def _problem(problem: Problem) -> str:
    """One line: `- operations[2].target: There is no edge 'a--c'. (edge_not_found) Closest: a--b, b--c.`.

    Candidates are told all or not at all, best first: the message may name the best, and no other may seem closer.
    """
    said = f"- {_path_text(problem)}: {_sentence(problem.message)} ({problem.code})"
    if problem.caused_by is not None:
        return _clip(f"{said} It follows from operations[{problem.caused_by}].")
    fitting = [one for one in problem.candidates if one]
    if problem.code == "locked" or all(one in problem.message for one in fitting):
        return _clip(said)
    return _clip(f"{said} Closest: {', '.join(_one_line(one)[:_QUOTED] for one in fitting)}.")


def _path_text(problem: Problem) -> str:
    """A JSON Pointer as people write it: `/operations/2/target` is `operations[2].target`."""
    path = _INDEX.sub(r"[\1]", problem.path.removeprefix("/")).replace("/", ".").replace("~1", "/").replace("~0", "~")
    return f"{path} ({problem.op})" if problem.op and problem.index >= 0 else path or "the batch"


def _what_next(problems: Sequence[Problem], reader: str) -> str:
    if all(problem.code in ("locked", "lock_forbidden") for problem in problems):
        return "Leave out what touches the lock, send the rest again, and tell the person what they have to unlock."
    if any(problem.code in ("locked", "lock_forbidden") for problem in problems):
        return f"{_AGAIN} Leave out what touches a lock, and tell the person what they have to unlock."
    if any(problem.code.startswith("find_") for problem in problems):
        return f"{_AGAIN} Quote the text as it stands now; {reader} shows it."
    return _AGAIN


def _within(lines: Sequence[str], word: str) -> list[str]:
    """The lines that fit, and how many more there are."""
    kept: list[str] = []
    room = _MOST - 400  # for what is said around them
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            left = len(lines) - number
            return [*kept, f"- and {left} more {word}{'s' if left != 1 else ''}"]
        kept.append(line)
    return kept


def _sentence(text: str) -> str:
    text = text.strip().removesuffix("Nothing was applied.").strip()
    return text if text.endswith((".", "!", "?", ":", "`", "…")) else f"{text}."


def _clip(text: str) -> str:
    return text if len(text) <= _ONE else f"{text[: _ONE - 1]}…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
