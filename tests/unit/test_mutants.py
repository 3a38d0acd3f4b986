"""Changes of the product that tests should notice: where they are, that each is another program."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.__main__ import draw
from tests.mutants.areas import AREAS, Area
from tests.mutants.changes import changes_of, lua_changes, python_changes
from tests.places import ROOT

SOURCE = '''"""A text that says 1 < 2."""
MOST = 3

def add(ß: int, other: list[int] | None = None) -> bool:
    if (ß < MOST) and not other:
        other.append(1)
    for one in other:
        if one == 2:
            continue
        raise ValueError(one > 2)
    return ß in other
'''
SCRIPT = "-- 1 == 2\nif a == 'x == 1' and not b then redis.call('SET', KEYS[1], ARGV[2]) end\n"


def test_every_change_of_python_is_another_program() -> None:
    made = [change.made_in(SOURCE.encode()).decode() for change in sorted(python_changes("add.py", SOURCE))]
    assert len({ast.dump(ast.parse(text)) for text in (SOURCE, *made)}) == len(made) + 1
    lines = SOURCE.splitlines()
    assert [[new for old, new in zip(lines, text.splitlines(), strict=True) if old != new] for text in made] == [
        ["    if (ß <= MOST) and not other:"],
        ["    if (ß < MOST) or not other:"],
        ["    if (ß < MOST) and  other:"],
        ["        pass"],
        ["        other.append(2)"],
        ["        if one != 2:"],
        ["        if one == 3:"],
        ["            break"],
        ["    return None"],
        ["    return ß not in other"],
    ]


def test_texts_and_comments_of_a_script_stay() -> None:
    made = [change.made_in(SCRIPT.encode()).decode().splitlines()[1] for change in lua_changes("set.lua", SCRIPT)]
    assert made == [
        "if a ~= 'x == 1' and not b then redis.call('SET', KEYS[1], ARGV[2]) end",
        "if a == 'x == 1' or not b then redis.call('SET', KEYS[1], ARGV[2]) end",
        "if a == 'x == 1' and  b then redis.call('SET', KEYS[1], ARGV[2]) end",
        "if a == 'x == 1' and not b then redis.call('SET', KEYS[2], ARGV[2]) end",
        "if a == 'x == 1' and not b then redis.call('SET', KEYS[1], ARGV[3]) end",
    ]


def test_a_change_is_told_with_its_line() -> None:
    change = min(python_changes("add.py", SOURCE))
    told = "add.py:5: `if (ß < MOST) and not other:` → `if (ß <= MOST) and not other:`"
    assert change.words_in(SOURCE.encode()) == told


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_an_area_has_more_changes_than_are_tried_and_a_seed_draws_the_same(area: Area) -> None:
    changes = changes_of(area.files(ROOT), ROOT)
    assert len(set(changes)) == len(changes) >= 2 * area.count
    assert draw(area, "1") == draw(area, "1") != draw(area, "2")
    for change in changes:
        source = (ROOT / change.file).read_bytes()
        assert change.made_in(source) != source
        if change.file.endswith(".py"):
            ast.parse(change.made_in(source))


def test_sixty_changes_are_tried_by_tests_that_are_there() -> None:
    assert sum(area.count for area in AREAS) == 60
    assert [test for area in AREAS for test in (*area.own, *area.wider) if not (ROOT / test).exists()] == []
