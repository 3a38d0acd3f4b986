/** What of live preview is loaded after the rest of it: editing of tables, own images, and the front matter as a table. */
import type { Extension } from '@codemirror/state';
import { frontMatterLook } from './frontMatter';
import { imageLook } from './images';
import { tableEditing } from './table/editing';

export const tablesAndImages = (): Extension => [frontMatterLook(), imageLook(), tableEditing()];
