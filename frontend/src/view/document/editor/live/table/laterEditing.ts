/**
 * Editing of tables is loaded once live preview is shown, since a text can be written without it. A cell that is pressed
 * before is edited in the source of its table.
 */
import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { rowsOf } from '../../../../../model/text/tables';
import { loader, untilLoaded } from '../../../../ui/loading/later';
import { whenIdle } from '../../../../ui/loading/whenIdle';
import { editedCell } from './state';
import { pressedCell } from './widget';

const editing = loader(async () => (await import('./editing')).tableEditing);
const place = new Compartment();

export const laterEditing = (): Extension => [editedCell, place.of(editing.known?.() ?? standIn)];

class StandIn {
  private readonly cancel: () => void;

  constructor(private readonly view: EditorView) {
    view.contentDOM.addEventListener('mousedown', this.press);
    this.cancel = whenIdle(() => void untilLoaded(editing.load).then(this.exchange, () => undefined));
  }

  destroy(): void {
    this.view.contentDOM.removeEventListener('mousedown', this.press);
    this.cancel();
  }

  private readonly exchange = (tableEditing: () => Extension): void => {
    const { view } = this;
    if (place.get(view.state) === standIn)
      view.dispatch({ effects: place.reconfigure(tableEditing()) });
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
