/** All changes of a commit, or of the typing of a row: thing by thing, and the text before and after. */
import { useMemo, useState } from 'react';
import { definitionOf } from '../../model/core/customTypes';
import { compareWords } from '../../model/text/compareText';
import {
  type ChangeLine,
  changeLines,
  type Names,
  type TextChange,
  textChanges,
} from '../../model/words/changeWords';
import { counted } from '../../model/words/kinds';
import type { CommitFull, CommitItem, Diff } from '../../protocol/types';
import { explainError } from '../../sync/words/errors';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useCommit, useTriedRevert } from './queries';

const MAX_LINES = 30;
const MAX_CHARS = 400;

export function CommitDetails({ item }: { item: CommitItem }) {
  if (item.kind === 'checkpoint')
    return <p className="history-hint">Diagram and document stayed as they were.</p>;
  return item.kind === 'text' && item.revert ? (
    <TypingDetails target={item.revert} />
  ) : (
    <OneCommit revision={item.revision} />
  );
}

export function OneCommit({ revision }: { revision: number }) {
  const { data, error } = useCommit(revision);
  if (error) return <Trouble error={error} />;
  if (!data) return <p className="history-hint">Loading…</p>;
  return <ChangeList diff={data.diff} steps={data.steps} />;
}

/** The typed text that still exists: the inverse of a revert. */
function TypingDetails({ target }: { target: { rev: number; upto: number | null } }) {
  // Computed when the row was expanded, not with every key of others.
  const { client } = useEditorContext();
  const [revision] = useState(client.revision);
  const { data, error } = useTriedRevert(target, revision);
  const places = useMemo(() => data?.diff && reversed(textChanges(data.diff)), [data]);
  if (error) return <Trouble error={error} />;
  if (!places) return <p className="history-hint">Loading…</p>;
  if (places.length === 0) return <p className="history-hint">Nothing of it is left in the document.</p>;
  return <TextPlaces places={places} />;
}

const reversed = (places: readonly TextChange[]): TextChange[] =>
  places.map((place) => ({ ...place, old: place.now, now: place.old }));

export function ChangeList({ diff, steps = [] }: { diff: Diff; steps?: CommitFull['steps'] }) {
  const names = useNames(steps);
  const lines = useMemo(() => changeLines(diff, names), [diff, names]);
  const places = useMemo(() => textChanges(diff), [diff]);
  if (lines.length + places.length === 0)
    return <p className="history-hint">It changed nothing that is in sight.</p>;
  const rest = lines.length - MAX_LINES;
  return (
    <>
      {lines.length > 0 && (
        <ul className="change-lines">
          {lines.slice(0, MAX_LINES).map((line) => (
            <Line key={`${line.sign} ${line.id ?? line.what}`} line={line} />
          ))}
          {rest > 0 && <li className="history-hint">and {rest.toLocaleString('en')} more</li>}
        </ul>
      )}
      <TextPlaces places={places} />
    </>
  );
}

const SIGN_CLASSES = { '+': 'added', Δ: 'changed', '−': 'removed' } as const;
const SIGN_WORDS = { '+': 'Added', Δ: 'Changed', '−': 'Removed' } as const;

function Line({ line: { sign, what, how, id } }: { line: ChangeLine }) {
  const { ui, client } = useEditorContext();
  const edge = id === null ? undefined : client.view.edges.get(id);
  const isThere = id !== null && (client.view.nodes.has(id) || edge !== undefined);
  const show = () => {
    if (id === null) return;
    ui.show(edge ? [edge.source, edge.target] : [id], { pulse: true, isSelecting: !edge });
    if (edge) ui.select([], [id]);
  };
  return (
    <li className={`change ${SIGN_CLASSES[sign]}`}>
      <span className="change-sign" aria-hidden="true">
        {sign}
      </span>
      <span>
        <span className="visually-hidden">{SIGN_WORDS[sign]}: </span>
        {isThere ? (
          <button type="button" className="link-button" onClick={show}>
            {what}
          </button>
        ) : (
          what
        )}
        {how && <span className="change-how"> {how}</span>}
      </span>
    </li>
  );
}

function TextPlaces({ places }: { places: readonly TextChange[] }) {
  return (
    <>
      {places.slice(0, MAX_LINES).map((place) => (
        <figure key={`${place.line} ${place.old.length} ${place.now.length}`} className="text-place">
          <figcaption>
            {place.section ? `“${place.section}”` : 'Above the first heading'}
            {place.line > 0 && `, line ${place.line}`}
          </figcaption>
          <Replaced old={place.old} now={place.now} />
        </figure>
      ))}
      {places.length > MAX_LINES && (
        <p className="history-hint">And {counted(places.length - MAX_LINES, 'more place')}.</p>
      )}
    </>
  );
}

/** A changed part of the text with its replacement and the words that differ. */
function Replaced({ old, now }: { old: string; now: string }) {
  const words = useMemo(() => compareWords(old, now), [old, now]);
  return (
    <>
      {old && (
        <p className="text-old">
          <span className="change-sign">−</span> <del>{words ? marked(words.before, 'del') : cut(old)}</del>
        </p>
      )}
      {now && (
        <p className="text-now">
          <span className="change-sign">+</span> <ins>{words ? marked(words.after, 'ins') : cut(now)}</ins>
        </p>
      )}
    </>
  );
}

const cut = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);

function marked(spans: readonly { text: string; isChanged: boolean }[], kind: string) {
  let at = 0;
  return spans.map(({ text, isChanged }) => {
    at += text.length;
    return isChanged ? <mark key={`${kind}${at}`}>{text}</mark> : text;
  });
}

export function Trouble({ error }: { error: unknown }) {
  const { title, advice } = explainError(error);
  return (
    <p className="history-hint" role="alert">
      {title} {advice}
    </p>
  );
}

/** Current names, and for deleted things the last one. */
function useNames(steps: CommitFull['steps']): Names {
  const diagram = useLive((live) => live.diagram);
  return useMemo(() => {
    const labels = new Map<string, string>();
    const ends = new Map<string, readonly [string, string]>();
    for (const step of steps) {
      const { k, id, n, s, t } = step as {
        k?: string;
        id?: string;
        n?: { label?: string };
        s?: string;
        t?: string;
      };
      if (id && k?.startsWith('node') && n?.label) labels.set(id, n.label);
      if (id && k?.startsWith('edge') && s && t) ends.set(id, [s, t]);
    }
    for (const { id, label } of diagram.nodes) labels.set(id, label);
    for (const { id, source, target } of diagram.edges) ends.set(id, [source, target]);
    return {
      node: (id) => labels.get(id) ?? null,
      ends: (id) => ends.get(id) ?? null,
      type: (id) => definitionOf(diagram.types, id)?.name ?? null,
    };
  }, [diagram, steps]);
}
