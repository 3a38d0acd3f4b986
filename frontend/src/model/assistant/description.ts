/** A description of a system from which the assistant drafts a workspace. Pure. */

/** The longest description; the server accepts more in a request. */
export const MAX_DESCRIPTION = 4000;
const MAX_NAME = 60;

/** A name for a described system: its first sentence, cut between words where it is long. */
export function nameFrom(description: string): string {
  const sentence = description.trim().split(/[.!?](?:\s|$)|\n/)[0] ?? '';
  const words = sentence.replace(/\s+/g, ' ').trim();
  if (words.length <= MAX_NAME) return capital(words) || 'Untitled workspace';
  const end = words.lastIndexOf(' ', MAX_NAME);
  return `${capital(words.slice(0, end > MAX_NAME / 2 ? end : MAX_NAME).replace(/(?<![,;:\s])[,;:\s]+$/, ''))}…`;
}

/** Whether a document has no content yet: it is empty, or has only headings, as in a blank workspace. */
export const hasOnlyHeadings = (document: string): boolean =>
  document.split('\n').every((line) => line.trim() === '' || /^#{1,6} /.test(line));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
