/** What the editor gives to cells of tables in live preview, which are loaded later (`live/table/cellEditor.ts`). */
import { syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { formattingKeys } from './formatting';
import { cellLanguage, inlineParser } from './language';
import { markdownLook } from './markdownLook';
import { nodeLinks } from './nodeLinks';
import { cellTools } from './partState';

const KEYS = new Set(['Mod-b', 'Mod-i', 'Mod-e', 'Mod-k']);

export const cells = (onOpenNode: (id: string) => void): Extension =>
  cellTools.of({
    inline: inlineParser,
    extensions: [
      cellLanguage(),
      syntaxHighlighting(markdownLook),
      nodeLinks(onOpenNode),
      keymap.of(formattingKeys.filter(({ key }) => KEYS.has(key ?? ''))),
    ],
  });
