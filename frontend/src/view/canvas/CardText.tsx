/** The texts of a card as `model/drawing/legible` sets them. */
import type { CSSProperties } from 'react';
import { type Card, type CardContent, type CardForm, cardContent } from '../../model/drawing/legible';
import { counted, noteOfNode } from '../../model/words/kinds';
import type { DiagramNode, Size } from '../../protocol/types';
import { letterWidth } from '../drawing/textWidth';

type Drawn = {
  node: Pick<DiagramNode, 'label' | 'technology' | 'custom'>;
  box: Size;
  folded?: number | null;
};

const known = new WeakMap<Drawn, { step: number; form: CardForm; content: CardContent | null }>();

/** What stands below a name. */
export const noteOf = ({ node, folded = null }: Drawn): string =>
  folded === null ? noteOfNode(node) : `${counted(folded, 'node')} inside`;

export const cardOf = (drawn: Drawn): Card => ({
  label: drawn.node.label,
  note: noteOf(drawn),
  hasButton: drawn.folded != null,
  width: drawn.box.width,
  height: drawn.box.height,
});

/** What is drawn of a card at a step of the zoom; the same value as long as it is the same. Null where it is too small. */
export function contentOf(
  drawn: Drawn,
  { step, form }: { step: number; form: CardForm },
): CardContent | null {
  const before = known.get(drawn);
  if (before?.step === step && before.form === form) return before.content;
  const now = cardContent(cardOf(drawn), step, letterWidth, form);
  const content = before && JSON.stringify(before.content) === JSON.stringify(now) ? before.content : now;
  known.set(drawn, { step, form, content });
  return content;
}

/** The name in its lines; the hyphen of a broken word is no part of it. */
export function CardName({ label, content }: { label: string; content: CardContent }) {
  const { lines, size, weight } = content;
  return (
    <span
      className="node-label"
      title={label}
      style={{ '--size': size, fontWeight: weight } as CSSProperties}
    >
      {lines.map(({ text, isBroken }) => (
        <span key={text} className={isBroken ? 'broken' : undefined}>
          {text}
        </span>
      ))}
    </span>
  );
}
