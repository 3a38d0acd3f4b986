/**
 * What is written on a note, or as a text: its label and, in the lines below, its description, as subject and body of a commit
 * message. Pure. Twin of the server's `model/fields.py`.
 */
import type { DiagramNode } from '../../protocol/types';

const LONGEST_LABEL = 120;

export const writtenOn = ({ label, description }: Pick<DiagramNode, 'label' | 'description'>): string =>
  description ? `${label}\n${description}` : label;

/** Label and description for a text: its first line, broken between words where it is too long, and the rest. */
export function splitText(text: string): { label: string; description: string } {
  const [first = '', ...others] = text.trim().split('\n');
  const letters = [...first];
  if (letters.length <= LONGEST_LABEL) return { label: first.trimEnd(), description: others.join('\n') };
  const blank = letters.lastIndexOf(' ', LONGEST_LABEL);
  const end = blank > 0 ? blank : LONGEST_LABEL;
  const rest = letters.slice(end).join('').trim();
  return { label: letters.slice(0, end).join('').trimEnd(), description: [rest, ...others].join('\n') };
}

/** How it is set, in pixels of the diagram; as in `view/styles/annotations.css`. */
export const LETTERS = { size: 13, lineHeight: 18 } as const;
/** Between the letters and the border. */
export const ROOM_AROUND = { x: 12, y: 9 } as const;
