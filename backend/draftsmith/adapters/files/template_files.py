"""The templates that ship inside the package: a workspace in the export form for each.

A template is two files in `draftsmith/templates`: `<id>.json`, the export form with the members `template {name,
description, order}` added and the document's text left out, and `<id>.md`, that text, so that both stay readable.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, cast

from draftsmith.errors import DraftsmithError
from draftsmith.model.workspace import WorkspaceContent

SAMPLE: Final = "sample"


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateInfo:
    """What a list of templates shows.

    JSON shape: the attributes as they are.

    Attributes:
        id: what `read_template` takes.
        name: for the list; the workspace gets another, its own.
        description: one sentence.
        nodes, edges: how many the diagram has, groups included.
        hidden: whether lists leave it out.
    """

    id: str
    name: str
    description: str
    nodes: int
    edges: int
    hidden: bool = False


def list_templates() -> list[TemplateInfo]:
    """All templates, simplest first, the sample last."""
    return list(_infos())


def read_template(template_id: str) -> WorkspaceContent:
    """Read a template in the export form; a fresh copy each time.

    Raises:
        DraftsmithError: `template_unknown`; the detail and `extra["candidates"]` name those there are.
    """
    known = [info.id for info in _infos()]
    if template_id not in known:
        detail = f"There is no template '{template_id[:80]}'; there are: {', '.join(known)}."
        raise DraftsmithError("template_unknown", detail, extra={"candidates": known})
    content = json.loads(_file(f"{template_id}.json").read_text("utf-8"))
    del content["template"]
    content["document"]["text"] = _file(f"{template_id}.md").read_text("utf-8")
    return cast(WorkspaceContent, content)


@cache
def _infos() -> tuple[TemplateInfo, ...]:
    found: list[tuple[int, TemplateInfo]] = []
    for file in _folder().iterdir():
        if not file.name.endswith(".json"):
            continue
        content = json.loads(file.read_text("utf-8"))
        about, diagram = content["template"], content["diagram"]
        info = TemplateInfo(
            id=file.name.removesuffix(".json"),
            name=about["name"],
            description=about["description"],
            nodes=len(diagram["nodes"]),
            edges=len(diagram["edges"]),
        )
        found.append((about["order"], info))
    return tuple(info for _, info in sorted(found, key=lambda item: item[0]))


def _folder() -> Traversable:
    return files("draftsmith").joinpath("templates")


def _file(name: str) -> Traversable:
    return _folder().joinpath(name)
