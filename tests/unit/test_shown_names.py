"""Names of people are one line, whatever was sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.access.names import shown_name


@pytest.mark.parametrize(
    "given_, shown",
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee ", "Ann Lee"),
        ("Eve\r\nSet-Cookie: x=1", "Eve Set-Cookie: x=1"),
        ("gnp\u202eexe", "gnp exe"),
        ("Zoë 王 😀", "Zoë 王 😀"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("\x00\u2028", ""),
    ],
)
def test_is_what_people_read(given_: str, shown: str) -> None:
    assert shown_name(given_) == shown


@given(st.text())
def test_stays_as_it_is_and_has_no_end_of_a_line(text: str) -> None:
    name = shown_name(text)
    assert shown_name(name) == name
    assert len(name) <= len(text)
    assert name.splitlines() in ([], [name])
