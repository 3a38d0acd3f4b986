/**
 * Whether this Node.js builds the editor: says what is the matter with it, if anything; the exit code is 1 where it is too old.
 * Uses the language alone, since it runs before anything is installed.
 */

import { pathToFileURL } from 'node:url';

const WANTED = 'Node.js 22.13 or newer';

/** Whether a version will do, and what to say about it; `engines` in package.json says the same to npm. */
export function verdict(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return { fits: true, says: '' };
  if (major === 20 && minor >= 19) {
    return {
      fits: true,
      says: `Node.js 20 has ended and gets no fixes any more; this one still builds the editor. Better: ${WANTED}`,
    };
  }
  return {
    fits: false,
    says: `Building the editor needs ${WANTED} (20.19 still does); this is ${version}: https://nodejs.org`,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { fits, says } = verdict(process.versions.node);
  if (says) console.error(says);
  process.exit(fits ? 0 : 1);
}
