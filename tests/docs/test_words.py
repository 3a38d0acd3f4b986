"""What pages and docstrings name is there: pages, headings, pictures, commands, routes, settings, exceptions."""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from draftsmith.api.forms.problems import STATUS
from draftsmith.cli import group as cli
from draftsmith.settings import Settings
from draftsmith.settings_models import ModelSettings
from tests.docs.pages import PAGES, ROOT

ALSO = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*/*.md"))]
ROUTES = set(json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))["paths"])
LIVE = "/api/v1/workspaces/{w}/live"
"""A WebSocket; the contract of HTTP has none."""
_LINK = re.compile(r"(?<!`)\[[^\]\n]+\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")
_CODE = re.compile(r"`([^`\n]+)`")
_FILE = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]+\.(?:py|ts|tsx|mjs|lua|md|toml))`")
_BASES = [ROOT, ROOT / "backend" / "draftsmith", ROOT / "tests", ROOT / "frontend", ROOT / "frontend" / "src"]
FIGURES_ABOUT_MODELS = (
    "agents",
    "assistant",
    "comparing-models",
    "findings/first-half-hour",
    "findings/own-model",
    "matching",
    "performance",
)
NOT_OF_USERS = {"draftsmith_store_url", "draftsmith_worker", "draftsmith_started_ms"}  # told to workers by the launcher


def path_in_checkout(page: Path) -> str:
    return str(page.relative_to(ROOT))


def without_code(page: Path) -> str:
    """A page's text but for its fenced blocks."""
    return re.sub(r"^( *)```.*?^\1```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(page: Path) -> frozenset[str]:
    """What links may name of a page, as they are made from its headings."""
    titles = re.findall(r"^#+ (.+)$", without_code(page), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", title).lower() for title in titles]
    return frozenset(re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in plain)


@pytest.mark.parametrize("page", [*PAGES, *ALSO], ids=path_in_checkout)
def test_links_lead_somewhere(page: Path) -> None:
    """To a file that is there, and a heading that it has; pictures are there and not heavy."""
    lost = []
    for found in _LINK.finditer(re.sub(_CODE, "", without_code(page))):
        link = found[1] or found[2]
        if re.match(r"[a-z]+:|#node/", link):
            continue
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            lost.append(link)
        elif there.suffix == ".png" and there.stat().st_size > 300_000:
            lost.append(f"{link} has {there.stat().st_size:,} bytes")
    assert lost == []


def lost_files(text: str) -> list[str]:
    """Files of ours that a text names in code by their path (`*` stands for anything) and that do not exist."""
    return [name for name in _FILE.findall(text) if not any(next(base.glob(name), None) for base in _BASES)]


@pytest.mark.parametrize(
    "page", [page for page in [*PAGES, *ALSO] if page.name != "CHANGELOG.md"], ids=path_in_checkout
)
def test_files_that_are_named_exist(page: Path) -> None:
    """Paths from the root, the package, the tests or the page; the changelog speaks of earlier ones, too."""
    assert lost_files(page.read_text("utf-8")) == []


def commands_in(text: str) -> Iterator[str]:
    """Commands of ours: what stands in code and begins with the name of the program, or a line of a block."""
    for line in [*_CODE.findall(text), *text.splitlines()]:
        found = re.match(r"(?:\.venv/bin/)?draftsmith( [a-z][^`#|]*)", line.strip())
        if found:
            yield found[1].strip()


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=path_in_checkout)
def test_commands_and_options_are_those_of_the_program(page: Path) -> None:
    for line in commands_in(page.read_text("utf-8")):
        name, *given = line.split()
        command = cli.main.commands.get(name)
        if isinstance(command, click.Group):
            command = command.commands.get(given[0])
        assert command is not None, line
        known = {option for each in command.params if isinstance(each, click.Option) for option in each.opts}
        assert {option for option in given if option.startswith("--")} <= known | {"--help"}, line


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=path_in_checkout)
def test_words_of_make_are_in_the_makefile(page: Path) -> None:
    words = set(re.findall(r"^([a-z0-9-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    text = page.read_text("utf-8")
    named = [*re.findall(r"`make ([a-z][a-z0-9-]*)", text), *re.findall(r"^make ([a-z][a-z0-9-]*)", text, re.MULTILINE)]
    assert set(named) <= words


@pytest.mark.parametrize("page", PAGES, ids=path_in_checkout)
def test_routes_are_those_of_the_contract(page: Path) -> None:
    """`POST /workspaces/{w}/batches`, also with `…` for what stands before; names in braces do not matter."""
    known = {re.sub(r"\{\w+\}", "{}", route) for route in [*ROUTES, LIVE]}
    lost = []
    for path in re.findall(r"`(?:GET|POST|PUT|PATCH|DELETE) ([^\s`?]+)", page.read_text("utf-8")):
        plain = re.sub(r"\{\w+\}|<\w+>", "{}", path)
        tail = plain.removeprefix("…")
        if not any(route == plain or route.endswith(tail) for route in known):
            lost.append(path)
    assert lost == []


def test_a_lost_link_command_or_route_is_found() -> None:
    """The tests above can fail."""
    assert lost_files("`transform/steps/*.py`, `transform/no_such_file.py`") == ["transform/no_such_file.py"]
    assert "no-such-heading" not in anchors(ROOT / "docs" / "api.md")
    assert "the-assistant" in anchors(ROOT / "docs" / "api.md")
    assert list(commands_in("`draftsmith dance --now`, or\ndraftsmith serve # it")) == ["dance --now", "serve"]
    assert not any(route.endswith("/dances") for route in ROUTES)


def test_every_setting_is_on_a_page() -> None:
    """docs/operating.md names every setting that is not the assistant's; those have a table and a test of their own."""
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    named = {
        name.lower() for row in re.findall(r"^\| (`[A-Z].*?) \|", page, re.MULTILINE) for name in _CODE.findall(row)
    }
    mine = Settings.model_fields.keys() - ModelSettings.model_fields.keys()
    assert mine - NOT_OF_USERS - named == set()
    assert {name for name in named if re.fullmatch(r"[a-z_]+", name)} - set(Settings.model_fields) == set()


def test_statuses_of_the_guide_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d{3}) \| (.+?) \|", page, re.MULTILINE)
    named = {code: int(status) for status, cell in rows for code in _CODE.findall(cell)}
    assert len(named) >= 12
    assert {code: STATUS.get(code, 422) for code in named} == named


def test_metrics_of_the_page_are_those_of_the_code() -> None:
    """Both ways: a metric that nobody explains is of no use to whoever looks at it."""
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    named = {name.replace("…", "draftsmith_socket") for name in re.findall(r"`((?:draftsmith|…)_[a-z_]+)", page)}
    code = "".join(file.read_text("utf-8") for file in (ROOT / "backend").rglob("*.py"))
    told = set(re.findall(r"\b(?:Counter|Gauge|Histogram)\(\s*\"(draftsmith_\w+)\"", code))
    told |= set(re.findall(r"GaugeMetricFamily\(\s*\"(draftsmith_\w+)\"", code))
    assert named == told


@pytest.mark.parametrize("name", ["README", *(f"docs/{name}" for name in FIGURES_ABOUT_MODELS)])
def test_figures_about_models_say_that_no_model_was_asked(name: str) -> None:
    """They come from scripts; what a capable model does is not known here."""
    assert "no capable model was ever asked" in (ROOT / f"{name}.md").read_text("utf-8").lower()


def test_the_figure_of_the_readme_is_the_measured_one() -> None:
    """How many edits had to be refused, and that all of them were, as docs/matching.md has it."""
    measured = (ROOT / "docs" / "matching.md").read_text("utf-8")
    number, refused = re.findall(
        r"^all +(\d+) +([\d.]+)", measured[measured.index("must be refused  ") :], re.MULTILINE
    )[0]
    assert refused == "100.0"
    assert f"of {int(number):,} made-up edits that had to be refused, every one was" in (ROOT / "README.md").read_text(
        "utf-8"
    )


def unknown_exceptions(sources: Iterable[str]) -> list[str]:
    """The names under `Raises:` that neither these modules define or import nor Python has."""
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    known = set(dir(builtins)) | {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    known |= {alias.asname or alias.name for node in imports for alias in node.names}
    told = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = (
        name for text in told for name in re.findall(r"^    (\w+):", text.partition("\nRaises:\n")[2], re.MULTILINE)
    )
    return sorted({name for name in named if name not in known})


def test_exceptions_that_docstrings_name_exist() -> None:
    """A class that was renamed is renamed there, too."""
    sources = [file.read_text("utf-8") for file in (ROOT / "backend").rglob("*.py")]
    assert unknown_exceptions(sources) == []
    assert unknown_exceptions(['def f():\n    """Do it.\n\n    Raises:\n        Gone: always.\n    """\n']) == ["Gone"]
