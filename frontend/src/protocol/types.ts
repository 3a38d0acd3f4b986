/**
 * The editor's names for the shapes of the HTTP API; the shapes themselves are generated (`schema.d.ts`, which `make setup` builds).
 * Not here: how they travel (`http.ts`) or what the editor derives from them (`model/`).
 *
 * Types, kinds and directions of what is read are plain strings there, because a server newer than this page may know
 * more of them; the unions below are those that this page knows.
 */
import type { components } from './schema';

type Shapes = components['schemas'];

/** CSS pixels. */
export type Point = Shapes['PointOut'];
/** CSS pixels. */
export type Size = Shapes['SizeOut'];
/** Its position counts from the parent's top left. Without a size it has the default; for a group that is a minimum. `custom`: the
 * definition of its custom type, which the page adds. */
export type DiagramNode = Shapes['NodeOut'] & { custom?: CustomType | undefined };
/** Bend points of its route are relative to the diagram. */
export type DiagramEdge = Shapes['EdgeOut'];
export type Diagram = Omit<Shapes['DiagramOut'], 'nodes' | 'types'> & {
  nodes: DiagramNode[];
  types?: CustomTypes | undefined;
};
/** A type of a workspace's own: a built-in type under another name, perhaps with the icon of a technology and a colour. */
export type CustomType = Shapes['CustomType'];
/** By id. */
export type CustomTypes = Readonly<Record<string, CustomType>>;
export type DocumentText = Shapes['DocumentOut'];
export type Workspace = Shapes['WorkspaceOut'];

/** A workspace as lists show it. Times are ISO 8601. */
export type WorkspaceItem = Shapes['WorkspaceItem'];
export type WorkspaceList = Shapes['WorkspaceList'];
export type CreatedWorkspace = Shapes['CreatedOut'];
export type Template = Shapes['TemplateOut'];
export type TemplateList = Shapes['TemplateList'];
export type Pattern = Shapes['PatternOut'];
export type FilledPattern = Shapes['FilledPatternOut'];
/** A Mermaid flowchart as the operations that draw it. */
export type FlowchartOperations = Shapes['FlowchartOperationsOut'];
/** A workspace compared with what runs: rows, each with the operations that would settle it. */
export type WorkloadComparison = Shapes['WorkloadComparisonOut'];
export type WorkloadRow = Shapes['WorkloadRowOut'];
/** One line of history: a commit, or a group of one person's commits close together. */
export type CommitItem = Shapes['CommitOut'];
export type CommitList = Shapes['CommitList'];
export type UndoState = Shapes['UndoState'];
/** A commit with everything that it changed. */
export type CommitFull = Shapes['CommitFull'];
export type Diff = Shapes['DiffOut'];
export type Comparison = Shapes['CompareOut'];
/** A named revision, which is kept for good. */
export type Checkpoint = Shapes['CheckpointOut'];
export type ChangeSummary = Shapes['SummaryOut'];
/** What a step back had to leave as it is, in words. */
export type LeftOut = Shapes['LeftOut'];
export type OutlineItem = Shapes['OutlineItem'];
export type SectionOut = Shapes['SectionOut'];
/** The answer to every write. */
export type WriteAnswer = Shapes['WriteAnswer'];
export type Me = Shapes['MeOut'];
export type ProblemDocument = Shapes['ProblemDocument'];
/** What is allowed but probably not meant. */
export type LintList = Shapes['LintOut'];

/** Who answers requests to the assistant here, what it is sent, and within which limits. */
export type AssistantState = Shapes['AssistantOut'];
/** What the assistant has used of its providers. */
export type Usage = Shapes['UsageOut'];
/** A request to the assistant and what came of it; `outcome` is null while it runs. */
export type Run = Shapes['RunOut'];
export type RunOutcome = Shapes['OutcomeOut'];
export type RunStatus = Run['status'];
/** Why a run failed; `code` as in docs/assistant.md. */
export type RunError = Shapes['RunErrorOut'];
export type NewRun = Shapes['RunBody'];
/** A call of a tool in a run; input and result are shortened. */
export type Finding = Shapes['FindingOut'];
export type ToolCall = NonNullable<RunOutcome['tool_calls']>[number];
/** How a model edits: by operations, or by writing diagram or document anew as a whole. */
export type EditMode = NonNullable<Run['edit_mode']>;
/** What the person who asked thinks of a run. */
export type Rating = NonNullable<Run['rating']>;
/** Whether the assistant may be used in a workspace, and how models edit there; null: as the server is set. */
export type WorkspaceSwitch = Shapes['SwitchOut'];
export type ModelProvider = Shapes['ModelProviderOut'];
/** The server of models that an administrator may enter in the page. */
export type EnteredServer = NonNullable<AssistantState['server']>;
export type ServerLook = Shapes['ServerLookOut'];
export type TrialStep = Shapes['ServerTrialBody']['step'];
export type ProviderName = AssistantState['provider'];
/** A registered plugin and how it is. */
export type Plugin = Shapes['PluginOut'];
/** How well batches of models fitted on a day or over several. */
export type Quality = Shapes['Quality'];
/** One turn of the conversation that a workspace keeps. */
export type Talk = Shapes['TalkOut'];
export type TalkList = Shapes['TalkList'];
/** What the assistant would do, as lists and the live connection tell it. */
export type Proposal = Shapes['ProposalOut'];
/** A proposal with its operations. */
export type ProposalFull = Shapes['ProposalFull'];
export type ProposedOperation = Shapes['ProposedOperation'];
export type AcceptAnswer = Shapes['AcceptAnswer'];
/** How a built-in command may go on. */
export type Completion = Shapes['CompletionOut'];
/** One reason why something does not fit. */
export type Problem = Shapes['ProblemOut'];
/** A stretch of the document that changed: whole lines, counted from 1. */
export type DocumentChange = Diff['document'][number];

export type NewWorkspace = Shapes['WorkspaceBody'];
export type NewName = Shapes['NameBody'];

export type NodeType = Shapes['DefineType']['type'] | 'group';
export type EdgeKind = NonNullable<Shapes['EdgeBody']['kind']>;
export type Color = NonNullable<Shapes['EdgeBody']['color']>;
export type Style = NonNullable<Shapes['EdgeBody']['style']>;
export type LineShape = NonNullable<Shapes['EdgeBody']['shape']>;

/** Keys, so that the compiler wants every type of the contract and no other. */
const KNOWN_TYPES: Record<NodeType, true> = {
  client: true,
  web: true,
  mobile: true,
  user: true,
  external: true,
  gateway: true,
  api: true,
  load_balancer: true,
  cdn: true,
  service: true,
  server: true,
  worker: true,
  function: true,
  scheduler: true,
  auth: true,
  database: true,
  cache: true,
  queue: true,
  stream: true,
  storage: true,
  search: true,
  ml_model: true,
  monitoring: true,
  group: true,
  other: true,
  note: true,
  text: true,
};

/** In the order in which the contract names them. */
export const NODE_TYPES = Object.keys(KNOWN_TYPES) as readonly NodeType[];

/** Whether a node of a type says something about the diagram and is no part of what it shows. */
export const isAnnotation = (type: string): boolean => type === 'note' || type === 'text';
