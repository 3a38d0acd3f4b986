"""The JSON shapes that the routes themselves put together: lists, and what stands in no lower stage. Types alone.

What a lower stage builds is typed there, in its `shapes` module. FastAPI makes OpenAPI from all of them, and mypy
checks the code that builds them; answers go out without being checked again.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.access.roles import Role
from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import CommitOut
from draftsmith.model.shapes import DiagramOut, DocumentOut, EdgeOut, NodeOut


class ProblemDocument(TypedDict):
    """RFC 9457, with a stable `code`."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    problems: list[ProblemOut]
    request_id: str


class WorkspaceOut(TypedDict):
    """A workspace at a revision; `frozen` says why it takes no writes."""

    id: str
    name: str
    role: Role
    revision: int
    diagram: DiagramOut
    document: DocumentOut
    frozen: NotRequired[str | None]


class WorkspaceItem(TypedDict):
    """A workspace in a list. `folder` is null for none, and for one that the caller does not see.

    `changed_by` is the name of who changed it last, null where that is not known.
    """

    id: str
    name: str
    role: Role
    folder: str | None
    revision: int
    nodes: int
    edges: int
    chars: int
    created_at: str
    updated_at: str
    changed_by: str | None
    deleted_at: str | None


class CreatedOut(WorkspaceItem):
    """A workspace that was just made; `warnings` name the lines of an import that were not understood."""

    warnings: list[ProblemOut]


class WorkspaceList(TypedDict):
    """A page of workspaces."""

    items: list[WorkspaceItem]
    next_cursor: str | None


class NodeList(TypedDict):
    """A page of nodes, oldest first."""

    items: list[NodeOut]
    next_cursor: str | None


class EdgeList(TypedDict):
    """A page of edges, oldest first."""

    items: list[EdgeOut]
    next_cursor: str | None


class CommitList(TypedDict):
    """A page of commits, newest first."""

    items: list[CommitOut]
    next_cursor: str | None


class CheckpointOut(TypedDict):
    """A named revision."""

    id: str
    name: str
    revision: int
    at: str


class CheckpointList(TypedDict):
    """All checkpoints, newest first."""

    items: list[CheckpointOut]
    next_cursor: NotRequired[None]


class OutlineItem(TypedDict):
    """A section; `anchor`: the address of its heading, `#anchor` in links, or empty where its title has no letter."""

    level: int
    title: str
    path: str
    line: int
    chars: int
    anchor: str


class OutlineOut(TypedDict):
    """The sections of the document."""

    items: list[OutlineItem]
    next_cursor: NotRequired[None]


class LintOut(TypedDict):
    """All warnings."""

    items: list[ProblemOut]
    next_cursor: NotRequired[None]


class MeOut(TypedDict):
    """Who one is here."""

    id: str
    name: str
    kind: str
    color: str
    mode: Literal["local", "token"]
    signed_in: bool
    is_admin: bool
    sign_in: SignInOut


class SignInOut(TypedDict):
    """How one signs in here: the name of the issuer, null for none."""

    issuer: str | None


class TemplateOut(TypedDict):
    """Something to start from."""

    id: str
    name: str
    description: str
    nodes: int
    edges: int


class TemplateList(TypedDict):
    """All templates."""

    items: list[TemplateOut]
    next_cursor: NotRequired[None]


class StoreRiskOut(TypedDict):
    """A setting of the store with which it may lose what was acknowledged; `accepted` by whoever runs the server."""

    code: str
    detail: str
    remedy: str
    accepted: bool


class HealthOut(TypedDict):
    """Whether it works: `ok`, `degraded` (it does, and its store may lose data: `risks`), `not saving`."""

    status: str
    code: NotRequired[str | None]
    detail: NotRequired[str | None]
    risks: NotRequired[list[StoreRiskOut]]


class TicketOut(TypedDict):
    """What opens `/live` for a page of another origin, and until when."""

    ticket: str
    expires_at: str


class ImageOut(TypedDict):
    """An image that was put: sides in pixels, as its header says."""

    sha256: str
    type: str
    bytes: int
    width: int
    height: int


class ImageItem(TypedDict):
    """An image in a list; a text refers to it by its address."""

    sha256: str
    type: str
    bytes: int
    address: str


class ImageLimitsOut(TypedDict):
    """What images may take: `bytes` and `side` (pixels) of one, `all_bytes` and `count` of all of a workspace."""

    types: list[str]
    bytes: int
    side: int
    all_bytes: int
    count: int


class ImageList(TypedDict):
    """The images of a workspace, the bytes of all of them, and what they may take."""

    items: list[ImageItem]
    next_cursor: None
    bytes: int
    limits: ImageLimitsOut


class OEmbedOut(TypedDict):
    """An answer of oEmbed 1.0; `photo` with a picture where the address may show one, else `link`."""

    version: str
    type: str
    provider_name: str
    provider_url: str
    title: str
    url: NotRequired[str]
    width: NotRequired[int]
    height: NotRequired[int]
