/** A person as a disc with initials in their colour; the assistant has a spark. Says nothing by itself to screen readers. */
import '../styles/avatars.css';
import { Sparkles } from 'lucide-react';
import type { CSSProperties } from 'react';
import { initialsOf, inkOn } from '../../model/words/people';

interface Props {
  name: string;
  color: string;
  isAssistant?: boolean;
  /** How many pages of theirs are open; shown from two on. */
  pages?: number;
  /** The member or members of the roster that it stands for. */
  member?: string;
}

export function Avatar({ name, color, isAssistant = false, pages = 1, member }: Props) {
  return (
    <span
      className="avatar-disc"
      style={inColour(color)}
      data-member={member}
      data-pages={pages}
      data-name={name}
      data-initials={isAssistant ? undefined : initialsOf(name)}
      aria-hidden="true"
    >
      {isAssistant && <Sparkles size={14} strokeWidth={2} />}
    </span>
  );
}

/** Nobody's own: people's colours are others. */
export const ASSISTANT_COLOR = '#4f46e5';

/** The colour of a person, and what can be read on it, for styles below. */
export const inColour = (color: string): CSSProperties =>
  ({ '--person': color, '--on-person': inkOn(color) }) as CSSProperties;
