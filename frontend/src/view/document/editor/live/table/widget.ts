/** A table in live preview: the widget in place of its lines, and what it draws. Not here: editing (`editing.ts`). */
import type { EditorState } from '@codemirror/state';
import { EditorView, WidgetType } from '@codemirror/view';
import { cellText, columnsOf, rowsOf, type Table, tableIn } from '../../../../../model/text/syntax/tables';
import { cellTools, linkTargets } from '../../partState';
import { type BlockKind, blockAt } from '../blocks';
import { cellContent } from './cellText';
import { editedCell } from './state';

/** A cell by its place; row 0 is the head. */
export interface Place {
  row: number;
  column: number;
}

/** Larger tables stay source: all of their cells would be drawn at once. */
const MAX_CELLS = 2_000;

export const tables: BlockKind = {
  node: 'Table',
  widgetOf(source, before) {
    if (before instanceof TableWidget && before.table.source === source) return before;
    const table = tableIn(source);
    if (!table || rowsOf(table).length * columnsOf(table) > MAX_CELLS) return null;
    return new TableWidget(table, before instanceof TableWidget ? before.id : {});
  },
  isKept(state, from, to) {
    const cell = state.field(editedCell);
    return cell !== null && cell.from >= from && cell.to <= to;
  },
};

export class TableWidget extends WidgetType {
  constructor(
    readonly table: Table,
    /** The same for a table before and after a change. */
    readonly id: object,
  ) {
    super();
  }

  override eq(other: TableWidget): boolean {
    return other.id === this.id && other.table.source === this.table.source;
  }

  override get estimatedHeight(): number {
    return 37 * rowsOf(this.table).length + 30;
  }

  override toDOM(view: EditorView): HTMLElement {
    return new DrawnTable(view, this).dom;
  }

  override updateDOM(dom: HTMLElement, _view: EditorView, from: WidgetType): boolean {
    const drawn = drawnTables.get(dom);
    if (!drawn || !(from instanceof TableWidget) || from.id !== this.id) return false;
    drawn.show(this);
    return true;
  }

  override coordsAt(dom: HTMLElement, position: number, side: number): DOMRect | null {
    return drawnTables.get(dom)?.coordsAt(position, side) ?? null;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const drawnTables = new WeakMap<HTMLElement, DrawnTable>();

/** The tables that are drawn in an editor. */
export const tablesIn = (view: EditorView): DrawnTable[] =>
  [...view.contentDOM.querySelectorAll<HTMLElement>('.live-table')].flatMap((dom) => {
    const drawn = drawnTables.get(dom);
    return drawn ? [drawn] : [];
  });

/** Draws the links in tables anew when their targets change. */
export const tableLinks = EditorView.updateListener.of(({ view, startState, state }) => {
  if (startState.field(linkTargets) === state.field(linkTargets)) return;
  for (const table of tablesIn(view)) table.refresh();
});

/** A cell that the pointer is pressed on, and the element there. */
interface Pressed {
  target: Element;
  table: DrawnTable;
  place: Place;
}

/** The cell of a table of this editor on which the main button is pressed; null for none. */
export function pressedCell(view: EditorView, { target, button }: MouseEvent): Pressed | null {
  if (!(target instanceof Element) || button !== 0) return null;
  const dom = target.closest<HTMLElement>('.live-table');
  const table = dom && drawnTables.get(dom);
  const place = table?.placeOf(target);
  return table && place && target.closest('.cm-editor') === view.dom ? { target, table, place } : null;
}

/** The place of a cell that is edited in this table; null for none. */
export function editedPlace(state: EditorState, { table, id }: TableWidget): Place | null {
  const edited = state.field(editedCell);
  const block = edited && blockAt(state, edited.from);
  if (!block || !(block.widget instanceof TableWidget) || block.widget.id !== id) return null;
  const [from, to] = [edited.from - block.from, edited.to - block.from];
  const rows = rowsOf(table);
  const row = rows.findIndex((one) => one.from <= from && to <= one.to);
  const found = rows[row]?.cells.findIndex((cell) => cell.start <= from && to <= cell.end) ?? -1;
  if (row < 0) return null;
  // A cell that its row does not have yet is edited at the end of the row.
  return { row, column: found >= 0 ? found : -1 };
}

/** What is drawn of a table. The cell that is edited keeps its element over changes. */
export class DrawnTable {
  readonly dom = document.createElement('div');
  private readonly body = document.createElement('table');
  private rows: HTMLTableRowElement[] = [];
  /** The element of the cell that is edited, and the coordinates in it. */
  private edited: {
    cell: HTMLTableCellElement;
    coordsAt: (at: number, side: number) => DOMRect | null;
  } | null = null;

  constructor(
    private readonly view: EditorView,
    private widget: TableWidget,
  ) {
    this.dom.className = 'live-table';
    this.dom.contentEditable = 'false';
    const frame = this.dom.appendChild(document.createElement('div'));
    frame.className = 'table-frame';
    frame.append(this.body);
    drawnTables.set(this.dom, this);
    this.show(widget);
  }

  /** The same over changes of the table. */
  get id(): object {
    return this.widget.id;
  }

  get table(): Table {
    return this.widget.table;
  }

  /** Where the table begins in the text. */
  get from(): number {
    return this.view.posAtDOM(this.dom);
  }

  cellAt({ row, column }: Place): HTMLTableCellElement | null {
    return this.rows[row]?.cells[column] ?? null;
  }

  placeOf(element: Element): Place | null {
    const cell = element.closest<HTMLTableCellElement>('th, td');
    const row = this.rows.indexOf(cell?.parentElement as HTMLTableRowElement);
    return cell && row >= 0 ? { row, column: cell.cellIndex } : null;
  }

  /** Leaves a cell to its editor, and takes it back with null. */
  hand(
    place: Place | null,
    coordsAt: (at: number, side: number) => DOMRect | null = () => null,
  ): Element | null {
    const before = this.edited?.cell;
    const cell = place && this.cellAt(place);
    this.edited = cell ? { cell, coordsAt } : null;
    const at = before ? this.placeOf(before) : null;
    if (before && at) {
      before.classList.remove('is-edited');
      this.showCell(before, cellText(this.table, at.row, at.column));
    }
    cell?.classList.add('is-edited');
    cell?.replaceChildren();
    delete cell?.dataset.source;
    return cell;
  }

  /** Draws the words of all cells that are not edited. */
  show(widget: TableWidget): void {
    this.widget = widget;
    const place = this.edited ? editedPlace(this.view.state, widget) : null;
    const editedRow = this.edited?.cell.parentElement as HTMLTableRowElement | undefined;
    const spare = this.rows.filter((row) => row !== editedRow);
    this.rows = rowsOf(widget.table).map((_, row) => {
      if (place?.row === row && editedRow) return editedRow;
      const source = this.sourceOf(row);
      const same = spare.findIndex((one) => one.dataset.source === source);
      return (same >= 0 ? spare.splice(same, 1)[0] : undefined) ?? document.createElement('tr');
    });
    for (const [at, row] of this.rows.entries()) this.showRow(row, at);
    arrange(this.body, this.rows);
  }

  private sourceOf(row: number): string {
    const { from, to } = rowsOf(this.table)[row] as { from: number; to: number };
    return (row === 0 ? 'head' : 'body') + this.table.source.slice(from, to);
  }

  private showRow(row: HTMLTableRowElement, at: number): void {
    row.dataset.source = this.sourceOf(at);
    const count = columnsOf(this.table);
    const edited = this.edited?.cell.parentElement === row ? this.edited.cell : null;
    const place = edited ? editedPlace(this.view.state, this.widget) : null;
    const column = place && place.column >= 0 ? place.column : edited?.cellIndex;
    const spare = [...row.cells].filter((cell) => cell !== edited);
    const cells = Array.from({ length: count }, (_, index) =>
      edited && index === column ? edited : (spare.shift() ?? document.createElement(at === 0 ? 'th' : 'td')),
    );
    cells.forEach((cell, index) => {
      cell.className = this.table.alignments[index] ? `align-${this.table.alignments[index]}` : '';
      cell.dir = 'auto';
      if (cell === edited) cell.classList.add('is-edited');
      else this.showCell(cell, cellText(this.table, at, index));
    });
    arrange(row, cells);
  }

  private showCell(cell: HTMLTableCellElement, source: string): void {
    if (cell.dataset.source === source) return;
    cell.dataset.source = source;
    const { state } = this.view;
    const parser = state.facet(cellTools)?.inline;
    cell.replaceChildren(parser ? cellContent(source, parser, state.field(linkTargets)) : source);
  }

  /** Draws the links once more, as their targets have changed. */
  refresh(): void {
    for (const cell of this.dom.querySelectorAll<HTMLTableCellElement>('th, td'))
      if (cell !== this.edited?.cell && cell.querySelector('.cm-nodeLink')) delete cell.dataset.source;
    for (const [at, row] of this.rows.entries()) this.showRow(row, at);
  }

  coordsAt(position: number, side: number): DOMRect | null {
    const rows = rowsOf(this.table);
    const row = rows.findIndex(({ to }) => position <= to);
    const cells = rows[row]?.cells ?? [];
    const column = Math.max(
      0,
      cells.findIndex(({ end }) => position <= end),
    );
    const [cell, element] = [cells[column], this.cellAt({ row, column })];
    if (!cell || !element) return null;
    const at = Math.min(Math.max(0, position - cell.from), cell.to - cell.from);
    if (element === this.edited?.cell) return this.edited.coordsAt(at, side);
    return caretIn(element, at, element.textContent === element.dataset.source);
  }
}

/** The place of a caret among the words of a cell; at their end where the source has other signs than the words. */
function caretIn(cell: HTMLElement, at: number, isPlain: boolean): DOMRect {
  const range = document.createRange();
  const [text] = cell.childNodes;
  if (isPlain && text?.nodeType === Node.TEXT_NODE)
    range.setStart(text, Math.min(at, text.textContent?.length ?? 0));
  else range.selectNodeContents(cell);
  if (isPlain) range.collapse(true);
  const words = range.getBoundingClientRect();
  const outer = cell.getBoundingClientRect();
  if (words.height === 0)
    return new DOMRect(outer.left + 12, outer.top + 8, 0, Math.max(8, outer.height - 16));
  const isAtLeft = isPlain || getComputedStyle(cell).direction === 'rtl';
  return new DOMRect(isAtLeft ? words.left : words.right, words.top, 0, words.height);
}

/** Makes these the children of an element, and moves none that stand in order already. */
function arrange(parent: Element, children: readonly Element[]): void {
  const kept = new Set(children);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  const focused = children.findIndex((child) => child.contains(document.activeElement));
  const anchor = focused >= 0 ? (children[focused] as Element) : null;
  // Whoever has the focus would lose it by being moved.
  if (anchor && anchor.parentElement === parent) {
    for (const child of children.slice(0, focused)) anchor.before(child);
    anchor.after(...children.slice(focused + 1));
  } else parent.append(...children);
}
