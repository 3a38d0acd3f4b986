/**
 * Maths in live preview: within lines in place of its source, except where that is shown, and drawn wherever it stands, in
 * cells of tables and in blocks too. Bounds are those of Read (`view/maths`). Not here: which block is maths (`figures.ts`).
 */
import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import { loader, untilLoaded } from '../../../ui/loading/later';
import { isBlockShown } from './blocks';
import { type LaterPaint, laterPaints } from './inline';
import { mathsPlace } from './widgets';

const paintMaths: LaterPaint = (painter, { name, from, to }) => {
  if (name !== 'Maths') return false;
  const { state } = painter;
  const isDrawnWhole = isBlockShown(state, state.doc.lineAt(from).from);
  if (!isDrawnWhole && !painter.isRevealed({ from, to }))
    painter.replace(from, to, new MathsInLine(painter.text(from, to)));
  return true;
};

class MathsInLine extends WidgetType {
  constructor(private readonly source: string) {
    super();
  }

  override eq(other: MathsInLine): boolean {
    return other.source === this.source;
  }

  override toDOM(): HTMLElement {
    return mathsPlace(this.source);
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const drawing = loader(() => import('../../../maths/mathsBlocks'));

/** Draws the maths that is in sight: ahead of the frame that shows it, as much as there is time for. */
class DrawnMaths {
  private isLoading = false;

  constructor(private readonly view: EditorView) {
    this.ask();
  }

  update(): void {
    this.ask();
  }

  private readonly ask = (): void => this.view.requestMeasure(this.measure);

  private readonly measure = {
    read: ({ contentDOM }: EditorView): boolean =>
      contentDOM.querySelector('.maths:not([data-maths])') !== null,
    write: (isAny: boolean): void => {
      if (isAny) this.draw();
    },
  };

  private draw(): void {
    const { view } = this;
    if (drawing.known) {
      const isAll = drawing.known.drawMathsAtOnce(view.contentDOM);
      // Lines have other heights now.
      requestAnimationFrame(isAll ? () => view.requestMeasure() : this.ask);
    } else if (!this.isLoading) {
      this.isLoading = true;
      const end = () => {
        this.isLoading = false;
      };
      // Without a connection the source stays.
      void untilLoaded(drawing.load)
        .then(this.ask, () => undefined)
        .finally(end);
    }
  }
}

export const mathsLook = (): Extension => [laterPaints.of(paintMaths), ViewPlugin.fromClass(DrawnMaths)];
