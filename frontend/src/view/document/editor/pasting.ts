/**
 * Pasting into the text: what may mean more than its characters is read by a part that is loaded on use (`../paste`);
 * anything else is left to CodeMirror, as is what is pasted with Shift. Files are taken before (`broughtFiles.ts`).
 */
import type { Extension } from '@codemirror/state';
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { Copied } from '../../../model/text/pasted';
import { matches } from '../../commands/keys';
import type { PastePlace } from '../paste/insertPasted';
import { isInCode } from './caretInCode';
import { linkTargets } from './partState';

/** Text that may be an address, a table or a diagram. */
const MAY_MEAN_MORE =
  /^\s*(?:https?:|mailto:)\S+\s*$|\t|^\s*(?:---|%%|[a-z]+Diagram|flowchart|graph|gantt|gitGraph|mindmap|timeline|journey)\b/i;

class Pasting implements PluginValue {
  private isPlain = false;
  private isGone = false;
  /** Places that wait for the part; others and oneself may type meanwhile. */
  private readonly places = new Set<PastePlace>();

  constructor(private readonly view: EditorView) {}

  update({ changes, docChanged }: ViewUpdate): void {
    if (!docChanged) return;
    for (const place of this.places) {
      place.at = changes.mapPos(place.at, -1);
      place.removal = place.removal.map(changes);
    }
  }

  destroy(): void {
    this.isGone = true;
  }

  press(event: KeyboardEvent): void {
    this.isPlain = matches('Mod+Shift+V', event);
  }

  /** Whether the paste is taken. */
  paste(data: DataTransfer | null): boolean {
    const { isPlain } = this;
    this.isPlain = false;
    const { readOnly, selection } = this.view.state;
    if (!data || isPlain || readOnly || selection.ranges.length > 1) return false;
    const isOfCodeEditor = data.types.includes('vscode-editor-data');
    const copied = {
      plain: data.getData('text/plain'),
      html: isOfCodeEditor ? '' : data.getData('text/html'),
    };
    if (copied.html === '' && !MAY_MEAN_MORE.test(copied.plain.slice(0, 4_000))) return false;
    void this.insert(copied);
    return true;
  }

  async insert({ html, plain }: Copied): Promise<void> {
    const { state } = this.view;
    const { from, to } = state.selection.main;
    const place = { at: from, removal: state.changes({ from, to }) };
    const copied = { html, plain: plain.replace(/\r\n?/g, '\n') };
    const asIs = { text: copied.plain, isMarkdown: false };
    this.places.add(place);
    const { meaningOf, insertPasted } = await import('../paste/insertPasted').catch(() => PLAIN);
    const { nodes } = state.field(linkTargets);
    const pasted = isInCode(state, from)
      ? asIs
      : await meaningOf(copied, state.sliceDoc(from, to), { state, nodes }).catch(() => asIs);
    this.places.delete(place);
    if (!this.isGone) insertPasted(this.view, place, pasted);
  }
}

/** What serves where the part cannot be loaded. */
const PLAIN: typeof import('../paste/insertPasted') = {
  meaningOf: async ({ plain }) => ({ text: plain, isMarkdown: false }),
  insertPasted: (view, { at, removal }, { text }) =>
    view.dispatch({
      changes: [removal, { from: at, insert: text }],
      selection: { anchor: at + text.length },
      userEvent: 'input.paste',
    }),
};

const plugin = ViewPlugin.fromClass(Pasting, {
  eventObservers: {
    keydown(event) {
      this.press(event);
    },
  },
  eventHandlers: {
    paste(event) {
      return this.paste(event.clipboardData);
    },
  },
});

export const pasting = (): Extension => plugin;
