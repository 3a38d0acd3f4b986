/** The front matter in live preview: a small table of its fields, as in Read; source where the caret is in it. */
import { type EditorState, type Extension, type Range, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { type FrontMatter, frontMatterOf } from '../../../../model/text/syntax/frontMatter';
import { type LaterPaint, laterPaints } from './inline';
import { isRevealed, isRevealedAnew } from './revealed';

/** A longer front matter is none here. */
const MAX_LENGTH = 20_000;

interface Front {
  /** The end of its last line; -1 without one. */
  end: number;
  fields: FrontMatter['fields'];
  decorations: DecorationSet;
  /** Stands in place of its lines: null where they are shown. */
  table: DecorationSet;
}

const frontMatter = StateField.define<Front>({
  create: (state) => shown(state, frontIn(state.doc)),
  update(before, { docChanged, startState, state }) {
    if (docChanged) return shown(state, frontIn(state.doc));
    return isRevealedAnew(startState, state) ? shown(state, before) : before;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ decorations }) => decorations),
    EditorView.atomicRanges.of((view) => view.state.field(field).table),
  ],
});

function frontIn(doc: Text): Pick<Front, 'end' | 'fields'> {
  const front = doc.sliceString(0, 3) === '---' ? frontMatterOf(doc.sliceString(0, MAX_LENGTH)) : null;
  return front ? { end: doc.line(front.lines).to, fields: front.fields } : { end: -1, fields: null };
}

function shown(state: EditorState, { end, fields }: Pick<Front, 'end' | 'fields'>): Front {
  const isTable = fields !== null && fields.length > 0 && !isRevealed(state, 0, end);
  if (end < 0) return { end, fields, decorations: Decoration.none, table: Decoration.none };
  if (!isTable) return { end, fields, decorations: sourceLines(state.doc, end), table: Decoration.none };
  const widget = new FieldsTable(fields);
  const table = Decoration.set(Decoration.replace({ widget, block: true }).range(0, end));
  return { end, fields, decorations: table, table };
}

const SOURCE_LINE = Decoration.line({ class: 'live-source-line live-front-line' });

function sourceLines(doc: Text, end: number): DecorationSet {
  const lines: Range<Decoration>[] = [];
  for (let at = 0; at <= end; at = doc.lineAt(at).to + 1) lines.push(SOURCE_LINE.range(at));
  return Decoration.set(lines);
}

class FieldsTable extends WidgetType {
  constructor(private readonly fields: NonNullable<FrontMatter['fields']>) {
    super();
  }

  override eq(other: FieldsTable): boolean {
    return JSON.stringify(other.fields) === JSON.stringify(this.fields);
  }

  override get estimatedHeight(): number {
    return 33 * this.fields.length + 16;
  }

  override toDOM(): HTMLElement {
    const place = document.createElement('div');
    place.className = 'live-front';
    const frame = place.appendChild(document.createElement('div'));
    frame.className = 'table-frame';
    const table = frame.appendChild(document.createElement('table'));
    for (const { name, value } of this.fields) {
      const row = table.insertRow();
      const head = row.appendChild(document.createElement('th'));
      head.scope = 'row';
      head.textContent = name;
      row.insertCell().textContent = value;
    }
    return place;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** It is YAML: what Markdown takes it for has no look. */
const paintNothing: LaterPaint = ({ state }, { to }) => to <= state.field(frontMatter).end;

export const frontMatterLook = (): Extension => [frontMatter, laterPaints.of(paintNothing)];
