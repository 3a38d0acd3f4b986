/** Files and folders that somebody has chosen or dropped, and how they are sent. Not here: what they are, which the server says. */
import { MAX_BYTES, MAX_FILES, mayBelong } from '../../model/imports/paths';
import { hasKnownEnding } from '../../model/text/importFormats';
import { type Format, listFormats, type SentFile } from '../../protocol/imports';

const TOO_MUCH = 'This is too much';

export interface ChosenFile {
  /** With `/` between its parts. */
  path: string;
  file: File;
}

/** What was chosen is not sent: why, in a few words, and what to do, which is the message. */
export class NotSent extends Error {
  readonly title: string;

  constructor(title: string, advice: string) {
    super(advice);
    this.title = title;
  }
}

/** What an input has; of a folder with the paths in it. */
export const chosenOf = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** What is dropped: browsers tell it while the drop is handled alone. */
export interface Dropped {
  files: readonly File[];
  entries: readonly FileSystemEntry[];
}

/** Files that are dropped, and of folders what may be of a format. */
export async function droppedOf({ files, entries }: Dropped): Promise<ChosenFile[]> {
  if (entries.every((entry) => entry.isFile)) return chosenOf(files);
  const formats = await listFormats();
  const found: ChosenFile[] = [];
  for (const entry of entries) await collect(entry, found, formats);
  return found;
}

async function collect(
  entry: FileSystemEntry,
  found: ChosenFile[],
  formats: readonly Format[],
): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    if (path.includes('/') && !mayBelong(path, formats)) return;
    if (found.length >= MAX_FILES) throw tooMany();
    found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    return;
  }
  // A folder whose files would all be passed over is not walked through.
  if (!mayBelong(`${path}/x.csv`, formats)) return;
  for (const inner of await entriesOf(entry as FileSystemDirectoryEntry))
    await collect(inner, found, formats);
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder: browsers give a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    found.push(...some);
  }
}

/** Whether it is one file of a format that has a dialog of its own, which shows its text. */
export const isOneOfItsOwn = (chosen: readonly ChosenFile[]): boolean =>
  chosen.length === 1 && chosen.every(({ path }) => !path.includes('/') && hasKnownEnding(path));

/** Files as they are sent. A chosen folder is passed through as a dropped one is. */
export async function sentFiles(chosen: readonly ChosenFile[]): Promise<SentFile[]> {
  const formats = chosen.some(({ path }) => path.includes('/')) ? await listFormats() : [];
  const wanted = chosen.filter(({ path }) => !path.includes('/') || mayBelong(path, formats));
  if (wanted.length === 0)
    throw new NotSent('Nothing of this can be imported', 'Choose other files, or another folder.');
  if (wanted.length > MAX_FILES) throw tooMany();
  const bytes = wanted.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MAX_BYTES)
    throw new NotSent(
      TOO_MUCH,
      `These files have ${(bytes / 1e6).toFixed(1)} MB; at most ${MAX_BYTES / 1e6} MB can be imported at once.`,
    );
  return Promise.all(wanted.map(sentFile));
}

const tooMany = () =>
  new NotSent(
    TOO_MUCH,
    `At most ${MAX_FILES.toLocaleString('en')} files can be imported at once; choose a part of the folder.`,
  );

async function sentFile({ path, file }: ChosenFile): Promise<SentFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!content.includes('\u0000')) return { path, content };
  } catch {
    // no text
  }
  return { path, content_base64: await inBase64(file) };
}

/** The bytes of a file in base 64. */
export function inBase64(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
