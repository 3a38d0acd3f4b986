"""The parts of the product that are changed, how often each, and the tests that look at it.

They are those where a mistake loses or spoils somebody's work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the product.

    Attributes:
        name: what the table calls it.
        sources: patterns of its files, from the root of the repository.
        count: how many changes of it are tried.
        own: the tests that look at it alone, which take seconds: all in Python or all in TypeScript.
        wider: those that are run where its own notice nothing.
    """

    name: str
    sources: Sequence[str]
    count: int
    own: Sequence[str]
    wider: Sequence[str]

    def files(self, root: Path) -> Sequence[str]:
        """Its files, from the root."""
        return sorted(str(file.relative_to(root)) for pattern in self.sources for file in root.glob(pattern))


def _tests(folder: str, names: str) -> Sequence[str]:
    return [f"tests/{folder}/test_{name}.py" for name in names.split()]


AREAS: Final = (
    Area(
        "undo",
        ["backend/draftsmith/transform/undo/*.py"],
        10,
        [
            *_tests("unit", "undo_cases undo_net exact_undo carry dependencies undo_text undo_stacks undo_status"),
            *_tests("unit", "hand_routes text_run_list text_runs restore"),
            *_tests("laws", "carry text_taken_back typing_retraction"),
        ],
        [
            *_tests("laws", "batches workspace_machine"),
            *_tests("integration", "api_exact_undo typing_runs naive_model"),
        ],
    ),
    Area(
        "steps",
        ["backend/draftsmith/transform/steps/*.py"],
        10,
        [
            *_tests(
                "unit",
                "steps applied_steps line_changes operations batches footprint subjects slices problems typed_commits "
                "undo_cases exact_undo carry dependencies",
            ),
            *_tests("laws", "changesets spans rebase changed_lines typing_rows batches"),
        ],
        [
            *_tests("unit", "replay replica decision document_operations budget room typing_cost"),
            *_tests("laws", "carry fence placement text_taken_back workspace_machine"),
            *_tests("contracts", "steps_under_node changesets_under_node"),
        ],
    ),
    Area(
        "matcher",
        ["backend/draftsmith/transform/matching/*.py"],
        10,
        [
            *_tests("unit", "find_ladder section_ladder not_found wording lines_and_blocks overlay ends_of_a_match"),
            *_tests("unit", "repeated_edits node_names problems"),
            *_tests("laws", "document_matching pieces outlines word_search overlay marked_words marks alignment"),
        ],
        [
            *_tests("unit", "document_operations work_grows context feedback long_addresses own_headings parse"),
            "tests/noise",
            "tests/simulation/relay",
        ],
    ),
    Area(
        "policy",
        ["backend/draftsmith/access/policy.py", "backend/draftsmith/access/workspace_access.py"],
        7,
        _tests("unit", "access_policy folder_tree"),
        [*_tests("contracts", "access_stores listing"), *_tests("integration", "rights policy access folders")],
    ),
    Area(
        "fence",
        [
            "backend/draftsmith/agents/changed_parts.py",
            "backend/draftsmith/agents/fence.py",
            "backend/draftsmith/agents/marks.py",
            "backend/draftsmith/usecases/agents/edit_request.py",
        ],
        7,
        [
            *_tests("unit", "fence edit_request changed_parts marks agent_races footprint agent_tools node_names"),
            *_tests("laws", "fence"),
        ],
        [
            *_tests("unit", "agent_presence"),
            *_tests("integration", "mcp_fence mcp_reading edit_answers mcp_tools mcp_answers"),
        ],
    ),
    Area(
        "append script",
        ["backend/draftsmith/adapters/redis/lua/append.lua"],
        6,
        _tests("contracts", "commit_log claims kept_answers"),
        [
            *_tests("contracts", "redis_store states wakes"),
            *_tests("integration", "api_repeats repeats_in_flight sent_again two_workers"),
        ],
    ),
    Area(
        "outbox of the page",
        [
            "frontend/src/sync/client/sender.ts",
            "frontend/src/sync/session/outbox.ts",
            "frontend/src/sync/session/writes.ts",
        ],
        10,
        [f"frontend/tests/sync/{name}.test.ts" for name in ("session", "client", "typing")],
        ["frontend/tests/sync"],
    ),
)
