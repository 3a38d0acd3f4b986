"""Read prompts from `prompts/` of the checkout, or from `_prompts` inside an installed package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from draftsmith.assistant.prompts import WORKFLOWS

_CHECKOUT = Path(__file__).parents[4] / "prompts"
_KINDS = (".md", ".json")


def read_prompts(workflow: str) -> Mapping[str, str]:
    """Read the files of a workflow, as `assistant.prompts.prompt_set` takes them; with the shared ones.

    Raises:
        ValueError: there is no such workflow.
        FileNotFoundError: the prompts were not installed.
    """
    if workflow not in WORKFLOWS:
        raise ValueError(f"there is no workflow '{workflow}'; there are {', '.join(WORKFLOWS)}")
    root = _root()
    found = dict(_texts(root.joinpath("shared"), "shared/"))
    found.update(_texts(root.joinpath(workflow), ""))
    return found


def read_agent_texts() -> Mapping[str, str]:
    """Read what agents are told, as `agents.texts.agent_texts` takes it.

    Raises:
        FileNotFoundError: the prompts were not installed.
    """
    return dict(_texts(_root().joinpath("mcp"), ""))


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
