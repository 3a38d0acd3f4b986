"""Read prompts from `prompts/` of the checkout, or from `_prompts` inside an installed package.

A folder of the operator's (`PROMPTS_DIR`) may hold other texts for some of these files, under the same names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from draftsmith.assistant.prompts import WORKFLOWS

_CHECKOUT = Path(__file__).parents[4] / "prompts"
_KINDS = (".md", ".json")


def read_prompts(workflow: str, folder: Path | None = None) -> Mapping[str, str]:
    """Read the files of a workflow, as `assistant.prompts.prompt_set` takes them; with the shared ones.

    Args:
        workflow: one of `WORKFLOWS`.
        folder: files there, such as `edit/system.md`, are read in place of those of the same path.

    Raises:
        ValueError: there is no such workflow, or the folder holds what is in place of nothing.
        FileNotFoundError: the prompts were not installed.
    """
    if workflow not in WORKFLOWS:
        raise ValueError(f"there is no workflow '{workflow}'; there are {', '.join(WORKFLOWS)}")
    root = _root()
    found = dict(_texts(root.joinpath("shared"), "shared/"))
    found.update(_texts(root.joinpath(workflow), ""))
    if folder is not None:
        own = _own_texts(folder, root)
        found.update({path: text for path, text in own.items() if path.startswith("shared/")})
        start = f"{workflow}/"
        found.update({path[len(start) :]: text for path, text in own.items() if path.startswith(start)})
    return found


def _own_texts(folder: Path, root: Traversable) -> dict[str, str]:
    """The files of an operator's folder; one that takes the place of none would be read by nobody."""
    own = dict(_texts(folder, "")) if folder.is_dir() else {}
    known = {path for name in (*WORKFLOWS, "shared") for path, _ in _texts(root.joinpath(name), f"{name}/")}
    strange = sorted(own.keys() - known)
    if strange or not own:
        found = f"{', '.join(strange[:5])} takes the place of none" if strange else f"{folder} has none"
        raise ValueError(
            f"Own prompts are named as those in prompts/, such as edit/system.md or shared/request.md; {found}."
        )
    return own


def read_agent_texts() -> Mapping[str, str]:
    """Read what agents are told, as `agents.texts.agent_texts` takes it.

    Raises:
        FileNotFoundError: the prompts were not installed.
    """
    return dict(_texts(_root().joinpath("mcp"), ""))


def read_pattern_files() -> Mapping[str, str]:
    """Read the files of patterns, as `assistant.patterns.pattern.read_patterns` takes them.

    Raises:
        FileNotFoundError: the prompts were not installed.
    """
    return dict(_texts(_root().joinpath("patterns"), ""))


def _root() -> Traversable:
    """The packaged folder if there is one, else that of the checkout: an editable install carries nothing."""
    packaged = files("draftsmith").joinpath("_prompts")
    root: Traversable = packaged if packaged.is_dir() else _CHECKOUT
    if not root.joinpath("edit").is_dir():
        raise FileNotFoundError(f"There are no prompts in {root}; install the package again.")
    return root


def _texts(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.is_dir():
            yield from _texts(file, f"{prefix}{file.name}/")
        elif file.name.endswith(_KINDS) and not file.name.startswith((".", "README")):
            yield f"{prefix}{file.name}", file.read_text("utf-8")
