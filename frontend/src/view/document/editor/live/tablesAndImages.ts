/**
 * What of live preview is loaded after the rest of it: editing of tables, own images, diagrams, maths,
 * and the front matter as a table.
 */
import '../../../styles/editor-live-later.css';
import type { Extension } from '@codemirror/state';
import { BlockType, type EditorView, keymap } from '@codemirror/view';
import { figureLook } from './figures';
import { frontMatterLook } from './frontMatter';
import { imageLook } from './images';
import { mathsLook } from './maths';
import { tableEditing } from './table/editing';

export const tablesAndImages = (): Extension => [
  frontMatterLook(),
  imageLook(),
  figureLook(),
  mathsLook(),
  tableEditing(),
  entering(),
];

const enters = (isDown: boolean) => (view: EditorView) => {
  const { doc, selection } = view.state;
  const { main } = selection;
  const line = doc.lineAt(main.head);
  const beside = isDown ? line.to + 1 : line.from - 1;
  if (!main.empty || beside < 0 || beside > doc.length) return false;
  const { type, from, to } = view.lineBlockAt(beside);
  const next = view.moveVertically(main, isDown).head;
  const isLeaving = next === main.head || (isDown ? next > line.to : next < line.from);
  if (type !== BlockType.WidgetRange || !isLeaving) return false;
  view.dispatch({ selection: { anchor: isDown ? from : to }, scrollIntoView: true, userEvent: 'select' });
  return true;
};

/**
 * Up and down into what a widget stands for, such as a diagram, whose source is shown then. Not here: into tables, whose cells
 * are gone into (`table/editing.ts`).
 */
const entering = (): Extension =>
  keymap.of([
    { key: 'ArrowDown', run: enters(true) },
    { key: 'ArrowUp', run: enters(false) },
  ]);
