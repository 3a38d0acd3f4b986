"""Workspaces of Structurizr: what the DSL and JSON say comes in, what is not kept is listed, and no file fails."""

from __future__ import annotations

import base64
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.readers.document_room import TOO_MANY_BLOCKS
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.readers.structurizr.c4 import MAX_ELEMENTS
from draftsmith.model.readers.structurizr.dsl import MAX_NESTING
from draftsmith.model.readers.structurizr.reader import read, recognizes, sets_of
from draftsmith.model.readers.structurizr.statements import MAX_BYTES, MAX_FILES_DEEP, MAX_INCLUDES
from draftsmith.model.vocabulary import GROUP
from tests.growth import grows_too_much
from tests.image_samples import png
from tests.kit.readers import check_valid, edges_by_label, nodes_by_label
from tests.seeds import examples

FIXTURES = Path(__file__).parents[1] / "fixtures"
COUNTS = json.loads((FIXTURES / "structurizr_counts.json").read_text("utf-8"))["files"]
KINDS = {"people": "person", "systems": "software system", "containers": "container", "components": "component"}
VIEWS = "not drawn, since the model is one diagram"


def files(texts: Mapping[str, str | bytes]) -> list[SourceFile]:
    return [SourceFile(path, text.encode() if isinstance(text, str) else text) for path, text in texts.items()]


def read_all(texts: Mapping[str, str | bytes]) -> Sequence[ReadWorkspace]:
    """Read what files that came together are, which is one set."""
    (found,) = (one for one in sets_of(files(texts)) if recognizes(one.root))
    return read(found)


def read_one(text: str | bytes, path: str = "workspace.dsl") -> ReadWorkspace:
    return read_all({path: text})[0]


def model(*lines: str) -> str:
    return "\n".join(["workspace {", "model {", *lines, "}", "}"])


def reasons(found: ReadWorkspace) -> list[str]:
    return [one.reason for one in found.unread]


def named(found: ReadWorkspace) -> dict[str, str]:
    """What the source calls nodes, by their labels."""
    return {node["label"]: found.sources[node["id"]] for node in found.diagram["nodes"]}


# What somebody else counted by eye in files of their own, before there was a reader.


def counted_files(name: str) -> Sequence[ReadWorkspace]:
    """The workspaces of a fixture, with the files beside it that it is made of."""
    root = FIXTURES / "structurizr"
    folder = (root / name).parent
    paths = sorted(folder.rglob("*.dsl")) if COUNTS[name].get("with") else [root / name]
    return read_all({path.relative_to(root).as_posix(): path.read_bytes() for path in paths})


def label_paths(found: ReadWorkspace) -> dict[str, str]:
    """The path of labels to each node, by id."""
    paths: dict[str, str] = {}
    for node in found.diagram["nodes"]:
        around = f"{paths[node['parent']]}/" if "parent" in node else ""
        paths[node["id"]] = around + node["label"]
    return paths


def is_called(path: str, name: str) -> bool:
    """Whether the end of a path of labels is the name that the counts use for it."""
    return path == name or path.endswith(f"/{name}")


@pytest.mark.parametrize("name", COUNTS)
def test_all_that_was_counted_by_eye_comes_in(name: str) -> None:
    found, counts = counted_files(name)[0], COUNTS[name]
    check_valid(found)
    by_kind: dict[str, list[str]] = {}
    for node in found.diagram["nodes"]:
        by_kind.setdefault(node.get("properties", {}).get("c4", "group"), []).append(node["label"])
    for key, kind in {**KINDS, "groups": "group"}.items():
        assert Counter(by_kind.get(kind, ())) == Counter(counts[key]), key
    paths = label_paths(found)
    for label, around in counts["parents"].items():
        (path,) = [one for one in paths.values() if is_called(one, label)]
        parent = path[: -len(label.rpartition("/")[2])].rstrip("/")
        assert parent == "" if around is None else is_called(parent, around), label
    for label, tags in counts["tags"].items():
        (node,) = [one for one in found.diagram["nodes"] if is_called(paths[one["id"]], label)]
        assert node["properties"]["tags"].split(", ") == tags
    for field in ("description", "technology"):
        for label, text in counts.get(f"{field[:-1]}ies" if field == "technology" else f"{field}s", {}).items():
            assert nodes_by_label(found.diagram)[label][field] == text


@pytest.mark.parametrize("name", COUNTS)
def test_relationships_that_were_counted_by_eye_come_in(name: str) -> None:
    found, counts = counted_files(name)[0], COUNTS[name]
    paths = label_paths(found)
    edges = [(paths[one["source"]], paths[one["target"]], one.get("label", "")) for one in found.diagram["edges"]]
    assert len(edges) == len(counts["relationships"])
    for source, target, description, technology in counts["relationships"]:
        label = f"{description} [{technology}]".lstrip() if technology else description
        assert any(
            is_called(one, source) and is_called(other, target) and said == label for one, other, said in edges
        ), (source, target)


@pytest.mark.parametrize("name", COUNTS)
def test_environments_that_were_counted_by_eye_come_in(name: str) -> None:
    (_, *environments), counts = counted_files(name), COUNTS[name]["environments"]
    assert len(environments) == len(counts)
    for found, (environment, expected) in zip(environments, counts.items(), strict=True):
        check_valid(found)
        assert found.name.endswith(f" – {environment}")
        kinds = Counter(node["properties"]["c4"] for node in found.diagram["nodes"])
        assert kinds["deployment node"] == expected["nodes"]
        assert kinds["infrastructure node"] == expected["infrastructure"]
        assert kinds["instance"] == expected["container_instances"] + expected["system_instances"]
        paths = label_paths(found)
        for label, around in expected["parents"].items():
            (path,) = [one for one in paths.values() if is_called(one, label)]
            parent = path[: -len(label.rpartition("/")[2])].rstrip("/")
            assert parent == "" if around is None else is_called(parent, around), label


@pytest.mark.parametrize("name", COUNTS)
def test_what_cannot_be_found_is_listed_and_nothing_else(name: str) -> None:
    found, counts = counted_files(name)[0], COUNTS[name]
    listed = [one for one in found.unread if VIEWS not in one.reason]
    kept = [one for one in listed if "perspectives are not kept" not in one.reason]
    assert [one.text for one in kept] == counts["expected_unread"]
    assert sum(VIEWS in one.reason for one in found.unread) == bool(counts["views"])


# Notation


def test_what_holds_others_is_a_group_and_all_texts_are_kept() -> None:
    found = read_one(
        """workspace "Shop" "Sells things." {
            model {
                buyer = person "Buyer" "Buys."
                shop = softwareSystem "Shop" "Sells." "Ours" {
                    api = container "API" "Answers." "Java" "Core" {
                        url "https://example.com/api"
                        properties {
                            team Blue
                        }
                    }
                    db = container "Orders" "Keeps orders." "PostgreSQL"
                }
                buyer -> api "Buys with" "HTTPS" "Busy"
            }
        }"""
    )
    assert (found.name, found.document) == ("Shop", "# Shop\n\nSells things.\n")
    assert [(node["label"], node["type"], node.get("parent")) for node in found.diagram["nodes"]] == [
        ("Buyer", "user", None), ("Shop", "group", None), ("API", "api", "shop"), ("Orders", "database", "shop")
    ]  # fmt: skip
    api = nodes_by_label(found.diagram)["API"]
    assert (api["description"], api["technology"]) == ("Answers.", "Java")
    assert api["properties"] == {
        "c4": "container", "tags": "Core", "url": "https://example.com/api", "team": "Blue"
    }  # fmt: skip
    assert edges_by_label(found.diagram) == [("Buyer", "API", "Buys with [HTTPS]")]
    assert found.diagram["edges"][0]["properties"] == {"tags": "Busy"}
    assert not found.is_placed


def test_identifiers_are_what_the_source_calls_things() -> None:
    flat = model('shop = softwareSystem "Shop" {', 'api = container "API"', "}", 'uses = shop -> shop "x"')
    assert named(read_one(flat)) == {"Shop": "shop", "API": "api"}
    hierarchical = read_one(
        model(
            "!identifiers hierarchical",
            'a = person "A"',
            'shop = softwareSystem "Shop" {',
            'group "Parts" {',
            'api = container "API" {',
            'a = component "Inner A"',
            "-> a",
            "}",
            "}",
            "}",
            'pays = a -> shop.api.a "Pays"',
            'a -> SHOP.api "Asks"',
        )
    )
    assert named(hierarchical) == {
        "A": "a", "Shop": "shop", "Parts": "group://Shop/Parts", "API": "shop.api", "Inner A": "shop.api.a"
    }  # fmt: skip
    assert edges_by_label(hierarchical.diagram) == [
        ("API", "Inner A", ""),
        ("A", "Inner A", "Pays"),
        ("A", "API", "Asks"),
    ]
    (pays,) = [one["id"] for one in hierarchical.diagram["edges"] if one.get("label") == "Pays"]
    assert hierarchical.sources[pays] == "pays"


def test_what_has_no_identifier_is_called_by_its_names() -> None:
    found = read_one(model('softwareSystem "Shop" {', 'container "API"', "}"))
    assert named(found) == {"Shop": "software system://Shop", "API": "container://Shop/API"}


def test_an_identifier_that_is_taken_stays_with_the_first() -> None:
    found = read_one(model('a = person "A"', 'a = person "B"', 'c = person "C"', "c -> a"))
    assert edges_by_label(found.diagram) == [("C", "A", "")]
    assert "its identifier is taken" in reasons(found)[0]


def test_constants_variables_and_blocks_of_text_are_put_in() -> None:
    found = read_one(
        '!const ORG "Bank"\n'
        + model(
            '!var WHO "${ORG} clerk"', 'a = person "${WHO}"', '!var WHO "Guest"', 'b = person "${WHO}" "${UNKNOWN}"',
            'c = softwareSystem "C" {', 'description """', '  Two "quoted"', "    lines of ${ORG}", '  """', "}",
        )
    )  # fmt: skip
    assert list(nodes_by_label(found.diagram)) == ["Bank clerk", "Guest", "C"]
    assert nodes_by_label(found.diagram)["Guest"]["description"] == "${UNKNOWN}"
    assert nodes_by_label(found.diagram)["C"]["description"] == 'Two "quoted"\n  lines of Bank'


def test_comments_and_continued_lines() -> None:
    found = read_one(
        model(
            "// a = person A", "# b = person B", "/*", 'c = person "C" {', "*/", "/* d = person D */",
            'e = person \\', '"E" \\', '"Has a # and a // in it"', "f = person F {}",
        )
    )  # fmt: skip
    assert nodes_by_label(found.diagram)["E"]["description"] == "Has a # and a // in it"
    assert list(nodes_by_label(found.diagram)) == ["E", "F"]


def test_archetypes_say_what_elements_and_relationships_do_not_say() -> None:
    found = read_one(
        model(
            "archetypes {",
            "softwareSystem {", 'description "Usual"', "}",
            "store = container {", 'technology "MySQL"', 'tags "Store"', "properties {", "kept long", "}", "}",
            "bigStore = store {", 'technology "Oracle"', "}",
            "area = group",
            "call = -> {", 'technology "HTTPS"', 'tag "Call"', "}",
            "later = --call-> {", 'tag "Asynchronous"', "}",
            "}",
            's = softwareSystem "S" {', 'a = area "Area" {', 'x = store "X"', 'y = bigStore "Y" "Own" "DB2"', "}", "}",
            'x --call-> y "Reads"', 'y --later-> x "Tells" "AMQP"',
        )
    )  # fmt: skip
    by_label = nodes_by_label(found.diagram)
    assert by_label["S"]["description"] == "Usual"
    assert (by_label["X"]["technology"], by_label["Y"]["technology"]) == ("MySQL", "DB2")
    assert by_label["Y"]["properties"] == {"c4": "container", "tags": "Store", "kept": "long"}
    assert by_label["Area"]["type"] == GROUP
    assert edges_by_label(found.diagram) == [("X", "Y", "Reads [HTTPS]"), ("Y", "X", "Tells [AMQP]")]
    assert [one["kind"] for one in found.diagram["edges"]] == ["sync", "async"]


def test_a_group_may_be_said_in_the_element_and_is_one_by_its_name() -> None:
    found = read_one(
        model(
            's = softwareSystem "S" {', 'c = container "C" {',
            'component "A" {', 'group "Layer"', "}", 'component "B" {', 'group "Layer"', "}", "}", "}",
        )
    )  # fmt: skip
    by_label = nodes_by_label(found.diagram)
    assert by_label["A"]["parent"] == by_label["B"]["parent"] == by_label["Layer"]["id"]
    assert by_label["Layer"]["parent"] == by_label["C"]["id"]


def test_found_elements_are_added_to() -> None:
    found = read_one(
        model(
            's = softwareSystem "S"', 'p = person "P"', "r = p -> s",
            "!element s {", 'c = container "C"', "this -> p", "}", "!ref P {", 'description "Found"', "}",
            "!relationship r {", "tags Asynchronous", "}",
        )
    )  # fmt: skip
    assert nodes_by_label(found.diagram)["C"]["parent"] == "s"
    assert nodes_by_label(found.diagram)["P"]["description"] == "Found"
    assert edges_by_label(found.diagram) == [("P", "S", ""), ("S", "P", "")]
    assert found.diagram["edges"][0]["kind"] == "async"


def test_the_same_relationship_twice_is_listed() -> None:
    found = read_one(model('p = person "P"', 'q = person "Q"', "p -> q Asks", "p -> q Asks", "p -> q Tells"))
    assert edges_by_label(found.diagram) == [("P", "Q", "Asks"), ("P", "Q", "Tells")]
    assert reasons(found) == ["the same relationship is there already"]
    check_valid(found)


# Types, colours, lines


@pytest.mark.parametrize(
    "words, shape, node_type",
    [
        ('container "Orders"', "Cylinder", "database"),
        ('container "Session cache" "" "Redis"', "Cylinder", "cache"),
        ('container "Orders"', "Pipe", "queue"),
        ('container "Events" "" "Kafka"', "Pipe", "stream"),
        ('container "Orders"', "WebBrowser", "web"),
        ('container "Orders"', "MobileDevicePortrait", "mobile"),
        ('container "Orders"', "Bucket", "storage"),
        ('container "Orders"', "Hexagon", "service"),
        ('container "Orders" "" "PostgreSQL 16"', "Box", "database"),
        ('container "Billing"', "", "service"),
    ],
)
def test_shapes_and_words_say_what_a_container_is(words: str, shape: str, node_type: str) -> None:
    found = read_one(
        "workspace {\nmodel {\n"
        f's = softwareSystem "S" {{\nx = {words} {{\ntags "T"\n}}\n}}\n}}\n'
        f'views {{\nstyles {{\nelement "T" {{\nshape {shape}\n}}\n}}\n}}\n}}'
    )
    assert found.diagram["nodes"][1]["type"] == node_type


@pytest.mark.parametrize(
    "line, node_type",
    [
        ('person "Database"', "user"),
        ('softwareSystem "Mail" "" "Existing System"', "external"),
        ('softwareSystem "Mail" "" "External"', "external"),
        ('softwareSystem "Mail"', "service"),
        ('element "Printer"', "other"),
    ],
)
def test_kinds_say_what_an_element_is(line: str, node_type: str) -> None:
    (node,) = read_one(model(line)).diagram["nodes"]
    assert node["type"] == node_type


def styled(element_style: str = "", relationship_style: str = "", tag: str = "Own") -> ReadWorkspace:
    return read_one(
        f'workspace {{\nmodel {{\na = person "A" "" "Own"\nb = softwareSystem "B"\na -> b "x" "" "Own"\n}}\n'
        f'views {{\nstyles {{\nelement "{tag}" {{\n{element_style}\n}}\n'
        f'relationship "{tag}" {{\n{relationship_style}\n}}\n}}\n}}\n}}'
    )


@pytest.mark.parametrize(
    "setting, color, border",
    [
        ("background #08427b", "blue", ""),
        ("background #2e7d32", "green", ""),
        ("stroke orange", "orange", ""),
        ("background #999999", "grey", ""),
        ("background #ffffff", "", ""),
        ("colour #ff0000", "", ""),
        ("border dashed", "", "dashed"),
        ("opacity 25", "", "muted"),
        ("opacity 80", "", ""),
    ],
)
def test_styles_of_own_tags_colour_nodes(setting: str, color: str, border: str) -> None:
    node = nodes_by_label(styled(setting).diagram)["A"]
    assert (node.get("color", ""), node.get("style", "")) == (color, border)


@pytest.mark.parametrize("tag", ["Element", "Person"])
def test_styles_of_structurizrs_own_tags_colour_nothing(tag: str) -> None:
    assert "color" not in nodes_by_label(styled("background #08427b", tag=tag).diagram)["A"]


@pytest.mark.parametrize(
    "setting, color, style", [("color #c62828", "red", ""), ("style dotted", "", "dotted"), ("thickness 4", "", "")]
)
def test_styles_of_own_tags_colour_edges(setting: str, color: str, style: str) -> None:
    (edge,) = styled("", setting).diagram["edges"]
    assert (edge.get("color", ""), edge.get("style", "")) == (color, style)


@pytest.mark.parametrize(
    "layout, flow", [("autoLayout", "down"), ("autolayout lr", "right"), ("autoLayout bt 300 300", "up"), ("", "right")]
)
def test_the_direction_of_the_first_view_that_is_laid_out_is_kept(layout: str, flow: str) -> None:
    views = f'views {{\nsystemLandscape "Map" {{\ninclude *\n{layout}\n}}\n}}'
    found = read_one(f"workspace {{\nmodel {{\nperson A\n}}\n{views}\n}}")
    assert found.flow == flow
    assert [(one.place, one.text) for one in found.unread] == [("views", "Map")]


# Several files


def test_files_are_included_from_where_they_are_named_and_from_folders() -> None:
    found = read_all(
        {
            "a/workspace.dsl": "workspace {\nmodel {\n!include parts/people.dsl\n!include systems\np -> s\n}\n}",
            "a/parts/people.dsl": 'p = person "P"\n!include more.dsl',
            "a/parts/more.dsl": 'q = person "Q"',
            "a/systems/b.dsl": 't = softwareSystem "T"',
            "a/systems/a.dsl": 's = softwareSystem "S"',
            "a/systems/.hidden.dsl": 'h = softwareSystem "H"',
            "a/systems/readme.txt": "no statement",
        }
    )
    assert list(nodes_by_label(found[0].diagram)) == ["P", "Q", "S", "T"]
    assert not found[0].unread


@pytest.mark.parametrize(
    "line, reason",
    [
        ("!include missing.dsl", "this file did not come along"),
        ("!include https://example.com/a.dsl", "it is at another address, and nothing is fetched"),
        ("!include ../../etc/passwd", "it leads out of the folder that was uploaded"),
        ("!include /etc/passwd", "it leads out of the folder that was uploaded"),
        ("!include workspace.dsl", "this file includes itself"),
        ("!script groovy {\nworkspace.model.addPerson(1)\n}", "a script is not run"),
        ("!plugin com.example.Plugin {\nname value\n}", "a plugin is not run"),
        ("!components {\nstrategy {\n}\n}", "components are found in code by it, which is not run"),
        ('!elements "element.type==person" {\ntag X\n}', "what selects several elements at once is not read"),
        ("perspectives {\nSecurity High\n}", "perspectives are not kept"),
        ("p -> nobody", "“nobody” is the identifier of no element"),
        ("p -> p", "both ends of this relationship are the same"),
        ('group "Empty" {\n}', "a group without elements is not kept"),
        ("frobnicate {\nperson X\n}", "it is no statement that is known here"),
        ("!docs docs", "this folder did not come along"),
        ('person "A" "B" "C" "D"', "“D” is a word more than it can have"),
        ("containerInstance nobody", "“nobody” is the identifier of no system or container"),
        ("properties {\na b\n}", "properties of a workspace or a model are not kept"),
    ],
)
def test_what_is_not_kept_is_listed_with_its_line_and_reason(line: str, reason: str) -> None:
    """And what is behind it is read."""
    found = read_one(model('p = person "P"', line, 'q = person "Q"', "p -> q"))
    (listed,) = found.unread
    assert (listed.file, listed.reason) == ("workspace.dsl", reason)
    assert listed.place in ("line 4", "line 5", "model")
    assert "Q" in nodes_by_label(found.diagram)
    assert edges_by_label(found.diagram) == [("P", "Q", "")]


def test_a_script_ends_where_its_block_does() -> None:
    script = '!script kotlin {\nval x = """ { /*\n}\n'
    assert list(nodes_by_label(read_one(model(script + 'person "P"')).diagram)) == ["P"]


def test_a_workspace_adds_to_the_one_that_it_extends() -> None:
    texts: dict[str, str | bytes] = {
        "base.dsl": "!const WHO Clerk\n" + model("archetypes {", "store = container {", "technology MySQL", "}", "}",
                                                   's = softwareSystem "S"', 'person "P"'),
        "inner/workspace.dsl": (
            'workspace extends ../base.dsl {\nname "Inner"\nmodel {\n!element S {\nstore "Store"\n}\n'
            'p = person "${WHO}"\np -> s\n}\n}'
        ),
    }  # fmt: skip
    (found,) = read_all(texts)
    assert found.name == "Inner"
    assert sorted(nodes_by_label(found.diagram)) == ["Clerk", "P", "S", "Store"]
    assert nodes_by_label(found.diagram)["Store"]["technology"] == "MySQL"
    assert edges_by_label(found.diagram) == [("Clerk", "S", "")]


@pytest.mark.parametrize(
    "aim, reason",
    [
        ("https://example.com/base.dsl", "it is at another address, and nothing is fetched"),
        ("missing.dsl", "the workspace that it extends did not come along"),
        ("workspace.dsl", "it extends itself"),
    ],
)
def test_a_workspace_that_cannot_be_extended_is_read_without_it(aim: str, reason: str) -> None:
    found = read_one(f'workspace extends {aim} {{\nmodel {{\nperson "P"\n}}\n}}')
    assert list(nodes_by_label(found.diagram)) == ["P"]
    assert reasons(found) == [reason]


def test_files_that_belong_together_are_one_set() -> None:
    texts = {
        "model.dsl": model('s = softwareSystem "S"', "!docs docs"),
        "a/workspace.dsl": "workspace extends ../model.dsl {\n}",
        "b/workspace.dsl": "workspace extends ../model.dsl {\nmodel {\n!include more.dsl\n}\n}",
        "b/more.dsl": 'person "P"',
        "docs/01.md": "## One",
        "docs/images/a.png": png(),
        "alone.dsl": model('person "P"'),
        "alone.json": as_json({"people": [{"id": "1", "name": "P"}]}),
        "b/workspace.json": '{"name": "of another tool"}',
        "other.json": as_json({"people": [{"id": "1", "name": "P"}]}),
        "readme.md": "# Not of these",
    }
    sets = {one.root.path: sorted(one.files) for one in sets_of(files(texts)) if recognizes(one.root)}
    assert sets == {
        "a/workspace.dsl": ["a/workspace.dsl", "docs/01.md", "docs/images/a.png", "model.dsl"],
        "b/workspace.dsl": ["b/more.dsl", "b/workspace.dsl", "docs/01.md", "docs/images/a.png", "model.dsl"],
        "alone.dsl": ["alone.dsl", "alone.json"],
        "other.json": ["other.json"],
    }
    circle = {path: f"workspace extends {other} {{\n}}" for path, other in (("a.dsl", "b.dsl"), ("b.dsl", "a.dsl"))}
    assert sorted(one.root.path for one in sets_of(files(circle))) == ["a.dsl", "b.dsl"]


@pytest.mark.parametrize(
    "path, text, is_one",
    [
        ("a.dsl", "# mine\n\n  WORKSPACE {\n}", True),
        ("a.dsl", "\ufeffworkspace extends b.dsl {\n}", True),
        ("a.dsl", 'person "A"', False),
        ("a.txt", "workspace {\n}", False),
        ("a.json", '{"name": "x", "model": {"people": []}}', True),
        ("a.json", '{"format": "draftsmith/1", "diagram": {}}', False),
        ("a.json", '{"model": 1}', False),
    ],
)
def test_workspaces_are_recognized_by_name_and_content(path: str, text: str, is_one: bool) -> None:
    assert recognizes(SourceFile(path, text.encode())) is is_one


# Documentation


def test_documentation_and_decisions_become_the_document_with_their_images() -> None:
    image = png()
    found = read_all(
        {
            "workspace.dsl": (
                'workspace "W" "About it." {\n!docs docs\n!adrs adrs\nmodel {\ns = softwareSystem "Shop" {\n'
                "!docs shop.md\n}\n}\n}"
            ),
            "docs/02-more.md": "## More\r\n\r\n`![](images/a.png)` ![Plan](images/a.png) [x](https://example.com)\r\n",
            "docs/01-context.md": "## Context\n",
            "docs/03.adoc": "== Ascii",
            "docs/images/a.png": image,
            "docs/images/.DS_Store": "x",
            "shop.md": "## Parts",
            "adrs/0001-first.md": "# 1. First\n\n## Status\n\nAccepted\n",
        }
    )[0]
    (name,) = found.images
    assert found.document == (
        "# W\n\nAbout it.\n\n## Context\n\n## More\n\n"
        f"`![](images/a.png)` ![Plan](images/{name}) [x](https://example.com)\n\n"
        "# 1. First\n\n## Status\n\nAccepted\n\n# Shop\n\n## Parts\n"
    )
    assert found.images[name] == image
    assert [(one.file, one.reason) for one in found.unread] == [("docs/03.adoc", "AsciiDoc is not read")]


def test_documents_beyond_the_room_of_a_workspace_are_listed() -> None:
    most = WorkspaceLimits().document_chars
    texts = {
        "workspace.dsl": "workspace {\n!docs docs\nmodel {\nperson A\n}\n}",
        "docs/1.md": "a" * (most - 100),
        "docs/2.md": "b" * 200,
        "docs/3.md": "c",
    }
    found = read_all(texts)[0]
    assert found.document.rstrip().endswith("c")
    assert [(one.file, one.reason) for one in found.unread] == [
        ("docs/2.md", "a document has at most 2,000,000 characters")
    ]


def test_a_page_of_very_many_headings_is_listed_and_not_read() -> None:
    texts = {
        "workspace.dsl": "workspace {\n!docs docs\nmodel {\nperson A\n}\n}",
        "docs/1.md": "# [a](b.md)\n" * 150_000,
        "docs/2.md": "# Kept",
    }
    found = read_all(texts)[0]
    assert found.document == "# Kept\n"
    assert [(one.file, one.reason) for one in found.unread] == [("docs/1.md", TOO_MANY_BLOCKS)]


# Deployments

SHOP = """
    s = softwareSystem "Shop" {
        web = container "Web"
        api = container "API" {
            part = component "Part"
        }
        db = container "Database"
        web -> api "Calls" "HTTPS"
        part -> db "Reads"
    }
"""


def deployed(*lines: str, before: str = "") -> ReadWorkspace:
    text = model(before, SHOP, 'live = deploymentEnvironment "Live" {', *lines, "}")
    _, found = read_all({"workspace.dsl": text.replace("workspace {", 'workspace "W" {')})
    check_valid(found)
    return found


def test_an_environment_is_a_workspace_of_nodes_with_what_runs_on_them() -> None:
    found = deployed(
        'deploymentNode "Server" "Big." "Linux" "Rack" 4 {',
        'lb = infrastructureNode "Load Balancer"',
        'one = containerInstance api "" "Blue" {',
        'healthCheck "Ping" "https://example.com/ping"',
        "}",
        "containerInstance db",
        "}",
        "lb -> one Forwards",
    )
    assert found.name == "W – Live"
    server, instance = nodes_by_label(found.diagram)["Server"], nodes_by_label(found.diagram)["API"]
    assert (server["type"], server["technology"], server["description"]) == ("group", "Linux", "Big.")
    assert server["properties"] == {"c4": "deployment node", "tags": "Rack", "instances": "4"}
    assert nodes_by_label(found.diagram)["Load Balancer"]["type"] == "load_balancer"
    assert instance["parent"] == "server"
    assert instance["properties"] == {
        "c4": "instance", "tags": "Blue", "health check Ping": "https://example.com/ping"
    }  # fmt: skip
    assert named(found) == {
        "Server": "deployment node://Live/Server", "Load Balancer": "lb", "API": "one",
        "Database": "instance://Live/Server/Database",
    }  # fmt: skip
    assert edges_by_label(found.diagram) == [("API", "Database", "Reads"), ("Load Balancer", "API", "Forwards")]


def test_instances_are_connected_within_their_deployment_groups() -> None:
    found = deployed(
        'a = deploymentGroup "A"', 'b = deploymentGroup "B"',
        'deploymentNode "One" {', "containerInstance web a", "containerInstance api a", "}",
        'deploymentNode "Two" {', "containerInstance web b", "containerInstance api b", "}",
        'deploymentNode "Three" {', "containerInstance web", "}",
    )  # fmt: skip
    paths = label_paths(found)
    assert [(paths[one["source"]], paths[one["target"]]) for one in found.diagram["edges"]] == [
        ("One/Web", "One/API"), ("Two/Web", "Two/API")
    ]  # fmt: skip


def test_tags_of_an_instance_may_stand_where_deployment_groups_do() -> None:
    found = deployed('deploymentNode "One" {', 'containerInstance db "Failover,Old"', "}")
    assert nodes_by_label(found.diagram)["Database"]["properties"]["tags"] == "Failover, Old"


def test_nothing_is_implied_where_the_source_says_so() -> None:
    lines = ('deploymentNode "One" {', "containerInstance api", "containerInstance db", "}")
    assert edges_by_label(deployed(*lines).diagram) == [("API", "Database", "Reads")]
    assert edges_by_label(deployed(*lines, before="!impliedRelationships false").diagram) == []


def test_relationships_are_removed_and_replaced_in_an_environment() -> None:
    found = deployed(
        'deploymentNode "One" {', "containerInstance web", "containerInstance api",
        'lb = infrastructureNode "Balancer"', "}",
        "web -/> api {", "web -> lb Asks", "lb -> api Passes", "}",
    )  # fmt: skip
    assert edges_by_label(found.diagram) == [("Web", "Balancer", "Asks"), ("Balancer", "API", "Passes")]


def test_what_an_environment_is_related_to_comes_along() -> None:
    found = deployed(
        'deploymentNode "One" {', 'n = infrastructureNode "N" {', "p -> this Watches", "}", "}", before='p = person "P"'
    )
    assert edges_by_label(found.diagram) == [("P", "N", "Watches")]
    assert nodes_by_label(found.diagram)["P"]["type"] == "user"


# JSON


def as_json(content: Mapping[str, Any], **more: Any) -> str:
    return json.dumps({"name": "W", "description": "", "model": content, **more})


def test_json_becomes_what_the_dsl_of_it_becomes() -> None:
    dsl = """workspace "W" "About." {
        model {
            properties {
                "structurizr.groupSeparator" "/"
            }
            p = person "P" "Buys." "VIP"
            group "Company" {
                group "Unit" {
                    s = softwareSystem "S" {
                        c = container "C" "Answers." "Java" "Old" {
                            x = component "X"
                        }
                        d = container "Store" "" "PostgreSQL"
                    }
                }
            }
            p -> c "Uses" "HTTPS"
            x -> d "Reads"
            live = deploymentEnvironment "Live" {
                deploymentNode "Node" "" "Linux" "" 2 {
                    containerInstance c
                    containerInstance d
                }
            }
        }
        views {
            systemLandscape "Map" {
                include *
                autoLayout lr
            }
            styles {
                element "Old" {
                    background #c62828
                }
            }
        }
    }"""

    def identified(name: str) -> dict[str, Any]:
        return {"properties": {"structurizr.dsl.identifier": name}}

    implied = {"id": "13", "linkedRelationshipId": "12", "destinationId": "5", "description": "Reads"}
    container = {
        "id": "3", "name": "C", "description": "Answers.", "technology": "Java", "tags": "Element,Container,Old",
        **identified("c"), "relationships": [implied],
        "components": [{"id": "4", "name": "X", "tags": "Element,Component", **identified("x"),
                        "relationships": [{"id": "12", "destinationId": "5", "description": "Reads"}]}],
    }  # fmt: skip
    store = {"id": "5", "name": "Store", "technology": "PostgreSQL", "tags": "Element,Container", **identified("d")}
    system = {"id": "2", "name": "S", "tags": "Element,Software System", "group": "Company/Unit", **identified("s"),
              "containers": [container, store]}  # fmt: skip
    person = {"id": "1", "name": "P", "description": "Buys.", "tags": "Element,Person,VIP", **identified("p"),
              "relationships": [{"id": "11", "destinationId": "3", "description": "Uses", "technology": "HTTPS"}],
              "url": ""}  # fmt: skip
    between = {"id": "25", "destinationId": "24", "description": "Reads", "linkedRelationshipId": "13"}
    node = {
        "id": "22", "name": "Node", "environment": "Live", "technology": "Linux", "instances": "2",
        "tags": "Element,Deployment Node",
        "containerInstances": [
            {"id": "23", "containerId": "3", "environment": "Live", "tags": "Container Instance",
             "relationships": [between]},
            {"id": "24", "containerId": "5", "environment": "Live", "tags": "Container Instance"},
        ],
    }  # fmt: skip
    content = {
        "name": "W", "description": "About.",
        "model": {"people": [person], "softwareSystems": [system], "deploymentNodes": [node],
                  "properties": {"structurizr.groupSeparator": "/"}},
        "views": {"systemLandscapeViews": [{"key": "Map", "automaticLayout": {"rankDirection": "LeftRight"}}],
                  "configuration": {"styles": {"elements": [{"tag": "Old", "background": "#c62828"}]}}},
    }  # fmt: skip
    of_dsl, of_json = read_all({"w.dsl": dsl}), read_all({"w.json": json.dumps(content)})
    assert [one.name for one in of_json] == ["W", "W – Live"]
    for one, other in zip(of_dsl, of_json, strict=True):
        check_valid(other)
        assert (one.name, one.document, one.flow) == (other.name, other.document, other.flow)
        assert nodes_by_label(one.diagram) == nodes_by_label(other.diagram)
        assert sorted(edges_by_label(one.diagram)) == sorted(edges_by_label(other.diagram))
        assert named(one) == named(other)
        assert [(part.place, part.text, part.reason) for part in one.unread] == [
            (part.place, part.text, part.reason) for part in other.unread
        ]


def test_documents_and_images_of_json_come_in() -> None:
    image = png()
    content = as_json(
        {"people": [{"id": "1", "name": "P"}]},
        documentation={
            "sections": [{"content": "## Context\n\n![](plan.png)", "format": "Markdown", "filename": "1.md"}],
            "decisions": [{"id": "1", "title": "First", "content": "Because."}],
            "images": [{"name": "plan.png", "type": "image/png", "content": base64.b64encode(image).decode()}],
        },
    )
    (found,) = read_all({"w.json": content})
    (name,) = found.images
    assert found.document == f"## Context\n\n![](images/{name})\n\n# First\n\nBecause.\n"


def test_a_workspace_of_json_can_be_extended() -> None:
    base = as_json({"softwareSystems": [{"id": "1", "name": "S", "properties": {"structurizr.dsl.identifier": "s"}}]})
    text = 'workspace extends base.json {\nmodel {\n!element s {\ncontainer "C"\n}\n}\n}'
    (found,) = read_all({"w.dsl": text, "base.json": base})
    assert nodes_by_label(found.diagram)["C"]["parent"] == "s"


def test_json_of_other_types_than_usual_gives_what_has_the_right_ones() -> None:
    content = {
        "people": [1, {"id": 7, "name": "P", "tags": 5, "relationships": [{"destinationId": 8}, {}, 3]}, {"name": []}],
        "softwareSystems": {"not": "a list"},
        "customElements": [{"id": "8", "name": "E", "properties": {"a": 1, "b": "kept"}, "group": ["x"]}],
        "deploymentNodes": [{"softwareSystemInstances": [{"softwareSystemId": "99"}], "children": "none"}],
    }
    for found in read_all({"w.json": as_json(content, views=[], documentation={"sections": [{}]})}):
        check_valid(found)
        if found.name == "W":
            assert edges_by_label(found.diagram) == [("P", "E", "")]
            assert nodes_by_label(found.diagram)["E"]["properties"] == {"c4": "custom element", "b": "kept"}


# Bounds and damage


def includes_many() -> dict[str, str]:
    doubling = {f"{number}.dsl": f"!include {number + 1}.dsl\n" * 2 for number in range(20)}
    return {"workspace.dsl": model("!include 0.dsl"), **doubling, "20.dsl": 'person "P"'}


HOSTILE: dict[str, tuple[Mapping[str, str | bytes], str]] = {
    "not UTF-8": ({"w.dsl": b"workspace {\nmodel {\n\xff"}, "it is not UTF-8"),
    "too many bytes": ({"w.dsl": "workspace {\n" + "#" * MAX_BYTES}, "more than 5,000,000 bytes"),
    "deep blocks": ({"w.dsl": model('group "A" {\n' * MAX_NESTING)}, "nested more than 100 deep"),
    "deep includes": (
        {"w.dsl": model("!include 0.dsl"), **{f"{n}.dsl": f"!include {n + 1}.dsl" for n in range(MAX_FILES_DEEP)}},
        "files include one another more than 32 deep",
    ),
    "includes that double": (includes_many(), f"more than {MAX_INCLUDES:,} times"),
    "constants that double": (
        {"w.dsl": model("!var a aaaaaaaaaa", *["!var a ${a}${a}"] * 30, 'person "${a}"')},
        "more than 10,000,000 characters",
    ),
    "many elements": ({"w.dsl": model(*["person P"] * (MAX_ELEMENTS + 1))}, "more than 5,000 elements"),
    "many statements": ({"w.dsl": model(*["x"] * 200_001)}, "more than 200,000 statements"),
    "no model": ({"w.dsl": "workspace {\nviews {\n}\n}"}, "there are no elements in it"),
    "no workspace": ({"w.dsl": 'person "P"'}, r"no elements in it \(line 1: it stands outside of a workspace"),
    "extended from elsewhere": (
        {"w.dsl": "workspace extends https://example.com/w.dsl {\n}"},
        r"no elements in it \(line 1: it is at another address",
    ),
    "many environments": (
        {"w.dsl": model(*[f"deploymentEnvironment E{number} {{\n}}" for number in range(101)])},
        "more than 100 deployment environments",
    ),
    "no JSON": ({"w.json": '{"model": {"people": ['}, "it is not JSON"),
    "deep JSON": ({"w.json": '{"model": {"people": ' + "[" * 100_000}, "it is not JSON"),
    "other JSON": ({"w.json": '{"people": [], "model": 3}'}, "it is no workspace of Structurizr"),
    "deep nodes": (
        {"w.json": as_json({"deploymentNodes": []}).replace("[]", '[{"children": ' * 101 + "[]" + "}]" * 101)},
        "nested more than 100 deep",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_beyond_a_bound_is_refused_in_words(name: str) -> None:
    texts, reason = HOSTILE[name]
    root, *others = files(texts)
    with pytest.raises(UnreadableSource, match=reason) as caught:
        read(SourceSet(root, {file.path: file for file in (root, *others)}))
    assert caught.value.file


def test_many_instances_of_two_elements_are_connected_within_bounds() -> None:
    found = deployed('deploymentNode "N" {', *["containerInstance web", "containerInstance api"] * 400, "}")
    assert len(found.diagram["nodes"]) == 801
    assert len(found.diagram["edges"]) == 10_000


def test_what_is_looked_at_of_many_instances_is_bounded() -> None:
    """Also where none of them are connected."""
    instances = ["containerInstance web a", "containerInstance api b"] * 460
    groups = ["a = deploymentGroup A", "b = deploymentGroup B"]
    text = model(SHOP, "deploymentEnvironment Live {", *groups, 'deploymentNode "N" {', *instances, "}", "}")
    first, found = read_all({"w.dsl": text})
    assert not found.diagram["edges"]
    assert "not all connections between instances are kept" in reasons(first)


def test_deep_groups_stay_within_the_depth_of_a_workspace() -> None:
    found = read_one(model('group "A" {\n' * 60, 'person "P"', "}\n" * 60))
    check_valid(found)
    assert len(found.diagram["nodes"]) == 61


DAMAGED = sorted((FIXTURES / "structurizr").glob("*.dsl"))


@pytest.mark.parametrize("path", DAMAGED, ids=lambda path: path.name)
def test_no_damage_makes_it_fail(path: Path) -> None:
    """Cut anywhere, with bytes turned over, and with lines taken out: valid, or refused in words."""
    chance = random.Random(path.name)
    content = path.read_bytes()
    for _ in range(examples(200)):
        damaged = bytearray(content)
        match chance.randrange(3):
            case 0:
                del damaged[chance.randrange(len(damaged)) :]
            case 1:
                for _ in range(chance.randrange(1, 20)):
                    damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(7)
            case _:
                lines = bytes(damaged).splitlines(keepends=True)
                chance.shuffle(lines)
                damaged = bytearray(b"".join(lines[: chance.randrange(len(lines))]))
        file = SourceFile("w.dsl", bytes(damaged))
        for one in read_or_refuse(file):
            check_valid(one)


def read_or_refuse(file: SourceFile) -> Sequence[ReadWorkspace]:
    """What becomes of a file; nothing where it is refused, which is said with the file's name."""
    try:
        return read(SourceSet(file, {file.path: file}))
    except UnreadableSource as problem:
        if not (problem.reason and problem.file == file.path):
            raise
        return ()


def growing(line: str, before: str = "", after: str = "") -> Any:
    """A workspace with a line that is repeated."""
    return lambda size: model(before, *[line] * (size // len(line)), after)


GROWING = {
    "people": growing('person "P" "Says something."'),
    "unknown statements": growing("frobnicate x"),
    "quotes": lambda size: model('person "' + 'a"' * (size // 2)),
    "backslashes": lambda size: model('person "' + "\\" * size),
    "words": lambda size: model("person " + "a " * (size // 2)),
    "tags": lambda size: model("person P P " + ",".join(f"t{n}" for n in range(size // 6))),
    "blocks of text": growing('"""'),
    "comments": growing("/*"),
    "continued lines": growing("\\"),
    "constants": growing("!var b ${a}", before="!var a b"),
    "closing braces": growing("}"),
    "relationships": growing("a -> b x", before='a = person "A"\nb = person "B"'),
    "dots": lambda size: model("!identifiers hierarchical", "a -> " + "a." * (size // 2)),
}


@pytest.mark.parametrize("name", GROWING)
def test_reading_takes_time_in_proportion(name: str) -> None:
    def work(text: str) -> None:
        with suppress(UnreadableSource):
            read_one(text)

    assert not grows_too_much(work, GROWING[name])
