/** The tools of a table, beside the cell that is edited: alignment, rows, columns, and the way to its source. */
import {
  addedColumn,
  addedRow,
  aligned,
  removedColumn,
  removedRow,
} from '../../../../../model/text/syntax/tableChanges';
import { type Alignment, columnsOf, type Table } from '../../../../../model/text/syntax/tables';
import type { TextChange } from '../../../../../model/text/tasks';
import type { Place } from './widget';

/** Changes of a table, and the cell to go on with; where it is not named, it is the same place. */
export interface TableChange extends Partial<Place> {
  changes: readonly TextChange[];
}

interface Actions {
  /** The table as it stands in the text now. */
  table: () => Table;
  change: (change: TableChange) => void;
  showSource: () => void;
}

/** Lines of each sign, in a square of 24 units. */
const SIGNS = {
  left: 'M4 6h16M4 12h9M4 18h13',
  center: 'M4 6h16M7 12h10M5 18h14',
  right: 'M4 6h16M11 12h9M7 18h13',
  row: 'M4 4h16v8H4zM12 15v6M9 18h6',
  column: 'M4 4h8v16H4zM15 12h6M18 9v6',
  noRow: 'M4 4h16v8H4zM9 18h6',
  noColumn: 'M4 4h8v16H4zM15 12h6',
  source: 'M8 8l-4 4 4 4M16 8l4 4-4 4M14 5l-4 14',
};

export function tableTools({ row, column }: Place, { table, change, showSource }: Actions): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'live-table-tools';
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', 'Table');
  const now = table().alignments[column] ?? null;
  const align = (to: Exclude<Alignment, null>, label: string) => {
    const is = now === to;
    const button = toolOf(SIGNS[to], label, () =>
      change({ changes: aligned(table(), column, is ? null : to) }),
    );
    button.setAttribute('aria-pressed', String(is));
    return button;
  };
  const withoutRow = toolOf(SIGNS.noRow, 'Delete the row', () =>
    change({ changes: removedRow(table(), row) }),
  );
  withoutRow.disabled = row === 0;
  const withoutColumn = toolOf(SIGNS.noColumn, 'Delete the column', () =>
    change({ changes: removedColumn(table(), column) }),
  );
  withoutColumn.disabled = columnsOf(table()) < 2;
  bar.append(
    align('left', 'Align left'),
    align('center', 'Centre'),
    align('right', 'Align right'),
    toolOf(SIGNS.row, 'Add a row below', () => change({ changes: [addedRow(table(), row)], row: row + 1 })),
    toolOf(SIGNS.column, 'Add a column to the right', () =>
      change({ changes: addedColumn(table(), column), column: column + 1 }),
    ),
    withoutRow,
    withoutColumn,
    toolOf(SIGNS.source, 'Show the source of the table', showSource),
  );
  bar.addEventListener('keydown', walk);
  // The cell keeps the keyboard.
  bar.addEventListener('mousedown', (event) => event.preventDefault());
  return bar;
}

function toolOf(sign: string, label: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button small';
  button.setAttribute('aria-label', label);
  button.dataset.tip = label;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'));
  path.setAttribute('d', sign);
  button.append(svg);
  button.addEventListener('click', run);
  return button;
}

/** Arrows walk along the tools; Escape goes back to the cell. */
function walk(event: KeyboardEvent): void {
  const bar = event.currentTarget as HTMLElement;
  if (event.key === 'Escape')
    bar.parentElement?.querySelector<HTMLElement>('.is-edited .cm-content')?.focus();
  const tools = [...bar.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const at = tools.indexOf(document.activeElement as HTMLButtonElement);
  const next = { ArrowRight: tools[at + 1], ArrowLeft: tools[at - 1] }[event.key];
  next?.focus();
  if (event.key === 'Escape' || next) event.preventDefault();
}
