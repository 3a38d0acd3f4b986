/**
 * What of live preview is loaded after the rest of it: editing of tables, own images, diagrams, maths,
 * and the front matter as a table.
 */
import '../../../styles/editor-live-later.css';
import type { Extension } from '@codemirror/state';
import { entering } from './entering';
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
