/** File names for exports: from a workspace's name, valid on every system. Pure. */

const LONGEST = 80;
/** Names that Windows reserves, whatever the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name without an extension; letters of any script stay, characters that a file system reserves are replaced. */
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

/** Some systems drop dots and blanks at the end; a dot at the beginning hides a file on others. */
const trimmed = (name: string): string => name.replace(/^[\s.-]+|(?<![\s.-])[\s.-]+$/g, '');
