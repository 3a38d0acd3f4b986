/**
 * The editor's names for the shapes of the live protocol and of operations; the shapes themselves are generated
 * (`live-schema.d.ts`, `schema.d.ts`, which `make setup` builds).
 * Not here: how they travel (`sync/`) or what the editor derives from them (`model/`).
 */
import type { components as Live } from './live-schema';
import type { components as Http } from './schema';

type Shapes = Live['schemas'];

/** The version of the protocol that this page speaks. */
export const PROTOCOL_VERSION = 2;

/** What a page says: one JSON object a message. */
export type ClientMessage = Shapes['ClientMessage'];
export type Hello = Shapes['Hello'];
export type Resume = Shapes['Resume'];
export type Submit = Shapes['Submit'];
export type Type = Shapes['Type'];
export type Undo = Shapes['Undo'];
export type Redo = Shapes['Redo'];
export type Revert = Shapes['Revert'];
/** What becomes a commit; each has an `id`. */
export type Write = Submit | Type | Undo | Redo | Revert;
export type Presence = Shapes['Presence'];
export type PresenceState = Shapes['PresenceState'];
export type Caret = Shapes['Caret'];
/** A point of the diagram, in its own coordinates. */
export type Place = Shapes['Place'];

/** What a page is told; a frame is a list of these, in order. */
export type ServerMessage = Shapes['ServerMessage'];
export type TypedCommit = Shapes['TypedCommit'];
/** What typed commits have in common. */
export type Template = Shapes['Template'];
export type Frame = (ServerMessage | TypedCommit)[];
export type Welcome = Shapes['Welcome'];
export type LiveLimits = Shapes['LiveLimits'];
export type Me = Shapes['Me'];
/** What somebody may do in a workspace. */
export type Role = Welcome['role'];
export type State = Shapes['State'];
/** A whole workspace with its births, as `State` carries it. */
export type Content = Shapes['Content'];
export type Commit = Shapes['Commit'];
export type Committed = Shapes['Committed'];
export type Rejected = Shapes['Rejected'];
export type LeftOut = Shapes['LeftOut'];
export type Member = Shapes['Member'];
export type Bye = Shapes['Bye'];
/** Whether the server's store can be written to, and what it may lose as it is set. */
export type StoreMessage = Shapes['Store'];
export type StoreRisk = Shapes['StoreRisk'];
/** A request to the assistant as pages are sent it: what was asked is told to whoever asked alone. */
export type LiveRun = Shapes['LiveRun'];
/** An open proposal, likewise. */
export type LiveProposal = Shapes['LiveProposal'];

export type NodeStep = Shapes['NodeStep'];
export type NodeFieldsStep = Shapes['NodeFieldsStep'];
export type EdgeStep = Shapes['EdgeStep'];
export type EdgeFieldsStep = Shapes['EdgeFieldsStep'];
export type TextStep = Shapes['TextStep'];
export type NameStep = Shapes['NameStep'];
export type TypeStep = Shapes['TypeStep'];
/** The smallest applied change, as the log keeps it; `k` says its kind. */
export type Step = NodeStep | NodeFieldsStep | EdgeStep | EdgeFieldsStep | TextStep | NameStep | TypeStep;

/** What a batch is made of; `op` says its kind. */
export type Operation = Http['schemas']['BatchBody']['operations'][number];
/** The operation of one kind. */
export type OperationOf<K extends Operation['op']> = Extract<Operation, { op: K }>;
