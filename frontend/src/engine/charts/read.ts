/**
 * Reads charts by the parsers of Mermaid itself. Not here: what each kind has (a module each), what becomes of it
 * (`backend/draftsmith/model/mermaid/parsed_chart.py`).
 */
import './window';
import mermaid from 'mermaid';
import { type ArchitectureDb, architectureParts } from './architecture';
import { type C4Db, c4Parts } from './c4';
import type { ChartKind, Parts } from './chart';
import { type ClassDb, classParts } from './classes';
import { type EntityDb, entityParts } from './entities';
import { type FlowchartDb, flowchartParts } from './flowchart';
import { type SequenceDb, sequenceParts } from './sequence';
import { type StateDb, stateParts } from './states';

/** A chart; or why its parser refuses it, and where; or, of a kind that is not read, neither. */
export type ChartAnswer =
  | ({ kind: ChartKind } & Parts)
  | { refused: { reason: string; line: number | null } }
  | { kind: null };

/** By the names of Mermaid's own detectors. */
const KINDS: Readonly<Record<string, readonly [ChartKind, (db: unknown) => Parts]>> = {
  ...each(['flowchart', 'flowchart-v2', 'flowchart-elk'], 'flowchart', (db) =>
    flowchartParts(db as FlowchartDb),
  ),
  ...each(['c4'], 'c4', (db) => c4Parts(db as C4Db)),
  ...each(['architecture'], 'architecture', (db) => architectureParts(db as ArchitectureDb)),
  ...each(['class', 'classDiagram'], 'class', (db) => classParts(db as ClassDb)),
  ...each(['state', 'stateDiagram'], 'state', (db) => stateParts(db as StateDb)),
  ...each(['er'], 'er', (db) => entityParts(db as EntityDb)),
  ...each(['sequence'], 'sequence', (db) => sequenceParts(db as SequenceDb)),
};

function each(names: readonly string[], kind: ChartKind, partsOf: (db: unknown) => Parts) {
  return Object.fromEntries(names.map((name) => [name, [kind, partsOf] as const]));
}

/** As many as a workspace may hold (`backend/draftsmith/model/mermaid/diagram.py`). */
const MAX_EDGES = 20_000;

mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', maxEdges: MAX_EDGES, logLevel: 5 });

/** The error of Mermaid for what none of its detectors takes for its own. */
const UNKNOWN = 'UnknownDiagramError';

export async function readChart(text: string): Promise<ChartAnswer> {
  try {
    const known = KINDS[mermaid.detectType(text)];
    if (!known) return { kind: null };
    const [kind, partsOf] = known;
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    const parts = partsOf(db);
    return { kind, ...parts, title: parts.title || titleOf(text) };
  } catch (error) {
    if (error instanceof Error && error.name === UNKNOWN) return { kind: null };
    return { refused: refusalOf(error, text) };
  }
}

/** The title in the front matter. */
function titleOf(text: string): string {
  const front = /^\s*---\s*\n([\s\S]*?)\n\s*---\s*(?:\n|$)/.exec(text)?.[1] ?? '';
  const title = /^title:[ \t]*(\S.*)$/m.exec(front)?.[1]?.trim() ?? '';
  return /^(["']).*\1$/.test(title) ? title.slice(1, -1) : title;
}

interface ParserError {
  message?: string;
  hash?: { loc?: { first_line?: number }; token?: string };
  result?: { parserErrors?: { token?: { startLine?: number } }[]; lexerErrors?: { line?: number }[] };
}

function refusalOf(error: unknown, text: string): { reason: string; line: number | null } {
  if (error instanceof RangeError) return { reason: 'it is nested too deeply', line: null };
  const { message = String(error), hash, result } = error as ParserError;
  const said = /\bline (\d+)/i.exec(message)?.[1];
  const at =
    result?.parserErrors?.[0]?.token?.startLine ??
    result?.lexerErrors?.[0]?.line ??
    (said === undefined ? hash?.loc?.first_line : Number(said));
  const first = message.split('\n').find((line) => line.trim()) ?? '';
  const isSyntax = said !== undefined || result !== undefined;
  const got = hash?.token ? `, at ${hash.token}` : '';
  return {
    reason: isSyntax
      ? `Mermaid cannot read this line${got}`
      : `Mermaid says: ${first.slice(0, 200).replace(/\.$/, '')}`,
    line: at === undefined || !Number.isFinite(at) ? null : lineIn(text, at),
  };
}

/** The line of a text that is the given one of what its parser gets, without front matter, directives and comments. */
function lineIn(text: string, line: number): number {
  const lines = text.split(/\r\n?|\n/);
  const isFront = lines[0]?.trim() === '---';
  const begin = isFront ? lines.findIndex((one, at) => at > 0 && one.trim() === '---') + 1 : 0;
  let count = 0;
  let isDirective = false;
  for (let at = begin; at < lines.length; at += 1) {
    const one = lines[at] ?? '';
    isDirective ||= /^\s*%%\{/.test(one);
    const isLeftOut = isDirective || /^\s*%%/.test(one) || (count === 0 && one.trim() === '');
    isDirective &&= !one.includes('}%%');
    if (isLeftOut) continue;
    count += 1;
    if (count === line) return at + 1;
  }
  return lines.length;
}
