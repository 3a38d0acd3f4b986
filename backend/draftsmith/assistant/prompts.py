"""The prompts of one workflow, read once.

A workflow is a set of files: `system.md`, `small.md` where there is a shorter one, `request.md` (the first user message
with `{{variables}}`), one text for each tool, `examples.json` (`{tool: [input, …]}`), and worked examples of edits that
are shown on demand. Texts may begin with a front matter between two `---` lines: `version: 3`, and in `request.md`
`variables:` with one `  name: text` or `  name: text?` (may be empty) for each.
`hash` names exactly these files, so that a row of the metrics says which words were used. Where files lie is not here
(`adapters.files.prompt_files`), nor what fills the variables (`context`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.assistant.edit_examples import EditExample, read_edit_examples

WORKFLOWS: Final = ("ask", "edit", "generate", "investigate", "recommend", "regenerate", "summary")
_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n+", re.DOTALL)
_VARIABLE = re.compile(r"\{\{(\w+)\}\}(\n*)")
_TYPES: Final = {"text": True, "text?": False}
_TOOL = re.compile(r"(?:shared/)?tools/(\w+)\.md")
_EDITS = re.compile(r"(?:shared/)?edits/\w+\.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSet:
    """The texts of one workflow.

    Attributes:
        workflow: one of `WORKFLOWS`.
        version: of `system.md`, raised by hand when the words change their meaning.
        hash: 12 hexadecimal digits of all files.
        system: the system texts, in order.
        small_system: the same for a model that can read little; `system` where there is none.
        tools: tool name → description.
        examples: tool name → inputs that fit its schema.
        edits: worked examples that are shown on demand.
    """

    workflow: str
    version: int
    hash: str
    system: tuple[str, ...]
    small_system: tuple[str, ...]
    tools: Mapping[str, str]
    examples: Mapping[str, list[Any]]
    edits: tuple[EditExample, ...]
    _request: str
    _variables: Mapping[str, bool]

    def render(self, **variables: str) -> str:
        """Fill the first user message; a variable that is empty goes with the line breaks after it.

        Values are put in as they are: what looks like a variable inside one stays text.

        Raises:
            ValueError: a variable is unknown, absent, or empty although it may not be.
        """
        unknown = sorted(variables.keys() - self._variables.keys())
        if unknown:
            raise ValueError(f"request.md of '{self.workflow}' has no variable {', '.join(unknown)}")
        for name, is_needed in self._variables.items():
            if name not in variables or (is_needed and not variables[name]):
                raise ValueError(f"request.md of '{self.workflow}' needs the variable {name}")

        def put(found: re.Match[str]) -> str:
            return variables[found[1]] + found[2] if variables[found[1]] else ""

        return _VARIABLE.sub(put, self._request).rstrip("\n")


def prompt_set(workflow: str, files: Mapping[str, str]) -> PromptSet:
    """Make the prompts of a workflow from its files.

    Args:
        workflow: one of `WORKFLOWS`.
        files: path inside the workflow's folder → text; what several workflows share has `shared/` before its path,
            and a workflow's own file wins over it.

    Raises:
        ValueError: a file is missing or malformed, or `request.md` and its front matter name different variables.
    """
    if workflow not in WORKFLOWS:
        raise ValueError(f"there is no workflow '{workflow}'; there are {', '.join(WORKFLOWS)}")
    about, system = front_matter(_required_file(files, "system.md", workflow), f"{workflow}/system.md")
    declared, request = front_matter(_required_file(files, "request.md", workflow), f"{workflow}/request.md")
    return PromptSet(
        workflow=workflow,
        version=version_in(about, f"{workflow}/system.md"),
        hash=hash_of_files(files),
        system=(system,),
        small_system=(front_matter(files["small.md"], f"{workflow}/small.md")[1] if "small.md" in files else system,),
        tools=_tools(files),
        examples=_examples(files),
        edits=_edits(files),
        _request=request,
        _variables=_variables(declared, request, f"{workflow}/request.md"),
    )


def _required_file(files: Mapping[str, str], name: str, workflow: str) -> str:
    """A file that every workflow has, its own or the shared one."""
    text = files.get(name, files.get(f"shared/{name}", ""))
    if not text.strip():
        raise ValueError(f"the prompts of '{workflow}' lack {name}")
    return text


def front_matter(text: str, name: str) -> tuple[dict[str, Any], str]:
    """The fields of a front matter, and the text after it; fields are one line, or a map of one level."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return {}, text.strip() + "\n"
    fields: dict[str, Any] = {}
    last = ""
    for line in found[1].splitlines():
        key, colon, value = line.partition(":")
        if not colon or not key.strip():
            raise ValueError(f"{name}: '{line}' is no line of a front matter")
        if line.startswith(" "):
            if not isinstance(fields.get(last), dict):
                raise ValueError(f"{name}: '{line}' stands under nothing")
            fields[last][key.strip()] = value.strip()
        else:
            last = key.strip()
            fields[last] = value.strip() or {}
    return fields, text[found.end() :].strip() + "\n"


def version_in(about: Mapping[str, Any], name: str) -> int:
    """The version that a front matter names; raises `ValueError` without one."""
    try:
        return int(about["version"])
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{name} needs a version, a whole number") from None


def _variables(declared: Mapping[str, Any], request: str, name: str) -> dict[str, bool]:
    """Which variables there are, and whether each must have a value."""
    variables: dict[str, str] = declared.get("variables") or {}
    used = {found[1] for found in _VARIABLE.finditer(request)}
    for variable, kind in variables.items():
        if kind not in _TYPES:
            raise ValueError(f"{name}: {variable} is {kind!r}; a variable is {' or '.join(_TYPES)}")
    if used != variables.keys():
        differing = ", ".join(sorted(used ^ variables.keys()))
        raise ValueError(f"{name}: the text and its front matter do not name the same variables: {differing}")
    return {variable: _TYPES[kind] for variable, kind in variables.items()}


def _tools(files: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(files):  # `shared/` before `tools/`, so that a workflow's own text comes last and stays
        tool = _TOOL.fullmatch(path)
        if tool is not None:
            found[tool[1]] = front_matter(files[path], path)[1].strip()
    return dict(sorted(found.items()))


def _examples(files: Mapping[str, str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for path in ("shared/examples.json", "examples.json"):
        if path not in files:
            continue
        examples = json.loads(files[path])
        if not isinstance(examples, dict) or not all(isinstance(some, list) for some in examples.values()):
            raise ValueError(f"{path} is an object of tool names and lists of inputs")
        found.update(examples)
    return found


def _edits(files: Mapping[str, str]) -> tuple[EditExample, ...]:
    texts = [(path, front_matter(files[path], path)[1]) for path in sorted(files) if _EDITS.fullmatch(path)]
    return tuple(one for path, text in texts for one in read_edit_examples(text, path))


def hash_of_files(files: Mapping[str, str]) -> str:
    """Twelve digits that change with any file, name or text."""
    total = hashlib.sha256()
    for path, text in sorted(files.items()):
        for part in (path, text):
            raw = part.encode()
            total.update(len(raw).to_bytes(8, "big") + raw)
    return total.hexdigest()[:12]
