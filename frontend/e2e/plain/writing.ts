/** The document in CodeMirror, in a shadow root, where its styles are allowed by the page's security policy. */
import { defaultKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { liveText } from '../../src/sync/editor/codemirror';
import type { PageContext, Part } from './context';
import { element, section } from './dom';

export function writingPart(context: PageContext): Part {
  const { client } = context;
  const host = element('div', { id: 'document' });
  const root = host.attachShadow({ mode: 'open' });
  let editor: EditorView | null = null;

  function open(): EditorView {
    const onCaret = (caret: { anchor: number; head: number } | null) =>
      context.present({
        caret: caret && { rev: client.revision, ...caret },
        editing: caret ? 'document' : null,
      });
    return new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: client.view.text,
        extensions: [
          liveText(client, { onCaret }),
          keymap.of(defaultKeymap),
          EditorView.lineWrapping,
          // The text can be reached by the keyboard anyway; said so, it can be checked.
          EditorView.contentAttributes.of({ 'aria-label': 'Document', tabindex: '0' }),
          look,
        ],
      }),
    });
  }

  return {
    element: section('document', 'Document', host),
    // Nothing can be written before there is a text to write in.
    show() {
      if (!editor && client.me) editor = open();
    },
  };
}

const look = EditorView.theme({
  '&': { border: '1px solid var(--line-strong)', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-scroller': { maxHeight: '24em', overflow: 'auto' },
});
