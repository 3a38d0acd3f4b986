/**
 * What of live preview is loaded once it is shown, since a text can be read and written without it (`tablesAndImages.ts`).
 * A cell that is pressed before is edited in the source of its table.
 */
import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { rowsOf } from '../../../../model/text/syntax/tables';
import { loader, untilLoaded } from '../../../ui/loading/later';
import { editedCell } from './table/state';
import { pressedCell } from './table/widget';

const looks = loader(async () => (await import('./tablesAndImages')).tablesAndImages);
const place = new Compartment();

export const laterLooks = (): Extension => [editedCell, place.of(looks.known?.() ?? standIn)];

class StandIn {
  constructor(private readonly view: EditorView) {
    view.contentDOM.addEventListener('mousedown', this.press);
    void untilLoaded(looks.load).then(this.exchange, () => undefined);
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
