/**
 * What live preview shows as source: the line of the caret while the editor has the keyboard, and what others ask for
 * (`sourceShown`). While the pointer is pressed it stays as it is, so that nothing moves below it. Not here: what is hidden
 * elsewhere (`inline.ts`, `blocks.ts`).
 */
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { editorClosing, type Stretch, sourceShown } from '../partState';

interface Revealed {
  isFocused: boolean;
  isPressed: boolean;
  /** Whole lines, in order. */
  lines: readonly Stretch[];
}

const changed = StateEffect.define<Partial<Pick<Revealed, 'isFocused' | 'isPressed'>>>();

const revealed = StateField.define<Revealed>({
  create: () => ({ isFocused: false, isPressed: false, lines: [] }),
  update(before, { effects, changes, docChanged, state, selection }) {
    let { isFocused, isPressed } = before;
    for (const effect of effects) {
      if (effect.is(changed)) {
        isFocused = effect.value.isFocused ?? isFocused;
        isPressed = effect.value.isPressed ?? isPressed;
      }
      if (effect.is(editorClosing)) isFocused = isPressed = false;
    }
    const isAsBefore = isFocused === before.isFocused && isPressed === before.isPressed;
    if (isAsBefore && !docChanged && !selection) return before;
    const lines = isPressed
      ? before.lines.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }))
      : isFocused
        ? linesOfCarets(state)
        : [];
    return isAsBefore && isSame(lines, before.lines) ? before : { isFocused, isPressed, lines };
  },
});

const linesOfCarets = ({ doc, selection }: EditorState): Stretch[] =>
  selection.ranges.map(({ head }) => {
    const { from, to } = doc.lineAt(head);
    return { from, to };
  });

const isSame = (some: readonly Stretch[], others: readonly Stretch[]): boolean =>
  some.length === others.length &&
  some.every(({ from, to }, at) => from === others[at]?.from && to === others[at]?.to);

/** Whether the source of what stands between two positions is shown. */
export function isRevealed(state: EditorState, from: number, to: number): boolean {
  const touches = (stretch: Stretch) => stretch.from <= to && stretch.to >= from;
  return state.field(revealed).lines.some(touches) || state.facet(sourceShown).flat().some(touches);
}

/** Whether what is revealed differs between two states. */
export const isRevealedAnew = (before: EditorState, now: EditorState): boolean =>
  before.field(revealed, false)?.lines !== now.field(revealed).lines ||
  before.facet(sourceShown) !== now.facet(sourceShown);

/** All that is revealed, in no order. */
export const revealedIn = (state: EditorState): readonly Stretch[] => [
  ...state.field(revealed).lines,
  ...state.facet(sourceShown).flat(),
];

/** Tells the state whether the keyboard is in the editor, its panels included, and whether the pointer is pressed. */
class Watch {
  private isGone = false;

  constructor(private readonly view: EditorView) {
    view.dom.addEventListener('focusin', this.look);
    view.dom.addEventListener('focusout', this.look);
    this.look();
  }

  /** Later, since an update of the editor may take the focus away. */
  private readonly look = (): void => {
    queueMicrotask(() => {
      const { view } = this;
      if (this.isGone) return;
      const isFocused = view.dom.contains(view.root.activeElement);
      if (isFocused !== view.state.field(revealed).isFocused)
        view.dispatch({ effects: changed.of({ isFocused }) });
    });
  };

  press(): void {
    this.view.dispatch({ effects: changed.of({ isPressed: true }) });
    for (const event of RELEASES) window.addEventListener(event, this.release, true);
  }

  private readonly release = (): void => {
    for (const event of RELEASES) window.removeEventListener(event, this.release, true);
    // After the editor has taken the selection.
    setTimeout(() => {
      if (!this.isGone) this.view.dispatch({ effects: changed.of({ isPressed: false }) });
    });
  };

  destroy(): void {
    this.isGone = true;
    this.view.dom.removeEventListener('focusin', this.look);
    this.view.dom.removeEventListener('focusout', this.look);
    for (const event of RELEASES) window.removeEventListener(event, this.release, true);
  }
}

const RELEASES = ['mouseup', 'dragend', 'blur'] as const;

export const revealing = (): Extension => [
  revealed,
  ViewPlugin.fromClass(Watch, {
    eventObservers: {
      mousedown({ button }) {
        if (button === 0) this.press();
      },
    },
  }),
];
