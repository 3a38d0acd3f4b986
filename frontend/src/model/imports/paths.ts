/** Which files of a folder are worth sending, by their paths; how much is sent at once. Pure. */
import type { Format } from '../../protocol/imports';

export const MAX_FILES = 2_000;
/** Bytes of all files; as base 64 they are a third more, and a request carries 32 MB. */
export const MAX_BYTES = 22_000_000;

/** Folders that tools keep for themselves. */
const PASSED_OVER = new Set([
  'node_modules',
  'bower_components',
  'site-packages',
  '__pycache__',
  '__macosx',
  'venv',
  'target',
  'vendor',
]);
/** Files that others refer to. */
const BESIDE = ['.env', '.csv', '.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg'];

/** As the server has it for its command line (`model/readers/registry.may_belong`). */
export function mayBelong(path: string, formats: readonly Format[]): boolean {
  const parts = path.toLowerCase().split('/');
  const name = parts.pop() ?? '';
  if (parts.some((folder) => folder.startsWith('.') || PASSED_OVER.has(folder))) return false;
  return [...BESIDE, ...formats.flatMap(({ endings }) => endings)].some((ending) => name.endsWith(ending));
}

/** The folder that a file came in, or the zip that it is, by its name; empty for neither. */
const topOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : (/^(.+)\.zip$/i.exec(path)?.[1] ?? '');

/** What a folder of workspaces is called that is made of these files. */
export function folderNameOf(paths: readonly string[]): string {
  const tops = new Set(paths.map(topOf));
  const [top] = tops;
  return tops.size === 1 && top ? top : 'Import';
}
