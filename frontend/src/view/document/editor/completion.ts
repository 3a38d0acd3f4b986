/**
 * Completion in the text: `@` and `[[` offer nodes and sections and insert links, `/` offers what can be inserted. Not
 * here: what that is (`model/text/insertions.ts`).
 */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { ChangeSet, type EditorState, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { hasWords, type Insertion, insertionsFor } from '../../../model/text/insertions';
import { mentionable, nodeLink, sectionLink } from '../../../model/text/links';
import type { Heading } from '../../../model/text/outline';
import { typeName } from '../../../model/words/kinds';
import type { DiagramNode } from '../../../protocol/types';
import { isInCode } from './caretInCode';
import { askForImages } from './options';
import { linkTargets } from './partState';

// Not within a word, which would be an e-mail address.
const MENTION = /(?<![\p{L}\p{N}_@/.])@[\p{L}\p{N} _.-]{0,40}$/u;
const WIKI_LINK = /\[\[[^[\]\n|]{0,60}$/;
const WORD = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+$/u;
/** At the start of a line, or after a blank; a blank after it ends it. */
const SLASH = /(?<![^\s>])\/(?:[\p{L}\p{N}][\p{L}\p{N} ]{0,30})?$/u;

const MAX_SECTIONS = 20;

/** The text of the line up to a position. */
function ahead({ doc }: EditorState, at: number): string {
  const line = doc.lineAt(at);
  return line.text.slice(0, at - line.from);
}

/** Whether a position is at the end of a sign that offers something, with what is looked for. */
export function isAskedAt(state: EditorState, at: number): boolean {
  const text = ahead(state, at);
  return [MENTION, WIKI_LINK, SLASH].some((asked) => asked.test(text));
}

/** The sections that words find. */
type FindSections = (words: string) => Heading[];

async function links(context: CompletionContext): Promise<CompletionResult | null> {
  const isAsked = askedAt(context) !== null;
  if ((!isAsked && !context.explicit) || isInCode(context.state, context.pos)) return null;
  return linksTo(context, isAsked ? await sectionsOf(context.state) : () => [], context.explicit);
}

/** What is looked for at a position: from the sign that offers links, or the word where they were asked for by a key. */
const askedAt = ({ state, pos }: CompletionContext): RegExpExecArray | null => {
  const text = ahead(state, pos);
  return WIKI_LINK.exec(text) ?? MENTION.exec(text);
};

function linksTo(
  context: CompletionContext,
  findSections: FindSections,
  isByKey: boolean,
): CompletionResult | null {
  const { state, pos } = context;
  const found = askedAt(context) ?? (isByKey ? WORD.exec(ahead(state, pos)) : null);
  if (!found && !isByKey) return null;
  const query = (found?.[0] ?? '').replace(/^(?:@|\[\[)/, '');
  const nodes = mentionable([...state.field(linkTargets).nodes.values()], query);
  const options = [...nodes.map(nodeCompletion), ...findSections(query).map(sectionCompletion)];
  // No match after two words: it was no mention.
  if (options.length === 0) return null;
  return {
    from: found ? pos - found[0].length : pos,
    filter: false,
    options,
    // At once with each letter: a list that waits for its next entries takes no Enter.
    update: (_result, _from, _to, next) => linksTo(next, findSections, isByKey),
  };
}

/** Headings are read by the renderer, which a text can be written without. While one is looked for they stay the same. */
async function sectionsOf(state: EditorState): Promise<FindSections> {
  const { matchingHeadings, outlineOf } = await import('../../../model/text/outline');
  const headings = outlineOf(state.doc.toString()).filter(({ anchor }) => anchor !== '');
  return (words) => matchingHeadings(headings, words).slice(0, MAX_SECTIONS);
}

function nodeCompletion(node: DiagramNode): Completion {
  const type = typeName(node);
  const detail = node.technology ? `${type} · ${node.technology}` : type;
  return { label: node.label, detail, apply: inserts(nodeLink(node)) };
}

const sectionCompletion = ({ title, anchor }: Heading): Completion => ({
  label: title,
  detail: 'Section',
  apply: inserts(sectionLink(title, anchor)),
});

/** Puts a link in place of what was typed, and of the brackets behind it that some keyboards close by themselves. */
const inserts =
  (insert: string) =>
  (view: EditorView, completion: Completion, from: number, to: number): void => {
    const isClosed = view.state.sliceDoc(from, from + 2) === '[[' && view.state.sliceDoc(to, to + 2) === ']]';
    view.dispatch({
      changes: { from, to: isClosed ? to + 2 : to, insert },
      selection: { anchor: from + insert.length },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
    });
  };

/** The menu of `/`. Escape leaves what was typed. */
function slashMenu({ state, pos }: CompletionContext): CompletionResult | null {
  const found = SLASH.exec(ahead(state, pos));
  if (!found || isInCode(state, pos)) return null;
  const query = found[0].slice(1);
  const options = insertionsFor(query).map(insertionCompletion);
  for (const { words, ...entry } of ASKING)
    if (hasWords(`${entry.label} ${words}`, query)) options.push(entry);
  if (options.length === 0) return null;
  const update: CompletionResult['update'] = (_result, _from, _to, next) => slashMenu(next);
  return { from: pos - found[0].length, filter: false, options, update };
}

/** Entries that ask for more, by words that they are found by. */
const ASKING: readonly (Completion & { words: string })[] = [
  {
    label: 'Image',
    detail: '![ ]( )',
    apply: asksForImages,
    words: 'picture photo screenshot upload file',
  },
  {
    label: 'Link to a node or section',
    detail: '@',
    apply: asksForLink,
    words: 'mention',
  },
];

const insertionCompletion = (insertion: Insertion): Completion => ({
  label: insertion.title,
  detail: insertion.mark,
  apply: (view, completion, from, to) => void insertChosen(view, insertion, completion, { from, to }),
});

/** What was typed goes and what was chosen comes, as one step. */
async function insertChosen(
  view: EditorView,
  { insert }: Insertion,
  completion: Completion,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const { state } = view;
  const removal = state.changes({ from, to });
  const text = removal.apply(state.doc).toString();
  const { changes, selected } = await insert(text, { from, to: from });
  // Somebody has written meanwhile; what was typed is still there.
  if (view.state.doc !== state.doc) return;
  view.dispatch({
    changes: removal.compose(ChangeSet.of(changes, text.length)),
    selection: { anchor: selected.from, head: selected.to },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

function asksForImages(view: EditorView, completion: Completion, from: number, to: number): void {
  view.dispatch({
    changes: { from, to },
    annotations: pickedCompletion.of(completion),
    userEvent: 'delete.complete',
  });
  for (const ask of view.state.facet(askForImages)) ask();
}

function asksForLink(view: EditorView, _completion: Completion, from: number, to: number): void {
  view.dispatch({
    changes: { from, to, insert: '@' },
    selection: { anchor: from + 1 },
    userEvent: 'input.type',
  });
  startCompletion(view);
}

/** One source: a second one, asked again with each letter, would hold back the list of the first. */
const offered = (context: CompletionContext) => slashMenu(context) ?? links(context);

export const completes = (): Extension =>
  autocompletion({ override: [offered], icons: false, activateOnTyping: true, interactionDelay: 0 });
