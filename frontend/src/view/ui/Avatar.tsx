/** The avatar of a person: initials on their colour; a spark for the assistant, a robot for an agent. Hidden from screen readers. */
import '../styles/avatars.css';
import { Bot, Sparkles } from 'lucide-react';
import type { CSSProperties } from 'react';
import { initialsOf, inkOn } from '../../model/words/people';

interface Props {
  name: string;
  color: string;
  isAssistant?: boolean;
  isAgent?: boolean;
  /** How many pages of theirs are open; shown from two on. */
  pages?: number;
  /** The member ids. */
  member?: string;
}

export function Avatar({ name, color, isAssistant = false, isAgent = false, pages = 1, member }: Props) {
  return (
    <span
      className="avatar-disc"
      style={inColour(color)}
      data-member={member}
      data-pages={pages}
      data-name={name}
      data-initials={isAssistant || isAgent ? undefined : initialsOf(name)}
      aria-hidden="true"
    >
      {isAssistant && <Sparkles size={14} strokeWidth={2} />}
      {isAgent && <Bot size={16} strokeWidth={2} />}
    </span>
  );
}

/** Not used for people. */
export const ASSISTANT_COLOR = '#4f46e5';

/** CSS variables with the colour of a person and a readable text colour. */
export const inColour = (color: string): CSSProperties =>
  ({ '--person': color, '--on-person': inkOn(color) }) as CSSProperties;
