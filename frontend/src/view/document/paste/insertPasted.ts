/** What is pasted into the text, and inserting it as one step of undo. Loaded when it is first needed. */
import type { ChangeSet, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { anchorIn } from '../../../model/text/anchors';
import { nodeLink, sectionLink } from '../../../model/text/links';
import { linkedNode } from '../../../model/text/nodeLink';
import {
  addressOf,
  type Copied,
  fitted,
  inFence,
  isMermaid,
  linkTo,
  type Pasted,
  placeWithin,
  tableOfTabs,
} from '../../../model/text/pasted';
import type { DiagramNode } from '../../../protocol/types';

/**
 * Where it was pasted, while its meaning is found out: in front of what is typed there since, and in place of what is still
 * there of the selection, but of nothing that has been written within it meanwhile.
 */
export interface PastePlace {
  at: number;
  removal: ChangeSet;
}

/** The document into which it is pasted. */
interface Target {
  state: EditorState;
  nodes: ReadonlyMap<string, DiagramNode>;
}

/** What is inserted for what the clipboard holds. `words`: what it replaces. */
export async function meaningOf({ plain, html }: Copied, words: string, target: Target): Promise<Pasted> {
  const address = addressOf(plain);
  const link = address === null ? null : await linkFor(address, words, target);
  if (link !== null) return { text: link, isMarkdown: true };
  const rich = html === '' ? null : await richText(html);
  const text = rich ?? (isMermaid(plain) ? inFence(plain, 'mermaid') : null) ?? tableOf(plain, html);
  return text === null ? { text: plain, isMarkdown: false } : { text, isMarkdown: true };
}

/** Without rich text, since what is copied with it is a table there or none. */
const tableOf = (plain: string, html: string): string | null => (html === '' ? tableOfTabs(plain) : null);

async function richText(html: string): Promise<string | null> {
  const { markdownOf } = await import('./richText');
  return markdownOf(html, location.href);
}

/** A link around the selected words, or to a node or section by its name; null for an address that stays one. */
async function linkFor(address: string, words: string, { state, nodes }: Target): Promise<string | null> {
  const place = placeWithin(address, location.href);
  if (words.trim() !== '' && !/\n|\]\(/.test(words) && addressOf(words) === null)
    return linkTo(place ?? address, words.trim());
  if (place === null) return null;
  const id = linkedNode(place);
  const node = id === null ? undefined : nodes.get(id);
  if (node) return nodeLink(node);
  const { outlineOf } = await import('../../../model/text/outline');
  const heading = outlineOf(state.doc.toString()).find(
    ({ anchor }) => anchor !== '' && anchor === anchorIn(place),
  );
  return heading ? sectionLink(heading.title, heading.anchor) : null;
}

/** Inserts it in place of what is there. The caret goes behind it, unless it has been moved elsewhere meanwhile. */
export function insertPasted(view: EditorView, { at, removal }: PastePlace, pasted: Pasted): void {
  const { doc, selection } = view.state;
  let to = at;
  removal.iterChangedRanges((_from, end) => {
    to = Math.max(to, end);
  });
  const { text, replaced } = pasted.isMarkdown
    ? fitted(pasted.text, {
        before: doc.sliceString(doc.lineAt(at).from, at),
        behind: doc.sliceString(to, doc.lineAt(to).to),
      })
    : { text: pasted.text, replaced: 0 };
  const from = at - replaced;
  const isHere = selection.main.from === at && selection.main.to === to;
  view.dispatch({
    changes: [{ from, to: at, insert: text }, removal],
    userEvent: 'input.paste',
    ...(isHere && {
      selection: { anchor: from + text.length },
      effects: EditorView.scrollIntoView(from + text.length),
    }),
  });
}
