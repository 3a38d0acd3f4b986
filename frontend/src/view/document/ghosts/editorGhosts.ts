/**
 * Proposed changes as decorations of the text editor: removed lines are struck through, inserted ones are widgets
 * below. They are not part of the text. Edits move them along; an edit inside one removes it. Not here: their first
 * positions (`model/text/ghostText.ts`).
 */
import { StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { compareWords, type TextSpan } from '../../../model/text/compareText';
import {
  type LineHunk,
  type Lines,
  lineHunks,
  moved,
  NO_CHANGES,
  type PlacedChanges,
} from '../../../model/text/ghostText';
import { editorClosing, sourceShown } from '../editor/partState';

/** Replaces the decorations. */
export const proposes = StateEffect.define<PlacedChanges>();

interface Proposed {
  placed: PlacedChanges;
  hunks: readonly LineHunk[];
  marks: DecorationSet;
}

const NOTHING: Proposed = { placed: NO_CHANGES, hunks: [], marks: Decoration.none };

const proposed = StateField.define<Proposed>({
  create: () => NOTHING,
  update(before, { effects, changes, docChanged, newDoc }) {
    let next: PlacedChanges | null = null;
    for (const effect of effects) {
      if (effect.is(proposes)) next = effect.value;
      if (effect.is(editorClosing)) next = NO_CHANGES;
    }
    if (!next && docChanged && before.placed.changes.length > 0)
      next = moved(
        before.placed,
        (at, side) => changes.mapPos(at, side),
        (from, to) => newDoc.sliceString(from, to),
      );
    return next ? drawn(next, newDoc) : before;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ marks }) => marks),
    sourceShown.from(field, ({ hunks }) => hunks),
  ],
});

/** Shows proposed changes; `placed` is for the current text of the editor. */
export function propose(view: EditorView, placed: PlacedChanges): void {
  const isThere = view.state.field(proposed, false) !== undefined;
  if (!isThere && placed.changes.length === 0) return;
  // An appended transaction does not see other effects of the first.
  if (!isThere) view.dispatch({ effects: StateEffect.appendConfig.of(proposed) });
  view.dispatch({ effects: proposes.of(placed) });
}

/** Their current positions, in order. */
export const placesIn = (view: EditorView): readonly LineHunk[] =>
  view.state.field(proposed, false)?.hunks ?? [];

function drawn(placed: PlacedChanges, doc: Text): Proposed {
  if (placed.changes.length === 0) return { ...NOTHING, placed };
  const hunks = lineHunks(linesOf(doc), placed.changes);
  return { placed, hunks, marks: Decoration.set(hunks.flatMap(marksOf), true) };
}

const linesOf = (doc: Text): Lines => ({
  length: doc.length,
  lineAt: (at) => doc.lineAt(at),
  slice: (from, to) => doc.sliceString(from, to),
});

const gone = Decoration.line({ class: 'ghost-removed' });
const goneWord = Decoration.mark({ class: 'ghost-word' });

function marksOf({ from, to, old, now, isBefore }: LineHunk) {
  const words = old.map((line, at) =>
    old.length === now.length && at < MAX_PAIRS ? compareWords(line, now[at] as string) : null,
  );
  const marks = [];
  let at = from;
  for (const [index, line] of old.entries()) {
    marks.push(gone.range(at));
    let start = at;
    for (const { text, isChanged } of words[index]?.before ?? []) {
      if (isChanged) marks.push(goneWord.range(start, start + text.length));
      start += text.length;
    }
    at += line.length + 1;
  }
  if (now.length > 0) {
    const spanLines = boundedLines(withoutEmptyEnd(now)).map(
      (text, index) => words[index]?.after ?? [{ text, isChanged: false }],
    );
    const widget = new ComingLines(spanLines);
    marks.push(
      Decoration.widget({ widget, block: true, side: isBefore ? -1 : 1 }).range(isBefore ? from : to),
    );
  }
  return marks;
}

/** As many pairs of lines are compared by words, and as many inserted lines are shown, each up to a length. */
const MAX_PAIRS = 500;
const MAX_LINES = 1_000;
const MAX_LINE = 5_000;

function boundedLines(lines: readonly string[]): readonly string[] {
  const visibleLines = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  const rest = lines.length - visibleLines.length;
  return rest > 0 ? [...visibleLines, `… and ${rest.toLocaleString('en')} more lines`] : visibleLines;
}

/** A trailing empty line is left out. */
const withoutEmptyEnd = (lines: readonly string[]): readonly string[] =>
  lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;

/** The widget of inserted lines. */
class ComingLines extends WidgetType {
  constructor(private readonly lines: readonly (readonly TextSpan[])[]) {
    super();
  }

  override eq(other: ComingLines): boolean {
    return JSON.stringify(this.lines) === JSON.stringify(other.lines);
  }

  override toDOM(): HTMLElement {
    const block = document.createElement('div');
    block.className = 'ghost-added';
    for (const spans of this.lines) {
      const line = block.appendChild(document.createElement('ins'));
      for (const { text, isChanged } of spans) {
        const part = line.appendChild(document.createElement(isChanged ? 'mark' : 'span'));
        part.textContent = text;
      }
    }
    return block;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
