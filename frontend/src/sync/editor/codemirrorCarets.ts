/**
 * The carets and selections of others in CodeMirror, with name and colour.
 *
 * They are drawn in layers over and under the text, so the text that an input method or a screen reader works on is not
 * touched. Not here: their positions (`codemirror.ts`).
 */
import {
  EditorSelection,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { EditorView, type LayerMarker, layer, RectangleMarker, type ViewUpdate } from '@codemirror/view';

/** Somebody else's caret in the shown text, in UTF-16 units; `color` is any CSS colour. */
export interface OthersCaret {
  member: string;
  name: string;
  color: string;
  anchor: number;
  head: number;
}

/** Replaces the carets of others; positions are those after the transaction's changes. */
export const caretsMoved = StateEffect.define<readonly OthersCaret[]>();

/** Pixels. */
const NAME_HEIGHT = 16;

const others = StateField.define<readonly OthersCaret[]>({
  create: () => [],
  update(carets, transaction) {
    let current = carets;
    if (transaction.docChanged && current.length) {
      const { changes } = transaction;
      current = current.map((caret) => ({
        ...caret,
        anchor: changes.mapPos(caret.anchor),
        head: changes.mapPos(caret.head),
      }));
    }
    for (const effect of transaction.effects) {
      if (effect.is(caretsMoved)) current = within(effect.value, transaction.state);
    }
    return current;
  },
});

/** The state field that holds them, the layers that draw them, and their theme. */
export function drawnCarets(): Extension {
  return [
    others,
    layer({ above: true, class: 'cm-otherCarets', update: hasMoved, markers: caretMarkers }),
    layer({ above: false, class: 'cm-otherSelections', update: hasMoved, markers: selectionMarkers }),
    look,
  ];
}

/** What is drawn of others. */
export const caretsIn = (state: EditorState): readonly OthersCaret[] => state.field(others);

function within(carets: readonly OthersCaret[], state: EditorState): readonly OthersCaret[] {
  const at = (position: number) => Math.min(Math.max(0, position), state.doc.length);
  return carets.map((caret) => ({ ...caret, anchor: at(caret.anchor), head: at(caret.head) }));
}

const hasMoved = (update: ViewUpdate): boolean =>
  update.docChanged || update.startState.field(others) !== update.state.field(others);

function caretMarkers(view: EditorView): LayerMarker[] {
  return caretsIn(view.state).flatMap((caret) =>
    RectangleMarker.forRange(view, 'cm-otherCaret', EditorSelection.cursor(caret.head)).map(
      (box) => new Theirs(box.top < NAME_HEIGHT ? underIt(box) : box, caret),
    ),
  );
}

/** The same caret with its label below, for the first line, above which there is no room. */
const underIt = ({ left, top, width, height }: RectangleMarker): RectangleMarker =>
  new RectangleMarker('cm-otherCaret cm-otherCaret-first', left, top, width, height);

function selectionMarkers(view: EditorView): LayerMarker[] {
  return caretsIn(view.state)
    .filter(({ anchor, head }) => anchor !== head)
    .flatMap((caret) =>
      RectangleMarker.forRange(
        view,
        'cm-otherSelection',
        EditorSelection.range(caret.anchor, caret.head),
      ).map((box) => new Theirs(box, caret)),
    );
}

/** A rectangle with its person; the colour is set as a property, which every security policy allows. */
class Theirs implements LayerMarker {
  constructor(
    private readonly box: RectangleMarker,
    private readonly whose: OthersCaret,
  ) {}

  eq(other: LayerMarker): boolean {
    return other instanceof Theirs && this.isOfSame(other) && this.box.eq(other.box);
  }

  draw(): HTMLElement {
    const drawn = this.box.draw();
    drawn.style.setProperty('--whose', this.whose.color);
    drawn.dataset.member = this.whose.member;
    drawn.dataset.name = this.whose.name;
    return drawn;
  }

  update(drawn: HTMLElement, before: LayerMarker): boolean {
    return before instanceof Theirs && this.isOfSame(before) && this.box.update(drawn, before.box);
  }

  private isOfSame({ whose }: Theirs): boolean {
    const { member, name, color } = this.whose;
    return whose.member === member && whose.name === name && whose.color === color;
  }
}

const tinted = (percent: number): string => `color-mix(in srgb, var(--whose) ${percent}%, transparent)`;

const look = EditorView.baseTheme({
  '.cm-otherCaret': {
    marginLeft: '-1px',
    borderLeft: '2px solid var(--whose)',
    pointerEvents: 'none',
  },
  // The name stands over the line; its colours have enough contrast on light and on dark.
  '.cm-otherCaret::before': {
    content: 'attr(data-name)',
    position: 'absolute',
    bottom: '100%',
    left: '-2px',
    maxWidth: '16em',
    padding: '0 4px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    borderRadius: '3px',
    backgroundColor: 'var(--whose)',
    color: '#fff',
    font: `600 11px/${NAME_HEIGHT}px system-ui, sans-serif`,
  },
  '.cm-otherCaret-first::before': { bottom: 'auto', top: '100%' },
  // Follows the page's colour scheme, whatever theme the editor has.
  '.cm-otherSelection': {
    backgroundColor: `light-dark(${tinted(22)}, ${tinted(45)})`,
  },
});
