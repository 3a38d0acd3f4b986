"""What comes in over HTTP beside operations, as models: strict, unknown fields refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.config import JsonDict
from pydantic_core import CoreSchema, core_schema

from draftsmith.access.names import shown_name
from draftsmith.assistant.context.focus import Focus
from draftsmith.model.images import ImageType
from draftsmith.transform.requests import operation_fields as fields
from draftsmith.transform.requests.operations import Operation
from draftsmith.usecases.providers.trial import TrialStep
from draftsmith.usecases.upkeep.files_import import MAX_FILES
from draftsmith.usecases.upkeep.history import TOKEN

MAX_REVISION = 2**53 - 1
"""What every JSON parser reads exactly."""


def _base(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_REVISION:
        return value
    if isinstance(value, str) and TOKEN.fullmatch(value):
        return value
    raise ValueError("must be a revision, or the ETag of a read")


def _strip(value: str) -> str:
    """Without blank ends; the length is judged before, as the contract says it."""
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def one_line(value: str) -> str:
    """A name as it is shown; the length is judged before, as the contract says it."""
    return _strip(shown_name(value))


RequestId = Annotated[str, StringConstraints(min_length=8, max_length=128, pattern=r"^[\x21-\x7e]+$")]
Explanation = Annotated[str, StringConstraints(max_length=2_000)]
Propose = Annotated[bool, Field(description="Keep it as a proposal that an editor accepts or discards.")]
Revision = Annotated[int, Field(ge=1, le=MAX_REVISION)]
# One validator for both forms: a union of types would name them in the paths of its problems.
Base = Annotated[
    int | str,
    PlainValidator(_base),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MAX_REVISION},
                {"type": "string", "pattern": f"^{TOKEN.pattern}$"},
            ]
        }
    ),
]


class In(BaseModel):
    """A body: strict, unknown fields refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


_Namespace = Annotated[str, StringConstraints(min_length=1, max_length=63, pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]


class WorkloadsBody(In):
    """What of a cluster is read.

    `plugin`: the registered plugin that reads it; needed if several can. `namespaces`: null for all that it may read.
    """

    plugin: Annotated[str, StringConstraints(min_length=1, max_length=24)] | None = None
    namespaces: Annotated[list[_Namespace], Field(min_length=1, max_length=200)] | None = None


class _DescribedAs:
    """The form that a field has in the contract, where it is checked by whoever reads it."""

    def __init__(self, form: Any) -> None:
        self._form = form

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # The contract describes what comes as JSON; what is checked are Python values, as JSON was read.
        return core_schema.json_or_python_schema(handler.generate_schema(self._form), core_schema.any_schema())


def _needs_operations(form: JsonDict) -> None:
    cast(Any, form)["properties"]["operations"].pop("default")
    form["required"] = ["operations"]


class BatchBody(In):
    """A batch: all of its operations happen, or none does."""

    model_config = ConfigDict(json_schema_extra=_needs_operations)

    # Read on their own, so that every fault of theirs is reported, also that there are none.
    operations: Annotated[Any, _DescribedAs(Annotated[list[Operation], Field(min_length=1, max_length=500)])] = None
    id: RequestId | None = None
    base_revision: Base | None = None
    explanation: Explanation = ""
    dry_run: bool = False
    propose: Propose = False


class NodeBody(fields.NodeFields):
    """A new node."""


class EdgeBody(fields.EdgeFields):
    """A new edge."""


class NodePatch(fields.NodeChange):
    """Fields of a node to change; null clears."""


class EdgePatch(fields.EdgeChange):
    """Fields of an edge to change; null clears. `source` and `target` move its ends."""

    source: fields.NodeId | None = None
    target: fields.NodeId | None = None


class DocumentBody(In):
    """The whole document; unchanged lines stay untouched."""

    text: str
    eol: Literal["lf", "crlf", "mixed"] | None = None


class SectionEdit(In):
    """One quoted text to replace."""

    section: fields.SectionPath
    find: fields.Find
    replace: str
    all: bool = False


class EditsBody(In):
    """Edits of the document, all or none."""

    edits: Annotated[list[SectionEdit], Field(min_length=1, max_length=500)]
    base_revision: Base | None = None
    explanation: Explanation = ""
    dry_run: bool = False


class DiagramBody(In):
    """A whole diagram."""

    nodes: Annotated[list[fields.WholeNode], Field(max_length=100_000)] = []
    edges: Annotated[list[fields.EdgeFields], Field(max_length=200_000)] = []
    types: fields.TypeDefinitions | None = None


ImageName = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ImageBody(In):
    """An image in an export: its bytes in base 64."""

    type: ImageType
    data: str


class ExportBody(In):
    """Our own export form."""

    format: Literal["draftsmith/1"]
    name: str = ""
    diagram: DiagramBody | None = None
    document: DocumentBody | None = None
    images: Annotated[dict[ImageName, ImageBody], Field(max_length=2_000)] | None = None


class JsonImport(In):
    """An export of ours."""

    format: Literal["json"]
    content: ExportBody


class TextImport(In):
    """Markdown, with or without a Mermaid flowchart in it, or a Mermaid flowchart alone."""

    format: Literal["markdown", "mermaid"]
    content: str


class DiagramTextImport(In):
    """A diagram as text: a line is a node or a connection."""

    format: Literal["text"]
    content: str


class DrawioImport(In):
    """A drawing of draw.io: the text of a `.drawio`, `.xml` or `.drawio.svg`, or base 64 of a `.drawio.png`.

    Without `page` the first page is taken, and a warning names the others.
    """

    format: Literal["drawio"]
    content: str
    page: Annotated[int | None, Field(ge=1, le=500, description="Which page becomes the workspace, from 1.")] = None


_FORMAT_NAME = "The name of the format; without one each file is looked at."


class SentFile(In):
    """A file: its text, or its bytes in base 64; `path` is relative to what was chosen, with `/` between its parts."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    content: str | None = None
    content_base64: str | None = None


_SentFiles = Annotated[list[SentFile], Field(min_length=1, max_length=MAX_FILES)]
_FormatName = Annotated[str | None, Field(max_length=64, description=_FORMAT_NAME)]
_PartNumber = Annotated[int | None, Field(ge=1, le=100_000, description="Which part is taken, from 1; else the first.")]


class FilesBody(In):
    """Files that came together."""

    files: _SentFiles
    reader: _FormatName = None


class OpenImportBody(FilesBody):
    """Files of which a part comes into a workspace that is open."""

    part: _PartNumber = None


class FilesImport(OpenImportBody):
    """Files that came together, in any format that is read. What of them becomes one workspace is a part.

    Without `part` the first is taken, and a warning names the others.
    """

    format: Literal["files"]
    root: Annotated[
        str | None,
        Field(max_length=1_000, description="Which set is taken, by its root as `POST /imports` says it; else any."),
    ] = None


_Reference = Annotated[str, StringConstraints(max_length=64)]


class WorkspaceBody(In):
    """A new workspace; at most one of template, copy_of and import, or a document and a diagram.

    Without any of them it is empty. What it begins with is its first commit.
    """

    name: Annotated[
        fields.WorkspaceName | None,
        Field(
            description="Without one: what a template or an import says, `Copy of` and the original's, or `Untitled`."
        ),
    ] = None
    external_id: Annotated[
        _Reference | None,
        Field(description="What the application calls it that makes it; the same one finds it again."),
    ] = None
    folder: Annotated[_Reference | None, Field(description="The id of the folder in which it lies.")] = None
    template: Annotated[_Reference | None, Field(description="The id of a template, from GET /templates.")] = None
    copy_of: Annotated[
        _Reference | None,
        Field(description="The id of a workspace; its newest state is copied, without its history."),
    ] = None
    import_: Annotated[
        Annotated[
            JsonImport | TextImport | DiagramTextImport | DrawioImport | FilesImport, Field(discriminator="format")
        ]
        | None,
        Field(
            alias="import",
            description="A file: an export of ours as a JSON value, or a file of another format; or files of any format"
            " that is read.",
        ),
    ] = None
    document: Annotated[
        DocumentBody | None,
        Field(
            description='What its document says: `{"text": "# Title"}`, Markdown. `eol` are the line ends that an '
            "export gives back, LF where it is left out. With or without `diagram`."
        ),
    ] = None
    diagram: Annotated[
        DiagramBody | None,
        Field(
            description="What its diagram holds. A node needs `type` and `label`; `source` and `target` of an edge are "
            "ids of its nodes; what has no position gets one. With or without `document`."
        ),
    ] = None


class MermaidBody(In):
    """A Mermaid flowchart."""

    text: str


class NameBody(In):
    """A new name for a workspace."""

    name: fields.WorkspaceName


class MeBody(In):
    """A new name for oneself."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60), AfterValidator(one_line)]


class EmptyBody(In):
    """Nothing."""


class UndoBody(In):
    """Which stack to undo from; `expect` guards against a stack that has moved.

    `touching: document` takes the newest that changed the document, although others of one's own may be newer;
    `touching: typing` takes one's own newest run of text that was typed in the editor, which is on no stack.
    """

    scope: Literal["mine", "all"] = "mine"
    touching: Literal["document", "typing"] | None = None
    expect: Revision | None = None
    force: bool = False
    dry_run: bool = False


class RedoBody(In):
    """As undo, for one's own redo stack."""

    touching: Literal["document"] | None = None
    expect: Revision | None = None
    force: bool = False
    dry_run: bool = False


class RevertBody(In):
    """How to take back one commit, or with `upto` all that the same person typed from there to that revision."""

    upto: Revision | None = None
    force: bool = False
    dry_run: bool = False


class RestoreBody(In):
    """How to restore a revision."""

    dry_run: bool = False


class CheckpointBody(In):
    """A name for a revision; default the newest."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=120), AfterValidator(_strip)]
    revision: Revision | None = None


ProviderText = Annotated[str, StringConstraints(max_length=64, pattern=r"^[a-z]+$")]


KeyText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=1_000, pattern=r"^\s*[\x21-\x7e]+\s*$"),
    AfterValidator(_strip),
]


class KeyBody(In):
    """A key of a model provider; never shown again. Without `provider`, of the one that answers, else of the first."""

    api_key: KeyText
    provider: ProviderText | None = None


class CheckBody(In):
    """Which provider is to be tried; without one, the one that answers."""

    provider: ProviderText | None = None


ServerAddressText = Annotated[str, StringConstraints(min_length=1, max_length=400)]


class ServerLookBody(In):
    """The address of a server of models, `http://localhost:11434` for one, and its key where it wants one."""

    address: ServerAddressText
    api_key: KeyText | None = None


class ServerBody(In):
    """A server of models and the model that is to answer; without a key, the one kept for this address is used."""

    address: ServerAddressText
    model: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    api_key: KeyText | None = None


class ServerTrialBody(In):
    """Which step of trying the server of models that was entered is to be made; `answers` begins anew."""

    step: TrialStep


class SwitchBody(In):
    """Whether the assistant may be used in a workspace, how models edit there, and who answers; what is left out stays.

    `edit_mode` or `provider` null: as the server is set.
    """

    enabled: bool | None = None
    edit_mode: Literal["tools", "regenerate"] | None = None
    provider: ProviderText | None = None


class AboutBody(In):
    """A finding: the run that reported it, and its number there, from 0."""

    run: Annotated[str, StringConstraints(pattern=r"^[0-9a-hjkmnp-tv-z]{26}$")]
    finding: Annotated[int, Field(ge=0, le=100)]


class RunBody(In):
    """A request to the assistant.

    `mode` says what becomes of changes: `apply` them at once, `propose` them, or `auto`: propose what deletes or
    changes much. `provider` asks for another one than the configured. `edit_mode` is how a model edits in this
    request alone. `about` names a finding of an earlier run that an edit is to be made for.
    """

    prompt: Annotated[str, StringConstraints(min_length=1, max_length=20_000), AfterValidator(_strip)]
    id: RequestId | None = None
    workflow: Literal["edit", "ask", "generate", "investigate", "recommend"] = "edit"
    mode: Literal["auto", "apply", "propose"] = "auto"
    focus: Focus | None = None
    provider: Annotated[str, StringConstraints(max_length=64)] | None = None
    edit_mode: Literal["tools", "regenerate"] | None = None
    about: AboutBody | None = None


class QueryBody(In):
    """A question about a workspace. `id` and `provider` as in a run."""

    intent: Annotated[str, StringConstraints(min_length=1, max_length=20_000), AfterValidator(_strip)]
    id: RequestId | None = None
    provider: Annotated[str, StringConstraints(max_length=64)] | None = None


class SummaryBody(In):
    """A range of commits: those after `since`, up to `until` or the newest. `provider` as in a run."""

    since: Revision
    until: Revision | None = None
    provider: Annotated[str, StringConstraints(max_length=64)] | None = None


class RatingBody(In):
    """What the person who asked thinks of a run; null takes it back."""

    rating: Literal["up", "down"] | None


class ApprovalBody(In):
    """Whether a call that waits for it may be made."""

    allow: bool


class AcceptBody(In):
    """Which operations of a proposal to take, by index; all where none are named."""

    operations: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=10_000)] | None = None
    dry_run: bool = False
