/**
 * Live preview of the text editor: Markdown looks as it is read, and its marks are shown in the line of the caret. It is a
 * look alone: the text, the selection, what is copied and what others see are those of the source. Loaded after the editor
 * (`../livePreview.ts`).
 */
import '../../../styles/editor-live.css';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { blockLook } from './blocks';
import { inlineLook } from './inline';
import { laterLooks } from './laterLooks';
import { paragraphs } from './paragraphs';
import { revealing } from './revealed';
import { tableLinks, tables } from './table/widget';

export const livePreview = (): Extension => [
  EditorView.editorAttributes.of({ class: 'is-live' }),
  revealing(),
  blockLook(tables, paragraphs),
  tableLinks,
  inlineLook(),
  laterLooks(),
];
