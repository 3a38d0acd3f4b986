/**
 * Editing of tables cell by cell: into a table and out of it, from cell to cell, rows and columns. The caret of the document
 * is in the edited cell, so that others see it there and undo, formatting and the assistant know the place.
 */
import { forceParsing } from '@codemirror/language';
import { type Extension, Prec, type Text } from '@codemirror/state';
import { type EditorView, type KeyBinding, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { addedRow, missingCell } from '../../../../../model/text/syntax/tableChanges';
import { columnsOf, rowsOf, type Table, tableIn } from '../../../../../model/text/syntax/tables';
import type { TextChange } from '../../../../../model/text/tasks';
import { composesInside } from '../../../../../sync/editor/codemirror';
import { linkTargets, opensNode, setLinkTargets } from '../../partState';
import { blockBetween } from '../blocks';
import { type CaretPlace, CellEditor, positionAt } from './cellEditor';
import { editedCell, editsCell, fromCell } from './state';
import { type TableChange, tableTools } from './tools';
import { type DrawnTable, type Place, pressedCell, TableWidget, tablesIn } from './widget';

/** As long a table that was changed is parsed, at most. */
const PARSED_WITHIN_MS = 5000;

interface Active {
  table: DrawnTable;
  place: Place;
  editor: CellEditor;
  tools: HTMLElement;
}

class Editing {
  private active: Active | null = null;

  constructor(private readonly view: EditorView) {
    view.contentDOM.addEventListener('mousedown', this.press);
  }

  update(update: ViewUpdate): void {
    const { active } = this;
    const before = update.startState.field(editedCell, false) ?? null;
    if (!active) return;
    const targets = update.state.field(linkTargets);
    if (update.startState.field(linkTargets) !== targets)
      active.editor.view.dispatch({ effects: setLinkTargets.of(targets) });
    if (!update.state.field(editedCell)) {
      this.end();
      return;
    }
    const others = update.transactions.filter((one) => !one.annotation(fromCell));
    if (others.length === 0 || !before) return;
    const isByHistory = others.some((one) => one.selection && one.docChanged);
    const isSelected = others.some((one) => one.selection);
    if (update.docChanged || isSelected)
      active.editor.follow(update.changes, before, isByHistory || isSelected);
  }

  destroy(): void {
    this.view.contentDOM.removeEventListener('mousedown', this.press);
    this.end();
  }

  get isComposing(): boolean {
    return this.active?.editor.view.compositionStarted ?? false;
  }

  /** Begins to edit a cell of a table. */
  edit(table: DrawnTable, place: Place, caret: CaretPlace): void {
    const { view } = this;
    this.end();
    const { range, missing } = cellRange(this.parsed(table), place, table.from);
    view.dispatch({
      selection: { anchor: range.to },
      effects: editsCell.of(range),
      annotations: fromCell.of(true),
    });
    const element = table.hand(place, (at, side) => {
      const rect = this.active?.editor.view.coordsAtPos(at, side < 0 ? -1 : 1);
      return rect ? new DOMRect(rect.left, rect.top, 0, rect.bottom - rect.top) : null;
    });
    if (!element) return;
    const editor = new CellEditor({
      outer: view,
      parent: element,
      label: `Row ${place.row + 1}, column ${place.column + 1}`,
      missing,
      keys: this.keys(),
    });
    const tools = tableTools(place, {
      table: () => this.parsed(table),
      change: (change) => this.change(change),
      showSource: () => this.showSource(),
    });
    table.dom.prepend(tools);
    this.active = { table, place, editor, tools };
    editor.select(caret);
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** The table as it stands in the text now, also where the parser has not come to it yet. */
  private parsed(table: DrawnTable): Table {
    const { view } = this;
    const end = table.from + table.table.source.length;
    if (view.state.sliceDoc(table.from, end) !== table.table.source)
      forceParsing(view, Math.min(view.state.doc.length, end), PARSED_WITHIN_MS);
    return table.table;
  }

  /** Goes into a table from the text above or below. */
  enter(at: number, place: 'first' | 'last', x: number | null, caret: CaretPlace): boolean {
    const table = tablesIn(this.view).find((one) => one.from === at);
    if (!table) return false;
    const row = place === 'first' ? 0 : rowsOf(table.table).length - 1;
    const columns = Array.from({ length: columnsOf(table.table) }, (_, column) => column);
    const under = columns.findLast((column) => {
      const left = table.cellAt({ row, column })?.getBoundingClientRect().left ?? 0;
      return x !== null && left <= x;
    });
    const column = under ?? (place === 'last' && x === null ? columns.length - 1 : 0);
    this.edit(table, { row, column }, caret);
    return true;
  }

  private end(): void {
    const { active } = this;
    if (!active) return;
    this.active = null;
    const hadFocus = active.editor.view.hasFocus;
    active.editor.destroy();
    active.tools.remove();
    active.table.hand(null);
    // The keyboard goes on in the text.
    if (hadFocus) queueMicrotask(() => document.activeElement === document.body && this.view.focus());
  }

  private readonly press = (event: MouseEvent): void => {
    const pressed = pressedCell(this.view, event);
    if (!pressed) return;
    event.preventDefault();
    const link = pressed.target.closest<HTMLElement>('.cm-nodeLink')?.dataset.node;
    const [opens] = this.view.state.facet(opensNode);
    if (link && (event.ctrlKey || event.metaKey)) opens?.(link);
    else this.edit(pressed.table, pressed.place, { x: event.clientX, y: event.clientY });
  };

  /** Changes the table and goes on in one of its cells. */
  private change({ changes, row, column }: TableChange): void {
    const { active, view } = this;
    if (!active) return;
    const { table: drawn, place } = active;
    const { from, id } = drawn;
    const now = tableIn(changed(drawn.table.source, changes));
    if (!now) return;
    const next = {
      row: Math.min(row ?? place.row, rowsOf(now).length - 1),
      column: Math.min(column ?? place.column, columnsOf(now) - 1),
    };
    const { range } = cellRange(now, next, from);
    this.end();
    // The next cell is edited at once: else the caret would be in the source of the table.
    view.dispatch({
      changes: changes.map((one) => ({ from: one.from + from, to: one.to + from, insert: one.insert })),
      selection: { anchor: range.to },
      effects: editsCell.of(range),
      userEvent: 'input.table',
      annotations: fromCell.of(true),
    });
    forceParsing(view, Math.min(view.state.doc.length, from + now.source.length), PARSED_WITHIN_MS);
    const again = tablesIn(view).find((one) => one.id === id);
    if (again) this.edit(again, next, 'end');
  }

  private showSource(): void {
    const { active, view } = this;
    if (!active) return;
    const { from } = active.table;
    view.dispatch({ selection: { anchor: from }, effects: editsCell.of(null), scrollIntoView: true });
    view.focus();
  }

  private go(by: Partial<Place>, caret: CaretPlace): boolean {
    const { active } = this;
    if (!active) return false;
    const { table, place } = active;
    const columns = columnsOf(table.table);
    const at = (place.row + (by.row ?? 0)) * columns + place.column + (by.column ?? 0);
    const row = Math.floor(at / columns);
    if (row < 0 || row >= rowsOf(table.table).length) return this.leave(row < 0 ? 'above' : 'below');
    this.edit(table, { row, column: at - row * columns }, caret);
    return true;
  }

  private leave(to: 'above' | 'below'): boolean {
    const { active, view } = this;
    if (!active) return false;
    const { from } = active.table;
    const end = from + active.table.table.source.length;
    const anchor = to === 'above' ? Math.max(0, from - 1) : lineBelow(view.state.doc, end);
    view.dispatch({ selection: { anchor }, effects: editsCell.of(null), scrollIntoView: true });
    view.focus();
    return true;
  }

  /** To the next row, which is made where there is none. */
  private down(column: number, caret: CaretPlace): boolean {
    const { active } = this;
    if (!active) return false;
    const table = this.parsed(active.table);
    const row = active.place.row + 1;
    if (row < rowsOf(table).length) this.edit(active.table, { row, column }, caret);
    else this.change({ changes: [addedRow(table, row - 1)], row, column });
    return true;
  }

  private keys(): KeyBinding[] {
    const across = (side: 'left' | 'right') => (inner: EditorView) => {
      const { main } = inner.state.selection;
      if (!main.empty || main.head !== positionAt(side, inner)) return false;
      return side === 'left' ? this.go({ column: -1 }, 'right') : this.go({ column: 1 }, 'left');
    };
    const vertically = (isDown: boolean) => (inner: EditorView) => {
      const { main } = inner.state.selection;
      const next = inner.moveVertically(main, isDown);
      const isLast = next.head === main.head || next.head === (isDown ? inner.state.doc.length : 0);
      const isOnEdge = isLast && isSameLine(inner, next.head, main.head);
      return main.empty && isOnEdge && this.go({ row: isDown ? 1 : -1 }, 'end');
    };
    return [
      { key: 'Tab', run: () => (this.isAtEnd() ? this.down(0, 'end') : this.go({ column: 1 }, 'end')) },
      { key: 'Shift-Tab', run: () => this.go({ column: -1 }, 'end') },
      {
        key: 'Enter',
        run: () => this.down(this.active?.place.column ?? 0, 'end'),
        shift: () => this.go({ row: -1 }, 'end'),
      },
      { key: 'Escape', run: () => this.leave('below') },
      { key: 'ArrowLeft', run: across('left') },
      { key: 'ArrowRight', run: across('right') },
      { key: 'ArrowUp', run: vertically(false) },
      { key: 'ArrowDown', run: vertically(true) },
      { key: 'Alt-F10', run: () => this.toTools() },
    ];
  }

  private isAtEnd(): boolean {
    const { active } = this;
    if (!active) return false;
    const { table } = active.table;
    return active.place.row === rowsOf(table).length - 1 && active.place.column === columnsOf(table) - 1;
  }

  private toTools(): boolean {
    this.active?.tools.querySelector<HTMLElement>('button')?.focus();
    return true;
  }
}

/** Where the words of a cell are in the text, and what has to be written around them where its row does not have it. */
function cellRange(table: Table, { row, column }: Place, from: number) {
  const cell = rowsOf(table)[row]?.cells[column];
  const missing = cell ? null : missingCell(table, row, column);
  const at = missing?.at ?? 0;
  return { missing, range: { from: from + (cell?.from ?? at), to: from + (cell?.to ?? at) } };
}

/** A source after changes that are in order. */
const changed = (source: string, changes: readonly TextChange[]): string =>
  changes.reduceRight((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), source);

/** The line below a table; not the empty one that ends it, since what is typed there would be a row. */
function lineBelow(doc: Text, end: number): number {
  const next = Math.min(doc.length, end + 1);
  const { text, to } = doc.lineAt(next);
  return text.trim() === '' && to < doc.length ? to + 1 : next;
}

/** Whether two places are in one line of the screen. */
function isSameLine(view: EditorView, one: number, other: number): boolean {
  const [a, b] = [view.coordsAtPos(one), view.coordsAtPos(other)];
  return !a || !b || Math.abs(a.top - b.top) < 4;
}

const plugin = ViewPlugin.fromClass(Editing);

/** Into a table that the caret would go to next. */
function enters(way: 'up' | 'down' | 'left' | 'right') {
  return (view: EditorView): boolean => {
    const { main } = view.state.selection;
    if (!main.empty) return false;
    const isDown = way === 'down' || way === 'right';
    const isAcross = way === 'left' || way === 'right';
    const line = view.state.doc.lineAt(main.head);
    if (isAcross && main.head !== (isDown ? line.to : line.from)) return false;
    const next = isAcross ? main.head : view.moveVertically(main, isDown).head;
    const isOnEdge = isDown ? next > line.to || next === main.head : next < line.from || next === main.head;
    const beside = isDown ? line.to + 1 : line.from - 1;
    if ((!isAcross && !isOnEdge) || beside < 0 || beside > view.state.doc.length) return false;
    const block = blockBetween(view.state, beside, beside);
    if (!(block?.widget instanceof TableWidget)) return false;
    const x = isAcross ? null : (view.coordsAtPos(main.head)?.left ?? 0);
    const place = isDown ? 'first' : 'last';
    return view.plugin(plugin)?.enter(block.from, place, x, isDown ? 'start' : 'end') ?? false;
  };
}

/** Beside the field of the edited cell, which is there before (`../preview.ts`). */
export const tableEditing = (): Extension => [
  plugin,
  composesInside.of((view) => view.plugin(plugin)?.isComposing ?? false),
  Prec.high(
    keymap.of([
      { key: 'ArrowDown', run: enters('down') },
      { key: 'ArrowUp', run: enters('up') },
      { key: 'ArrowRight', run: enters('right') },
      { key: 'ArrowLeft', run: enters('left') },
    ]),
  ),
];
