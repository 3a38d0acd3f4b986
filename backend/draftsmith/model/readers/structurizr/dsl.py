"""Structurizr DSL as a model: workspaces, elements, relationships, deployments, archetypes and documentation.

What is not known or not kept is listed and passed over with its block, so that a file that is damaged, or newer than
this, gives what can be read of it. Not here: lines and files (`statements`), views and styles (`dsl_views`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from draftsmith.model.readers.alone import text_of
from draftsmith.model.readers.limits import MAX_DESCRIPTION
from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.structurizr.blocks import DslBlock, pass_over
from draftsmith.model.readers.structurizr.c4 import (
    KINDS,
    C4Document,
    C4Element,
    C4Environment,
    C4Facts,
    C4Kind,
    C4Model,
    C4Relationship,
    GroupsByName,
)
from draftsmith.model.readers.structurizr.dsl_views import ViewReader
from draftsmith.model.readers.structurizr.identifiers import Identifiers
from draftsmith.model.readers.structurizr.statements import MAX_BYTES, MAX_FILES_DEEP, Statement, StatementReader
from draftsmith.model.readers.structurizr.workspace_json import read_json

MAX_NESTING: Final = 100
"""Blocks in one another."""

_ARROW: Final = "->"
_REMOVES: Final = "-/>"
_FIELDS: Final[Mapping[C4Kind, tuple[str, ...]]] = {
    "person": ("description", "tags"),
    "software system": ("description", "tags"),
    "container": ("description", "technology", "tags"),
    "component": ("description", "technology", "tags"),
    "custom element": ("technology", "description", "tags"),
    "deployment node": ("description", "technology", "tags", "instances"),
    "infrastructure node": ("description", "technology", "tags"),
    "instance": ("deployment groups", "tags"),
    "group": (),
}
"""What the words behind the name are, or behind the identifier of an instance."""
_OF_RELATIONSHIPS: Final = ("description", "technology", "tags")
_FOUND_BY: Final = frozenset(("!element", "!ref", "!extend"))
_NOT_RUN: Final = {
    "!script": "a script is not run",
    "!plugin": "a plugin is not run",
    "!components": "components are found in code by it, which is not run",
    "!elements": "what selects several elements at once is not read",
    "!relationships": "what selects several relationships at once is not read",
}
_MARKDOWN: Final = (".md", ".markdown")
_ASCIIDOC: Final = (".adoc", ".asciidoc", ".asc")


@dataclass(slots=True)
class _Archetype:
    """A kind of element with what is said of each of that kind."""

    kind: C4Kind
    facts: C4Facts = field(default_factory=C4Facts)


def read_dsl(path: str, files: Mapping[str, SourceFile]) -> tuple[C4Model, list[str]]:
    """Read a workspace, and say which files were read for it.

    Raises:
        UnreadableSource: it is no text or beyond a bound.
    """
    reader = _DslReader(files)
    reader.read(path)
    reader.model.unread += reader.source.unread
    return reader.model, list(reader.source.used)


class _DslReader:
    """Reads the statements of a workspace, and of those that it extends, into a model."""

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self.source = StatementReader(files)
        self.model = C4Model()
        self._views = ViewReader(self.model)
        self._identifiers = Identifiers()
        self._groups = GroupsByName(self.model)
        self._archetypes = {keyword: _Archetype(kind) for keyword, kind in KINDS.items()}
        self._kinds_of_relationships = {_ARROW: C4Facts()}
        self._deployment_groups: set[tuple[C4Environment | None, str]] = set()
        self._environments: dict[C4Element, C4Environment] = {}
        self._begun_files: list[str] = []

    def read(self, path: str) -> None:
        """Read a file whose statements stand in a block of a workspace."""
        top = DslBlock(self._in_file)
        blocks = [top]
        for statement in self.source.statements(path):
            if statement.keyword == "}":
                if len(blocks) > 1:
                    blocks.pop()
                else:
                    self._list(statement, "there is no block that it could close")
                continue
            try:
                opened = blocks[-1].read(blocks[-1], statement)
            except UnreadableSource as problem:
                if problem.file:
                    raise
                raise UnreadableSource(problem.reason, statement.file, statement.line) from None
            if statement.opens:
                if len(blocks) > MAX_NESTING:
                    reason = f"blocks are nested more than {MAX_NESTING} deep"
                    raise UnreadableSource(reason, statement.file, statement.line)
                blocks.append(opened or DslBlock(pass_over))
        if len(blocks) > 1:
            self.model.list_unread(path, "its end", "", f"the file ends inside of {len(blocks) - 1} open blocks")

    def _in_file(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        if statement.keyword != "workspace":
            return self._directive(block, statement, "it stands outside of a workspace")
        if statement.file in self._begun_files:
            self._list(statement, "one workspace of a file is read, the first")
            return None
        self._begun_files.append(statement.file)
        if statement.word(1).lower() == "extends":
            self._extend(statement)
        else:
            self.model.name, self.model.description = statement.word(1), statement.word(2)
            self._list_surplus(statement, 3)
        return DslBlock(self._in_workspace)

    def _extend(self, statement: Statement) -> None:
        """Read the workspace that this one extends."""
        path = self.source.path(statement, statement.word(2))
        if path is None:
            return
        if path not in self.source.files:
            self._list(statement, "the workspace that it extends did not come along")
        elif path in self._begun_files:
            self._list(statement, "it extends itself")
        elif path.lower().endswith(".json"):
            self._extend_json(path)
        elif len(self._begun_files) > MAX_FILES_DEEP:
            raise UnreadableSource("workspaces extend one another too deep")
        else:
            self.read(path)

    def _extend_json(self, path: str) -> None:
        self.source.used[path] = None
        read_json(self.source.files[path], self.model)
        block = DslBlock(self._in_elements)
        for element in self.model.elements:
            if element.identifier:
                self._identifiers.add(element.identifier, element, block)

    def _in_workspace(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        match statement.keyword:
            case "name":
                self.model.name = statement.word(1)
            case "description":
                self.model.description = statement.word(1)
            case "model":
                return DslBlock(self._in_elements)
            case "views":
                return DslBlock(self._views.in_views)
            case "properties":
                return DslBlock(self._in_properties)
            case "configuration":
                self._list(statement, "who may see a workspace is set here, not taken over")
            case _:
                return self._directive(block, statement)
        return None

    def _in_elements(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        """A statement of a model, a group, an element, a deployment environment or a node of one."""
        words = statement.words
        if len(words) > 2 and self._is_arrow(words[1]):
            return self._relate(block, statement, 1)
        if len(words) > 1 and self._is_arrow(words[0]):
            return self._relate(block, statement, 0)
        if len(words) > 2 and words[1] == _REMOVES:
            return self._remove(block, statement)
        if statement.keyword == "group" and not statement.opens:
            self._move_into_group(block, statement)
            return None
        if statement.keyword in self._archetypes:
            return self._add_element(block, statement)
        match statement.keyword:
            case "deploymentenvironment":
                environment = self.model.environment(statement.word(1) or statement.identifier)
                self._identify(statement, environment, block)
                return DslBlock(self._in_elements, environment=environment)
            case "deploymentgroup":
                self._deployment_groups.add((block.environment, statement.identifier.lower()))
                return None
            case "archetypes":
                return DslBlock(self._in_archetypes)
            case _:
                return self._in_facts(block, statement)

    def _in_facts(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        """A statement that says something of an element, a relationship or an archetype."""
        facts, keyword = block.facts, statement.keyword
        if keyword == "properties":
            return DslBlock(self._in_properties, facts=facts)
        if keyword == "perspectives":
            return DslBlock(self._in_perspectives)
        if facts is None:
            return self._directive(block, statement)
        match keyword:
            case "description":
                facts.describe(statement.word(1))
            case "technology" | "metadata":
                facts.set_technology(statement.word(1))
            case "url":
                facts.set_url(statement.word(1))
            case "tag" | "tags":
                for tags in statement.words[1:]:
                    facts.add_tags(tags)
            case "instances":
                facts.add_property("instances", statement.word(1))
            case "healthcheck":
                facts.add_property(f"health check {statement.word(1)}", statement.word(2))
            case _:
                return self._directive(block, statement)
        return None

    def _directive(self, block: DslBlock, statement: Statement, otherwise: str = "") -> DslBlock | None:
        """A statement that may stand in many places, and begins with `!`."""
        keyword = statement.keyword
        if keyword in _FOUND_BY:
            return self._found_element(block, statement)
        if keyword in ("!docs", "!adrs", "!decisions"):
            self._add_documents(block, statement)
        elif keyword == "!identifiers":
            self._identifiers.is_hierarchical = statement.word(1).lower() == "hierarchical"
        elif keyword == "!impliedrelationships":
            self.model.is_implying = statement.word(1).lower() != "false"
        elif keyword == "!relationship" and (found := self._identifiers.relationship(statement.word(1))):
            return DslBlock(self._in_facts, facts=found)
        else:
            self._list(statement, _NOT_RUN.get(keyword) or otherwise or "it is no statement that is known here")
        return None

    def _in_properties(self, block: DslBlock, statement: Statement) -> None:
        key, value = statement.word(0), statement.word(1)
        if block.facts is not None:
            block.facts.add_property(key, value)
        elif not self.model.add_own_property(key, value) and not key.startswith("structurizr."):
            self._list(statement, "properties of a workspace or a model are not kept")

    def _in_perspectives(self, block: DslBlock, statement: Statement) -> None:
        self._list(statement, "perspectives are not kept")

    def _in_archetypes(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        base, name = statement.keyword, statement.identifier.lower()
        if base in self._kinds_of_relationships:
            facts = self._kinds_of_relationships[base]
            if name:
                facts = self._kinds_of_relationships[f"--{name}->"] = replace(facts)
        elif base in self._archetypes:
            archetype = self._archetypes[base]
            if name:
                archetype = self._archetypes[name] = _Archetype(archetype.kind, replace(archetype.facts))
            facts = archetype.facts
        else:
            self._list(statement, "it is based on no archetype that is known")
            return None
        facts.tags, facts.properties = list(facts.tags), dict(facts.properties)
        return DslBlock(self._in_facts, facts=facts)

    def _add_element(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        archetype = self._archetypes[statement.keyword]
        name = statement.word(1)
        if archetype.kind == "group":
            element = self._groups.group(block.parent, name, block.environment)
        elif archetype.kind == "instance":
            original = self._identifiers.element(name, block, ("software system", "container"))
            if original is None:
                self._list(statement, f"“{name[:40]}” is the identifier of no system or container")
                return None
            element = C4Element(kind="instance", name=original.name, parent=block.parent, original=original)
        else:
            element = C4Element(kind=archetype.kind, name=name, parent=block.parent)
        self._set_fields(block, statement, element, 2, _FIELDS[archetype.kind])
        element.take_over(archetype.facts)
        if archetype.kind != "group":
            self.model.add_element(element, block.environment)
        if block.environment is not None:
            self._environments[element] = block.environment
        self._identify(statement, element, block)
        return block.around_group(element) if archetype.kind == "group" else block.around(element, block.environment)

    def _move_into_group(self, block: DslBlock, statement: Statement) -> None:
        """Carry out `group` in the block of a component, which says the group that it is in."""
        if block.element is None:
            self._list(statement, "a group without elements is not kept")
        else:
            element = block.element
            element.parent = self._groups.group(element.parent, statement.word(1), block.environment)

    def _set_fields(
        self, block: DslBlock, statement: Statement, facts: C4Facts, at: int, fields: tuple[str, ...]
    ) -> None:
        """Set what the words from a place on say."""
        for name, word in zip(fields, statement.words[at:], strict=False):
            match name:
                case "description":
                    facts.describe(word)
                case "technology":
                    facts.set_technology(word)
                case "tags":
                    facts.add_tags(word)
                case "instances":
                    facts.add_property("instances", word)
                case _:
                    self._set_deployment_groups(block, facts, word)
        self._list_surplus(statement, at + len(fields))

    def _set_deployment_groups(self, block: DslBlock, facts: C4Facts, names: str) -> None:
        """Set the deployment groups of an instance; before there were any, its tags stood in their place.

        Hierarchical identifiers of groups begin with the environment's.
        """
        wanted = {name.strip().lower().rpartition(".")[2] for name in names[:MAX_DESCRIPTION].split(",")}
        found = frozenset(name for name in wanted if (block.environment, name) in self._deployment_groups)
        if isinstance(facts, C4Element):
            facts.deployment_groups = found
        if not found:
            facts.add_tags(names)

    def _is_arrow(self, word: str) -> bool:
        return word.lower() in self._kinds_of_relationships

    def _relate(self, block: DslBlock, statement: Statement, arrow: int) -> DslBlock | None:
        """Add a relationship; `arrow`: which word the arrow is."""
        ends = []
        for name in (statement.words[0] if arrow else "this", statement.words[arrow + 1]):
            end = self._identifiers.element(name, block)
            if end is None:
                self._list(statement, f"“{name[:40]}” is the identifier of no element")
                return None
            ends.append(end)
        relationship = C4Relationship(source=ends[0], target=ends[1])
        self._set_fields(block, statement, relationship, arrow + 2, _OF_RELATIONSHIPS)
        relationship.take_over(self._kinds_of_relationships[statement.words[arrow].lower()])
        self.model.add_relationship(relationship, block.environment)
        if statement.identifier and not self._identifiers.add_relationship(statement.identifier, relationship):
            self._list(statement, "its identifier is taken; it is kept without one")
        return DslBlock(self._in_facts, facts=relationship)

    def _remove(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        """Note that instances are not connected as the model says; what connects them instead stands in the block."""
        source = self._identifiers.element(statement.words[0], block)
        target = self._identifiers.element(statement.words[2], block)
        if source is None or target is None or block.environment is None:
            self._list(statement, "it removes no relationship of a deployment environment")
            return None
        block.environment.removed.append((source, target))
        return DslBlock(self._in_elements, environment=block.environment)

    def _found_element(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        """The block of an element that stands elsewhere."""
        found = self._identifiers.element_or_environment(statement.word(1), block)
        if found is None:
            self._list(statement, f"“{statement.word(1)[:40]}” is the identifier of no element")
            return None
        self._identify(statement, found, block)
        if isinstance(found, C4Environment):
            return DslBlock(self._in_elements, environment=found)
        if found.kind == "group":
            return DslBlock(self._in_elements).around_group(found)
        return DslBlock(self._in_elements).around(found, self._environments.get(found))

    def _identify(self, statement: Statement, named: C4Element | C4Environment, block: DslBlock) -> None:
        if statement.identifier and not self._identifiers.add(statement.identifier, named, block):
            self._list(statement, "its identifier is taken; it is kept without one")

    def _add_documents(self, block: DslBlock, statement: Statement) -> None:
        """Add the Markdown files of a folder, or one file."""
        path = self.source.path(statement, statement.word(1))
        if path is None:
            return
        below = self.source.paths_below(path, statement)
        documents = [one for one in below if one == path or "/" not in one[len(path) + 1 :]]
        for one in below:
            self.source.used[one] = None
        if not documents:
            self._list(statement, "this folder did not come along")
        for one in documents:
            if one.lower().endswith(_MARKDOWN):
                try:
                    text = text_of(self.source.files[one], MAX_BYTES)
                except UnreadableSource as problem:
                    self.model.list_unread(one, "", "", problem.reason)
                    continue
                self.source.spend(len(text), one)
                self.model.documents.append(C4Document(one, text, block.element))
            elif one.lower().endswith(_ASCIIDOC):
                self.model.list_unread(one, "", "", "AsciiDoc is not read")

    def _list_surplus(self, statement: Statement, most: int) -> None:
        if len(statement.words) > most:
            self._list(statement, f"“{statement.words[most][:40]}” is a word more than it can have")

    def _list(self, statement: Statement, reason: str) -> None:
        self.model.list_unread(statement.file, f"line {statement.line}", statement.text, reason)
