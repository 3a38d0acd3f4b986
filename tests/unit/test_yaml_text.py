"""YAML and JSON of strangers: plain values with their lines, and no file that fails or is unbounded."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.readers.yaml_text import MAX_BYTES, MAX_DEPTH, MAX_VALUES, YamlMapping, YamlStream, read_yaml


def stream(text: str | bytes) -> YamlStream:
    return read_yaml(SourceFile("a.yaml", text if isinstance(text, bytes) else text.encode()))


def value(text: str) -> Any:
    found = stream(text)
    assert found.failure is None
    return found.documents[0][0]


def yaml_failure(text: str | bytes) -> tuple[str, int | None]:
    found = stream(text)
    assert found.failure is not None
    return found.failure.reason, found.failure.line


def test_scalars_are_what_they_are_in_yaml_1_2() -> None:
    """No port is a number of base 60, no country a boolean, and no version loses its last digit."""
    text = "a: 22:22\nb: no\nc: 3.10\nd: 8080\ne: '80'\nf: ~\ng: true\nh: 0755\ni: !!str 5\nj:\n"
    assert value(text) == {
        "a": "22:22", "b": "no", "c": "3.10", "d": 8080, "e": "80", "f": None, "g": True, "h": "0755", "i": "5",
        "j": None,
    }  # fmt: skip


def test_mappings_know_their_lines_and_their_tags() -> None:
    found = value("# a comment\na:\n  b: 1\n  c: !reset\n    - x\n")
    assert (found.line, found.line_of("a"), found["a"].line_of("c"), found["a"].line_of("none")) == (2, 2, 4, 3)
    assert found["a"].tags == {"c": "!reset"}


def test_aliases_and_merge_keys_repeat_what_they_name() -> None:
    """What is written stands over what is merged, and of several that are merged the first counts."""
    found = value("x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  a: 3\nlist: [*x]\n")
    assert found["z"] == {"a": 3, "b": 1, "c": 2}
    assert found["list"] == [{"a": 1, "b": 1}]
    assert found["z"].line_of("c") == 2


def test_keys_that_stand_twice_are_told() -> None:
    found = stream("a: 1\nb: 2\na: 3\n")
    assert found.documents[0][0] == {"a": 3, "b": 2}
    assert found.repeated == [("a", 3)]


def test_json_is_read_with_tabs_and_with_lines() -> None:
    found = value('{\n\t"kind": "List",\n\t"items": [\n\t\t{"n": 80, "s": "a\\tb"}\n\t]\n}')
    assert found["items"][0] == {"n": 80, "s": "a\tb"}
    assert found["items"][0].line == 4


def test_what_stands_before_a_fault_is_kept() -> None:
    found = stream("a: 1\n---\nb: 2\n---\nc: [1,\n")
    assert [one for one, _ in found.documents] == [{"a": 1}, {"b": 2}]
    assert found.failure is not None
    assert found.failure.reason.startswith("it is no YAML: ")


BOMB = "a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"{here}: &{here} [{','.join([f'*{there}'] * 10)}]\n" for there, here in zip("abcdefghi", "bcdefghij", strict=True)
)
NESTED = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, MAX_DEPTH + 1))
MERGED = "a: &a {" + ", ".join(f"k{n}: {n}" for n in range(2000)) + "}\n" + "".join(
    f"m{n}:\n  <<: *a\n" for n in range(400)
)  # fmt: skip


@pytest.mark.parametrize(
    "text, reason",
    [
        (BOMB, f"it holds more than {MAX_VALUES:,} values, with those that aliases repeat"),
        (MERGED, f"it holds more than {MAX_VALUES:,} values, with those that aliases repeat"),
        ("- 1\n" * (MAX_VALUES + 1), f"it holds more than {MAX_VALUES:,} values, with those that aliases repeat"),
        ("[" * 5_000, f"it is nested deeper than {MAX_DEPTH} levels"),
        ("- " * 5_000 + "a", f"it is nested deeper than {MAX_DEPTH} levels"),
        ("{a: " * 5_000, f"it is nested deeper than {MAX_DEPTH} levels"),
        (NESTED, f"it is nested deeper than {MAX_DEPTH} levels"),
        ("a: &a [*a]", "the alias *a stands in what it repeats"),
        ("a: *b", "the alias *b repeats nothing"),
        ("? [a]\n: 1", "a key is no text"),
        ("&a [1]: 1", "a key is no text"),
        ("a: b: c", "it is no YAML: mapping values are not allowed in this context"),
        ("%YAML 9.0\n---\na", "it is no YAML: found incompatible YAML document"),
        (b"a: \xff\xfe\xfa", "it is not UTF-8 at byte 3"),
        (b"x" * (MAX_BYTES + 1), "it has more than 5,000,000 bytes"),
        (b"a: \x00", "it is not a text"),
    ],
)
def test_what_is_refused_is_refused_in_words(text: str | bytes, reason: str) -> None:
    assert yaml_failure(text)[0] == reason


def test_a_fault_says_its_line() -> None:
    assert yaml_failure("a: 1\nb: 2\nc: *d\n")[1] == 3
    assert yaml_failure("a: 1\nb: b: c\n")[1] == 2


def test_no_tag_makes_anything() -> None:
    """A tag that names a class of Python is a scalar or a mapping like any other."""
    found = value("a: !!python/object/apply:os.system ['exit 1']\nb: !!python/name:os.system x\n")
    assert found["a"] == ["exit 1"]
    assert isinstance(found, YamlMapping)
