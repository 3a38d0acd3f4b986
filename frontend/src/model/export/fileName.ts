/** What an exported file is called: from a workspace's name, and safe on every system. Pure. */

const LONGEST = 80;
/** Names that Windows keeps for itself, whatever the ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name without its ending; letters of any script stay, what a file system reads as its own does not. */
export function safeName(text: string): string {
  const kept = text
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name may hold them
    .replace(/[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '')
    .replace(/[<>:"/\\|?*]+/g, '-')
    .replace(/\s+/g, ' ');
  const name = trimmed([...trimmed(kept)].slice(0, LONGEST).join(''));
  if (!name) return 'Workspace';
  return RESERVED.test(name) ? `${name}-` : name;
}

/** Dots and blanks at the end are dropped by some systems, a dot at the beginning hides a file on others. */
const trimmed = (name: string): string => name.replace(/^[\s.-]+|[\s.-]+$/g, '');
