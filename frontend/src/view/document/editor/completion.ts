/** Completion of `@` by the nodes of the diagram; it inserts a link. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { mentionable, nodeLink } from '../../../model/text/links';
import { TYPE_NAMES } from '../../../model/words/kinds';
import type { DiagramNode } from '../../../protocol/types';
import { linkTargets } from './nodeLinks';

// Not within a word, which would be an e-mail address.
const ASKED = /(?<![\p{L}\p{N}_@/.])@[\p{L}\p{N} _.-]{0,40}$/u;
const WORD = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+$/u;

/** Whether a position is at the end of an `@` with what is looked for. */
export function isMentionAt({ doc }: EditorState, at: number): boolean {
  const line = doc.lineAt(at);
  return ASKED.test(line.text.slice(0, at - line.from));
}

function offered(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const ahead = line.text.slice(0, context.pos - line.from);
  const found = ASKED.exec(ahead) ?? (context.explicit ? WORD.exec(ahead) : null);
  if (!found && !context.explicit) return null;
  const from = found ? line.from + found.index : context.pos;
  const query = (found?.[0] ?? '').replace(/^@/, '');
  const nodes = mentionable([...context.state.field(linkTargets).nodes.values()], query);
  // No match after two words: it was no mention.
  if (nodes.length === 0) return null;
  return { from, filter: false, options: nodes.map(completionOf) };
}

function completionOf(node: DiagramNode): Completion {
  const type = TYPE_NAMES[node.type] ?? node.type;
  return {
    label: node.label,
    detail: node.technology ? `${type} · ${node.technology}` : type,
    apply(view: EditorView, completion: Completion, from: number, to: number) {
      const insert = nodeLink(node);
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        annotations: pickedCompletion.of(completion),
        userEvent: 'input.complete',
      });
    },
  };
}

export const completesNodes = (): Extension =>
  autocompletion({ override: [offered], icons: false, activateOnTyping: true, interactionDelay: 0 });
