/**
 * Live preview of the text editor: Markdown looks as it is read, and its marks are shown in the line of the caret. It is a
 * look alone: the text, the selection, what is copied and what others see are those of the source. Loaded after the editor
 * (`../livePreview.ts`).
 */
import '../../../styles/editor-live.css';
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import { rowsOf } from '../../../../model/text/syntax/tables';
import { loader, untilLoaded } from '../../../ui/loading/later';
import { blockLook, paragraphs } from './blocks';
import { inlineLook } from './inline';
import { revealing } from './revealed';
import { editedCell } from './table/state';
import { pressedCell, tableLinks, tables } from './table/widget';

export const livePreview = (): Extension => [
  EditorView.editorAttributes.of({ class: 'is-live' }),
  revealing(),
  blockLook(tables, paragraphs),
  tableLinks,
  inlineLook(),
  laterLooks(),
];

const laterPart = loader(async () => (await import('./tablesAndImages')).tablesAndImages);
const place = new Compartment();

/**
 * What of live preview is loaded once it is shown, since a text can be read and written without it (`tablesAndImages.ts`).
 * A cell that is pressed before is edited in the source of its table.
 */
const laterLooks = (): Extension => [editedCell, place.of(laterPart.known?.() ?? standIn)];

/** What is there until then. */
class StandIn {
  constructor(private readonly view: EditorView) {
    view.contentDOM.addEventListener('mousedown', this.press);
    void untilLoaded(laterPart.load).then(this.exchange, () => undefined);
  }

  destroy(): void {
    this.view.contentDOM.removeEventListener('mousedown', this.press);
  }

  private readonly exchange = (tablesAndImages: () => Extension): void => {
    const { view } = this;
    if (place.get(view.state) === standIn) view.dispatch({ effects: place.reconfigure(tablesAndImages()) });
  };

  private readonly press = (event: MouseEvent): void => {
    const { view } = this;
    const pressed = pressedCell(view, event);
    if (!pressed) return;
    event.preventDefault();
    const { table, place: at } = pressed;
    const row = rowsOf(table.table)[at.row];
    view.dispatch({ selection: { anchor: table.from + (row?.cells[at.column]?.to ?? row?.to ?? 0) } });
    view.focus();
  };
}

const standIn: Extension = ViewPlugin.fromClass(StandIn);
