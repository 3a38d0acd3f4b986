/**
 * A diagram that is being edited as text: its lines with their keys, what was printed of it, and what is on its way to the
 * server. No I/O, no editor: the view splices what is typed, and shows `lines`. See decision 0079.
 */
import type { Operation } from '../../protocol/live';
import type { Diagram } from '../../protocol/types';
import type { FreeIds } from '../gestures/ids';
import { batchOf, type Choice, type LineBatch } from './batch';
import { expected } from './expected';
import { type KeyedLine, type KeyedText, withLines } from './keys';
import { project } from './projection';
import { isOpen, type PlacedLine, rebase, type Shown } from './rebase';
import { indentOf, type TypeOfName } from './syntax';

/** A batch whose answer is awaited. */
export interface Sent {
  readonly operations: Operation[];
  /** The keys of lines that it adds something for. */
  readonly keys: ReadonlySet<string>;
}

/** How the lines of before are shown now. */
export type Reflow = readonly PlacedLine[];

export const EVERYTHING: Choice = { isWanted: () => true, caret: null, isDeleting: true };

export class TextSession {
  private text: KeyedText = { lines: [{ key: null, text: '', isMoved: false }], lost: new Map() };
  private shown: Shown = new Map();
  private inFlight: Sent[] = [];
  /** What the server has refused: why, by what the line read. */
  private readonly refused = new Map<string, string>();

  constructor(
    private readonly typeOf: TypeOfName,
    private diagram: Diagram = { nodes: [], edges: [] },
  ) {
    this.print();
  }

  get lines(): readonly KeyedLine[] {
    return this.text.lines;
  }

  /** Whether a line says something that was not sent. */
  isOpen(line: number): boolean {
    const found = this.lines[line];
    return found !== undefined && isOpen(found, this.shown);
  }

  /** Whether anything was edited that was not sent. */
  get isEdited(): boolean {
    return this.text.lost.size > 0 || this.lines.some((line) => isOpen(line, this.shown));
  }

  /** Takes over what was typed: lines that stand in place of others. */
  splice(at: number, count: number, texts: readonly string[]): void {
    for (const { text } of this.lines.slice(at, at + count)) this.refused.delete(text.trim());
    this.text = withLines(this.text, at, count, texts);
  }

  /** Shows another state of the diagram. Returns the lines as they are then. */
  show(diagram: Diagram): Reflow {
    this.diagram = diagram;
    return this.print();
  }

  /** Why lines cannot be sent, by line. */
  problems(): ReadonlyMap<number, string> {
    const { problems } = this.batch({ ...EVERYTHING, isWanted: () => false });
    for (const [at, line] of this.lines.entries()) {
      const why = this.refused.get(line.text.trim());
      if (why !== undefined && isOpen(line, this.shown) && !problems.has(at)) problems.set(at, why);
    }
    return problems;
  }

  /** Takes lines to be sent, as one batch; they read then as if it was carried out. */
  take(choice: Choice = EVERYTHING, ids?: FreeIds): { sent: Sent; reflow: Reflow } {
    const isWanted = (at: number) =>
      choice.isWanted(at) && !this.refused.has(this.lines[at]?.text.trim() ?? '');
    const batch = this.batch({ ...choice, isWanted }, ids);
    const sent: Sent = { operations: batch.operations, keys: new Set(batch.keys.values()) };
    if (sent.operations.length > 0) this.inFlight.push(sent);
    this.text = this.settledText(batch);
    const settled = new Set([...batch.settled].flatMap((at) => this.lines[at]?.key ?? []));
    return { sent, reflow: this.print(settled) };
  }

  /** The answer to a batch: null if it was carried out, else why not. Lines that were refused are open again. */
  answered(sent: Sent, refusal: string | null, diagram: Diagram): Reflow {
    this.diagram = diagram;
    this.inFlight = this.inFlight.filter((one) => one !== sent);
    if (refusal !== null) this.reopen(sent, refusal);
    return this.print();
  }

  private batch(choice: Choice, ids?: FreeIds): LineBatch {
    return batchOf(this.text, this.shown, this.awaited(), { choice, typeOf: this.typeOf, ids });
  }

  /** The diagram with what is on its way. */
  private awaited(): Diagram {
    return this.inFlight.reduce((diagram, { operations }) => expected(diagram, operations), this.diagram);
  }

  /** The lines with the keys of what they add; those that were cleared are empty lines now. */
  private settledText({ keys, deleted }: LineBatch): KeyedText {
    const gone = new Set(deleted);
    const lines = this.lines.map((line, at) => {
      const key = keys.get(at) ?? line.key;
      const isGone = line.key !== null && gone.has(line.key) && !keys.has(at);
      return { ...line, key: isGone ? null : key };
    });
    const lost = [...this.text.lost].filter(([key]) => !gone.has(key));
    return { lines, lost: new Map(lost) };
  }

  private reopen({ keys, operations }: Sent, refusal: string): void {
    const changed = new Set(operations.flatMap(keysOf));
    const { texts } = project(this.awaited(), this.typeOf);
    const shown = new Map(this.shown);
    const lines = this.lines.map((line) => {
      const { key } = line;
      if (key === null || !(keys.has(key) || changed.has(key))) return line;
      if (isOpen(line, this.shown)) return line;
      this.refused.set(line.text.trim(), refusal);
      const printed = texts.get(key);
      if (printed === undefined) return { ...line, key: keys.has(key) ? null : key };
      shown.set(key, printed);
      return line;
    });
    this.text = { ...this.text, lines };
    this.shown = shown;
  }

  /**
   * What the next edits of each line are compared with: what is printed, but for lines that are being edited what was there when
   * that began, so that what others have changed since is no change of theirs.
   */
  private bases(reflow: Reflow, texts: Shown, settled: ReadonlySet<string>): Shown {
    const bases = new Map(texts);
    for (const { key, text, from, isMoved } of reflow) {
      const before = from === null ? undefined : this.lines[from];
      const printed = key === null ? undefined : texts.get(key);
      if (key === null || before?.key !== key || printed === undefined || settled.has(key)) continue;
      if (!isOpen(before, this.shown) || text.trimEnd() === printed) continue;
      const base = this.shown.get(key) ?? '';
      const isAlong = !isMoved && indentOf(text) === indentOf(printed);
      bases.set(key, isAlong ? ' '.repeat(indentOf(printed)) + base.trimStart() : base);
    }
    return bases;
  }

  private print(settled: ReadonlySet<string> = new Set()): Reflow {
    const projection = project(this.awaited(), this.typeOf);
    const reflow = rebase(this.text, this.shown, projection, settled);
    const lost = [...this.text.lost].filter(([key]) => projection.texts.has(key));
    this.shown = this.bases(reflow, projection.texts, settled);
    this.text = { lines: reflow.length > 0 ? reflow : [NOTHING], lost: new Map(lost) };
    return reflow.length > 0 ? reflow : [NOTHING];
  }
}

const NOTHING: PlacedLine = { key: null, text: '', isMoved: false, from: null };

/** The keys of lines that an operation changes. */
function keysOf(operation: Operation): string[] {
  if (operation.op === 'update_node') return [`node:${operation.id}`];
  if (operation.op === 'move_to_group') return operation.ids.map((id) => `node:${id}`);
  if (operation.op === 'update_edge' || operation.op === 'rewire_edge') return [`edge:${operation.id ?? ''}`];
  return [];
}
