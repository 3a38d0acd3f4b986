/** The CodeMirror extensions of the text editor: language and theme, keys, folding, the live text. */
import { defaultKeymap } from '@codemirror/commands';
import {
  codeFolding,
  foldCode,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
  unfoldCode,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, placeholder } from '@codemirror/view';
import { liveText } from '../../../sync/editor/codemirror';
import { broughtFiles } from './broughtFiles';
import { direction } from './direction';
import { flashes } from './flash';
import { formattingKeys } from './formatting';
import { cellLanguage, documentLanguage, inlineParser } from './language';
import { laterTools } from './laterTools';
import { previewFor } from './livePreview';
import { looks } from './looks';
import { markdownLook, nestedLook } from './markdownLook';
import { nodeLinks } from './nodeLinks';
import { askForImages, type EditorOptions } from './options';
import { cellTools } from './partState';
import { pasting } from './pasting';
import { typingOver } from './typingOver';
import type { TypingTimes } from './typingTimes';

export function extensionsFor(options: EditorOptions, times: TypingTimes): Extension {
  const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
  return [
    EditorView.cspNonce.of(nonce),
    liveText(options.text, { onCaret: options.onCaret, hasHistoryKeys: false }),
    times.extension(),
    looks(previewFor(options.look)),
    documentLanguage(),
    syntaxHighlighting(markdownLook),
    syntaxHighlighting(nestedLook),
    EditorView.lineWrapping,
    direction(),
    highlightActiveLine(),
    placeholder('Write what the diagram does not say'),
    // The text is focusable anyway; with the attribute accessibility checks can tell.
    EditorView.contentAttributes.of({ 'aria-label': 'Document', tabindex: '0', spellcheck: 'true' }),
    typingOver(),
    folding(),
    nodeLinks(options.onOpenNode),
    cells(options.onOpenNode),
    askForImages.of(options.onImage),
    flashes,
    keymap.of(formattingKeys),
    broughtFiles,
    pasting(),
    laterTools(),
    keymap.of([
      { key: 'Mod-Shift-[', run: foldCode },
      { key: 'Mod-Shift-]', run: unfoldCode },
      ...foldKeymap,
      ...defaultKeymap.filter(({ key }) => !LEFT_TO_THE_PAGE.has(key ?? '')),
    ]),
  ];
}

const LEFT_TO_THE_PAGE = new Set(['Mod-/', 'Alt-A', 'Mod-Enter', 'Mod-i', 'Shift-Alt-a']);

function folding(): Extension {
  return [
    codeFolding({
      placeholderDOM(_view, unfold) {
        const button = document.createElement('span');
        button.className = 'cm-folded';
        button.textContent = '…';
        button.title = 'Unfold';
        button.setAttribute('role', 'img');
        button.setAttribute('aria-label', 'folded text');
        button.addEventListener('click', unfold);
        return button;
      },
    }),
    foldGutter({
      markerDOM(isOpen) {
        const mark = document.createElement('span');
        mark.className = isOpen ? 'cm-fold is-open' : 'cm-fold';
        mark.title = isOpen ? 'Fold' : 'Unfold';
        return mark;
      },
    }),
  ];
}

const CELL_KEYS = new Set(['Mod-b', 'Mod-i', 'Mod-e', 'Mod-k']);

/** What the editor gives to cells of tables in live preview, which are loaded later (`live/table/cellEditor.ts`). */
export const cells = (onOpenNode: (id: string) => void): Extension =>
  cellTools.of({
    inline: inlineParser,
    extensions: [
      cellLanguage(),
      syntaxHighlighting(markdownLook),
      nodeLinks(onOpenNode),
      keymap.of(formattingKeys.filter(({ key }) => CELL_KEYS.has(key ?? ''))),
    ],
  });
